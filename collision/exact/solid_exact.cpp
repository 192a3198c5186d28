// Rung 3 for solids: a GJK walk in which every decision is the sign of an integer, evaluated in double with
// an error bound first.
//
// Idea: v is the point of the simplex nearest to the origin, in the Minkowski difference of all a - b. It is
// kept only as a direction n along v. A new point w with n.w <= 0 < n.v makes |v| strictly smaller, and there
// are finitely many simplices, so the walk ends. If n.w > 0 for all points, -n separates. Exactness: no step
// divides or rounds, so flat, touching and distant sets need no special cases. Complexity: O(vertices) per
// iteration in double; integers only for points within the error bound.

#include "collision/exact/solid_support.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace claybox::collision {

namespace {

/// One to four points of the simplex.
struct Feature {
    int count = 0;
    std::array<int, 4> index{};
    bool flip = false;  ///< three points: the cross product points towards the origin
};

/// The direction from the origin to the nearest point of the feature's affine hull (one to three points), in
/// either scalar. Zero if and only if the origin is on the affine hull.
template <class Get>
auto away_from_origin(const Get& p, const Feature& f) {
    const auto a = p(f.index[0]);
    if (f.count == 1) return a;
    const auto d = p(f.index[1]) - a;
    if (f.count == 2) return a * dot(d, d) - d * dot(a, d);
    const auto m = cross(d, p(f.index[2]) - a);
    return f.flip ? -m : m;
}

class SolidProblem {
  public:
    SolidProblem(const SolidSide& a, const SolidSide& b) : side_{{a, a}, {b, b}} {}
    /// Of two frames of each body. The set is the hull of the differences of all combinations of frames; if
    /// they move together, only those of equal frames.
    SolidProblem(const FramedSide& a, const FramedSide& b, bool together)
        : side_{{a.start, a.end}, {b.start, b.end}}, is_framed_(true), together_(together) {}

    SolidDecision decide(std::span<const VertexPair> hint, std::span<const FramePair> frames = {});
    /// Whether the hull of these differences contains the origin.
    bool surrounds(std::span<const VertexPair> pairs);
    /// Whether n.w > 0 for all differences w. n is the direction of the pairs, or the argument.
    bool separates(std::span<const VertexPair> pairs);
    bool separates(const Vec3<Integer>& n);

  private:
    struct Vertex {
        VertexPair pair;
        FramePair frame;
        Vec3<Approx> approx;
        std::optional<Vec3<Integer>> exact;
    };
    struct Direction {
        Vec3<Approx> approx;                 ///< scaled by a power of two to a magnitude of about 1
        std::optional<Vec3<Integer>> exact;  ///< any positive multiple of the direction
    };

    const SolidSide& a(FramePair f) const { return side_[0][f.a]; }
    const SolidSide& b(FramePair f) const { return side_[1][f.b]; }
    Vec3<Approx> apart(FramePair f) const {
        const Vec3f ta = a(f).world_from_hull->translation(), tb = b(f).world_from_hull->translation();
        Vec3<Approx> out;
        for (std::size_t r = 0; r < 3; ++r) out[r] = Approx{ta[r], 0} - Approx{tb[r], 0};
        return out;
    }
    /// The combinations of frames.
    std::span<const FramePair> combinations() const {
        static constexpr FramePair kAll[4] = {{0, 0}, {1, 1}, {0, 1}, {1, 0}};
        return std::span<const FramePair>(kAll).first(!is_framed_ ? 1 : together_ ? 2 : 4);
    }
    Vertex make_vertex(VertexPair pair, FramePair frame) const;
    /// The difference that is lowest along the exact direction n, which is about `rough`.
    Vertex exact_lowest(const Vec3<Integer>& n, const Vec3<Approx>& rough);
    const Vec3<Integer>& exact(Vertex& v);
    template <class F>
    int sign(const F& f);
    int grid();

    bool is_nearest(Feature& f, bool& contains_origin);
    Feature nearest_feature(bool& contains_origin);
    bool is_zero(const Feature& f);
    void keep(Feature& f);

