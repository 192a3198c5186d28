#include "collision/pairwise/support/support_table.hpp"

#include "collision/core/assert.hpp"
#include "collision/geometry/bounds/bounds.hpp"
#include "collision/pairwise/support/support.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace claybox::collision {

namespace {

/// Cell numbers have 32 bits, vertex numbers in a cell 16.
constexpr std::uint32_t kMaxVertices = 65535;
constexpr std::uint32_t kMaxResolution = 128;
/// With about three cells per vertex most cells need at most four vertices.
constexpr std::uint32_t kCellsPerVertex = 3;
/// For longer lists climbing is cheaper than scanning the list.
constexpr std::size_t kMaxListed = 32;
/// Directions are stretched by at most 2^8. Beyond that, the float rounding error of a rotated direction
/// would exceed the margin of a cell.
constexpr int kMaxStretch = 8;

/// Each cell lists the best vertices up to this far beyond its border, in units of the cube's face (half edge
/// 1). Derivation, with uf = 2^-24: by PlacedTable::certain() each component of the scaled direction is off
/// by at most 3.1 uf 2^10 D < 2^-11.36 D / 2, where D is the largest component. Both coordinates on the face
/// are then off by less than 2^-10.36; computing them adds a few uf, and rounding them to cells 2^-17.
constexpr double kMargin = 0x1p-10;
/// Heights in scaled coordinates differ by at most 6. See TableBuilder::may_be_best().
constexpr double kSlack = 0x1p-28;

struct Rectangle {
    double u0, u1, w0, w1;
};

/// A convex polygon on a face of the cube.
struct FacePolygon {
    static constexpr std::size_t kMaxCorners = 24;
    std::array<double, kMaxCorners> u, w;
    std::size_t count = 0;

    void add(double pu, double pw) {
        u[count] = pu;
        w[count] = pw;
        ++count;
    }
};

/// p * u + q * w + r: how much higher one vertex is than another at position (u, w).
struct Advantage {
    double p, q, r;
    double at(double u, double w) const { return p * u + q * w + r; }
};

/// The part of the polygon where the advantage is at least -kSlack.
FacePolygon cut(const FacePolygon& in, const Advantage& h) {
    FacePolygon out;
    for (std::size_t i = 0; i < in.count; ++i) {
        const std::size_t j = i + 1 < in.count ? i + 1 : 0;
        const double here = h.at(in.u[i], in.w[i]) + kSlack, there = h.at(in.u[j], in.w[j]) + kSlack;
        if (here >= 0) out.add(in.u[i], in.w[i]);
        if ((here >= 0) == (there >= 0)) continue;
        const double t = here / (here - there);
        out.add(in.u[i] + t * (in.u[j] - in.u[i]), in.w[i] + t * (in.w[j] - in.w[i]));
    }
    return out;
}

double power_of_two_above(double v) {
    int exponent = 0;
    std::frexp(v, &exponent);
    return std::ldexp(1.0, exponent);
}

}  // namespace

/// Subdivides each face of the cube recursively. A vertex that is nowhere best on a square is nowhere best on
/// its parts.
class TableBuilder {
  public:
    TableBuilder(const ConvexHull& hull, SupportTable& table) : hull_(hull), table_(table) {}

    bool run() {
        if (!compute_factors()) return false;
        copy_vertices();
        table_.outer_.make(hull_, factor_);
        for (std::size_t k = 0; k < 3; ++k)
            table_.reach_[k] = std::max(table_.reach_[k], table_.outer_.reach(k));
        if (hull_.vertex_count <= SupportTable::kMaxScanned) {
            fill_blocks();
            return true;
        }
        choose_resolution();
        for (std::uint32_t face = 0; face < 6; ++face) {
            axis_ = face / 2;
            sign_ = face % 2 == 0 ? 1 : -1;
            face_ = face;
            listed_.resize(hull_.vertex_count);
            for (std::uint32_t v = 0; v < hull_.vertex_count; ++v) listed_[v] = v;
            divide(table_.resolution_, 0, 0, 0);
        }
        rank_all();
        table_.more_.shrink_to_fit();
        table_.cell_ = table_.cells_.data();
        table_.by_rank_ = table_.ranked_.data();
        return true;
    }

  private:
    bool compute_factors() {
        Aabb box;
        for (std::uint32_t v = 0; v < hull_.vertex_count; ++v) box.add(hull_.vertex(v));
        double largest = 0, half[3];
        for (std::size_t k = 0; k < 3; ++k) {
            half[k] = 0.5 * (static_cast<double>(box.max[k]) - static_cast<double>(box.min[k]));
            largest = std::max(largest, half[k]);
            table_.middle_[k] = 0.5f * (box.min[k] + box.max[k]);
            table_.squared_extents_[k] = static_cast<float>(half[k] * half[k]);
            table_.reach_[k] = std::max(std::abs(box.min[k]), std::abs(box.max[k]));
        }
        if (largest == 0) largest = 1;
        if (largest < 0x1p-60 || largest > 0x1p60) return false;
        const double max_factor = power_of_two_above(largest),
                     min_factor = std::ldexp(max_factor, -kMaxStretch);
        for (std::size_t k = 0; k < 3; ++k) {
            factor_[k] = std::max(half[k] > 0 ? power_of_two_above(half[k]) : 0.0, min_factor);
            table_.factor_[k] = static_cast<float>(factor_[k]);
        }
        return true;
    }

