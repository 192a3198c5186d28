#include "app/potter/detail/merge.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace claybox::app {

using collision::kNoIndex;
using collision::Vec3d;
using collision::Vec3f;

namespace {

constexpr double kMostNodes = 6e6;        // of a grid
constexpr int kFar = 3;                   // distances are known up to this many steps
constexpr double kLeastShare = 0.12;      // a cut of an edge keeps this distance from the ends
constexpr std::size_t kLeastPiece = 60;   // triangles
constexpr double kTrianglesPerArea = 11;  // of marching tetrahedra, per square of the step

/// Nodes at regular places. The bat lies in the middle between two layers.
struct Grid {
    Vec3d low;
    double step = 0;
    std::array<std::size_t, 3> count{};

    std::size_t nodes() const { return count[0] * count[1] * count[2]; }
    std::size_t index(std::size_t x, std::size_t y, std::size_t z) const {
        return y + count[1] * (x + count[0] * z);  // columns are contiguous
    }
    Vec3d place(std::size_t x, std::size_t y, std::size_t z) const {
        return {low.x + step * static_cast<double>(x), low.y + step * static_cast<double>(y),
                low.z + step * static_cast<double>(z)};
    }
};

Grid grid_around(const ClayMesh& mesh, double step) {
    Vec3d low{1e30, 1e30, 1e30}, high{-1e30, -1e30, -1e30};
    for (const Vec3f& p : mesh.positions) {
        const Vec3d q = collision::cast<double>(p);
        low = {std::min(low.x, q.x), std::min(low.y, q.y), std::min(low.z, q.z)};
        high = {std::max(high.x, q.x), std::max(high.y, q.y), std::max(high.z, q.z)};
    }
    const Vec3d size = high - low;
    Grid out;
    out.step = step;
    while (size.x * size.y * size.z > kMostNodes * out.step * out.step * out.step) out.step *= 1.1;
    out.low = low - Vec3d{2, 2, 2} * out.step;
    out.low.y = (std::floor(low.y / out.step) - 2.5) * out.step;
    const Vec3d cells = (high - out.low) / out.step;
    out.count = {static_cast<std::size_t>(cells.x) + 4, static_cast<std::size_t>(cells.y) + 4,
                 static_cast<std::size_t>(cells.z) + 4};
    return out;
}

struct Crossing {
    double y;
    int turn;  ///< +1 into the clay, seen along +Y
};

/// Where vertical lines through a grid's columns cross the mesh.
class Columns {
  public:
    /// The lines lie beside the columns by a tiny `aside`, so that they meet no vertex.
    Columns(const ClayMesh& mesh, const Grid& grid, double aside) : first_(columns(grid) + 1) {
        for (const bool counts : {true, false}) {
            for (const auto& t : mesh.triangles) add(mesh, t, grid, aside, counts);
            if (counts) {
                std::partial_sum(first_.begin(), first_.end(), first_.begin());
                crossings_.resize(first_.back());
            }
        }
        for (std::size_t c = 0; c + 1 < first_.size(); ++c) {
            const auto from = crossings_.begin() + static_cast<std::ptrdiff_t>(first_[c]);
            std::sort(from, crossings_.begin() + static_cast<std::ptrdiff_t>(first_[c + 1]),
                      [](const Crossing& a, const Crossing& b) {
                          return a.y != b.y ? a.y < b.y : a.turn > b.turn;
                      });
        }
    }
    std::span<const Crossing> of(std::size_t x, std::size_t z, const Grid& grid) const {
        const std::size_t c = x + grid.count[0] * z;
        return std::span(crossings_).subspan(first_[c], first_[c + 1] - first_[c]);
    }

  private:
    static std::size_t columns(const Grid& grid) { return grid.count[0] * grid.count[2]; }

