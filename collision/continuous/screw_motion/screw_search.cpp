#include "collision/continuous/screw_motion/screw_search.hpp"

#include "collision/continuous/screw_motion/screen/outline.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

constexpr double kMaxRows = 60000;

/// An upper bound of how much a map stretches.
double stretch(const RigidMap& m) {
    const double xy = std::fabs(dot(m.x, m.y)), yz = std::fabs(dot(m.y, m.z)), zx = std::fabs(dot(m.z, m.x));
    const double x = length_squared(m.x), y = length_squared(m.y), z = length_squared(m.z);
    // Gershgorin's bound of the largest eigenvalue of M M^T.
    return std::sqrt(std::max({x + xy + zx, y + xy + yz, z + yz + zx}));
}

bool is_rigid(const RigidMap& m) {
    const double off = std::fabs(dot(m.x, m.y)) + std::fabs(dot(m.y, m.z)) + std::fabs(dot(m.z, m.x));
    return off < 1e-5 && std::fabs(length_squared(m.x) - 1) < 1e-5 &&
           std::fabs(length_squared(m.y) - 1) < 1e-5 && std::fabs(length_squared(m.z) - 1) < 1e-5;
}

/// The outward normals of transformed faces: the inverse transpose, from cross products of the rows. A float
/// rotation matrix is not orthonormal enough to turn normals with.
void set_normals(const ScrewMesh& mesh, const RigidMap& m, std::vector<Vec3d>& out) {
    out.resize(mesh.face_count());
    const double sign = determinant(m) < 0 ? -1 : 1;
    const RigidMap cofactors{sign * cross(m.y, m.z), sign * cross(m.z, m.x), sign * cross(m.x, m.y), {}};
    if (is_rigid(m)) {
        for (std::uint32_t f = 0; f < mesh.face_count(); ++f) {
            const Vec3d n = cofactors.turn(mesh.face_normals[f]);
            out[f] = (1.5 - 0.5 * length_squared(n)) * n;  // almost a unit vector: one step of Newton
        }
        return;
    }
    for (std::uint32_t f = 0; f < mesh.face_count(); ++f)
        out[f] = normalized(cofactors.turn(mesh.face_normals[f]), Vec3d{});
}

void place_side(const ScrewMesh& mesh, bool is_b, const RigidMap& frame_from_body, SideScreen& side) {
    side.stretch = stretch(frame_from_body);
    side.mesh = &mesh;
    side.is_b = is_b;
    side.points.resize(mesh.positions.size());
    double largest = 0, farthest = 0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Vec3d p = frame_from_body(cast<double>(mesh.positions[v]));
        side.points[v] = p;
        largest = std::max(largest, std::max(std::max(std::fabs(p.x), std::fabs(p.y)), std::fabs(p.z)));
        farthest = std::max(farthest, p.x * p.x + p.z * p.z);
    }
    side.largest = largest, side.farthest = std::sqrt(farthest);
    set_normals(mesh, frame_from_body, side.normals);
}

/// Step 1 per block of faces: those that cannot touch the other body's sphere are left out.
void mark_near_faces(const ScrewPiece& piece, const ScrewBody& body, const WorldSphere& other, double margin,
                     SideScreen& side) {
    const ScrewMesh& mesh = *body.mesh;
    side.near_faces.clear();
    if (mesh.blocks.size() < 3) return;
    const double scale = stretch(body.world_from_body) * (1 + 1e-9);
    side.near_faces.assign(mesh.face_count(), 1);
    for (std::uint32_t k = 0; k < mesh.blocks.size(); ++k) {
        WorldSphere block{body.world_from_body(mesh.blocks[k].centre), mesh.blocks[k].radius * scale};
        if (side.is_b) block.centre = piece.begin(block.centre);
        if (side.is_b ? may_touch(piece, other, block, margin) : may_touch(piece, block, other, margin))
            continue;
        for (std::uint32_t i = mesh.blocks[k].begin; i < mesh.blocks[k].end; ++i)
            side.near_faces[mesh.block_faces[i]] = 0;
    }
}

/// Bodies that stay farther apart than this are of no interest.
double near_margin(const ScrewOptions& options, double pixel) {
    return options.near_pixels == NearPixels::report ? 2 * pixel : 0;
}

