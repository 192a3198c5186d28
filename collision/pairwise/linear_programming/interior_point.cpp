// IVRI-CD: collision as a linear program, solved by an interior point method.
//
// Source: A Linear Programming Solution for Exact Collision Detection, sections 3 and 4. The corrections
// FIX-5 to FIX-12 are at their formulas, most of them in interior_point.hpp.
//
// Idea: the bodies share a point if a convex combination of A's vertices equals a convex combination of B's.
// An artificial column u makes this always solvable, and the linear program minimises its weight w. The dual
// program is a plane: pi1..3 is its normal, and pi4 + pi5 > 0 means that it separates. Primal-dual affine
// scaling moves both at once, with a 5x5 system per iteration, until either is decided. The next frame starts
// from the weights and the plane of the last one ("virtual plane": often the old plane still separates). Only
// the vertices nearest to the plane are columns; the others are checked afterwards.
//
// Preconditions: both shapes convex, of any dimension; any finite matrices, singular ones included.
// Exactness: the ladder proves or decides the claim: a plane with its supports, or four vertex pairs from the
// weights. Coordinates are relative to a point between the bodies and in units of their size, so epsilon is
// relative.
// Complexity: O(vertices) to choose and to verify, O(columns) per iteration. With `closest_features` both
// searches climb from the last features and visit only neighbours. Cache: pi and the weights.

#include "collision/pairwise/linear_programming/interior_point.hpp"

#include "collision/pairwise/linear_programming/four_pairs.hpp"
#include "collision/pairwise/linear_programming/ip_columns.hpp"
#include "collision/pairwise/query_buffer.hpp"
#include "collision/pairwise/registry.hpp"
#include "collision/pairwise/solid/solid_ladder.hpp"
#include "collision/pairwise/support/difference.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

const PairAlgorithm& describe_interior_point();

namespace {

enum ParameterIndex : std::size_t {
    kEpsilon,
    kProblemSize,
    kSlackFactor,
    kMinSlack,
    kStepRatio,
    kPotential,
    kEarlyStop,
    kVirtualPlane,
    kWarmStart,
    kEqualPart,
    kAddedVertices,
    kClosestFeatures,
    kScalar,
    kIterationLimit
};
enum CounterIndex : std::size_t {
    kEarlyExits,
    kColumns,
    kRepairs,
    kAdded,
    kVisited,
    kDoubleIterations,
    kExactIterations,
    kFromCache
};

/// A body may have this many columns more than the problem size before the next rung takes over.
constexpr std::uint32_t kMaxGrowth = 128;
/// A vertex outside the program violates the plane if its slack is below minus this, in units of the bodies'
/// size (FIX-12). Above, it touches up to rounding.
constexpr double kTouching = 1e-12;

struct Memory {
    LadderMemory ladder;
    std::uint32_t stamp = 0;  ///< the pool's stamp while the pool belongs to this memory
};

/// The contents of a pair's pool: the dual variables relative to A's translation, and the weights. `entry`
/// lists the nonzero weights; B's come after A's.
class Pool {
  public:
    struct Header {
        double pi[5];
        std::uint32_t stamp, entries;
    };
    static std::size_t bytes(std::size_t vertices) {
        return sizeof(Header) + vertices * (sizeof(float) + sizeof(std::uint32_t));
    }
    Pool(std::span<std::byte> storage, std::size_t vertices) {
        if (storage.size() < bytes(vertices)) return;
        header_ = reinterpret_cast<Header*>(storage.data());
        auto* weight = reinterpret_cast<float*>(storage.data() + sizeof(Header));
        weight_ = {weight, vertices};
        entry_ = {reinterpret_cast<std::uint32_t*>(weight + vertices), vertices};
    }
    bool belongs_to(std::uint32_t stamp) const {
        if (header_ == nullptr || stamp == 0 || header_->stamp != stamp) return false;
        return std::all_of(header_->pi, header_->pi + 5, [](double v) { return std::isfinite(v); });
    }
    const double* pi() const { return header_->pi; }
    /// Never negative, whatever the bytes are.
    double weight(std::size_t i) const { return static_cast<double>(std::max(0.0f, weight_[i])); }

