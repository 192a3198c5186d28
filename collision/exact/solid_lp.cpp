// The linear program. W is the set of all vertex differences w = a - b, and c is one of them. Minimise t
// subject to
//   sum lambda_w w = t c,  sum lambda_w = 1,  lambda >= 0.
// c itself is feasible with t = 1. By convexity the solids share a point if and only if some feasible t is <=
// 0.
//
// Basis: t and three columns of W, that is a triangle of W that the line along c intersects. The dual values
// are the triangle's normal n, up to a positive factor. A column w enters if it is in front of the triangle's
// plane, n.w < n.w1. It replaces the corner whose removal keeps the line inside the triangle. All signs are
// signs of determinants of order three, so nothing is divided. W is never enumerated: prices are sums of one
// price per vertex of A and one per vertex of B.
//
// Termination: by Bland's rule (first column that enters, first that leaves). It applies from the
// kMaxDegenerateRun-th degenerate pivot in a row until t decreases; t never increases. The loop stops early
// if t <= 0 or if n separates.
//
// Flat W that contains the origin in its span: one or two extra columns outside that span make W and c span
// the space. Nothing in W compensates them, so their lambda is 0 in every solution with t c in the span of W,
// and the answer does not change.
//
// Certificates. Colliding: three corners and c surround the origin. Separated: the plane of the corners has
// the origin strictly on its other side, so n is the direction to the plane's point nearest to the origin.

#include "collision/exact/solid_lp.hpp"

#include "collision/core/assert.hpp"
#include "collision/exact/number.hpp"

#include <array>
#include <optional>
#include <vector>

namespace claybox::collision {

namespace {

constexpr std::uint32_t kMaxDegenerateRun = 6;
/// Rounded arithmetic may cycle. The hardest pairs of the ground truth need 60 pivots.
constexpr std::uint32_t kMaxRoundedPivots = 500;

using Answer = LpDecision::Answer;

/// A difference of two vertices, or an extra point outside a flat set.
struct Column {
    VertexPair pair;
    bool extra = false;
    std::uint64_t order = 0;  ///< for Bland's rule
    Vec3<Approx> approx;
    std::optional<Vec3<Integer>> exact;
};

/// The prices of one side's vertices: g.v, up to a constant.
struct Prices {
    Vec3<Approx> g;
    std::uint32_t best = 0;  ///< the vertex with the smallest price
    Approx value;            ///< the best price, with the largest error of all prices
};

class LpProblem {
  public:
    LpProblem(const SolidSide& a, const SolidSide& b, const LpRules& rules, Trace* trace);
    LpDecision solve();

  private:
    Column column(VertexPair pair) const;
    Column extra(std::size_t axis, std::uint64_t number);
    const Vec3<Integer>& exact(Column& c);
    template <class F>
    int sign(const F& f);
    int volume(Column& u, Column& v, Column& w);
    int price(Column& w);

    bool start();
    void span_flat(bool line_only);
    std::optional<Column> leaves_line();
    std::optional<Column> leaves_plane(Column& second);
    template <class Off>
    std::optional<Column> find(const Off& off);

    Prices prices(const SolidSide& side, double sense) const;
    Vec3<Integer> exact_vertex(const SolidSide& side, std::uint32_t i) const;
    const Vec3<Integer>& exact_normal();
    std::uint32_t exact_best(const SolidSide& side, double sense);
    bool separates(const Approx& least) const;
    std::optional<Column> steepest();
    std::optional<Column> first();
    std::optional<Column> improving_extra();
    bool pivot(const Column& entering);
    Answer step();
    Vec3d axis_w();
    void trace_step();
    void prove_collision();
    void prove_separation();
    void add_pair(const Column& c);