    Direction direction(const Feature& f);
    void make_exact(Direction& n, const Feature& f);
    /// Stores a difference w with n.w <= 0 in simplex_[4]; returns false if there is none. `f` defines n
    /// exactly if n is not exact yet.
    bool find_blocking(Direction& n, const Feature* f);
    Vec3d rounded(const Direction& n) const;

    const SolidSide side_[2][2];  ///< body, frame
    bool is_framed_ = false, together_ = false;
    std::optional<int> grid_;
    std::array<Vertex, 5> simplex_;  ///< the fifth point is the candidate
    int count_ = 0;
    VertexPair support_;
};

/// The exponent of a grid that contains all world coordinates of both bodies.
int SolidProblem::grid() {
    if (!grid_) {
        int out = kNoExponent;
        for (const auto& body : side_)
            for (const SolidSide& side : body) {
                const MatrixGrid m = grid_of(*side.world_from_hull);
                out = std::min({out, m.translation, m.linear + vertex_grid(*side.hull)});
                if (!is_framed_) break;
            }
        grid_ = out > 1000 ? 0 : out;  // all zero: any grid will do
    }
    return *grid_;
}

SolidProblem::Vertex SolidProblem::make_vertex(VertexPair pair, FramePair f) const {
    return {pair, f,
            approximate_linear(*a(f).world_from_hull, a(f).hull->vertex(pair.a)) -
                approximate_linear(*b(f).world_from_hull, b(f).hull->vertex(pair.b)) + apart(f),
            std::nullopt};
}

const Vec3<Integer>& SolidProblem::exact(Vertex& v) {
    if (!v.exact)
        v.exact = exact_point(*a(v.frame).world_from_hull, a(v.frame).hull->vertex(v.pair.a), grid()) -
                  exact_point(*b(v.frame).world_from_hull, b(v.frame).hull->vertex(v.pair.b), grid());
    return *v.exact;
}

/// The sign of a polynomial in the points of the simplex: in double if certain, else in integers.
template <class F>
int SolidProblem::sign(const F& f) {
    const auto approx = [this](int i) -> const Vec3<Approx>& {
        return simplex_[static_cast<std::size_t>(i)].approx;
    };
    const int s = certain_sign(f(approx));
    if (s != kUnknownSign) return s;
    return f([this](int i) -> const Vec3<Integer>& { return exact(simplex_[static_cast<std::size_t>(i)]); })
        .sign();
}

bool SolidProblem::is_zero(const Feature& f) {
    for (std::size_t k = 0; k < 3; ++k)
        if (sign([&](const auto& p) { return away_from_origin(p, f)[k]; }) != 0) return false;
    return true;
}

/// Whether the nearest point of the whole simplex is in the relative interior of this feature. Sets
/// `contains_origin` if that point is the origin.
bool SolidProblem::is_nearest(Feature& f, bool& contains_origin) {
    const int i = f.index[0], j = f.index[1], k = f.index[2], l = f.index[3];
    const auto weight = [&](int u, int v) {  // m.(u x v): the weight of the third corner
        return sign([&](const auto& p) { return dot(cross(p(j) - p(i), p(k) - p(i)), cross(p(u), p(v))); });
    };
    const auto volume = [&](int u, int v, int w) {
        return sign([&](const auto& p) { return dot(p(u), cross(p(v), p(w))); });
    };
    if (f.count == 4) {
        const int s = volume(j, k, l);
        contains_origin = s != 0 && volume(i, l, k) == s && volume(i, j, l) == s && volume(i, k, j) == s;
        return contains_origin;
    }
    if (f.count == 3) {
        if (weight(j, k) <= 0 || weight(k, i) <= 0 || weight(i, j) <= 0) return false;
        const int side = sign([&](const auto& p) { return dot(cross(p(j) - p(i), p(k) - p(i)), p(i)); });
        contains_origin = side == 0;
        f.flip = side < 0;
    } else {
        if (f.count == 2 && (sign([&](const auto& p) { return dot(p(i), p(j) - p(i)); }) >= 0 ||
                             sign([&](const auto& p) { return dot(p(j), p(j) - p(i)); }) <= 0))
            return false;
        contains_origin = is_zero(f);
    }
    if (contains_origin) return true;
    for (int y = 0; y < count_; ++y) {
        if (std::find(f.index.begin(), f.index.begin() + f.count, y) != f.index.begin() + f.count) continue;
        if (sign([&](const auto& p) { return dot(away_from_origin(p, f), p(y) - p(i)); }) < 0) return false;
    }
    return true;
}

/// By Caratheodory's theorem the nearest point of a simplex is in the relative interior of an affinely
/// independent feature, where the first-order conditions hold. So one of the at most 15 subsets is accepted,
/// even if the simplex is degenerate.
Feature SolidProblem::nearest_feature(bool& contains_origin) {
    for (int size = count_; size >= 1; --size) {
        for (unsigned set = 1; set < 1u << count_; ++set) {
            if (std::popcount(set) != size) continue;
            Feature f;
            for (int i = 0; i < count_; ++i)
                if ((set >> i & 1u) != 0) f.index[static_cast<std::size_t>(f.count++)] = i;
            if (is_nearest(f, contains_origin)) return f;
        }
    }
    CLAYBOX_ASSERT(false);  // impossible by the theorem above
    return {};
}

/// Removes the points that are not in the feature.
void SolidProblem::keep(Feature& f) {
    for (int i = 0; i < f.count; ++i) {
        const auto from = static_cast<std::size_t>(f.index[static_cast<std::size_t>(i)]);
        if (from != static_cast<std::size_t>(i)) simplex_[static_cast<std::size_t>(i)] = simplex_[from];
        f.index[static_cast<std::size_t>(i)] = i;
    }
    count_ = f.count;
}

/// Scales by a power of two to bring the largest component into [0.5, 1).
Vec3<Approx> scaled(Vec3<Approx> n) {
    const double size = std::max({std::abs(n.x.v), std::abs(n.y.v), std::abs(n.z.v)});
    const int down = size > 0 ? -std::ilogb(size) - 1 : 0;
    for (std::size_t k = 0; k < 3; ++k)
        n[k] = {std::ldexp(n[k].v, down), std::ldexp(n[k].e, down) + kUnderflow};
    return n;
}

void SolidProblem::make_exact(Direction& n, const Feature& f) {
    n.exact = away_from_origin(
        [this](int i) -> const Vec3<Integer>& { return exact(simplex_[static_cast<std::size_t>(i)]); }, f);
    n.approx = approximate(*n.exact);
}

/// Computes the direction in double, or from integers if cancellation makes it too uncertain.
SolidProblem::Direction SolidProblem::direction(const Feature& f) {
    constexpr double kMaxError = 0x1p-30;
    Direction n;
    n.approx = scaled(away_from_origin(
        [this](int i) -> const Vec3<Approx>& { return simplex_[static_cast<std::size_t>(i)].approx; }, f));
    if (std::max({n.approx.x.e, n.approx.y.e, n.approx.z.e}) > kMaxError) make_exact(n, f);
    return n;
}

SolidProblem::Vertex SolidProblem::exact_lowest(const Vec3<Integer>& n, const Vec3<Approx>& rough) {
    std::optional<Vertex> lowest;
    for (const FramePair f : combinations()) {
        Vertex v = make_vertex({exact_best_vertex(a(f), functional(a(f), rough), n, -1),
                                exact_best_vertex(b(f), functional(b(f), rough), n, 1)},
                               f);
        if (is_framed_ && lowest && dot(n, exact(v) - exact(*lowest)).sign() >= 0) continue;
        lowest = std::move(v);
    }
    return *lowest;
}

bool SolidProblem::find_blocking(Direction& n, const Feature* f) {
    bool certain = true;
    double least = 0;
    for (const FramePair c : combinations()) {
        const Functional sa = functional(a(c), n.approx), sb = functional(b(c), n.approx);
        const VertexPair pair{best_vertex(a(c), sa, -1), best_vertex(b(c), sb, 1)};
        const Approx height = Approx{value_at(sa, *a(c).hull, pair.a), sa.error} -
                              Approx{value_at(sb, *b(c).hull, pair.b), sb.error} + dot(n.approx, apart(c));
        certain = certain && certain_sign(height) == 1;
        if (c != FramePair{} && !(height.v < least)) continue;
        least = height.v;
        support_ = pair;
        simplex_[4] = make_vertex(pair, c);
    }
    if (certain) return false;
    if (!n.exact) {
        const auto approx = [this](int i) -> const Vec3<Approx>& {
            return simplex_[static_cast<std::size_t>(i)].approx;
        };
        if (certain_sign(dot(away_from_origin(approx, *f), simplex_[4].approx)) == -1) return true;
        make_exact(n, *f);
    }
    if (dot(*n.exact, exact(simplex_[4])).sign() <= 0) return true;
    simplex_[4] = exact_lowest(*n.exact, n.approx);
    support_ = simplex_[4].pair;
    return dot(*n.exact, exact(simplex_[4])).sign() <= 0;
}

Vec3d SolidProblem::rounded(const Direction& n) const {
    return normalized(Vec3d{-n.approx.x.v, -n.approx.y.v, -n.approx.z.v});
}

SolidDecision SolidProblem::decide(std::span<const VertexPair> hint, std::span<const FramePair> frames) {
    const std::uint32_t in_a = side_[0][0].hull->vertex_count, in_b = side_[1][0].hull->vertex_count;
    for (std::size_t i = 0; i < hint.size(); ++i)
        if (count_ < 4 && hint[i].a < in_a && hint[i].b < in_b)
            simplex_[static_cast<std::size_t>(count_++)] =
                make_vertex(hint[i], i < frames.size() ? frames[i] : FramePair{});
    if (count_ == 0) simplex_[static_cast<std::size_t>(count_++)] = make_vertex({0, 0}, {});
    SolidDecision out;
    for (;;) {
        ++out.iterations;
        Feature f = nearest_feature(out.colliding);
        keep(f);
        out.certificate.pair_count = static_cast<std::uint8_t>(f.count);
        for (int i = 0; i < f.count; ++i) {
            const VertexPair pair = simplex_[static_cast<std::size_t>(i)].pair;
            out.certificate.pairs[i][0] = pair.a;
            out.certificate.pairs[i][1] = pair.b;
        }
        if (out.colliding) {
            out.certificate.kind = CertificateKind::surrounded_origin;
            return out;
        }
        Direction n = direction(f);
        if (!find_blocking(n, &f)) {
            out.certificate.kind = CertificateKind::separating_axis;
            out.certificate.axis_w = rounded(n);
            out.certificate.support_a = support_.a;
            out.certificate.support_b = support_.b;
            return out;
        }
        simplex_[static_cast<std::size_t>(count_++)] = simplex_[4];
    }
}

bool SolidProblem::surrounds(std::span<const VertexPair> pairs) {
    count_ = 0;
    for (const VertexPair& pair : pairs) simplex_[static_cast<std::size_t>(count_++)] = make_vertex(pair, {});
    bool contains_origin = false;
    nearest_feature(contains_origin);
    return contains_origin;
}

bool SolidProblem::separates(std::span<const VertexPair> pairs) {
    count_ = 0;
    Feature f;
    for (const VertexPair& pair : pairs) {
        f.index[static_cast<std::size_t>(count_)] = count_;
        simplex_[static_cast<std::size_t>(count_++)] = make_vertex(pair, {});
    }
    f.count = count_;
    if (f.count == 3)
        f.flip = sign([](const auto& p) { return dot(cross(p(1) - p(0), p(2) - p(0)), p(0)); }) < 0;
    Direction n;
    make_exact(n, f);
    return !find_blocking(n, nullptr);
}

bool SolidProblem::separates(const Vec3<Integer>& exact_n) {
    Direction n{approximate(exact_n), exact_n};
    return !find_blocking(n, nullptr);
}

/// The point p as a hull of one vertex. p = hi + mid + lo in floats, as the matrix (hi mid lo 0) times (1 1
/// 1). Returns false if three floats cannot represent p.
bool point_as_hull(const Vec3d& p, ConvexHull& hull, Matrix34f& matrix) {
    hull.dimension = 0;
    hull.vertex_count = 1;
    hull.x = hull.y = hull.z = {1.0f};
    hull.neighbour_begin = {0, 0};
    for (std::size_t r = 0; r < 3; ++r) {
        if (!(std::abs(p[r]) <= kMaxMagnitude)) return false;
        double rest = p[r];
        for (std::size_t k = 0; k < 3; ++k) {
            matrix.m[4 * r + k] = static_cast<float>(rest);
            rest -= static_cast<double>(matrix.m[4 * r + k]);
        }
        matrix.m[4 * r + 3] = 0;
        if (rest != 0) return false;
    }
    return true;
}

bool contains_point(const SolidSide& side, const Vec3d& p_w) {
    ConvexHull hull;
    Matrix34f matrix;
    if (!point_as_hull(p_w, hull, matrix)) return false;
    Aabb box;
    box.add(Vec3f{1, 1, 1});
    return decide_solid_exact(side, {&hull, &matrix, &box}).colliding;
}

bool valid_pairs(const SolidSide& a, const SolidSide& b, const Certificate& c, std::size_t limit,
                 std::array<VertexPair, 4>& pairs) {
    if (c.pair_count == 0 || c.pair_count > limit) return false;
    for (std::size_t i = 0; i < c.pair_count; ++i) {
        pairs[i] = {c.pairs[i][0], c.pairs[i][1]};
        if (pairs[i].a >= a.hull->vertex_count || pairs[i].b >= b.hull->vertex_count) return false;
    }
    return true;
}

}  // namespace

