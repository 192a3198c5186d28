#include "collision/pairwise/decomposition/merge.hpp"

#include "collision/exact/number.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace claybox::collision {

namespace {

/// Inner hulls below this fraction of the part's volume prove too little for their cost.
constexpr double kMinInnerVolume = 1e-4;

/// The plane { p | dot(normal, p) = offset } of a face, with outward normal.
struct Face {
    Vec3d normal;
    double offset = 0;
};

struct Piece {
    DecomposedPart part;
    std::vector<Face> faces;  ///< without slivers
    ConvexHull hull;
    Aabb box;
    double volume = 0;     ///< sum of the volumes of the merged parts
    std::uint32_t id = 0;  ///< a new one after each union
};

struct Measures {
    double volume = 0, area = 0;
};

Measures measures(const ConvexHull& hull) {
    Measures out;
    const Vec3d origin = cast<double>(hull.interior);
    for (std::size_t f = 0; f < hull.faces.polygon_count(); ++f) {
        const auto loop = hull.faces.polygon(f);
        const auto at = [&](std::size_t i) { return cast<double>(hull.vertex(loop[i])) - origin; };
        Vec3d normal;
        for (std::size_t i = 1; i + 1 < loop.size(); ++i) normal += cross(at(i) - at(0), at(i + 1) - at(0));
        out.volume += dot(normal, at(0)) / 6;
        out.area += length(normal) / 2;
    }
    return out;
}

/// Six times the volume, on a grid that contains all coordinates.
Integer exact_volume(const ConvexHull& hull, int grid) {
    Integer out = 0;
    const auto at = [&](std::uint32_t v) { return exact_point(Matrix34f{}, hull.vertex(v), grid); };
    for (std::size_t f = 0; f < hull.faces.polygon_count(); ++f) {
        const auto loop = hull.faces.polygon(f);
        const Vec3<Integer> first = at(loop[0]);
        for (std::size_t i = 1; i + 1 < loop.size(); ++i)
            out += dot(first, cross(at(loop[i]), at(loop[i + 1])));
    }
    return out;
}

int common_grid(std::span<const Vec3f> points) {
    int out = kNoExponent;
    for (const Vec3f& p : points)
        for (std::size_t k = 0; k < 3; ++k) out = std::min(out, grid_exponent(p[k]));
    return out == kNoExponent ? 0 : out;
}

/// The faces wider than the tolerance; the normals of narrower faces are unreliable.
void find_faces(Piece& piece, double tolerance) {
    const ConvexHull& hull = piece.hull;
    const Vec3f extent = piece.box.max - piece.box.min;
    const double min_size = 8 * tolerance * std::max({extent.x, extent.y, extent.z});
    for (std::size_t f = 0; f < hull.faces.polygon_count(); ++f) {
        const auto loop = hull.faces.polygon(f);
        const auto at = [&](std::size_t i) { return cast<double>(hull.vertex(loop[i])); };
        Vec3d normal;
        for (std::size_t i = 1; i + 1 < loop.size(); ++i) normal += cross(at(i) - at(0), at(i + 1) - at(0));
        const double size = length(normal);
        if (size > min_size) piece.faces.push_back({normal / size, dot(normal, at(0)) / size});
    }
}

std::optional<Piece> make_piece(DecomposedPart part, std::uint32_t id, double tolerance) {
    auto hull = convex_hull(part.outer);
    if (!hull.ok()) return std::nullopt;
    Piece out;
    out.hull = std::move(hull).value();
    out.part = std::move(part);
    out.part.outer = out.hull.faces.positions;
    if (out.hull.dimension < 3) {
        out.part.outer.clear();
        for (std::uint32_t v = 0; v < out.hull.vertex_count; ++v)
            out.part.outer.push_back(out.hull.vertex(v));
    }
    out.box = bound(out.part.outer);
    out.volume = measures(out.hull).volume;
    out.id = id;
    find_faces(out, tolerance);
    return out;
}

/// Whether each face of a has all of b behind it, or all of b in front of it. Otherwise the union is not
/// convex, because the other body would have to cut a wide face.
bool may_unite(const Piece& a, const Piece& b, double tolerance) {
    return std::all_of(a.faces.begin(), a.faces.end(), [&](const Face& f) {
        double low = 0, high = 0;
        for (const Vec3f& p : b.part.outer) {
            const double h = dot(f.normal, cast<double>(p)) - f.offset;
            low = std::min(low, h);
            high = std::max(high, h);
        }
        return high <= 16 * tolerance || low >= -16 * tolerance;
    });
}

/// Hulls that are proven to be inside the solid.
std::vector<std::vector<Vec3f>> inner_of(const DecomposedPart& part) {
    return part.exact ? std::vector<std::vector<Vec3f>>{part.outer} : part.inner;
}

std::optional<Piece> united(const Piece& a, const Piece& b, double tolerance, std::uint32_t id) {
    DecomposedPart part;
    part.outer = a.part.outer;
    part.outer.insert(part.outer.end(), b.part.outer.begin(), b.part.outer.end());
    const int grid = common_grid(part.outer);
    std::optional<Piece> out = make_piece(std::move(part), id, tolerance);
    if (!out || out->hull.dimension < 3) return std::nullopt;
    const Measures whole = measures(out->hull);
    out->volume = a.volume + b.volume;
    if (!(whole.volume - out->volume <= tolerance * whole.area)) return std::nullopt;
    out->part.exact =
        a.part.exact && b.part.exact &&
        exact_volume(out->hull, grid) == exact_volume(a.hull, grid) + exact_volume(b.hull, grid);
    if (out->part.exact) return out;
    out->part.inner = inner_of(a.part);
    for (auto& points : inner_of(b.part)) out->part.inner.push_back(points);
    return out;
}

void unite_neighbours(std::vector<Piece>& pieces, double tolerance) {
    auto next_id = static_cast<std::uint32_t>(pieces.size());
    std::set<std::pair<std::uint32_t, std::uint32_t>> tried;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < pieces.size(); ++i)
            for (std::size_t k = i + 1; k < pieces.size(); ++k) {
                if (!overlap(pieces[i].box, pieces[k].box)) continue;
                if (!tried.insert({pieces[i].id, pieces[k].id}).second) continue;
                if (!may_unite(pieces[i], pieces[k], tolerance)) continue;
                if (!may_unite(pieces[k], pieces[i], tolerance)) continue;
                std::optional<Piece> both = united(pieces[i], pieces[k], tolerance, next_id);
                if (!both) continue;
                ++next_id;
                pieces[i] = std::move(*both);
                pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(k));
                changed = true;
                k = i;  // the larger piece may merge with an earlier one
            }
    }
}