    void add(const ClayMesh& mesh, const std::array<std::uint32_t, 3>& t, const Grid& grid, double aside,
             bool counts) {
        Vec3d c[3];
        for (std::size_t i = 0; i < 3; ++i) c[i] = collision::cast<double>(mesh.positions[t[i]]);
        const double area = (c[1].z - c[0].z) * (c[2].x - c[0].x) - (c[1].x - c[0].x) * (c[2].z - c[0].z);
        if (area == 0) return;
        const auto [left, right] = std::minmax({c[0].x, c[1].x, c[2].x});
        const auto [near, far] = std::minmax({c[0].z, c[1].z, c[2].z});
        const double ax = grid.low.x + aside * grid.step, az = grid.low.z + 0.7 * aside * grid.step;
        const auto first = [&](double at, double low) {
            return static_cast<std::size_t>(std::max(0.0, std::ceil((at - low) / grid.step)));
        };
        for (std::size_t z = first(near, az); az + grid.step * static_cast<double>(z) <= far; ++z) {
            for (std::size_t x = first(left, ax); ax + grid.step * static_cast<double>(x) <= right; ++x) {
                const double px = ax + grid.step * static_cast<double>(x),
                             pz = az + grid.step * static_cast<double>(z);
                double w[3];
                for (std::size_t i = 0; i < 3; ++i) {
                    // Both triangles at an edge compute the same number, with the opposite sign.
                    std::size_t a = (i + 1) % 3, b = (i + 2) % 3;
                    const bool turned = t[a] > t[b];
                    if (turned) std::swap(a, b);
                    w[i] = (c[b].z - c[a].z) * (px - c[a].x) - (c[b].x - c[a].x) * (pz - c[a].z);
                    if (turned) w[i] = -w[i];
                    if (area < 0) w[i] = -w[i];
                }
                if (!(w[0] > 0 && w[1] > 0 && w[2] > 0)) continue;
                const std::size_t column = x + grid.count[0] * z;
                if (counts) {
                    ++first_[column + 1];
                } else {
                    const double sum = w[0] + w[1] + w[2];
                    crossings_[next(column)] = {(w[0] * c[0].y + w[1] * c[1].y + w[2] * c[2].y) / sum,
                                                area > 0 ? -1 : 1};
                }
            }
        }
    }
    std::size_t next(std::size_t column) {
        if (filled_.empty()) filled_.assign(first_.begin(), first_.end());
        return filled_[column]++;
    }

    std::vector<std::size_t> first_, filled_;
    std::vector<Crossing> crossings_;
};

/// Lines beside the columns by different amounts; the first one that a line closes on counts.
class WindingNumbers {
  public:
    WindingNumbers(const ClayMesh& mesh, const Grid& grid) : grid_(grid) {
        for (const double aside : {1.3e-3, -2.1e-3, 5.7e-3}) tries_.emplace_back(mesh, grid, aside);
    }
    /// Crossings of a column whose turns sum to 0; empty if there is none.
    std::span<const Crossing> column(std::size_t x, std::size_t z) const {
        for (const Columns& lines : tries_) {
            const auto found = lines.of(x, z, grid_);
            int sum = 0;
            for (const Crossing& crossing : found) sum += crossing.turn;
            if (sum == 0) return found;
        }
        return {};
    }