struct Range {
    double low, high;
};

/// Bounds of r.
Range radial_range(const ScrewPiece& piece, const SideScreen& side, const WorldSphere& sphere) {
    if (piece.angle == 0) {
        Range range{1e300, -1e300};
        for (const Vec3d& p : side.points)
            range.low = std::min(range.low, p.x), range.high = std::max(range.high, p.x);
        return range;
    }
    const Vec3d c = piece.frame_from_world(side.is_b ? piece.begin(sphere.centre) : sphere.centre);
    return {std::max(0.0, std::sqrt(c.x * c.x + c.z * c.z) - sphere.radius), side.farthest};
}

bool is_still(const RelativePath& path) {
    return path.is_screw() && path.screw().angle == 0 && path.screw().pitch == 0;
}

Feature topology_feature(const ScrewMesh& mesh, FeatureKind kind, std::uint32_t index) {
    if (kind == FeatureKind::face) return {kind, mesh.face_source[index]};
    if (kind == FeatureKind::edge && mesh.edges[index].source == kNoIndex) {
        // An inner diagonal of a bent polygon is inside that polygon.
        const std::uint32_t face =
            mesh.edges[index].left != kNoIndex ? mesh.edges[index].left : mesh.edges[index].right;
        if (face != kNoIndex) return {FeatureKind::face, mesh.face_source[face]};
    }
    if (kind == FeatureKind::edge) return {kind, mesh.edges[index].source};
    return {kind, index};
}

std::uint32_t key_of(const Feature& f) {
    return static_cast<std::uint32_t>(f.kind) << 30 | (f.index & 0x3fffffffu);
}

void take_contacts(const RelativePath& path, const ScrewPiece& piece, const ScrewBody& a, const ScrewBody& b,
                   ScrewMemory& memory) {
    for (const PieceContact& c : memory.found) {
        ScrewHit hit;
        hit.time = std::min(1.0, piece.time(c.tau));
        const RigidMap to_world = path.map_of_a(hit.time);
        hit.point_w = to_world(piece.frame_from_world.back(c.point));
        hit.normal_w = normalized(to_world.turn(piece.frame_from_world.turn_back(c.normal)));
        hit.a = topology_feature(*a.mesh, c.kind_a, c.a);
        hit.b = topology_feature(*b.mesh, c.kind_b, c.b);
        hit.properness = c.properness;
        hit.type = c.type;
        hit.approach = c.approach;
        bool inserted = false;
        const std::uint32_t at = memory.seen.find(key_of(hit.a), key_of(hit.b),
                                                  static_cast<std::uint32_t>(memory.hits.size()), inserted);
        const auto rank = [](const ScrewHit& x) { return std::pair{x.approach, x.time}; };
        if (inserted)
            memory.hits.push_back(hit);
        else if (rank(hit) < rank(memory.hits[at]))
            memory.hits[at] = hit;
    }
}

ContactSettings contact_settings(const ScrewOptions& options, double pixel) {
    ContactSettings settings;
    settings.threshold = options.threshold;
    settings.refine = options.refine;
    settings.cull = options.cull;
    settings.approaches = options.near_pixels == NearPixels::report;
    settings.first_only = options.stop_at_first;
    settings.pixel = pixel;
    settings.time_resolution = options.time_resolution;
    return settings;
}

void count_piece(ScrewMemory& memory) {
    ScrewCounts& counts = memory.counts;
    ++counts.pieces;
    counts.edges += memory.a.edges.size() + memory.b.edges.size();
    counts.runs += memory.a.runs.size() + memory.b.runs.size();
    counts.comparisons += memory.scan.comparisons;
    counts.doppelled += memory.a.doppelled + memory.b.doppelled;
    counts.discarded += memory.a.discarded + memory.b.discarded;
    counts.virtual_edges += memory.a.virtual_edges + memory.b.virtual_edges;
}

