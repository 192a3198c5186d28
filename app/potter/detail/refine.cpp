#include "app/potter/detail/refine.hpp"

#include "app/potter/detail/quality.hpp"
#include "collision/core/trig.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {

using collision::Vec3d;
using collision::Vec3f;

namespace {

constexpr int kRounds = 8, kFaultRounds = 24;
constexpr double kFlatEnough = 0.8;   // cosine between normals: flatter edges may flip
constexpr double kMaxTurn = 0.5;      // cosine by which a normal may turn when an edge collapses
constexpr double kNoNormal = 0.9994;  // cosine of 2 degrees: a triangle with a smaller angle is a thin sliver
constexpr double kMaxTurnOfSliver = 0.3;  // the same for what replaces a thin sliver
constexpr double kBatTolerance = 1e-4;

/// Whether a local change makes the worst triangle clearly better, by cosines of smallest angles. Angles near
/// 0 differ little in their cosines, so the distances from 1 are compared.
bool is_better(double after, double before) {
    return 1 - after > 1.1 * (1 - before) + 1e-12;
}

struct LongEdge {
    double square;
    std::uint32_t a, b;
};

/// One refinement; owns the list of triangles at hand.
class Refinement {
  public:
    Refinement(EditMesh& mesh, std::span<const std::uint32_t> seeds, const DetailLimits& limits)
        : mesh_(mesh), limits_(limits), is_listed_(mesh.triangle_slots()) {
        for (const std::uint32_t v : seeds) activate(v);
    }

    DetailWork run() {
        for (int round = 0; round < kRounds; ++round) {
            const std::size_t before = work_.total();
            split_long_edges();
            collapse_short_edges();
            flip_edges();
            mend_slivers();
            if (work_.total() == before) break;
        }
        if (limits_.even_out) even_out_all();
        smooth_faults();
        return work_;
    }

  private:
    Vec3d at(std::uint32_t v) const { return collision::cast<double>(mesh_.position(v)); }
    double square(std::uint32_t a, std::uint32_t b) const { return length_squared(at(a) - at(b)); }
    double quality(std::uint32_t t) const {
        const auto& [a, b, c] = mesh_.triangle(t);
        return smallest_angle_cosine(at(a), at(b), at(c));
    }

    void list(std::uint32_t t) {
        if (t >= is_listed_.size()) is_listed_.resize(mesh_.triangle_slots());
        if (is_listed_[t]) return;
        is_listed_[t] = 1;
        triangles_.push_back(t);
    }
    void activate(std::uint32_t v) {
        for (const std::uint32_t t : mesh_.fan(v)) list(t);
    }
    void drop_removed() {
        std::erase_if(triangles_, [&](std::uint32_t t) { return !mesh_.is_live(t); });
    }

    template <class Visit>
    void visit_edges(Visit&& visit) const {
        for (const std::uint32_t t : triangles_) {
            if (!mesh_.is_live(t)) continue;
            const auto& corners = mesh_.triangle(t);
            for (std::size_t i = 0; i < 3; ++i) visit(corners[i], corners[(i + 1) % 3]);
        }
    }

    Vec3f split_point(std::uint32_t a, std::uint32_t b) const;
    void split_long_edges();
    void collapse_short_edges();
    bool collapse(const EdgeSides& edge, bool mends);
    Vec3d facing(const EdgeSides& edge) const;
    bool collapse_is_good(const EdgeSides& edge, const Vec3d& p, bool mends) const;
    bool try_flip(const EdgeSides& edge);
    void flip_edges();
    void mend_slivers();
    bool mend(std::uint32_t t);
    void even_out_all();
    bool is_folded(std::uint32_t t) const;
    std::vector<std::uint32_t> corners_of_faults() const;
    void smooth_faults();