  private:
    const Grid& grid_;
    std::vector<Columns> tries_;
};

/// Signed distance in the nodes near the surface, and the mask there.
struct Field {
    std::vector<float> distance;  ///< negative inside; in steps, at most kFar
    std::vector<float> mask;
};

double distance_to(const Vec3d& p, const Vec3d* c) {
    // Source: Ericson, Real-Time Collision Detection, 5.1.5.
    const Vec3d ab = c[1] - c[0], ac = c[2] - c[0], ap = p - c[0];
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return length(ap);
    const Vec3d bp = p - c[1];
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return length(bp);
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return length(ap - ab * (d1 / (d1 - d3)));
    const Vec3d cp = p - c[2];
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return length(cp);
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return length(ap - ac * (d2 / (d2 - d6)));
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
        return length(bp - (c[2] - c[1]) * ((d4 - d3) / (d4 - d3 + d5 - d6)));
    const double sum = va + vb + vc;
    return sum > 0 ? length(ap - ab * (vb / sum) - ac * (vc / sum)) : length(ap);
}

void spread_distances(const ClayMesh& mesh, const Grid& grid, Field& field) {
    for (const auto& t : mesh.triangles) {
        Vec3d c[3];
        for (std::size_t i = 0; i < 3; ++i) c[i] = collision::cast<double>(mesh.positions[t[i]]);
        const float mask = std::max({mesh.mask[t[0]], mesh.mask[t[1]], mesh.mask[t[2]]});
        std::size_t from[3], to[3];
        for (std::size_t k = 0; k < 3; ++k) {
            const auto of = [k](const Vec3d& v) { return k == 0 ? v.x : k == 1 ? v.y : v.z; };
            const double low = std::min({of(c[0]), of(c[1]), of(c[2])}) - of(grid.low),
                         high = std::max({of(c[0]), of(c[1]), of(c[2])}) - of(grid.low);
            from[k] = static_cast<std::size_t>(std::max(0.0, std::ceil(low / grid.step - 1.8)));
            to[k] = std::min(grid.count[k] - 1, static_cast<std::size_t>(high / grid.step + 1.8));
        }
        for (std::size_t z = from[2]; z <= to[2]; ++z)
            for (std::size_t x = from[0]; x <= to[0]; ++x)
                for (std::size_t y = from[1]; y <= to[1]; ++y) {
                    const auto d = static_cast<float>(distance_to(grid.place(x, y, z), c) / grid.step);
                    const std::size_t node = grid.index(x, y, z);
                    if (!(d < field.distance[node])) continue;
                    field.distance[node] = d;
                    field.mask[node] = mask;
                }
    }
}

/// A node on the outermost surface of what is inside has the right distance; where surfaces inside are
/// nearer, only the sign counts, and the surface lies in the middle.
Field field_of(const ClayMesh& mesh, const Grid& grid) {
    Field out;
    out.distance.assign(grid.nodes(), kFar);
    out.mask.assign(grid.nodes(), 0.0f);
    spread_distances(mesh, grid, out);
    const WindingNumbers winding(mesh, grid);
    for (std::size_t z = 0; z < grid.count[2]; ++z) {
        for (std::size_t x = 0; x < grid.count[0]; ++x) {
            const auto crossings = winding.column(x, z);
            std::size_t next = 0;
            int inside = 0;
            for (std::size_t y = 0; y < grid.count[1]; ++y) {
                const double at = grid.place(x, y, z).y;
                for (; next < crossings.size() && crossings[next].y < at; ++next)
                    inside += crossings[next].turn;
                float& d = out.distance[grid.index(x, y, z)];
                d = std::max(d, 1e-3f);
                if (inside > 0) d = -d;
            }
        }
    }
    return out;
}

/// Cuts the cubes of a grid into six tetrahedra around their long diagonals, and these along the surface.
class Surface {
  public:
    Surface(const Grid& grid, const Field& field) : grid_(grid), field_(field) {
        // The corners of a cube on the way from 0 to 7 along the axes in each order.
        static constexpr int kWays[6][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7},
                                            {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};
        for (std::size_t z = 0; z + 1 < grid.count[2]; ++z)
            for (std::size_t x = 0; x + 1 < grid.count[0]; ++x)
                for (std::size_t y = 0; y + 1 < grid.count[1]; ++y) {
                    Corner cube[8];
                    int inside = 0;
                    for (std::size_t i = 0; i < 8; ++i) {
                        cube[i] = corner(x + (i & 1), y + (i >> 1 & 1), z + (i >> 2));
                        inside += cube[i].distance < 0;
                    }
                    if (inside == 0 || inside == 8) continue;
                    for (const auto& way : kWays)
                        cut({cube[way[0]], cube[way[1]], cube[way[2]], cube[way[3]]});
                }
    }
    ClayMesh take() { return std::move(out_); }

  private:
    struct Corner {
        std::size_t node;
        Vec3d place;
        float distance;
    };
    Corner corner(std::size_t x, std::size_t y, std::size_t z) const {
        const std::size_t node = grid_.index(x, y, z);
        return {node, grid_.place(x, y, z), field_.distance[node]};
    }

    std::uint32_t between(const Corner& a, const Corner& b) {
        const Corner &low = a.node < b.node ? a : b, &high = a.node < b.node ? b : a;
        const auto [it, is_new] = known_.try_emplace(low.node * grid_.nodes() + high.node,
                                                     static_cast<std::uint32_t>(out_.positions.size()));
        if (!is_new) return it->second;
        const double share =
            std::clamp(static_cast<double>(low.distance) / static_cast<double>(low.distance - high.distance),
                       kLeastShare, 1 - kLeastShare);
        Vec3d at = low.place + (high.place - low.place) * share;
        at.y = std::max(at.y, 0.0);
        out_.positions.push_back(collision::cast<float>(at));
        out_.mask.push_back(std::min(field_.mask[low.node], field_.mask[high.node]));
        return it->second;
    }

