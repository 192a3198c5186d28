#include "app/scenes/mobiles/mobile_layout.hpp"

#include "collision/core/elementary.hpp"
#include "collision/core/random.hpp"
#include "collision/core/trig.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace claybox::app {

using collision::Random;
using collision::Vec3d;

namespace {

constexpr double kLowest = 0.3;  ///< lowest height of a body above the floor, metres
/// Weights have few different sizes and therefore share shapes.
constexpr int kSizes = 8;
constexpr double kSizeStep = 0.84;
constexpr double kRodShrink = 0.7;  ///< length of a rod relative to the level above
constexpr double kGoesOn = 0.5;     ///< probability that the second end of a rod carries another rod
constexpr Solid kWeights[] = {
    Solid::dodecahedron, Solid::octagonal_slab, Solid::truncated_octahedron, Solid::cube,
    Solid::ball,         Solid::icosahedron,    Solid::rhombic_dodecahedron, Solid::octagonal_slab,
    Solid::octahedron,   Solid::cuboctahedron};

class Builder {
  public:
    Builder(const MobileMix& mix, std::uint64_t seed) : mix_(mix), random_(seed) {
        spacing_ = std::min(kBeamLength / mix.mobiles, 1.5);
        drop_ = (kBeamHeight - kLowest) / (mix.levels + 0.6);
        largest_ = std::min(0.23 * spacing_, 0.4 * drop_);
        double length = 0.66 * spacing_;
        for (int level = 0; level < mix.levels; ++level, length *= kRodShrink)
            out_.rod_length.push_back(static_cast<float>(length));
        out_.rod_radius = static_cast<float>(0.006 + 0.006 * spacing_);
    }
    MobileLayout build() {
        for (int i = 0; i < mix_.mobiles; ++i) {
            mobile_ = static_cast<std::uint32_t>(i);
            const double x = (i - 0.5 * (mix_.mobiles - 1)) * spacing_;
            const double thread = drop_ * random_.uniform(0.25, 0.6);
            hang_rod(collision::kNoIndex, 0, {x, kBeamHeight - thread, 0}, thread, 1);
        }
        return std::move(out_);
    }

  private:
    /// Load of a rod end: a rod with everything below it, or a weight.
    struct End {
        bool is_rod = false;
        std::uint32_t number = 0;
        double weight = 0;
    };

    /// Returns the total weight. A weight counts the cube of its radius; rods and threads weigh nothing.
    double hang_rod(std::uint32_t parent, std::uint32_t level, const Vec3d& hook, double thread,
                    double share) {
        const auto number = static_cast<std::uint32_t>(out_.rods.size());
        MobileRod rod{parent, mobile_, level, hook, thread, {}, 1, 0};
        const double sign = random_.below(2) == 0 ? -1 : 1;
        rod.rate = sign * random_.uniform(0.7, 1.3) * (1 + 0.5 * level);
        rod.phase = random_.uniform(0, 2 * collision::kPi);
        const double tilt = random_.uniform(-0.14, 0.14),
                     length = static_cast<double>(out_.rod_length[level]);
        out_.rods.push_back(rod);
        const double left_share = random_.uniform(0.36, 0.64);
        const bool last = static_cast<int>(level) + 1 == mix_.levels, left_goes_on = random_.below(2) == 0;
        std::array<End, 2> ends;
        for (const std::size_t side : {0u, 1u}) {
            const bool goes_on = !last && ((side == 0) == left_goes_on || random_.uniform() < kGoesOn);
            const double part = share * (side == 0 ? left_share : 1 - left_share);
            ends[side] = goes_on ? End{true, static_cast<std::uint32_t>(out_.rods.size()), 0}
                                 : End{false, static_cast<std::uint32_t>(out_.weights.size()), 0};
            const double below = drop_ * random_.uniform(0.92, 1.08);
            ends[side].weight = goes_on ? hang_rod(number, level + 1, {}, below, part)
                                        : hang_weight(number, part, drop_ * random_.uniform(0.2, 0.45));
        }
        balance(number, ends, length, tilt);
        return ends[0].weight + ends[1].weight;
    }
    double hang_weight(std::uint32_t rod, double share, double thread) {
        const int size =
            std::clamp(static_cast<int>(std::lround(collision::logarithm(collision::cube_root(share)) /
                                                    collision::logarithm(kSizeStep))),
                       0, kSizes - 1);
        const double radius = largest_ * collision::power(kSizeStep, size);
        MobileWeight weight;
        weight.rod = rod;
        weight.thread = thread;
        const auto count = static_cast<std::uint32_t>(out_.weights.size());
        weight.kind = kind_of(kWeights[random_.below(std::size(kWeights))], static_cast<float>(radius));
        weight.colour = static_cast<std::uint8_t>((3 * count + mobile_) % 8);
        weight.rest = collision::random_rotation(random_, 0, 3);
        weight.rate = random_.uniform(-2, 2);
        weight.centre = {0, -thread - 0.9 * radius, 0};  // relative to the rod end, which balance() adds
        out_.weights.push_back(weight);
        return radius * radius * radius;
    }
    std::uint32_t kind_of(Solid solid, float radius) {
        const auto found = std::find_if(out_.kinds.begin(), out_.kinds.end(), [&](const WeightKind& kind) {
            return kind.solid == solid && kind.radius == radius;
        });
        const auto number = static_cast<std::uint32_t>(found - out_.kinds.begin());
        if (found == out_.kinds.end()) out_.kinds.push_back({solid, radius});
        return number;
    }
    /// Hangs the rod at its balance point: each arm is proportional to the weight of the other side.
    void balance(std::uint32_t number, const std::array<End, 2>& ends, double length, double tilt) {
        const double left = length * ends[1].weight / (ends[0].weight + ends[1].weight),
                     right = length - left;
        const collision::Quat lean = collision::axis_angle({0, 0, 1}, tilt);
        out_.rods[number].body = {lean, rotate(lean, Vec3d{0.5 * (right - left), 0, 0})};
        for (const std::size_t side : {0u, 1u}) {
            const double inset = 0.02 * length;  // threads are tied slightly before the end
            const Vec3d end = rotate(lean, Vec3d{side == 0 ? inset - left : right - inset, 0, 0});
            if (ends[side].is_rod) {
                MobileRod& below = out_.rods[ends[side].number];
                below.hook = end - Vec3d{0, below.thread, 0};
            } else {
                out_.weights[ends[side].number].centre += end;
            }
        }
    }

    MobileMix mix_;
    Random random_;
    double spacing_ = 0, drop_ = 0, largest_ = 0;
    std::uint32_t mobile_ = 0;
    MobileLayout out_;
};

}  // namespace

MobileLayout lay_out_mobiles(const MobileMix& mix, std::uint64_t seed) {
    return Builder(mix, seed).build();
}

collision::Result<collision::ShapePtr> make_mobile_rod(float length, float radius) {
    std::vector<collision::Vec3f> points;
    for (int side = 0; side < 6; ++side) {
        const collision::SinCos turn = collision::sin_cos(2 * collision::kPi * side / 6);
        const auto y = radius * static_cast<float>(turn.cos), z = radius * static_cast<float>(turn.sin);
        for (const float x : {-0.5f * length, 0.5f * length}) points.push_back({x, y, z});
    }
    return collision::Shape::from_hull(points, "rod");
}

}  // namespace claybox::app