void add_inner(ConvexPart& part, std::span<const Vec3f> points) {
    if (points.empty()) return;
    const auto shape = Shape::from_hull(points);
    if (!shape.ok() || measures(*shape.value()->hull()).volume < kMinInnerVolume * part.volume) return;
    part.inner.push_back(shape.value());
}

}  // namespace

std::vector<ConvexPart> shape_parts(std::vector<DecomposedPart> parts, double tolerance, bool merge) {
    std::vector<Piece> pieces;
    for (DecomposedPart& part : parts) {
        auto piece = make_piece(std::move(part), static_cast<std::uint32_t>(pieces.size()), tolerance);
        if (!piece) return {};
        pieces.push_back(std::move(*piece));
    }
    if (merge) unite_neighbours(pieces, tolerance);
    std::vector<ConvexPart> out;
    for (const Piece& piece : pieces) {
        const auto shape = Shape::from_hull(piece.part.outer);
        if (!shape.ok()) return {};
        ConvexPart part;
        part.outer = shape.value();
        part.exact = piece.part.exact;
        part.volume = measures(piece.hull).volume;
        if (part.exact)
            part.inner = {part.outer};
        else
            for (const auto& points : piece.part.inner) add_inner(part, points);
        out.push_back(std::move(part));
    }
    return out;
}

}  // namespace claybox::collision
