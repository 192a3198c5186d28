#include "collision/geometry/polygons/triangulate.hpp"

#include "collision/core/ids.hpp"
#include "collision/geometry/predicates.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

using Positions = std::span<const Vec3f>;
using Loop = std::span<const std::uint32_t>;

}  // namespace

int area_sign(Positions positions, Loop loop, std::size_t axis) {
    const std::size_t i = (axis + 1) % 3, j = (axis + 2) % 3;
    ExactSum sum;
    for (std::size_t k = 0; k < loop.size(); ++k) {
        const Vec3f& a = positions[loop[k]];
        const Vec3f& b = positions[loop[k + 1 < loop.size() ? k + 1 : 0]];
        sum.add(static_cast<double>(a[i]) *
                static_cast<double>(b[j]));  // a product of two floats is exact in double
        sum.add(-static_cast<double>(a[j]) * static_cast<double>(b[i]));
    }
    return sum.sign();
}

namespace {

// Finds the main axis of the Newell normal and the exact sign of that component.
void find_axis(Positions positions, Loop loop, OutlineKind& kind) {
    const Vec3d origin = cast<double>(positions[loop[0]]);
    Vec3d normal, magnitude;
    for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
        const Vec3d a = cast<double>(positions[loop[k]]) - origin,
                    b = cast<double>(positions[loop[k + 1]]) - origin;
        normal += cross(a, b);
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t i = (c + 1) % 3, j = (c + 2) % 3;
            magnitude[c] += std::fabs(a[i] * b[j]) + std::fabs(a[j] * b[i]);
        }
    }
    std::size_t order[3] = {0, 1, 2};
    std::stable_sort(order, order + 3, [&](std::size_t a, std::size_t b) {
        return std::fabs(normal[a]) > std::fabs(normal[b]);
    });
    kind.axis = order[0];
    // Each term has three roundings and is part of at most n sums.
    const double bound = static_cast<double>(loop.size() + 8) * 0x1p-53;
    if (std::fabs(normal[order[0]]) > bound * magnitude[order[0]]) {
        kind.orientation = normal[order[0]] > 0 ? 1 : -1;
        return;
    }
    for (const std::size_t axis : order) {
        kind.orientation = area_sign(positions, loop, axis);
        kind.axis = axis;
        if (kind.orientation != 0) return;
    }
}

// Compares a and b lexicographically by the two remaining coordinates: 1 if b is after a, -1 if before.
int step_direction(const Vec3f& a, const Vec3f& b, std::size_t axis) {
    const std::size_t i = (axis + 1) % 3, j = (axis + 2) % 3;
    if (a[i] != b[i]) return a[i] < b[i] ? 1 : -1;
    return a[j] < b[j] ? 1 : a[j] > b[j] ? -1 : 0;
}

int turn_at(Positions positions, Loop loop, std::size_t corner, const OutlineKind& kind) {
    const std::size_t n = loop.size();
    return kind.orientation * orient_along(kind.axis, positions[loop[(corner + n - 1) % n]],
                                           positions[loop[corner]], positions[loop[(corner + 1) % n]]);
}

// Convex: every corner turns the same way or is straight, and the outline turns around once. Then the
// direction of travel along any line changes its sign exactly twice.
bool is_convex(Positions positions, Loop loop, const OutlineKind& kind) {
    const std::size_t n = loop.size();
    int before = step_direction(positions[loop[n - 1]], positions[loop[0]], kind.axis);
    int changes = 0;
    for (std::size_t k = 0; k < n; ++k) {
        const int after = step_direction(positions[loop[k]], positions[loop[(k + 1) % n]], kind.axis);
        if (before == 0 || after == 0) return false;
        if (before != after) ++changes;
        const int turn = turn_at(positions, loop, k, kind);
        if (turn < 0 || (turn == 0 && before != after) || changes > 2) return false;
        before = after;
    }
    return true;
}