/// Clips both bodies and projects what remains.
void project_screen(const ScrewPiece& piece, const ScreenSettings& settings, ScrewMemory& memory) {
    for (SideScreen* side : {&memory.b, &memory.a}) {
        clip_edges(piece, settings, *side, memory.clip);
        if (settings.wraps) cut_and_doppel(piece, *side, memory.clip);
        project_vertices(piece, settings, *side);
        project_ends(piece, settings, *side);
    }
}

/// The part of the motion after the earliest possible contact that is searched first, if the first contact is
/// wanted only.
constexpr double kFirstSlice = 0.15;

/// No contact that is not found yet comes before a contact found by `latest`.
bool found_first(const std::vector<PieceContact>& found, double latest) {
    return latest >= 1 || std::any_of(found.begin(), found.end(),
                                      [&](const PieceContact& c) { return c.tau <= latest - 1e-6; });
}

/// Whether to solve for all pairs of parts costs less than to draw them.
bool few_pairs(const ScrewMemory& memory) {
    const SelectMemory& select = memory.select;
    const std::size_t pairs = select.edges.size() + select.a_in_b.size() + select.b_in_a.size();
    return pairs <= 16 * (memory.a.edges.size() + memory.b.edges.size()) + 256;
}

/// The pairs of parts themselves are the candidates; early ones first.
void search_pairs(const ScrewPiece& piece, const ContactSettings& contact, const MotionBounds& bounds,
                  double latest, ScrewMemory& memory) {
    double done = -1;
    for (;;) {
        take_pairs(memory.select, done, latest, memory.scan);
        find_contacts(piece, contact, bounds, memory.a, memory.b, memory.scan, memory.contact, memory.found,
                      memory.counts.contacts, done >= 0);
        if (found_first(memory.found, latest)) return;
        done = latest;
        latest = std::min(1.0, latest + 2 * kFirstSlice);
    }
}

/// Draws what may meet by `latest`, and then the rest.
void search_pixels(const ScrewPiece& piece, const ScreenSettings& settings, const ContactSettings& contact,
                   const MotionBounds& bounds, double latest, ScrewMemory& memory) {
    for (SideScreen* side : {&memory.b, &memory.a}) draw_vertices(settings, *side);
    for (;;) {
        select_parts(settings, latest, memory.a, memory.b, memory.select);
        for (SideScreen* side : {&memory.b, &memory.a})
            draw_edges(piece, settings, *side, memory.draw, nullptr);
        scan_screen(settings, memory.a, memory.b, memory.scan);
        find_contacts(piece, contact, bounds, memory.a, memory.b, memory.scan, memory.contact, memory.found,
                      memory.counts.contacts);
        if (found_first(memory.found, latest)) return;
        for (const PieceContact& c : memory.found) latest = std::max(latest, c.tau + 2e-6);
        latest = memory.found.empty() ? 1 : std::min(1.0, latest);
    }
}

/// Draws and searches only the parts that may meet. If only the first contact is wanted, those that may meet
/// early are searched before the rest.
void search_selected(const ScrewPiece& piece, const ScreenSettings& settings, const ContactSettings& contact,
                     const MotionBounds& bounds, bool first_only, ScrewMemory& memory) {
    memory.found.clear();
    project_screen(piece, settings, memory);
    outline_parts(piece, settings, memory.a), outline_parts(piece, settings, memory.b);
    for (SideScreen* side : {&memory.b, &memory.a}) list_vertices(piece, settings, *side);
    const double earliest = find_partners(settings, memory.a, memory.b, memory.select);
    const double latest = first_only ? std::min(1.0, earliest + kFirstSlice) : 1;
    if (earliest > 1) return;
    if (settings.pairs && few_pairs(memory))
        search_pairs(piece, contact, bounds, latest, memory);
    else
        search_pixels(piece, settings, contact, bounds, latest, memory);
}

}  // namespace

WorldSphere world_sphere(const ScrewBody& body) {
    return {body.world_from_body(body.mesh->centre),
            body.mesh->radius * stretch(body.world_from_body) * (1 + 1e-9)};
}

