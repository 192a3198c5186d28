#include "collision/pairwise/support/outer_cells.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace claybox::collision {

namespace {

/// Hulls with at least this many vertices use the finer cells.
constexpr std::uint32_t kFineFrom = 300;
constexpr std::uint32_t kShift = 3, kFineShift = 4;

/// How far beyond its border a cell's point bounds all vertices, in units of the triangle's coordinates,
/// whose sum is 1. Derivation, with uf = 2^-24: by certain() in support_table.hpp each component of the
/// scaled direction is off by at most 3.1 uf 2^10 times the sum of its components, below 2^-12.36 of that
/// sum. The quotient of a coordinate and the sum is then off by four times as much, below 2^-10.36; computing
/// it adds a few uf. If a sign is wrong, the component is off by more than its size. The direction then lies
/// within the margin beyond the octant's border, in the plane of its triangle.
constexpr double kMargin = 0x1p-10;
/// Exceeds the rounding of vertex heights in scaled coordinates, relative to their extent.
constexpr double kSlack = 0x1p-40;

/// A position in the plane of an octant's triangle; the third coordinate is 1 - u - w.
struct Position {
    double u, w;
};

/// A linear function of the position.
struct Plane {
    double level, along_u, along_w;
    double at(const Position& p) const { return level + along_u * p.u + along_w * p.w; }
};

/// The up to four corners of a cell, widened by the margin, in order around it.
struct Corners {
    std::array<Position, 4> position;
    std::array<double, 4> height;  ///< of the support function at the corner
    std::size_t count = 0;
    void add(double u, double w) { position[count++] = {u, w}; }
    double side() const { return position[1].u - position[0].u; }
};

/// For a triangle: the plane through the heights. For a square: the plane not below any height that is lowest
/// at the centre. It passes through the ends of the higher diagonal and splits the surplus between the ends
/// of the other diagonal.
Plane plane_above(const Corners& c) {
    double first = c.height[0], along_u = c.height[1], along_w = c.height[c.count - 1];
    if (c.count == 4) {
        const double surplus = c.height[0] + c.height[2] - c.height[1] - c.height[3];
        if (surplus >= 0) {
            along_u += 0.5 * surplus;
            along_w += 0.5 * surplus;
        } else {
            first -= 0.5 * surplus;
        }
    }
    Plane out{0, (along_u - first) / c.side(), (along_w - first) / c.side()};
    out.level = first - out.along_u * c.position[0].u - out.along_w * c.position[0].w;
    return out;
}

/// Builds the cells of one octant. In scaled coordinates the height of a vertex along (s0 u, s1 w, s2 (1 - u
/// - w)), with the octant's signs s, is linear in u and w. The support function is therefore convex in u and
/// w: a plane above it at the corners of a cell is above it in the whole cell.
class OctantBuilder {
  public:
    OctantBuilder(const ConvexHull& hull, const double (&factor)[3], std::uint32_t octant)
        : hull_(hull),
          factor_{factor[0], factor[1], factor[2]},
          sign_{octant & 1 ? -1.0 : 1.0, octant & 2 ? -1.0 : 1.0, octant & 4 ? -1.0 : 1.0} {}

    OuterCells::Cell cell(double u, double w, double side) const {
        Corners c = corners(u, w, side);
        Position middle{0, 0};
        double largest = 0;
        for (std::size_t i = 0; i < c.count; ++i) {
            c.height[i] = height(furthest(c.position[i]), c.position[i]);
            largest = std::max(largest, std::abs(c.height[i]));
            middle.u += c.position[i].u / static_cast<double>(c.count);
            middle.w += c.position[i].w / static_cast<double>(c.count);
        }
        OuterCells::Cell out{};
        store_point(c, plane_above(c), largest, out);
        const std::uint32_t best = furthest(middle);
        out.vertex_bits = OuterCells::kVertexBits | best;
        for (std::size_t k = 0; k < 3; ++k) out.at[k] = hull_.vertex(best)[k];
        return out;
    }