    void copy_vertices() {
        const std::uint32_t count = hull_.vertex_count;
        for (auto& row : scaled_) row.resize(count);
        table_.vertices_.assign(4 * std::size_t{count}, 0);
        for (std::uint32_t v = 0; v < count; ++v)
            for (std::size_t k = 0; k < 3; ++k) {
                table_.vertices_[4 * std::size_t{v} + k] = hull_.vertex(v)[k];
                scaled_[k][v] = static_cast<double>(hull_.vertex(v)[k]) / factor_[k];
            }
        for (std::uint32_t v = 0; v < count; ++v)
            __builtin_memcpy(&table_.vertices_[4 * std::size_t{v} + 3], &v, sizeof v);
        rank_.assign(count, kNoRank);
    }

    void fill_blocks() {
        const std::uint32_t count = hull_.vertex_count;
        table_.blocks_.resize(count <= 8 ? 2 : 6);
        for (std::uint32_t i = 0; i < 4 * table_.blocks_.size(); ++i) {
            SupportTable::Block& b = table_.blocks_[i / 4];
            const std::uint32_t v = i < count ? i : 0;
            b.x[i % 4] = hull_.x[v];
            b.y[i % 4] = hull_.y[v];
            b.z[i % 4] = hull_.z[v];
        }
        table_.scanned_ = static_cast<std::uint32_t>(table_.blocks_.size());
        table_.block_ = table_.blocks_.data();
    }

    void choose_resolution() {
        std::uint32_t shift = 0;
        while ((6u << 2 * shift) < kCellsPerVertex * hull_.vertex_count && (1u << shift) < kMaxResolution)
            ++shift;
        table_.shift_ = shift;
        table_.resolution_ = 1u << shift;
        table_.half_ = 0.5f * static_cast<float>(table_.resolution_);
        table_.last_ = static_cast<float>(table_.resolution_) - 0.5f;
        table_.cells_.resize(std::size_t{6} << 2 * shift);
    }

    /// The advantage of `v` over `other` on this face of the cube. The height of v is sum(direction_k
    /// * factor_k * scaled_k), linear in the two free coordinates.
    Advantage advantage(std::uint32_t v, std::uint32_t other) const {
        const auto difference = [&](std::size_t k) { return scaled_[k][v] - scaled_[k][other]; };
        return {difference((axis_ + 1) % 3), difference((axis_ + 2) % 3), sign_ * difference(axis_)};
    }

    /// Whether v may be best somewhere on the rectangle. Never rejects a vertex that is best at some
    /// position p. Proof: by induction, the polygon left after each cut comes within e of p. Positions
    /// are off by at most 2^-50, advantages by at most 2^-49. If an edge is nearly parallel to the
    /// border of a cut, t may be far off; but then the advantage changes along the edge by no more
    /// than its own error, as if the slack differed by 2^-49. A cut therefore adds at most 2^-48 to e.
    /// It keeps a position within e of p as long as the change of the advantage over e, at most 4 e,
    /// stays below the slack. For up to 2^16 neighbours e is below 2^-32.
    bool may_be_best(std::uint32_t v, const Rectangle& r) const {
        FacePolygon polygon;
        polygon.add(r.u0, r.w0);
        polygon.add(r.u1, r.w0);
        polygon.add(r.u1, r.w1);
        polygon.add(r.u0, r.w1);
        for (std::uint32_t i = hull_.neighbour_begin[v]; i < hull_.neighbour_begin[v + 1]; ++i) {
            const Advantage h = advantage(v, hull_.neighbours[i]);
            bool all = true;
            for (std::size_t k = 0; k < polygon.count; ++k) all &= h.at(polygon.u[k], polygon.w[k]) >= 0;
            if (all) continue;
            if (polygon.count + 1 >= FacePolygon::kMaxCorners) return true;  // undecided counts as "may"
            polygon = cut(polygon, h);
            if (polygon.count == 0) return false;
        }
        return true;
    }