bool separated(const ScrewBody& a, const ScrewBody& b) {
    const WorldSphere sphere_a = world_sphere(a), sphere_b = world_sphere(b);
    const Vec3d d = sphere_b.centre - sphere_a.centre;
    const double distance = length(d);
    const double reach =
        length(sphere_a.centre) + length(sphere_b.centre) + sphere_a.radius + sphere_b.radius;
    const double rounding = 1e-12 * reach;
    if (distance > sphere_a.radius + sphere_b.radius + rounding) return true;
    // The plane perpendicular to the line between the centres.
    const auto along = [&](const ScrewBody& body, double sign, double& most) {
        const Vec3d n = sign * body.world_from_body.turn_back(d);
        most = -1e300;
        for (const Vec3f& p : body.mesh->positions) most = std::max(most, dot(n, cast<double>(p)));
        most += sign * dot(d, body.world_from_body.t);
    };
    double most_a = 0, most_b = 0;
    along(a, 1, most_a), along(b, -1, most_b);
    return most_a + most_b < -rounding * distance;
}

double pixel_size(const ScrewBody& a, const ScrewBody& b, double pixels) {
    const double edge_a = a.mesh->short_edge * stretch(a.world_from_body);
    const double edge_b = b.mesh->short_edge * stretch(b.world_from_body);
    const double edge = edge_a > 0 && edge_b > 0 ? std::min(edge_a, edge_b) : std::max(edge_a, edge_b);
    const double size = edge / pixels;
    return size > 0 ? size : 1e-3;
}

bool set_up_screen(const ScrewPiece& piece, const ScrewOptions& options, const ScrewBody& a,
                   const ScrewBody& b, double pixel, ScrewMemory& memory, ScreenSettings& settings) {
    const WorldSphere sphere_a = world_sphere(a), sphere_b = world_sphere(b);
    const WorldSphere start_b{piece.begin(sphere_b.centre), sphere_b.radius};
    const double margin = near_margin(options, pixel);
    if (!piece.compared && !may_touch(piece, sphere_a, start_b, margin)) return false;
    place_side(*a.mesh, false, piece.frame_from_world * a.world_from_body, memory.a);
    place_side(*b.mesh, true, piece.frame_from_world * piece.begin * b.world_from_body, memory.b);
    memory.a.near_faces.clear(), memory.b.near_faces.clear();
    if (options.hierarchy) {
        mark_near_faces(piece, a, start_b, margin, memory.a);
        mark_near_faces(piece, b, sphere_a, margin, memory.b);
    }
    const Range ra = radial_range(piece, memory.a, sphere_a), rb = radial_range(piece, memory.b, sphere_b);

    settings = {};
    settings.single = options.single_precision;
    const double reach = std::max(std::fabs(ra.high), std::fabs(rb.high)) + sphere_a.radius + sphere_b.radius;
    ProjectionError error = projection_error(piece, settings.single, reach);
    if (settings.single && error.place > 0.05 * pixel) {
        settings.single = false;
        error = projection_error(piece, false, reach);
    }
    settings.pixel = pixel;
    settings.time_resolution = options.time_resolution;
    settings.screen_error = 4 * error.place + 2 * piece.deviation + 1e-9 * pixel;
    const double wider = (2 * kCurveDeviation + 0.05) * pixel + 2 * error.place + piece.deviation;
    settings.margin = options.near_pixels == NearPixels::ignore   ? 0
                      : options.near_pixels == NearPixels::report ? wider + pixel
                                                                  : wider;
    const bool whole = options.whole_screen;
    const double edge = settings.margin + pixel * 1e-3;
    const double low = (whole ? std::min(ra.low, rb.low) : std::max(ra.low, rb.low)) - edge;
    const double high = (whole ? std::max(ra.high, rb.high) : std::min(ra.high, rb.high)) + edge;
    if (low > high) return false;
    // No place has a larger h: it is at most the distance from the origin, with the arc of one turn.
    const double farthest = 8 * (reach + std::fabs(piece.frame_from_world(sphere_a.centre).y) +
                                 std::fabs(piece.frame_from_world(start_b.centre).y));
    settings.pixel = std::max({pixel, (high - low) / kMaxRows, farthest / kMaxColumns});
    settings.r_low = low, settings.r_high = high;
    settings.rows = static_cast<std::int32_t>((high - low) / settings.pixel) + 1;
    const double turn = piece.angle * std::max(0.0, low);
    const double slowest = std::sqrt(piece.pitch * piece.pitch + turn * turn);
    settings.time_error =
        error.time + 1e-9 + (piece.deviation > 0 ? 4 * piece.deviation / (slowest + 1e-300) : 0);
    settings.time_margin = std::min(1e6, settings.time_error + options.time_resolution);
    settings.wraps = piece.wraps;
    settings.cull = options.cull;
    settings.times = !options.refine || options.near_pixels == NearPixels::report || options.whole_screen;
    settings.time_sort = options.time_sort;
    settings.hash_pixels = options.hash_pixels;
    settings.pairs = !settings.times && options.near_pixels == NearPixels::solve && !options.hash_pixels &&
                     !options.time_sort;
    return true;
}