SolidDecision decide_solid_exact(const SolidSide& a, const SolidSide& b, std::span<const VertexPair> hint) {
    return SolidProblem(a, b).decide(hint);
}

SolidDecision decide_framed_exact(const FramedSide& a, const FramedSide& b, bool together,
                                  std::span<const VertexPair> hint, std::span<const FramePair> frames) {
    SolidDecision out = SolidProblem(a, b, together).decide(hint, frames);
    // The pairs do not say of which frames they are.
    if (out.colliding) out.certificate = {};
    return out;
}

SolidDecision decide_swept_exact(const SolidSide& a, const SolidSide& b, const SolidSweep& sweep,
                                 std::span<const VertexPair> hint) {
    Matrix34f end_a = *a.world_from_hull, end_b = *b.world_from_hull;
    for (std::size_t r = 0; r < 3; ++r) {
        end_a.m[4 * r + 3] = sweep.a_end[r];
        end_b.m[4 * r + 3] = sweep.b_end[r];
    }
    return decide_framed_exact({a, {a.hull, &end_a, a.box}}, {b, {b.hull, &end_b, b.box}}, true, hint);
}

bool certify_solid(const SolidSide& a, const SolidSide& b, const Certificate& c) {
    std::array<VertexPair, 4> pairs;
    if (c.kind == CertificateKind::separating_axis) {
        if (is_finite(c.axis_w) && SolidProblem(a, b).separates(exact_direction(-c.axis_w))) return true;
        return valid_pairs(a, b, c, 3, pairs) && SolidProblem(a, b).separates({pairs.data(), c.pair_count});
    }
    if (c.kind == CertificateKind::surrounded_origin)
        return valid_pairs(a, b, c, 4, pairs) && SolidProblem(a, b).surrounds({pairs.data(), c.pair_count});
    if (c.kind == CertificateKind::common_point)
        return contains_point(a, c.point_w) && contains_point(b, c.point_w);
    return false;
}

}  // namespace claybox::collision