    void cut(const std::array<Corner, 4>& corners) {
        std::array<const Corner*, 4> order;
        std::size_t inside = 0, outside = 4;
        for (const Corner& c : corners) order[c.distance < 0 ? inside++ : --outside] = &c;
        const Vec3d way = order[3]->place - order[0]->place;
        if (inside == 1) {
            add(between(*order[0], *order[1]), between(*order[0], *order[2]), between(*order[0], *order[3]),
                way);
        } else if (inside == 3) {
            add(between(*order[3], *order[0]), between(*order[3], *order[1]), between(*order[3], *order[2]),
                way);
        } else if (inside == 2) {
            const std::uint32_t a = between(*order[0], *order[2]), b = between(*order[0], *order[3]),
                                c = between(*order[1], *order[3]), d = between(*order[1], *order[2]);
            const Vec3d out = order[2]->place + order[3]->place - order[0]->place - order[1]->place;
            add(a, b, c, out);
            add(a, c, d, out);
        }
    }

    void add(std::uint32_t a, std::uint32_t b, std::uint32_t c, const Vec3d& outwards) {
        const Vec3d p = collision::cast<double>(out_.positions[a]);
        const Vec3d area = cross(collision::cast<double>(out_.positions[b]) - p,
                                 collision::cast<double>(out_.positions[c]) - p);
        if (dot(area, outwards) < 0) std::swap(b, c);
        out_.triangles.push_back({a, b, c});
    }

    const Grid& grid_;
    const Field& field_;
    std::unordered_map<std::size_t, std::uint32_t> known_;  ///< by the nodes of an edge
    ClayMesh out_;
};

/// Removes pieces of a few triangles, and vertices that no triangle uses.
void drop_crumbs(ClayMesh& mesh) {
    std::vector<std::uint32_t> root(mesh.positions.size());
    std::iota(root.begin(), root.end(), 0u);
    const auto find = [&](std::uint32_t v) {
        while (root[v] != v) v = root[v] = root[root[v]];
        return v;
    };
    for (const auto& t : mesh.triangles)
        for (std::size_t i = 1; i < 3; ++i) root[find(t[i])] = find(t[0]);
    std::vector<std::size_t> size(root.size());
    for (const auto& t : mesh.triangles) ++size[find(t[0])];
    std::erase_if(mesh.triangles, [&](const auto& t) { return size[find(t[0])] < kLeastPiece; });
    std::vector<std::uint32_t> number(root.size(), kNoIndex);
    ClayMesh kept;
    for (auto& t : mesh.triangles) {
        for (std::uint32_t& v : t) {
            if (number[v] == kNoIndex) {
                number[v] = static_cast<std::uint32_t>(kept.positions.size());
                kept.positions.push_back(mesh.positions[v]);
                kept.mask.push_back(mesh.mask[v]);
            }
            v = number[v];
        }
    }
    mesh.positions = std::move(kept.positions);
    mesh.mask = std::move(kept.mask);
}

double area_of(const ClayMesh& mesh) {
    double twice = 0;
    for (const auto& t : mesh.triangles) {
        const Vec3d p = collision::cast<double>(mesh.positions[t[0]]);
        twice += length(cross(collision::cast<double>(mesh.positions[t[1]]) - p,
                              collision::cast<double>(mesh.positions[t[2]]) - p));
    }
    return twice / 2;
}

}  // namespace

bool passes_through_itself(const ClayMesh& mesh, float spacing) {
    const Grid grid = grid_around(mesh, static_cast<double>(spacing));
    const WindingNumbers winding(mesh, grid);
    for (std::size_t z = 0; z < grid.count[2]; ++z) {
        for (std::size_t x = 0; x < grid.count[0]; ++x) {
            int inside = 0;
            for (const Crossing& crossing : winding.column(x, z)) {
                inside += crossing.turn;
                if (inside < 0 || inside > 1) return true;
            }
        }
    }
    return false;
}

ClayMesh merged(const ClayMesh& mesh, float spacing, std::size_t budget) {
    const double least = std::sqrt(kTrianglesPerArea * area_of(mesh) / static_cast<double>(budget));
    const Grid grid = grid_around(mesh, std::max(static_cast<double>(spacing), least));
    const Field field = field_of(mesh, grid);
    ClayMesh out = Surface(grid, field).take();
    drop_crumbs(out);
    return out;
}

}  // namespace claybox::app