// A corner whose fan has no triangle without area, or kNoIndex.
std::size_t fan_corner(Positions positions, Loop loop, const OutlineKind& kind) {
    const std::size_t n = loop.size();
    if (n == 4) {
        // If d is in front of the plane of a, b, c, the diagonal a-c is reflex and b-d is convex.
        const int bend =
            orient3d(positions[loop[0]], positions[loop[1]], positions[loop[2]], positions[loop[3]]);
        if (bend != 0) return bend > 0 ? 1 : 0;
    }
    bool before = turn_at(positions, loop, n - 1, kind) != 0, here = turn_at(positions, loop, 0, kind) != 0;
    for (std::size_t k = 0; k < n; ++k) {
        const bool after = turn_at(positions, loop, (k + 1) % n, kind) != 0;
        if (before && after) return k;
        before = here;
        here = after;
    }
    return kNoIndex;
}

void add_fan(Loop loop, std::size_t corner, std::vector<std::uint32_t>& out) {
    const std::size_t n = loop.size();
    for (std::size_t k = 1; k + 1 < n; ++k)
        out.insert(out.end(), {loop[corner], loop[(corner + k) % n], loop[(corner + k + 1) % n]});
}

}  // namespace

OutlineKind outline_kind(Positions positions, Loop loop) {
    OutlineKind kind;
    find_axis(positions, loop, kind);
    kind.convex = kind.orientation != 0 && is_convex(positions, loop, kind);
    return kind;
}

// Ear clipping on a ring of corners, counter-clockwise in the plane. An ear is a left-turning corner whose
// triangle no other part of the outline enters. Only corners that do not turn left can block an ear; a grid
// finds them.
class Triangulator::Clipper {
  public:
    void run(Positions positions, Loop loop, const OutlineKind& kind, std::vector<std::uint32_t>& out) {
        load(positions, loop, kind);
        fill_grid();
        remaining_ = static_cast<std::uint32_t>(loop.size());
        int stage = kClean;
        refill(stage);
        while (remaining_ > 3) {
            if (head_ == queue_.size()) {
                if (!progress_) ++stage;
                refill(stage);
                continue;
            }
            const std::uint32_t v = queue_[head_++];
            if (next_[v] == kNoIndex) continue;
            if (postponed_[v]) {
                postponed_[v] = 0;
                queue_.push_back(v);
                continue;
            }
            queued_[v] = 0;
            const std::int64_t budget = budget_;
            if (!is_ear(v, stage)) continue;
            budget_ = budget;  // only failed searches are charged
            out.insert(out.end(), {loop[prev_[v]], loop[v], loop[next_[v]]});
            last_ = cut(v);
            if (stage != kClean && budget_ > 0 && refill_budget_ > 0) {
                stage = kClean;
                refill_budget_ -= remaining_;
                refill(stage);
            }
        }
        out.insert(out.end(), {loop[prev_[last_]], loop[last_], loop[next_[last_]]});
    }

  private:
    // What counts as an ear, strictest first. Simple and keyhole outlines never need the last two stages.
    enum Stage : int { kClean, kTouching, kFlat, kTurning, kAny };

    void load(Positions positions, Loop loop, const OutlineKind& kind) {
        const std::size_t n = loop.size();
        std::size_t i = (kind.axis + 1) % 3, j = (kind.axis + 2) % 3;
        if (kind.orientation < 0) std::swap(i, j);
        x_.resize(n);
        y_.resize(n);
        prev_.resize(n);
        next_.resize(n);
        may_block_.assign(n, 0);
        queued_.assign(n, 0);
        postponed_.assign(n, 0);
        last_ = 0;
        for (std::uint32_t k = 0; k < n; ++k) {
            x_[k] = positions[loop[k]][i];
            y_[k] = positions[loop[k]][j];
            prev_[k] = k > 0 ? k - 1 : static_cast<std::uint32_t>(n - 1);
            next_[k] = k + 1 < n ? k + 1 : 0;
        }
        for (std::uint32_t k = 0; k < n; ++k) may_block_[k] = turn(prev_[k], k, next_[k]) <= 0 ? 1 : 0;
        // After this many failed steps the outline must cross itself and is cut less carefully. Simple
        // outlines need far fewer.
        budget_ = 1000000 + 200 * static_cast<std::int64_t>(n);
        // Keeps outlines that repeat a vertex thousands of times linear; each repeat costs a refill.
        refill_budget_ = 1000000 + 1000 * static_cast<std::int64_t>(n);
    }

