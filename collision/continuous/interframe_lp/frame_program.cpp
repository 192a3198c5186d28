#include "collision/continuous/interframe_lp/frame_program.hpp"

#include "collision/pairwise/linear_programming/four_pairs.hpp"
#include "collision/pairwise/linear_programming/interior_point.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

/// Step 5 of section 4.3. The paper uses 1e-6; proofs follow here, and a closer end proves more.
constexpr double kEpsilon = 1e-9;
constexpr std::size_t kAligned = 64;  // more than all alignments together

/// The origin of the program's coordinates, and its unit: about the largest extent.
struct Scale {
    Vec3d centre;
    double unit = 1;
};

Scale scale_of(std::span<const FramePoint> a, std::span<const FramePoint> b) {
    Vec3d low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = -low;
    for (const auto points : {a, b})
        for (const FramePoint& p : points) {
            low = min(low, p.at);
            high = max(high, p.at);
        }
    const Vec3d half = 0.5 * high - 0.5 * low;
    const double largest = std::max({half.x, half.y, half.z});
    return {0.5 * low + 0.5 * high, largest > 0 ? std::ldexp(1.0, std::ilogb(largest) + 1) : 1.0};
}

/// Without a program: the means coincide, or the program ended there.
void write_pairs(const IpProgram<double>& p, std::span<const FramePoint> a, std::span<const FramePoint> b,
                 std::span<WeightedVertex> weighted, FrameAnswer& out) {
    for (std::size_t j = 0; j < p.size(); ++j) {
        const bool of_a = j < a.size();
        const Vec3d at = p.column(j);
        weighted[j] = {static_cast<std::uint32_t>(of_a ? j : j - a.size()), p.gamma[j], of_a ? at : -at};
    }
    const FourPairs four = couple(weighted.first(a.size()), weighted.subspan(a.size(), b.size()));
    out.count = four.count();
    for (int i = 0; i < out.count; ++i) {
        const FramePoint &of_a = a[four.pair(i).a], &of_b = b[four.pair(i).b];
        out.pairs[i] = {of_a.vertex, of_b.vertex};
        out.frames[i] = {of_a.frame, of_b.frame};
    }
}

}  // namespace

std::size_t frame_program_bytes(std::size_t points) {
    return IpProgram<double>::element_count(points) * sizeof(double) + points * sizeof(WeightedVertex) +
           kAligned;
}

FrameAnswer solve_frames(std::span<const FramePoint> a, std::span<const FramePoint> b, std::uint32_t limit,
                         QueryBuffer& buffer) {
    FrameAnswer out;
    const std::size_t count = a.size() + b.size();
    IpProgram<double> p;
    p.set_storage(buffer.take<double>(IpProgram<double>::element_count(count)), a.size(), b.size());
    const auto weighted = buffer.take<WeightedVertex>(count);
    const Scale scale = scale_of(a, b);
    for (std::size_t i = 0; i < a.size(); ++i) p.set_a(i, (a[i].at - scale.centre) * (1 / scale.unit));
    for (std::size_t i = 0; i < b.size(); ++i) p.set_b(i, (b[i].at - scale.centre) * (1 / scale.unit));
    out.columns = static_cast<std::uint32_t>(count + 1);
    equal_weights(p);
    IpEnd end = IpEnd::colliding;
    IpRules rules;
    rules.epsilon = kEpsilon;
    rules.iteration_limit = limit;
    // u is the difference of the means of the columns in use (FIX-13).
    if (start_primal(p, 1.0)) {
        start_dual(p);
        end = solve(p, rules, [](const IpProgram<double>&) {});
    }
    out.iterations = p.iterations;
    out.axis = p.normal();
    if (end == IpEnd::separated) out.verdict = Verdict::separated;
    if (end == IpEnd::colliding) out.verdict = Verdict::colliding;
    write_pairs(p, a, b, weighted, out);
    return out;
}

}  // namespace claybox::collision