  private:
    /// A square, or the triangle that the octant's third side cuts from it.
    static Corners corners(double u, double w, double side) {
        Corners c;
        const double left = u - kMargin, low = w - kMargin;
        const bool square = u + w + 2 * side <= 1;
        const double reach = square ? side + 2 * kMargin : 1 + kMargin - left - low;
        c.add(left, low);
        c.add(left + reach, low);
        if (square) c.add(left + reach, low + reach);
        c.add(left, low + reach);
        return c;
    }

    double weight(std::size_t k, const Position& p) const {
        return sign_[k] * (k == 0 ? p.u : k == 1 ? p.w : 1 - p.u - p.w);
    }
    double height(std::uint32_t v, const Position& p) const {
        double out = 0;
        for (std::size_t k = 0; k < 3; ++k)
            out += weight(k, p) * (static_cast<double>(hull_.vertex(v)[k]) / factor_[k]);
        return out;
    }
    /// Scans all vertices: this bound must not depend on a correct climb.
    std::uint32_t furthest(const Position& p) const {
        const double x = weight(0, p) / factor_[0], y = weight(1, p) / factor_[1],
                     z = weight(2, p) / factor_[2];
        std::uint32_t best = 0;
        double top = -HUGE_VAL;
        for (std::uint32_t v = 0; v < hull_.vertex_count; ++v) {
            const double h = x * static_cast<double>(hull_.x[v]) + y * static_cast<double>(hull_.y[v]) +
                             z * static_cast<double>(hull_.z[v]);
            if (h > top) {
                top = h;
                best = v;
            }
        }
        return best;
    }

    /// Stores the point whose heights equal the plane's, raised until rounding it to float is harmless.
    void store_point(const Corners& c, const Plane& plane, double largest, OuterCells::Cell& out) const {
        const double scaled[3] = {sign_[0] * (plane.level + plane.along_u),
                                  sign_[1] * (plane.level + plane.along_w), sign_[2] * plane.level};
        const double size =
            std::max({std::abs(scaled[0]), std::abs(scaled[1]), std::abs(scaled[2]), largest});
        for (double lift = 0;; lift += 0x1p-24 * size + 0x1p-100) {
            for (std::size_t k = 0; k < 3; ++k)
                out.point[k] = static_cast<float>((scaled[k] + sign_[k] * lift) * factor_[k]);
            bool enough = true;
            for (std::size_t i = 0; i < c.count; ++i) {
                double h = 0;
                for (std::size_t k = 0; k < 3; ++k)
                    h += weight(k, c.position[i]) * (static_cast<double>(out.point[k]) / factor_[k]);
                enough &= h >= c.height[i] + kSlack * size;
            }
            if (enough) return;
        }
    }

    const ConvexHull& hull_;
    double factor_[3], sign_[3];
};

}  // namespace

void OuterCells::make(const ConvexHull& hull, const double (&factor)[3]) {
    shift_ = hull.vertex_count < kFineFrom ? kShift : kFineShift;
    const std::uint32_t rows = 1u << shift_;
    rows_ = static_cast<float>(rows);
    last_ = rows_ - 0.5f;
    cells_.resize(std::size_t{8} << 2 * shift_);
    const double side = 1.0 / rows;
    for (std::uint32_t octant = 0; octant < 8; ++octant) {
        const OctantBuilder builder(hull, factor, octant);
        for (std::uint32_t w = 0; w < rows; ++w)
            for (std::uint32_t u = 0; u < rows; ++u) {
                // Cells beyond the third side are never looked up. Rounding
                // may select one just across it.
                Cell& cell = cells_[(octant << shift_ | w) << shift_ | u];
                cell = u + w <= rows ? builder.cell(u * side, w * side, side) : cells_[0];
            }
    }
    cell_ = cells_.data();
}

float OuterCells::reach(std::size_t k) const {
    float out = 0;
    for (const Cell& cell : cells_) out = std::max(out, std::abs(cell.point[k]));
    return out;
}

}  // namespace claybox::collision