    /// Processes the square of `size` cells at (u, w). Its candidates are listed_[begin ...].
    void divide(std::uint32_t size, std::uint32_t u, std::uint32_t w, std::size_t begin) {
        const std::size_t end = listed_.size();
        const double cell = 2.0 / table_.resolution_;
        const Rectangle r{u * cell - 1 - kMargin, (u + size) * cell - 1 + kMargin, w * cell - 1 - kMargin,
                          (w + size) * cell - 1 + kMargin};
        for (std::size_t i = begin; i < end; ++i)
            if (may_be_best(listed_[i], r)) listed_.push_back(listed_[i]);
        if (size == 1) {
            const std::size_t row = std::size_t{face_} * table_.resolution_ + w;
            write_cell(row * table_.resolution_ + u, {listed_.data() + end, listed_.size() - end});
        } else {
            const std::uint32_t half = size / 2;
            for (std::uint32_t part = 0; part < 4; ++part)
                divide(half, u + (part & 1) * half, w + (part >> 1) * half, end);
        }
        listed_.resize(end);
    }

    /// Ranks are assigned in the order of the cells, which follow a curve on each face.
    std::uint16_t rank_of(std::uint32_t v) {
        if (rank_[v] == kNoRank) {
            rank_[v] = static_cast<std::uint16_t>(table_.ranked_.size() / 4);
            for (std::size_t k = 0; k < 4; ++k)
                table_.ranked_.push_back(table_.vertices_[4 * std::size_t{v} + k]);
        }
        return rank_[v];
    }
    /// Also ranks the vertices that occur only in overfull cells.
    void rank_all() {
        for (std::uint32_t v = 0; v < hull_.vertex_count; ++v) rank_of(v);
    }

    void write_cell(std::size_t cell, std::span<const std::uint32_t> best) {
        CLAYBOX_ASSERT(!best.empty());
        SupportTable::Cell& c = table_.cells_[cell];
        for (std::size_t i = 0; i < 4; ++i) c.rank[i] = rank_of(best[i < best.size() ? i : 0]);
        if (best.size() <= 4) return;
        const auto place = static_cast<std::uint32_t>(table_.more_.size());
        c.rank[1] = static_cast<std::uint16_t>(place);
        c.rank[2] = static_cast<std::uint16_t>(place >> 16);
        c.rank[3] = SupportTable::kOverfull;
        const bool climb = best.size() > kMaxListed;
        const std::size_t count = climb ? 0 : (best.size() + 3) / 4 * 4;
        table_.more_.push_back(climb ? SupportTable::kClimb : static_cast<std::uint16_t>(count));
        for (std::size_t i = 0; i < count; ++i)
            table_.more_.push_back(rank_of(best[i < best.size() ? i : 0]));
    }

    const ConvexHull& hull_;
    SupportTable& table_;
    double factor_[3] = {};
    std::array<std::vector<double>, 3> scaled_;
    static constexpr std::uint16_t kNoRank = 0xffff;
    std::vector<std::uint16_t> rank_;    ///< per vertex
    std::vector<std::uint32_t> listed_;  ///< stack of the candidates of all squares being divided
    std::size_t axis_ = 0;
    double sign_ = 1;
    std::uint32_t face_ = 0;
};

bool SupportTable::make(const ConvexHull& hull) {
    if (hull.vertex_count == 0 || hull.vertex_count > kMaxVertices) return false;
    *this = SupportTable();
    hull_ = &hull;
    return TableBuilder(hull, *this).run();
}

std::size_t SupportTable::memory_bytes() const {
    return sizeof *this + outer_.memory_bytes() + cells_.capacity() * sizeof(Cell) +
           more_.capacity() * sizeof(more_[0]) + blocks_.capacity() * sizeof(Block) +
           (vertices_.capacity() + ranked_.capacity()) * sizeof(float);
}

std::size_t SupportTable::overfull_cells() const {
    return static_cast<std::size_t>(
        std::count_if(cells_.begin(), cells_.end(), [](const Cell& c) { return c.rank[3] == kOverfull; }));
}

SupportTable::Found SupportTable::search_overfull(const Cell& cell, Float4 direction, float certainty) const {
    const std::uint32_t place = cell.rank[1] | std::uint32_t{cell.rank[2]} << 16;
    const std::uint16_t count = more_[place];
    if (count == kClimb) {
        const Vec3f d{direction[0], direction[1], direction[2]};
        std::uint32_t start;
        __builtin_memcpy(&start, ranked(cell.rank[0]) + 3, sizeof start);
        const std::uint32_t v = support_vertex(*hull_, d, start, SupportMethod::automatic);
        const bool scanned = hull_->vertex_count <= kScanLimit;
        return {dot(d, hull_->vertex(v)), scanned ? kAlwaysCertain : 0, v, &vertices_[4 * std::size_t{v}]};
    }
    Found best{};
    for (std::uint32_t i = 0; i < count; i += 4) {
        std::uint16_t rank[4];
        std::copy_n(&more_[place + 1 + i], 4, rank);
        const Found here = best_of(rank, direction, certainty);
        if (i == 0 || here.height > best.height) best = here;
    }
    return best;
}

}  // namespace claybox::collision