    // Sorts the corners that may block an ear into a grid with about one cell per corner.
    void fill_grid() {
        const auto n = static_cast<std::uint32_t>(x_.size());
        const auto count = static_cast<double>(std::count(may_block_.begin(), may_block_.end(), 1));
        side_ = static_cast<std::uint32_t>(std::sqrt(count)) + 1;
        const auto [x0, x1] = std::minmax_element(x_.begin(), x_.end());
        const auto [y0, y1] = std::minmax_element(y_.begin(), y_.end());
        low_x_ = *x0;
        low_y_ = *y0;
        per_x_ = *x1 > *x0 ? side_ / (*x1 - *x0) : 0;
        per_y_ = *y1 > *y0 ? side_ / (*y1 - *y0) : 0;
        cell_begin_.assign(std::size_t{side_} * side_ + 1, 0);
        for (std::uint32_t k = 0; k < n; ++k) cell_begin_[cell_of(k) + 1] += may_block_[k];
        for (std::size_t c = 1; c < cell_begin_.size(); ++c) cell_begin_[c] += cell_begin_[c - 1];
        cell_corner_.resize(cell_begin_.back());
        for (std::uint32_t k = n; k-- > 0;) {
            if (may_block_[k]) cell_corner_[--cell_begin_[cell_of(k) + 1]] = k;
        }
        // Filling from the back moved every end to the begin of its cell: shift by one.
        cell_begin_.erase(cell_begin_.begin());
        cell_begin_.push_back(static_cast<std::uint32_t>(cell_corner_.size()));
    }
    std::uint32_t column(double v, double low, double per) const {
        return std::min(static_cast<std::uint32_t>((v - low) * per), side_ - 1);
    }
    std::size_t cell_of(std::uint32_t k) const {
        return std::size_t{column(y_[k], low_y_, per_y_)} * side_ + column(x_[k], low_x_, per_x_);
    }

    // Queues all remaining corners again.
    void refill(int stage) {
        queue_.clear();
        head_ = 0;
        progress_ = false;
        std::uint32_t v = last_;
        for (std::uint32_t i = 0; i < remaining_; ++i, v = next_[v]) {
            queued_[v] = postponed_[v] = 0;
            if (stage >= kFlat || !may_block_[v]) enqueue(v);
        }
    }
    void enqueue(std::uint32_t v) {
        if (queued_[v]) return;
        queued_[v] = 1;
        queue_.push_back(v);
    }

    int turn(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
        return orient2d(x_[a], y_[a], x_[b], y_[b], x_[c], y_[c]);
    }
    bool same(std::uint32_t a, std::uint32_t b) const { return x_[a] == x_[b] && y_[a] == y_[b]; }

    bool is_ear(std::uint32_t v, int stage) {
        const std::uint32_t p = prev_[v], q = next_[v];
        --budget_;
        if (stage == kAny) return true;
        const int t = turn(p, v, q);
        if (stage == kFlat) return t == 0;
        if (t <= 0) return false;
        if (stage == kTurning) return true;
        if (enters_corner(p, v, q, prev_[p]) || enters_corner(q, p, v, next_[q])) return false;
        return !is_blocked(p, v, q, stage);
    }

    // Whether the segment from `corner` to w starts inside the angle from a to b (counter-clockwise, below
    // 180 degrees).
    bool enters_corner(std::uint32_t corner, std::uint32_t a, std::uint32_t b, std::uint32_t w) const {
        return turn(corner, a, w) > 0 && turn(corner, b, w) < 0;
    }