void draw_screen(const ScrewPiece& piece, const ScreenSettings& settings, ScrewMemory& memory,
                 CurveSink* curves_a, CurveSink* curves_b) {
    project_screen(piece, settings, memory);
    for (SideScreen* side : {&memory.b, &memory.a}) {
        side->rows.clear();
        draw_edges(piece, settings, *side, memory.draw, side->is_b ? curves_b : curves_a);
        list_vertices(piece, settings, *side);
        draw_vertices(settings, *side);
    }
    scan_screen(settings, memory.a, memory.b, memory.scan);
}

SearchEnd search_screw_motion(const RelativePath& path, const ScrewOptions& options, const ScrewBody& a,
                              const ScrewBody& b, const StopToken& stop, ScrewMemory& memory) {
    memory.hits.clear();
    memory.seen.clear(64);
    memory.counts = {};
    memory.pieces.clear();
    if (is_still(path)) return SearchEnd::done;
    const double pixel = pixel_size(a, b, options.pixels);
    const WorldSphere sphere_a = world_sphere(a), sphere_b = world_sphere(b);
    const PieceLimits limits{0.5 * pixel, 0.05 * pixel / 2e-8, true, near_margin(options, pixel)};
    if (!cut_into_pieces(path, sphere_a, sphere_b, limits, memory.pieces)) return SearchEnd::too_many_turns;
    ContactSettings contact = contact_settings(options, pixel);
    for (const ScrewPiece& piece : memory.pieces) {
        if (stop.stop_requested()) return SearchEnd::stopped;
        ScreenSettings settings;
        if (!set_up_screen(piece, options, a, b, pixel, memory, settings)) continue;
        contact.screen_error = settings.screen_error;
        const MotionBounds bounds = motion_bounds(piece, sphere_b.centre, sphere_b.radius);
        if (options.hierarchy && !settings.times) {
            search_selected(piece, settings, contact, bounds, options.stop_at_first, memory);
        } else {
            draw_screen(piece, settings, memory);
            find_contacts(piece, contact, bounds, memory.a, memory.b, memory.scan, memory.contact,
                          memory.found, memory.counts.contacts);
        }
        count_piece(memory);
        take_contacts(path, piece, a, b, memory);
        if (options.stop_at_first && first_contact(memory.hits) != nullptr) break;
    }
    std::sort(memory.hits.begin(), memory.hits.end(), [](const ScrewHit& x, const ScrewHit& y) {
        return std::tuple{x.time, -x.properness, key_of(x.a), key_of(x.b)} <
               std::tuple{y.time, -y.properness, key_of(y.a), key_of(y.b)};
    });
    return SearchEnd::done;
}

const ScrewHit* first_contact(std::span<const ScrewHit> hits) {
    for (const ScrewHit& hit : hits)
        if (!hit.approach) return &hit;
    return nullptr;
}

template <class Hit>
static std::span<const Hit> first_within(std::span<const Hit> hits, double window) {
    if (hits.empty()) return hits;
    std::size_t count = 1;
    while (window > 0 && count < hits.size() && hits[count].time <= hits[0].time + window) ++count;
    return hits.first(count);
}

std::span<const ScrewHit> simultaneous_hits(std::span<const ScrewHit> hits, double window) {
    return first_within(hits, window);
}

std::span<const MotionHit> simultaneous_hits(std::span<const MotionHit> hits, double window) {
    return first_within(hits, window);
}

}  // namespace claybox::collision