    EditMesh& mesh_;
    const DetailLimits& limits_;
    DetailWork work_;
    std::vector<std::uint8_t> is_listed_;
    std::vector<std::uint32_t> triangles_;  ///< at hand, each once; some may be removed
};

/// Point between two vertices on the curve that their normals suggest; the middle of a sharp edge.
Vec3f Refinement::split_point(std::uint32_t a, std::uint32_t b) const {
    const Vec3d pa = at(a), pb = at(b), along = pb - pa, middle = (pa + pb) * 0.5;
    const Vec3d na = mesh_.normal(a), nb = mesh_.normal(b);
    Vec3d p = middle;
    const bool frozen = mesh_.mask(a) > 0 || mesh_.mask(b) > 0;
    if (!frozen && dot(na, nb) > 0.5) {
        const double limit = 0.125 * length(along);
        const double rise = (dot(along, nb) - dot(along, na)) / 8;
        p += normalized(na + nb) * std::clamp(rise, -limit, limit);
    }
    // Clay on the bat stays on it, and none goes below.
    if (std::max(pa.y, pb.y) < kBatTolerance)
        p.y = middle.y;
    else if (std::min(pa.y, pb.y) >= 0)
        p.y = std::max(p.y, 0.0);
    return collision::cast<float>(p);
}

void Refinement::split_long_edges() {
    const double limit = static_cast<double>(limits_.edge * DetailLimits::kSplit);
    for (int pass = 0; pass < kRounds; ++pass) {
        std::vector<LongEdge> edges;
        visit_edges([&](std::uint32_t a, std::uint32_t b) {
            const double s = square(a, b);
            if (s > limit * limit && a < b) edges.push_back({s, a, b});
        });
        std::sort(edges.begin(), edges.end(), [](const LongEdge& x, const LongEdge& y) {
            return x.square != y.square ? x.square > y.square : x.a != y.a ? x.a < y.a : x.b < y.b;
        });
        const std::size_t before = work_.splits;
        for (const LongEdge& e : edges) {
            EdgeSides edge;
            if (mesh_.triangle_count() + 2 > limits_.budget) return;
            if (!mesh_.find_edge(e.a, e.b, edge)) continue;
            activate(mesh_.split(edge, split_point(e.a, e.b)));
            ++work_.splits;
        }
        if (work_.splits == before) return;
    }
}

/// Mean direction of the triangles around both ends.
Vec3d Refinement::facing(const EdgeSides& edge) const {
    Vec3d sum;
    for (const std::uint32_t end : {edge.a, edge.b})
        for (const std::uint32_t t : mesh_.fan(end)) sum += mesh_.area(t);
    return normalized(sum, Vec3d{});
}

/// Whether all triangles around the new vertex keep their side and a fair shape.
bool Refinement::collapse_is_good(const EdgeSides& edge, const Vec3d& p, bool mends) const {
    const double longest = static_cast<double>(limits_.edge * DetailLimits::kSplit);
    const Vec3d facing_both = facing(edge);
    double worst_before = 0, worst_after = 0;
    for (const std::uint32_t end : {edge.a, edge.b}) {
        for (const std::uint32_t t : mesh_.fan(end)) {
            const double quality_before = quality(t);
            worst_before = std::max(worst_before, quality_before);
            if (t == edge.left || t == edge.right) continue;
            const auto corners = mesh_.triangle(t);
            Vec3d c[3];
            for (std::size_t i = 0; i < 3; ++i) {
                c[i] = corners[i] == end ? p : at(corners[i]);
                if (corners[i] != end && !mends && length_squared(c[i] - p) > longest * longest) return false;
            }
            const Vec3d before = mesh_.area(t), after = cross(c[1] - c[0], c[2] - c[0]);
            // The normal of a thin sliver is noise; then the surface around the edge decides.
            const bool sliver = quality_before > kNoNormal;
            const double turned = sliver ? dot(facing_both, after) : dot(before, after) / length(before);
            if (!(turned > (sliver ? kMaxTurnOfSliver : kMaxTurn) * length(after))) return false;
            worst_after = std::max(worst_after, smallest_angle_cosine(c[0], c[1], c[2]));
        }
    }
    static const double kFair = collision::sin_cos(DetailLimits::kSmallAngle * collision::kPi / 180).cos;
    return worst_after <= kFair || is_better(worst_after, worst_before);
}

bool Refinement::collapse(const EdgeSides& edge, bool mends) {
    if (mesh_.mask(edge.a) > 0 || mesh_.mask(edge.b) > 0 || !mesh_.can_collapse(edge)) return false;
    // The middle first; then the ends, which keep sharp edges.
    const Vec3f places[] = {split_point(edge.a, edge.b), mesh_.position(edge.b), mesh_.position(edge.a)};
    for (const Vec3f& p : places) {
        if (!collapse_is_good(edge, collision::cast<double>(p), mends)) continue;
        mesh_.collapse(edge, p);
        activate(edge.b);
        ++work_.collapses;
        return true;
    }
    return false;
}

void Refinement::collapse_short_edges() {
    const double limit = static_cast<double>(limits_.edge * DetailLimits::kCollapse);
    std::vector<LongEdge> edges;
    visit_edges([&](std::uint32_t a, std::uint32_t b) {
        const double s = square(a, b);
        if (s < limit * limit && a < b) edges.push_back({s, a, b});
    });
    std::sort(edges.begin(), edges.end(), [](const LongEdge& x, const LongEdge& y) {
        return x.square != y.square ? x.square < y.square : x.a != y.a ? x.a < y.a : x.b < y.b;
    });
    for (const LongEdge& e : edges) {
        EdgeSides edge;
        if (mesh_.find_edge(e.a, e.b, edge) && square(e.a, e.b) < limit * limit) collapse(edge, false);
    }
    drop_removed();
}

/// Flips an edge if that enlarges the smallest angle and the surface stays where it is.
bool Refinement::try_flip(const EdgeSides& edge) {
    const double before = std::max(quality(edge.left), quality(edge.right));
    const Vec3d a = at(edge.a), b = at(edge.b), c = at(edge.c), d = at(edge.d);
    const double after = std::max(smallest_angle_cosine(c, d, b), smallest_angle_cosine(d, c, a));
    if (!is_better(after, before) || !mesh_.can_flip(edge)) return false;
    const Vec3d left = mesh_.area(edge.left), right = mesh_.area(edge.right), both = normalized(left + right);
    const Vec3d one = cross(d - c, b - c), two = cross(c - d, a - d);
    // A sliver has no reliable normal, so the mean decides.
    if (dot(one, both) < kFlatEnough * length(one) || dot(two, both) < kFlatEnough * length(two))
        return false;
    mesh_.flip(edge);
    ++work_.flips;
    list(edge.left);
    list(edge.right);
    return true;
}

void Refinement::flip_edges() {
    for (int pass = 0; pass < 3; ++pass) {
        const std::size_t before = work_.flips;
        for (std::size_t i = 0; i < triangles_.size(); ++i) {
            if (!mesh_.is_live(triangles_[i])) continue;
            const auto corners = mesh_.triangle(triangles_[i]);
            for (std::size_t k = 0; k < 3; ++k) {
                EdgeSides edge;
                const std::uint32_t a = corners[k], b = corners[(k + 1) % 3];
                if (a < b && mesh_.find_edge(a, b, edge)) try_flip(edge);
            }
        }
        if (work_.flips == before) return;
    }
}

/// Mends one triangle with a small angle: flips its longest edge, collapses its shortest, or splits its
/// longest edge so that the next round can collapse.
bool Refinement::mend(std::uint32_t t) {
    const auto corners = mesh_.triangle(t);
    std::size_t longest = 0, shortest = 0;
    double squares[3];
    for (std::size_t i = 0; i < 3; ++i) {
        squares[i] = square(corners[i], corners[(i + 1) % 3]);
        if (squares[i] > squares[longest]) longest = i;
        if (squares[i] < squares[shortest]) shortest = i;
    }
    EdgeSides edge;
    if (mesh_.find_edge(corners[longest], corners[(longest + 1) % 3], edge) && try_flip(edge)) return true;
    if (mesh_.find_edge(corners[shortest], corners[(shortest + 1) % 3], edge) && collapse(edge, true))
        return true;
    const bool is_needle = squares[shortest] * 4 < squares[longest];
    const std::size_t second = 3 - longest - shortest;
    const std::size_t cut = is_needle && squares[second] * 1.2 > squares[longest] ? second : longest;
    const double limit = static_cast<double>(limits_.edge * DetailLimits::kCollapse);
    if (squares[cut] < 4 * limit * limit || mesh_.triangle_count() + 2 > limits_.budget) return false;
    if (!mesh_.find_edge(corners[cut], corners[(cut + 1) % 3], edge)) return false;
    activate(mesh_.split(edge, split_point(edge.a, edge.b)));
    ++work_.splits;
    return true;
}

void Refinement::mend_slivers() {
    static const double kSmall = collision::sin_cos(DetailLimits::kSmallAngle * collision::kPi / 180).cos;
    const std::vector<std::uint32_t> now = triangles_;
    std::vector<std::uint32_t> corners;
    for (const std::uint32_t t : now) {
        if (!mesh_.is_live(t) || quality(t) <= kSmall || mend(t) || !mesh_.is_live(t)) continue;
        const auto& stuck = mesh_.triangle(t);
        corners.insert(corners.end(), stuck.begin(), stuck.end());
    }
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    std::erase_if(corners, [&](std::uint32_t v) { return mesh_.fan(v).empty(); });
    even_out(mesh_, corners, 2);
    drop_removed();
}

void Refinement::even_out_all() {
    std::vector<std::uint32_t> corners;
    for (const std::uint32_t t : triangles_) {
        if (!mesh_.is_live(t)) continue;
        const auto& at_hand = mesh_.triangle(t);
        corners.insert(corners.end(), at_hand.begin(), at_hand.end());
    }
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    for (int round = 0; round < 4; ++round) {
        even_out(mesh_, corners, 1);
        flip_edges();
    }
    mend_slivers();
}

/// Whether the triangle faces against the clay around all of its corners.
bool Refinement::is_folded(std::uint32_t t) const {
    const Vec3d area = mesh_.area(t);
    const auto& corners = mesh_.triangle(t);
    return std::all_of(corners.begin(), corners.end(),
                       [&](std::uint32_t v) { return dot(area, mesh_.normal(v)) < 0; });
}

/// Corners of slivers and folded triangles, sorted.
std::vector<std::uint32_t> Refinement::corners_of_faults() const {
    static const double kFault = collision::sin_cos(DetailLimits::kFaultAngle * collision::kPi / 180).cos;
    std::vector<std::uint32_t> out;
    for (const std::uint32_t t : triangles_) {
        if (!mesh_.is_live(t) || (quality(t) < kFault && !is_folded(t))) continue;
        const auto& corners = mesh_.triangle(t);
        out.insert(out.end(), corners.begin(), corners.end());
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

/// What flips and collapses cannot mend is crumpled more finely than the edges are long: it is smoothed out.
void Refinement::smooth_faults() {
    for (int round = 0; round < kFaultRounds; ++round) {
        std::vector<std::uint32_t> crumpled = corners_of_faults();
        if (crumpled.empty()) return;
        // A fold needs the clay around it to give way; the longer it stays, the wider.
        for (int ring = 0; ring < round / 4; ++ring) {
            const std::size_t count = crumpled.size();
            for (std::size_t i = 0; i < count; ++i)
                for (const std::uint32_t t : mesh_.fan(crumpled[i])) {
                    const auto& corners = mesh_.triangle(t);
                    crumpled.insert(crumpled.end(), corners.begin(), corners.end());
                }
            std::sort(crumpled.begin(), crumpled.end());
            crumpled.erase(std::unique(crumpled.begin(), crumpled.end()), crumpled.end());
        }
        for (const std::uint32_t v : crumpled) {
            activate(v);
            if (mesh_.mask(v) > 0) continue;
            Vec3d sum;
            double count = 0;
            for (const std::uint32_t t : mesh_.fan(v)) {
                for (const std::uint32_t n : mesh_.triangle(t)) {
                    if (n == v) continue;
                    sum += at(n);
                    ++count;
                }
            }
            const Vec3d p = at(v);
            Vec3d to = p + (sum / count - p) * 0.7;
            to.y = p.y < kBatTolerance ? p.y : std::max(to.y, 0.0);
            mesh_.set_position(v, collision::cast<float>(to));
        }
        ++work_.smoothed;
        flip_edges();
        collapse_short_edges();
        mend_slivers();
    }
}

/// The worst angle cosine around `v` if it were at `p`; above 1 if a triangle would turn too far.
double worst_around(const EditMesh& mesh, std::uint32_t v, const Vec3d& p) {
    double worst = 0;
    for (const std::uint32_t t : mesh.fan(v)) {
        const auto& corners = mesh.triangle(t);
        Vec3d c[3];
        for (std::size_t i = 0; i < 3; ++i)
            c[i] = corners[i] == v ? p : collision::cast<double>(mesh.position(corners[i]));
        const Vec3d before = mesh.area(t), after = cross(c[1] - c[0], c[2] - c[0]);
        if (!(dot(before, after) > kMaxTurn * length(before) * length(after))) return 2;
        worst = std::max(worst, smallest_angle_cosine(c[0], c[1], c[2]));
    }
    return worst;
}

}  // namespace

void even_out(EditMesh& mesh, std::span<const std::uint32_t> vertices, int rounds) {
    for (int round = 0; round < rounds; ++round) {
        for (const std::uint32_t v : vertices) {
            if (mesh.fan(v).empty() || mesh.mask(v) > 0) continue;
            const Vec3d p = collision::cast<double>(mesh.position(v));
            if (p.y < kBatTolerance) continue;
            Vec3d sum;
            double count = 0;
            for (const std::uint32_t t : mesh.fan(v)) {
                for (const std::uint32_t n : mesh.triangle(t)) {
                    if (n == v) continue;
                    sum += collision::cast<double>(mesh.position(n));
                    ++count;
                }
            }
            const Vec3d normal = mesh.normal(v), way = sum / count - p;
            Vec3d to = p + (way - normal * dot(way, normal)) * 0.5;
            to.y = std::max(to.y, 0.0);
            if (is_better(worst_around(mesh, v, to), worst_around(mesh, v, p)))
                mesh.set_position(v, collision::cast<float>(to));
        }
    }
}

void add_slivers(const ClayMesh& mesh, std::vector<std::uint32_t>& seeds) {
    static const double kSliver = collision::sin_cos(10 * collision::kPi / 180).cos;
    const auto at = [&](std::uint32_t v) { return collision::cast<double>(mesh.positions[v]); };
    for (const auto& t : mesh.triangles)
        if (smallest_angle_cosine(at(t[0]), at(t[1]), at(t[2])) > kSliver)
            seeds.insert(seeds.end(), t.begin(), t.end());
}

bool has_fold(const ClayMesh& mesh) {
    const auto at = [&](std::uint32_t v) { return collision::cast<double>(mesh.positions[v]); };
    std::vector<Vec3d> normals(mesh.positions.size());
    for (const auto& t : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d to_next = at(t[(k + 1) % 3]) - at(t[k]), to_last = at(t[(k + 2) % 3]) - at(t[k]);
            const double weight = dot(to_next, to_next) * dot(to_last, to_last);
            if (weight > 0) normals[t[k]] += cross(to_next, to_last) / weight;
        }
    return std::any_of(mesh.triangles.begin(), mesh.triangles.end(), [&](const auto& t) {
        const Vec3d area = cross(at(t[1]) - at(t[0]), at(t[2]) - at(t[0]));
        return std::all_of(t.begin(), t.end(),
                           [&](std::uint32_t v) { return mesh.mask[v] == 0 && dot(area, normals[v]) < 0; });
    });
}

DetailWork refine(EditMesh& mesh, std::span<const std::uint32_t> seeds, const DetailLimits& limits) {
    return Refinement(mesh, seeds, limits).run();
}

}  // namespace claybox::app