    /// Clears the weights of the stamp's owner, or all bytes if they belong to another owner.
    void begin(std::uint32_t stamp) {
        if (header_ == nullptr) return;
        if (header_->stamp == stamp && stamp != 0 && header_->entries <= entry_.size()) {
            for (const std::uint32_t i : entry_.first(header_->entries))
                if (i < weight_.size()) weight_[i] = 0;
        } else {
            std::fill(weight_.begin(), weight_.end(), 0.0f);
        }
        header_->entries = 0;
    }
    void set_weight(std::size_t i, double weight) {
        if (header_ == nullptr || header_->entries == entry_.size()) return;
        weight_[i] = static_cast<float>(weight);
        entry_[header_->entries++] = static_cast<std::uint32_t>(i);
    }
    void end(const double (&pi)[5], std::uint32_t stamp) {
        if (header_ == nullptr) return;
        std::copy(pi, pi + 5, header_->pi);
        header_->stamp = stamp;
    }

  private:
    Header* header_ = nullptr;
    std::span<float> weight_;
    std::span<std::uint32_t> entry_;
};

/// The result of checking all vertices.
enum class Check : unsigned char {
    separated,  ///< the plane separates them all
    repaired,   ///< the columns changed; the program must be solved again
    stuck,      ///< rounding, or the limit of columns: no vertex is left to add
};

/// Rung 1, with programs in T.
template <class T>
class Solver {
  public:
    Solver(const PairQuery& q, Memory& memory, Pool pool, QueryBuffer& buffer, PairResult& result,
           Trace* trace)
        : query_(q),
          memory_(memory),
          pool_(pool),
          result_(result),
          trace_(trace),
          d_(make_difference<double>(*q.a.shape->hull(), q.a.world_from_body, *q.b.shape->hull(),
                                     q.b.world_from_body)) {
        read_rules();
        take_storage(buffer);
    }
    /// Bytes that take_storage() uses.
    static std::size_t bytes(const PairQuery& q) {
        constexpr std::size_t kAligned = 64;  // more than all alignments together
        const std::size_t n_a = q.a.shape->hull()->vertex_count, n_b = q.b.shape->hull()->vertex_count;
        const std::size_t columns = max_columns(q, n_a) + max_columns(q, n_b);
        return columns * (sizeof(IpColumn) + sizeof(WeightedVertex)) +
               (n_a + n_b) * (sizeof(double) + sizeof(std::uint32_t)) +
               IpProgram<T>::element_count(columns) * sizeof(T) + kAligned;
    }
    SolidClaim run();

  private:
    /// For a body with this many vertices.
    static std::size_t max_columns(const PairQuery& q, std::size_t vertices) {
        return std::min(vertices, static_cast<std::size_t>(q.parameters.integer(kProblemSize)) + kMaxGrowth);
    }
    void read_rules();
    void take_storage(QueryBuffer& buffer);
    void scale();
    bool old_plane_separates(SolidClaim& claim);
    void evaluate(const Vec3d& normal);
    void choose_columns();
    void load_old_weights();
    void build(bool first);
    IpEnd solve_program();
    void keep_weights();
    Check check_all();
    SolidClaim solve_and_verify();
    SolidClaim claim_of(IpEnd end);
    FourPairs pairs_of_weights();
    void remember();
    void trace_iterate(const IpProgram<T>& p) const;
    void trace_plane(const Vec3d& normal, const char* label) const;

    Vec3d normal() const { return cast<double>(program_.normal()); }
    Vec3<T> scaled(const Vec3d& p) const { return cast<T>((p - centre_) * (1 / unit_)); }