    bool is_blocked(std::uint32_t p, std::uint32_t v, std::uint32_t q, int stage) {
        const double x0 = std::min({x_[p], x_[v], x_[q]}), x1 = std::max({x_[p], x_[v], x_[q]});
        const double y0 = std::min({y_[p], y_[v], y_[q]}), y1 = std::max({y_[p], y_[v], y_[q]});
        const std::uint32_t c0 = column(x0, low_x_, per_x_), c1 = column(x1, low_x_, per_x_);
        const std::uint32_t r1 = column(y1, low_y_, per_y_);
        for (std::uint32_t row = column(y0, low_y_, per_y_); row <= r1; ++row) {
            const std::size_t first = std::size_t{row} * side_;
            const std::uint32_t end = cell_begin_[first + c1 + 1];
            budget_ -= 1 + (end - cell_begin_[first + c0]);
            for (std::uint32_t i = cell_begin_[first + c0]; i < end; ++i) {
                const std::uint32_t u = cell_corner_[i];
                if (!may_block_[u] || u == p || u == v || u == q) continue;
                if (x_[u] < x0 || x_[u] > x1 || y_[u] < y0 || y_[u] > y1) continue;
                if (blocks(u, p, v, q, stage)) return true;
            }
        }
        return false;
    }

    // Whether corner u, or the outline through it, enters the triangle (p, v, q).
    bool blocks(std::uint32_t u, std::uint32_t p, std::uint32_t v, std::uint32_t q, int stage) const {
        const int on_qp = turn(q, p, u);  // test this first: most nearby corners are behind the cut
        if (on_qp < 0) return false;
        const int on_pv = turn(p, v, u), on_vq = turn(v, q, u);
        if (on_pv < 0 || on_vq < 0) return false;
        if (on_pv > 0 && on_vq > 0 && on_qp > 0) return true;
        for (const std::uint32_t w : {prev_[u], next_[u]}) {
            if (same(u, p)) {
                if (enters_corner(p, v, q, w)) return true;
            } else if (same(u, v)) {
                if (enters_corner(v, q, p, w)) return true;
            } else if (same(u, q)) {
                if (enters_corner(q, p, v, w)) return true;
            } else if (on_qp == 0) {
                // A cut through another corner would put that corner inside an edge of two triangles.
                if (stage == kClean || turn(q, p, w) > 0) return true;
            } else if (on_pv == 0 ? turn(p, v, w) > 0 : turn(v, q, w) > 0) {
                return true;
            }
        }
        return false;
    }

    // Removes v from the ring and postpones the next corner, which avoids fans of thin triangles.
    std::uint32_t cut(std::uint32_t v) {
        const std::uint32_t p = prev_[v], q = next_[v];
        next_[p] = q;
        prev_[q] = p;
        next_[v] = kNoIndex;
        may_block_[v] = 0;
        --remaining_;
        progress_ = true;
        for (const std::uint32_t k : {p, q}) {
            // Corners outside the grid turned left from the start. Cutting ears does not change that, except
            // in outlines that cross themselves.
            if (may_block_[k]) may_block_[k] = turn(prev_[k], k, next_[k]) <= 0 ? 1 : 0;
        }
        if (queued_[q]) postponed_[q] = 1;
        enqueue(p);
        enqueue(q);
        return q;
    }

    std::vector<double> x_, y_;
    std::vector<std::uint32_t> prev_, next_, cell_begin_, cell_corner_;
    std::vector<std::uint32_t> queue_;  // corners to test, from head_ on
    std::vector<unsigned char> may_block_, queued_, postponed_;
    std::size_t head_ = 0;
    std::uint32_t remaining_ = 0, last_ = 0;  // number of corners in the ring, and one of them
    bool progress_ = false;                   // whether an ear was cut since the queue was filled
    std::uint32_t side_ = 1;
    double low_x_ = 0, low_y_ = 0, per_x_ = 0, per_y_ = 0;
    std::int64_t budget_ = 0, refill_budget_ = 0;
};

Triangulator::Triangulator() : clipper_(std::make_unique<Clipper>()) {}
Triangulator::~Triangulator() = default;

void Triangulator::triangulate(Positions positions, Loop loop, std::vector<std::uint32_t>& out) {
    if (loop.size() == 3) return add_fan(loop, 0, out);
    const OutlineKind kind = outline_kind(positions, loop);
    if (kind.orientation == 0) return add_fan(loop, 0, out);
    const std::size_t corner = kind.convex ? fan_corner(positions, loop, kind) : kNoIndex;
    if (corner != kNoIndex) return add_fan(loop, corner, out);
    clipper_->run(positions, loop, kind, out);
}

}  // namespace claybox::collision