    const SolidSide& a_;
    const SolidSide& b_;
    LpRules rules_;
    Trace* trace_;
    Vec3<Approx> apart_;
    int grid_ = 0;
    Column line_;                  ///< c
    std::array<Column, 3> basis_;  ///< counter-clockwise about c: volume(c, w2 - w1, w3 - w1) > 0
    std::array<int, 3> lambda_{};  ///< signs of the solution's coefficients, 0 or 1
    std::array<std::optional<Column>, 2> extras_;
    Vec3<Approx> normal_;
    std::optional<Vec3<Integer>> exact_normal_;
    std::vector<Vec3<Integer>> points_a_, points_b_;  ///< all vertices, with rational arithmetic only
    std::uint32_t degenerate_run_ = 0;
    bool stuck_ = false;  ///< possible with rounded arithmetic only
    LpDecision out_;
};

int vertex_grid(const ConvexHull& hull) {
    int out = kNoExponent;
    for (std::uint32_t i = 0; i < hull.vertex_count; ++i)
        for (std::size_t k = 0; k < 3; ++k) out = std::min(out, grid_exponent(hull.vertex(i)[k]));
    return out;
}

LpProblem::LpProblem(const SolidSide& a, const SolidSide& b, const LpRules& rules, Trace* trace)
    : a_(a), b_(b), rules_(rules), trace_(trace) {
    for (std::size_t r = 0; r < 3; ++r)
        apart_[r] =
            Approx{a.world_from_hull->translation()[r], 0} - Approx{b.world_from_hull->translation()[r], 0};
    grid_ = kNoExponent;
    for (const SolidSide* side : {&a_, &b_}) {
        const MatrixGrid m = grid_of(*side->world_from_hull);
        grid_ = std::min({grid_, m.translation, m.linear + vertex_grid(*side->hull)});
    }
    if (grid_ > 1000) grid_ = 0;  // all zero: any grid will do
    if (rules.arithmetic != LpArithmetic::rational) return;
    for (std::uint32_t i = 0; i < a.hull->vertex_count; ++i) points_a_.push_back(exact_vertex(a_, i));
    for (std::uint32_t i = 0; i < b.hull->vertex_count; ++i) points_b_.push_back(exact_vertex(b_, i));
}

Vec3<Integer> LpProblem::exact_vertex(const SolidSide& side, std::uint32_t i) const {
    const auto& known = &side == &a_ ? points_a_ : points_b_;
    return i < known.size() ? known[i] : exact_point(*side.world_from_hull, side.hull->vertex(i), grid_);
}

Column LpProblem::column(VertexPair pair) const {
    Column out;
    out.pair = pair;
    out.order = std::uint64_t{pair.a} * b_.hull->vertex_count + pair.b;
    out.approx = approximate_linear(*a_.world_from_hull, a_.hull->vertex(pair.a)) -
                 approximate_linear(*b_.world_from_hull, b_.hull->vertex(pair.b)) + apart_;
    return out;
}

/// An extra column: a point on a coordinate axis, about as far from the origin as c.
Column LpProblem::extra(std::size_t axis, std::uint64_t number) {
    Column out;
    out.extra = true;
    out.order = ~std::uint64_t{0} - number;
    const Vec3<Integer>& c = exact(line_);
    int bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
        if (!c[k].is_zero()) bits = std::max(bits, static_cast<int>(msb(abs(c[k]))));
    out.exact.emplace();
    (*out.exact)[axis] = Integer(1) << bits;
    out.approx[axis] = {std::ldexp(1.0, bits + grid_), 0};
    return out;
}

const Vec3<Integer>& LpProblem::exact(Column& c) {
    if (!c.exact) c.exact = exact_vertex(a_, c.pair.a) - exact_vertex(b_, c.pair.b);
    return *c.exact;
}

/// The sign of a polynomial in columns. f is called with a function that returns a column's point.
template <class F>
int LpProblem::sign(const F& f) {
    if (rules_.arithmetic != LpArithmetic::rational) {
        const Approx value = f([](Column& c) -> const Vec3<Approx>& { return c.approx; });
        if (rules_.arithmetic == LpArithmetic::rounded) return value.v > 0 ? 1 : value.v < 0 ? -1 : 0;
        if (const int s = certain_sign(value); s != kUnknownSign) return s;
    }
    ++out_.exact_signs;
    return f([this](Column& c) -> const Vec3<Integer>& { return exact(c); }).sign();
}

bool same(const Column& u, const Column& v) {
    return u.order == v.order;
}

int LpProblem::volume(Column& u, Column& v, Column& w) {
    if (same(u, v) || same(v, w) || same(w, u)) return 0;
    return sign([&](const auto& at) { return dot(at(u), cross(at(v), at(w))); });
}

const Vec3<Integer>& LpProblem::exact_normal() {
    auto& [p, q, r] = basis_;
    if (!exact_normal_) exact_normal_ = cross(exact(q) - exact(p), exact(r) - exact(p));
    return *exact_normal_;
}

/// Negative if w is in front of the triangle's plane, as seen from the origin.
int LpProblem::price(Column& w) {
    auto& [p, q, r] = basis_;
    if (same(w, p) || same(w, q) || same(w, r)) return 0;
    if (rules_.arithmetic != LpArithmetic::rational) {
        const Approx value = dot(normal_, w.approx - p.approx);
        if (rules_.arithmetic == LpArithmetic::rounded) return value.v > 0 ? 1 : value.v < 0 ? -1 : 0;
        if (const int s = certain_sign(value); s != kUnknownSign) return s;
    }
    ++out_.exact_signs;
    return dot(exact_normal(), exact(w) - exact(p)).sign();
}

/// The first column w for which off(w) holds, or none. Searches only the differences a - b0 and a0 - b: if a
/// difference a - b is off a line or plane through the origin that contains c = a0 - b0, one of these is too.
template <class Off>
std::optional<Column> LpProblem::find(const Off& off) {
    const auto search = [&](std::uint32_t count, bool of_a) -> std::optional<Column> {
        for (std::uint32_t i = 0; i < count; ++i) {
            Column w = column(of_a ? VertexPair{i, line_.pair.b} : VertexPair{line_.pair.a, i});
            if (!same(w, line_) && off(w)) return w;
        }
        return std::nullopt;
    };
    if (auto w = search(a_.hull->vertex_count, true)) return w;
    return search(b_.hull->vertex_count, false);
}

std::optional<Column> LpProblem::leaves_line() {
    return find([this](Column& w) {
        for (std::size_t k = 0; k < 3; ++k)
            if (sign([&](const auto& at) { return cross(at(line_), at(w))[k]; }) != 0) return true;
        return false;
    });
}

std::optional<Column> LpProblem::leaves_plane(Column& second) {
    return find([&](Column& w) { return volume(line_, second, w) != 0; });
}

/// The vertex with the largest g.v in double.
std::uint32_t support_vertex(const ConvexHull& hull, const Vec3d& g) {
    std::uint32_t out = 0;
    double best = -HUGE_VAL;
    for (std::uint32_t i = 0; i < hull.vertex_count; ++i) {
        const double value = dot(g, cast<double>(hull.vertex(i)));
        if (value > best) {
            best = value;
            out = i;
        }
    }
    return out;
}

/// Builds the first basis: c and two columns that span the space with it. Returns false if c alone decides.
bool LpProblem::start() {
    // Any pair is valid. The support vertices towards the other body give a short c.
    const Matrix34d ma = to_double(*a_.world_from_hull), mb = to_double(*b_.world_from_hull);
    const Vec3d towards = transform_point(mb, b_.hull->interior) - transform_point(ma, a_.hull->interior);
    line_ = column({support_vertex(*a_.hull, transpose_vector(ma, towards)),
                    support_vertex(*b_.hull, transpose_vector(mb, -towards))});
    std::array<int, 3> c{};
    for (std::size_t k = 0; k < 3; ++k) c[k] = sign([&](const auto& at) { return at(line_)[k]; });
    if (c == std::array<int, 3>{}) {
        out_.answer = Answer::colliding;
        return false;
    }
    basis_[0] = line_;
    auto second = leaves_line();
    if (second) basis_[1] = *second;
    auto third = second ? leaves_plane(basis_[1]) : std::nullopt;
    if (third)
        basis_[2] = *third;
    else
        span_flat(!second);
    if (volume(line_, basis_[1], basis_[2]) < 0) std::swap(basis_[1], basis_[2]);
    lambda_ = {1, 0, 0};
    return true;
}

/// Completes the basis with extra columns if W and the origin are in one plane or on one line.
void LpProblem::span_flat(bool line_only) {
    for (std::size_t i = 0; i < 3; ++i) {
        if (line_only) {
            basis_[1] = extra(i, 0);
            basis_[2] = extra((i + 1) % 3, 1);
        } else {
            basis_[2] = extra(i, 1);
        }
        if (volume(line_, basis_[1], basis_[2]) != 0) break;
    }
    if (line_only) extras_[0] = basis_[1];
    extras_[1] = basis_[2];
}

Prices LpProblem::prices(const SolidSide& side, double sense) const {
    const auto& m = side.world_from_hull->m;
    Prices out;
    for (std::size_t k = 0; k < 3; ++k) {
        Approx& g = out.g[k];
        for (std::size_t r = 0; r < 3; ++r)
            g = g + normal_[r] * Approx{sense * static_cast<double>(m[4 * r + k]), 0};
    }
    double error = 0, best = HUGE_VAL;
    for (std::uint32_t i = 0; i < side.hull->vertex_count; ++i) {
        const Vec3f v = side.hull->vertex(i);
        const Approx value = out.g.x * Approx{v.x, 0} + out.g.y * Approx{v.y, 0} + out.g.z * Approx{v.z, 0};
        error = std::max(error, value.e);
        if (!(value.v < best)) continue;
        best = value.v;
        out.best = i;
        out.value = value;
    }
    out.value.e = error;
    return out;
}

/// The vertex with the smallest price; the first one at ties.
std::uint32_t LpProblem::exact_best(const SolidSide& side, double sense) {
    const Prices p = prices(side, sense);
    const bool all = rules_.arithmetic == LpArithmetic::rational;
    // Only vertices whose price is within twice the error of the best one can be the minimum.
    const double limit = p.value.v + 2 * p.value.e * Approx::kUp;
    const Vec3<Integer>& n = exact_normal();
    std::uint32_t out = 0;
    std::optional<Integer> best;
    for (std::uint32_t i = 0; i < side.hull->vertex_count; ++i) {
        const Vec3f v = side.hull->vertex(i);
        const double rough = p.g.x.v * v.x + p.g.y.v * v.y + p.g.z.v * v.z;
        if (!all && rough > limit) continue;
        Integer value = dot(n, exact_vertex(side, i));
        if (sense < 0) value = -value;
        if (best && value >= *best) continue;
        best = value;
        out = i;
    }
    ++out_.exact_signs;
    return out;
}

/// Whether n.w > 0 for all columns; `least` is the smallest n.w.
bool LpProblem::separates(const Approx& least) const {
    return rules_.arithmetic == LpArithmetic::rounded ? least.v > 0 : certain_sign(least) == 1;
}

std::optional<Column> LpProblem::improving_extra() {
    for (auto& column : extras_)
        if (column && price(*column) < 0) return column;
    return std::nullopt;
}

/// The column with the most negative price. None if no price is negative or n separates.
std::optional<Column> LpProblem::steepest() {
    if (rules_.arithmetic != LpArithmetic::rational) {
        const Prices pa = prices(a_, 1), pb = prices(b_, -1);
        if (separates(dot(normal_, apart_) + pa.value + pb.value)) return std::nullopt;
        Column w = column({pa.best, pb.best});
        if (price(w) < 0) return w;
        if (rules_.arithmetic == LpArithmetic::rounded) return std::nullopt;
    }
    Column w = column({exact_best(a_, 1), exact_best(b_, -1)});
    if (dot(exact_normal(), exact(w)).sign() > 0) return std::nullopt;
    if (price(w) < 0) return w;
    return improving_extra();
}

/// The first column with a negative price, ordered by A's vertex, then B's vertex; extra columns come last.
std::optional<Column> LpProblem::first() {
    const bool rounded = rules_.arithmetic == LpArithmetic::rounded;
    const std::uint32_t best_b = rounded ? prices(b_, -1).best : exact_best(b_, -1);
    for (std::uint32_t a = 0; a < a_.hull->vertex_count; ++a) {
        if (Column best = column({a, best_b}); price(best) >= 0) continue;
        for (std::uint32_t b = 0; b < b_.hull->vertex_count; ++b)
            if (Column w = column({a, b}); price(w) < 0) return w;
    }
    return improving_extra();
}

/// Moves the column into the basis. Returns false if no corner can leave, which is possible with rounding
/// only.
bool LpProblem::pivot(const Column& entering) {
    Column w = entering;
    std::array<int, 3> f{};
    for (std::size_t k = 0; k < 3; ++k) f[k] = volume(line_, w, basis_[k]);
    std::size_t leaving = 3;
    for (std::size_t i = 0; i < 3; ++i) {
        const int after = f[(i + 1) % 3], before = f[(i + 2) % 3];
        if (after < 0 || before > 0 || (lambda_[i] == 0 && after == 0 && before == 0)) continue;
        if (leaving == 3 || basis_[i].order < basis_[leaving].order) leaving = i;
    }
    if (leaving == 3) return false;
    degenerate_run_ = lambda_[leaving] == 0 ? degenerate_run_ + 1 : 0;
    out_.degenerate_pivots += lambda_[leaving] == 0 ? 1 : 0;
    const std::size_t j = (leaving + 1) % 3, k = (leaving + 2) % 3;
    lambda_[j] = -f[k];
    lambda_[k] = f[j];
    basis_[leaving] = std::move(w);
    return true;
}

/// The unit vector from A to B along the normal.
Vec3d LpProblem::axis_w() {
    const double size = std::max({std::abs(normal_.x.v), std::abs(normal_.y.v), std::abs(normal_.z.v)});
    const double error = std::max({normal_.x.e, normal_.y.e, normal_.z.e});
    Vec3d n{normal_.x.v, normal_.y.v, normal_.z.v};
    if (rules_.arithmetic != LpArithmetic::rounded && !(error < 0x1p-40 * size)) {
        const Vec3<Integer>& e = exact_normal();
        int top = 0;
        for (std::size_t k = 0; k < 3; ++k)
            if (!e[k].is_zero()) top = std::max(top, static_cast<int>(msb(abs(e[k]))));
        for (std::size_t k = 0; k < 3; ++k) n[k] = to_double(e[k], -top);
    } else if (size > 0) {
        n = n / size;
    }
    return normalized(-n);
}

void LpProblem::trace_step() {
    if (trace_ == nullptr) return;
    const Matrix34d ma = to_double(*a_.world_from_hull), mb = to_double(*b_.world_from_hull);
    const auto segment = [&](const Column& c, const char* label) {
        if (c.extra) return;
        trace_->segment(transform_point(ma, a_.hull->vertex(c.pair.a)),
                        transform_point(mb, b_.hull->vertex(c.pair.b)), label);
    };
    trace_->begin_iteration(static_cast<int>(out_.pivots) + 1);
    segment(line_, "line to the origin");
    for (const Column& c : basis_) segment(c, "basis");
    const Vec3d axis = axis_w();
    const Vec3d top_a_w = transform_point(ma, a_.hull->vertex(prices(a_, 1).best));
    const Vec3d top_b_w = transform_point(mb, b_.hull->vertex(prices(b_, -1).best));
    trace_->plane(axis, dot(axis, top_a_w), top_a_w, "supporting plane");
    trace_->value("gap along the axis (m)", dot(axis, top_b_w - top_a_w));
    const auto difference = [&](const Column& c) {
        return transform_point(ma, a_.hull->vertex(c.pair.a)) -
               transform_point(mb, b_.hull->vertex(c.pair.b));
    };
    trace_->space(TraceSpace::difference);
    Vec3d corner[3];
    std::size_t count = 0;
    for (const Column& c : basis_)
        if (!c.extra && count < 3) corner[count++] = difference(c);
    trace_simplex_of(*trace_, {corner, count}, "basis");
    if (!line_.extra) trace_->segment(difference(line_), {}, "line to the origin");
    const Vec3d top = top_a_w - top_b_w;
    trace_->plane(axis, dot(axis, top), top, "supporting plane");
    trace_->point(top, "entering point");
    trace_->space(TraceSpace::world);
}

void LpProblem::add_pair(const Column& c) {
    Certificate& out = out_.certificate;
    for (int i = 0; i < out.pair_count; ++i)
        if (out.pairs[i][0] == c.pair.a && out.pairs[i][1] == c.pair.b) return;
    if (c.extra) return;
    out.pairs[out.pair_count][0] = c.pair.a;
    out.pairs[out.pair_count][1] = c.pair.b;
    ++out.pair_count;
}

void LpProblem::prove_collision() {
    out_.certificate.kind = CertificateKind::surrounded_origin;
    add_pair(line_);
    if (out_.pivots == 0) return;
    for (const Column& c : basis_) add_pair(c);
}

void LpProblem::prove_separation() {
    out_.certificate.kind = CertificateKind::separating_axis;
    for (const Column& c : basis_) add_pair(c);
    out_.certificate.axis_w = axis_w();
    out_.certificate.support_a = prices(a_, 1).best;
    out_.certificate.support_b = prices(b_, -1).best;
}

/// One pivot. Returns `none` if the program is not solved yet.
Answer LpProblem::step() {
    auto& [p, q, r] = basis_;
    normal_ = cross(q.approx - p.approx, r.approx - p.approx);
    exact_normal_.reset();
    trace_step();
    if (volume(p, q, r) <= 0) return Answer::colliding;
    const bool bland = rules_.pricing == LpPricing::bland || degenerate_run_ >= kMaxDegenerateRun;
    const auto w = bland ? first() : steepest();
    if (!w) return Answer::separated;
    ++out_.pivots;
    out_.bland_pivots += bland ? 1 : 0;
    stuck_ = !pivot(*w) || (rules_.arithmetic == LpArithmetic::rounded && out_.pivots == kMaxRoundedPivots);
    CLAYBOX_ASSERT(!stuck_ || rules_.arithmetic == LpArithmetic::rounded);
    return Answer::none;
}

LpDecision LpProblem::solve() {
    if (start()) {
        do out_.answer = step();
        while (out_.answer == Answer::none && !stuck_);
    }
    if (out_.answer == Answer::colliding) prove_collision();
    if (out_.answer == Answer::separated) prove_separation();
    return out_;
}

}  // namespace

LpDecision decide_solid_lp(const SolidSide& a, const SolidSide& b, const LpRules& rules, Trace* trace) {
    return LpProblem(a, b, rules, trace).solve();
}

}  // namespace claybox::collision