    const PairQuery& query_;
    Memory& memory_;
    Pool pool_;
    PairResult& result_;
    Trace* trace_;
    Difference<double> d_;
    IpRules rules_;
    std::size_t problem_size_ = 0;
    bool warm_ = false, local_ = false;
    IpSide a_, b_;
    std::span<T> program_storage_;
    std::span<WeightedVertex> weighted_;
    IpProgram<T> program_;
    Vec3d centre_;     ///< origin of the program's coordinates, relative to A's translation
    double unit_ = 1;  ///< metres per unit of the program
};

template <class T>
void Solver<T>::read_rules() {
    const ParameterValues& v = query_.parameters;
    rules_.epsilon = v[kEpsilon];
    rules_.slack_factor = v[kSlackFactor];
    rules_.min_slack = v[kMinSlack];
    rules_.step_ratio = v[kStepRatio];
    rules_.reduce_potential = v.on(kPotential);
    rules_.early_stop = v.on(kEarlyStop);
    rules_.iteration_limit = static_cast<std::uint32_t>(v.integer(kIterationLimit));
    problem_size_ = static_cast<std::size_t>(v.integer(kProblemSize));
    local_ = v.on(kClosestFeatures);
    warm_ = v.on(kWarmStart) && memory_.ladder.usable(*d_.a, *d_.b) && pool_.belongs_to(memory_.stamp);
}

template <class T>
void Solver<T>::take_storage(QueryBuffer& buffer) {
    a_ = {d_.a, &d_.about_a_from_a, 1, {}, 0, {}, {}, 0, {}, 0};
    b_ = {d_.b, &d_.about_a_from_b, -1, {}, 0, {}, {}, 0, {}, 0};
    for (IpSide* side : {&a_, &b_}) {
        const std::size_t count = side->hull->vertex_count;
        side->column_storage = buffer.take<IpColumn>(max_columns(query_, count));
        if (local_) continue;
        side->along = buffer.take<double>(count);
        side->order = buffer.take<std::uint32_t>(count);
    }
    const std::size_t columns = a_.column_storage.size() + b_.column_storage.size();
    program_storage_ = buffer.take<T>(IpProgram<T>::element_count(columns));
    weighted_ = buffer.take<WeightedVertex>(columns);
    if (!warm_) return;
    a_.support = memory_.ladder.support_a;
    b_.support = memory_.ladder.support_b;
}

/// (12b) for all vertices of both bodies, or for those that a climb visits.
template <class T>
void Solver<T>::evaluate(const Vec3d& normal) {
    a_.evaluate(normal);
    b_.evaluate(normal);
}

/// Section 4.1 with FIX-8: whether the plane of the last frame, at any offset, still separates.
template <class T>
bool Solver<T>::old_plane_separates(SolidClaim& claim) {
    const Vec3d n{pool_.pi()[0], pool_.pi()[1], pool_.pi()[2]};
    evaluate(n);
    const double gap = dot(n, b_.point(b_.support) - a_.point(a_.support));
    if (!query_.parameters.on(kVirtualPlane) || !(gap > 0)) return false;
    claim = SolidClaim::separated(n, a_.support, b_.support);
    if (trace_ != nullptr) trace_->begin_iteration(0);
    trace_plane(n, "virtual plane");
    return true;
}

/// Half of the columns for each body, so that neither has none; unused ones go to the other body. The four
/// pairs that surrounded the origin in the last frame are included.
template <class T>
void Solver<T>::choose_columns() {
    const std::size_t n_a = d_.a->vertex_count, n_b = d_.b->vertex_count, half = problem_size_ / 2;
    const std::size_t of_a = std::min(n_a, problem_size_ - std::min(half, n_b));
    const std::size_t of_b = std::min(n_b, problem_size_ - of_a);
    const LadderMemory& last = memory_.ladder;
    if (warm_ && last.last == Verdict::colliding)
        for (int i = 0; i < last.pair_count; ++i) {
            a_.add(last.pairs[i].a, false);
            b_.add(last.pairs[i].b, false);
        }
    if (local_) {
        a_.choose_around_support(of_a);
        b_.choose_around_support(of_b);
    } else {
        a_.choose_nearest(of_a);
        b_.choose_nearest(of_b);
    }
}

/// Sets the origin to the middle between the bodies and the unit to about their largest extent.
template <class T>
void Solver<T>::scale() {
    const Vec3d in_a = transform_point(d_.about_a_from_a, d_.a->interior);
    const Vec3d in_b = transform_point(d_.about_a_from_b, d_.b->interior);
    centre_ = 0.5 * in_a + 0.5 * in_b;
    double largest = 0;
    for (const IpSide* side : {&a_, &b_})
        for (const IpColumn& c : side->columns()) {
            const Vec3d p = side->point(c.vertex) - centre_;
            largest = std::max({largest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
        }
    unit_ = largest > 0 ? std::ldexp(1.0, std::ilogb(largest) + 1) : 1.0;
}

/// (19) and (20).
template <class T>
void Solver<T>::load_old_weights() {
    for (IpColumn& c : a_.columns()) c.weight = pool_.weight(c.vertex);
    for (IpColumn& c : b_.columns()) c.weight = pool_.weight(d_.a->vertex_count + c.vertex);
}

/// Builds the program of the columns: (9) with the starting weights and plane.
template <class T>
void Solver<T>::build(bool first) {
    T pi[5];
    std::copy(program_.pi, program_.pi + 5, pi);
    program_.set_storage(program_storage_, a_.count, b_.count);
    for (std::size_t i = 0; i < a_.count; ++i)
        program_.set_a(i, scaled(a_.point(a_.column_storage[i].vertex)));
    for (std::size_t i = 0; i < b_.count; ++i)
        program_.set_b(i, scaled(b_.point(b_.column_storage[i].vertex)));
    equal_weights(program_);
    const bool warm = warm_ || !first;
    if (warm && first) load_old_weights();
    if (warm) {
        for (std::size_t i = 0; i < a_.count; ++i) program_.gamma[i] = T(a_.column_storage[i].weight);
        for (std::size_t i = 0; i < b_.count; ++i)
            program_.gamma[a_.count + i] = T(b_.column_storage[i].weight);
    }
    if (!start_primal(program_, T(warm ? query_.parameters[kEqualPart] : 1.0))) return;
    if (!warm) return start_dual(program_);
    if (first) {
        const double* old = pool_.pi();
        const Vec3d n{old[0], old[1], old[2]};
        for (std::size_t r = 0; r < 3; ++r) pi[r] = T(n[r]);
        pi[3] = T((old[3] + dot(n, centre_)) / unit_);
        pi[4] = T((old[4] - dot(n, centre_)) / unit_);
    }
    update_dual(program_, pi, rules_);
}

template <class T>
IpEnd Solver<T>::solve_program() {
    if (!(program_.m > 0)) return IpEnd::colliding;  // u = 0: the weighted points coincide
    IpRules rules = rules_;
    rules.iteration_limit -= std::min(rules.iteration_limit, program_.iterations);
    const IpEnd end = solve(program_, rules, [this](const IpProgram<T>& p) { trace_iterate(p); });
    keep_weights();
    return end;
}

template <class T>
void Solver<T>::keep_weights() {
    for (std::size_t i = 0; i < a_.count; ++i) {
        a_.column_storage[i].weight = double(program_.gamma[i]);
        a_.column_storage[i].slack = double(program_.s[i]);
    }
    for (std::size_t i = 0; i < b_.count; ++i) {
        b_.column_storage[i].weight = double(program_.gamma[a_.count + i]);
        b_.column_storage[i].slack = double(program_.s[a_.count + i]);
    }
}

/// Checks all vertices against the program's plane. Changes the columns if the check fails.
template <class T>
Check Solver<T>::check_all() {
    const Vec3d n = normal();
    evaluate(n);
    const double reach_a = dot(n, a_.point(a_.support)), reach_b = dot(n, b_.point(b_.support));
    if (reach_a < reach_b) {
        trace_plane(n, "separating plane");
        return Check::separated;
    }
    // Slacks in metres. In a side's own frame the bound lacks the translation of its matrix.
    const double over_a = dot(n, centre_) - double(program_.pi[3]) * unit_ + kTouching * unit_;
    const double over_b = -dot(n, centre_) - double(program_.pi[4]) * unit_ + kTouching * unit_;
    const auto most = static_cast<std::uint32_t>(query_.parameters.integer(kAddedVertices));
    const std::uint32_t added = a_.add_violating(over_a - dot(n, d_.about_a_from_a.translation()), most) +
                                b_.add_violating(over_b + dot(n, d_.about_a_from_b.translation()), most);
    if (added == 0) return Check::stuck;
    ++result_.counters[kRepairs];
    result_.counters[kAdded] += added;
    return Check::repaired;
}

/// The weights as a combination of four vertex pairs.
template <class T>
FourPairs Solver<T>::pairs_of_weights() {
    const std::size_t n_a = a_.count;
    for (std::size_t j = 0; j < n_a + b_.count; ++j) {
        const bool of_a = j < n_a;
        const Vec3d at = cast<double>(program_.column(j));
        weighted_[j] = {of_a ? a_.column_storage[j].vertex : b_.column_storage[j - n_a].vertex,
                        double(program_.gamma[j]), of_a ? at : -at};
    }
    return couple(weighted_.first(n_a), weighted_.subspan(n_a, b_.count));
}

template <class T>
SolidClaim Solver<T>::claim_of(IpEnd end) {
    if (end == IpEnd::separated) return SolidClaim::separated(normal(), a_.support, b_.support);
    SolidClaim claim;
    const FourPairs pairs = pairs_of_weights();
    for (int i = 0; i < pairs.count(); ++i) claim.add_hint(pairs.pair(i));
    if (end == IpEnd::colliding) claim.verdict = Verdict::colliding;
    claim.limited = end == IpEnd::unfinished && program_.iterations >= rules_.iteration_limit;
    claim.axis_w = normal();
    claim.support_a = a_.support;
    claim.support_b = b_.support;
    return claim;
}

template <class T>
void Solver<T>::remember() {
    const bool usable = std::isfinite(program_.dual()) && is_finite(normal());
    const std::uint32_t stamp = usable ? std::max(memory_.stamp + 1, 1u) : 0;
    pool_.begin(memory_.stamp);
    memory_.stamp = stamp;
    if (!usable) return pool_.end({}, 0);
    for (const IpColumn& c : a_.columns()) pool_.set_weight(c.vertex, c.weight);
    for (const IpColumn& c : b_.columns()) pool_.set_weight(d_.a->vertex_count + c.vertex, c.weight);
    const Vec3d n = normal();
    const double shift = dot(n, centre_);
    pool_.end({n.x, n.y, n.z, double(program_.pi[3]) * unit_ - shift, double(program_.pi[4]) * unit_ + shift},
              stamp);
}

template <class T>
SolidClaim Solver<T>::solve_and_verify() {
    choose_columns();
    scale();
    IpEnd end = IpEnd::unfinished;
    Check check = Check::repaired;
    for (bool first = true; check == Check::repaired; first = false) {
        build(first);
        end = solve_program();
        const auto columns = static_cast<std::uint32_t>(program_.size() + 1);
        result_.counters[kColumns] = std::max(result_.counters[kColumns], columns);
        check = end == IpEnd::separated ? check_all() : Check::stuck;
    }
    if (end == IpEnd::separated && check == Check::stuck) end = IpEnd::unfinished;
    result_.iterations = program_.iterations;
    if (program_.m > 0) remember();
    return claim_of(end);
}

template <class T>
SolidClaim Solver<T>::run() {
    SolidClaim claim;
    if (!warm_)  // never on the first frame
        evaluate(transform_point(d_.about_a_from_b, d_.b->interior) -
                 transform_point(d_.about_a_from_a, d_.a->interior));
    if (warm_ && old_plane_separates(claim))
        result_.counters[kEarlyExits] = 1;
    else
        claim = solve_and_verify();
    result_.counters[kVisited] = a_.visited + b_.visited;
    return claim;
}

/// Traces the iterate: the weighted points of both bodies, the plane, and both objectives.
template <class T>
void Solver<T>::trace_iterate(const IpProgram<T>& p) const {
    if (trace_ == nullptr) return;
    const Vec3d origin_w = cast<double>(query_.a.world_from_body.translation()) + centre_;
    Vec3d of_a, of_b;
    for (std::size_t j = 0; j < p.size(); ++j)
        (j < p.of_a ? of_a : of_b) += double(p.gamma[j]) * cast<double>(p.column(j));
    const Vec3d a_w = unit_ * of_a + origin_w, b_w = origin_w - unit_ * of_b, n = normal();
    trace_->begin_iteration(static_cast<int>(p.iterations));
    trace_->segment(a_w, b_w, "weighted points");
    trace_->value("m w", double(p.primal()));
    trace_->value("pi4 + pi5", double(p.dual()));
    trace_->value("columns", static_cast<double>(p.size() + 1));
    trace_->space(TraceSpace::difference);
    trace_->point(a_w - b_w, "weighted difference");
    if (length(n) > 0) {
        // The half-space of the difference that the dual proves to be empty, once it leaves out the origin.
        const double reach = unit_ * -(double(p.pi[3]) + double(p.pi[4]));
        trace_->plane(n, reach, (reach / dot(n, n)) * n, "dual plane");
    }
    trace_->space(TraceSpace::world);
    const double middle = 0.5 * unit_ * (double(p.pi[4]) - double(p.pi[3]));
    if (length(n) > 0) trace_->plane(n, dot(n, origin_w) + middle, 0.5 * a_w + 0.5 * b_w, "dual plane");
}

/// Traces a plane that separates the supports, and so all vertices, in the middle between them.
template <class T>
void Solver<T>::trace_plane(const Vec3d& normal, const char* label) const {
    if (trace_ == nullptr) return;
    const Vec3d between = 0.5 * (a_.point(a_.support) + b_.point(b_.support)) +
                          cast<double>(query_.a.world_from_body.translation());
    trace_->plane(normal, dot(normal, between), between, label);
    trace_->value("gap along the axis (m)",
                  dot(normal, b_.point(b_.support) - a_.point(a_.support)) / length(normal));
}

template <class T>
SolidClaim rung_1(const PairQuery& q, Memory& memory, std::span<std::byte> pool_bytes, PairResult& result,
                  Trace* trace) {
    const Pool pool(pool_bytes,
                    std::size_t{q.a.shape->hull()->vertex_count} + q.b.shape->hull()->vertex_count);
    QueryBuffer buffer(*q.scratch, Solver<T>::bytes(q));
    return Solver<T>(q, memory, pool, buffer, result, trace).run();
}

std::size_t cache_bytes(const Shape& a, const Shape& b) {
    if (a.hull() == nullptr || b.hull() == nullptr) return 0;
    return Pool::bytes(std::size_t{a.hull()->vertex_count} + b.hull()->vertex_count);
}

void query_interior_point(const PairQuery& q, PairCache& cache, PairResult& result, Trace* trace) {
    auto& memory = cache.as<Memory>(&describe_interior_point(), q.a.geometry->content, q.b.geometry->content);
    SolidLadder ladder(q, memory.ladder, result, trace);
    if (!ladder.recall()) {
        const bool wide = q.parameters.integer(kScalar) == 0;
        ladder.finish(wide ? rung_1<double>(q, memory, cache.pool(), result, trace)
                           : rung_1<float>(q, memory, cache.pool(), result, trace));
    }
    write_counters(ladder.counts(), {kDoubleIterations, kExactIterations, kFromCache}, result);
}

constexpr const char* kScalarChoices[] = {"double", "float"};
constexpr Parameter kParameters[] = {
    {"epsilon", "Collision tolerance", ParameterKind::real, 1e-6, 1e-12, 1e-2, "",
     "IVRI-CD, section 4.3, step 5", "m w below this counts as a collision, in units of the bodies' size.",
     true},
    {"problem_size", "Problem size", ParameterKind::integer, 20, 8, 4096, "", "IVRI-CD, section 4.2",
     "Number of vertices of both bodies that are columns of the program. If it reaches the number of all "
     "vertices, none is left out."},
    {"slack_factor", "Slack factor", ParameterKind::real, 1.5, 1.01, 10, "", "IVRI-CD, equation (22)",
     "Factor by which the old plane's slacks are raised more than needed to be positive again."},
    {"least_slack", "Least slack", ParameterKind::real, 0.1, 1e-9, 1, "",
     "IVRI-CD, equation (22): \"a small positive number\"; the value is ours, measured",
     "Minimum by which the slacks are raised.", true},
    {"step_ratio", "Step ratio", ParameterKind::real, 0.99, 0.5, 0.9995, "",
     "ours: the paper has no number; nearer to 1, rounding leaves more than 1e-9 of the equations",
     "Fraction of the distance to the nearest bound that a step may use."},
    {"potential", "Potential reduction", ParameterKind::toggle, 1, 0, 1, "",
     "IVRI-CD, section 4.3; Mehrotra; Tanabe, Todd", "Halve a step until the potential function decreases."},
    {"early_stop", "Early stop", ParameterKind::toggle, 1, 0, 1, "", "IVRI-CD, section 3.2",
     "Stop as soon as the plane separates the columns. If off, iterate to the optimum."},
    {"virtual_plane", "Virtual plane", ParameterKind::toggle, 1, 0, 1, "", "IVRI-CD, section 4.1",
     "Answer without an iteration while the plane of the last frame still separates."},
    {"warm_start", "Warm start", ParameterKind::toggle, 1, 0, 1, "", "IVRI-CD, section 4.1",
     "Start from the weights and the plane of the last frame."},
    {"equal_part", "Part of equal weights", ParameterKind::real, 0.5, 0.001, 1, "",
     "ours: old weights may be zero, and the method needs positive ones",
     "Share of equal weights mixed into those of the last frame.", true},
    {"added_vertices", "Vertices added at once", ParameterKind::integer, 1, 1, 64, "",
     "ours: the paper adds all; one needs the fewest iterations, measured",
     "Number of violating vertices of a body that enter the program at once."},
    {"closest_features", "Closest features only", ParameterKind::toggle, 0, 0, 1, "",
     "IVRI-CD, section 7, as future work",
     "Choose the columns around the last supports and visit only neighbours of vertices. The cost then "
     "hardly depends on their number."},
    {"scalar", "Arithmetic", ParameterKind::choice, 0, 0, 1, "", "ours: measured",
     "The type of the program's numbers.", false, kScalarChoices},
    {"iteration_limit", "Iteration limit", ParameterKind::integer, 100, 1, 1000, "",
     "ours: far more than any pair needed", "After this many iterations, exact arithmetic decides."},
};
constexpr const char* kCounters[] = {
    "early exits",      "columns",           "repairs",          "added vertices",
    "vertices visited", "double iterations", "exact iterations", "remembered decision"};

}  // namespace

const PairAlgorithm& describe_interior_point() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{};
        a.id = "interior_point";
        a.title = "Interior point (IVRI-CD)";
        a.source = "A Linear Programming Solution for Exact Collision Detection, sections 3 and 4";
        a.summary = "Solves a linear program in the vertices' weights by primal-dual affine scaling.";
        a.needs = Needs::convex;
        a.gives = kWantAxis;
        a.meaning = Meaning::solid;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.cache_bytes = cache_bytes;
        a.query = query_interior_point;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
