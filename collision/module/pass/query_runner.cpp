#include "collision/module/pass/query_runner.hpp"

#include "collision/exact/contained.hpp"
#include "collision/pairwise/bvh/prepared_bvh.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

/// Surfaces with fewer triangles are tested polygon by polygon, without a tree.
constexpr std::size_t kMinTreeTriangles = 64;
/// Initial radius of the closest-body search, relative to the size of the world.
constexpr double kFirstRing = 0x1p-10;

const PairAlgorithm& solids() {
    static const PairAlgorithm& algorithm = *find_pair_algorithm("best");
    return algorithm;
}
const PairAlgorithm& surfaces() {
    static const PairAlgorithm& algorithm = *find_pair_algorithm("mesh_bvh");
    return algorithm;
}

float round_down(double x) {
    const auto f = static_cast<float>(x);
    return static_cast<double>(f) > x ? std::nextafter(f, -HUGE_VALF) : f;
}
float round_up(double x) {
    return -round_down(-x);
}

bool contains(const Aabb& outer, const Aabb& inner) {
    return overlap(outer, inner) && max(outer.min, inner.min) == inner.min &&
           min(outer.max, inner.max) == inner.max;
}

/// Distance between two boxes, rounded down.
double box_distance(const Aabb& a, const Aabb& b) {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const double gap = std::max({0.0, static_cast<double>(a.min[k]) - static_cast<double>(b.max[k]),
                                     static_cast<double>(b.min[k]) - static_cast<double>(a.max[k])});
        sum += gap * gap;
    }
    return std::sqrt(sum) * (1 - 0x1p-40);
}

/// Upper bound on the distance between any two points of the boxes.
double max_box_distance(const Aabb& a, const Aabb& b) {
    Aabb both = a;
    both.add(b);
    return length(cast<double>(both.max) - cast<double>(both.min)) * (1 + 0x1p-40);
}

ShapePtr point_shape() {
    static const ShapePtr shape = Shape::from_hull(std::vector<Vec3f>{{0, 0, 0}}, "point").value();
    return shape;
}

ShapePtr box_shape(const Aabb& box) {
    std::vector<Vec3f> corners;
    for (int i = 0; i < 8; ++i)
        corners.push_back(
            {i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z});
    return Shape::from_hull(corners, "box").value();
}

}  // namespace

/// The shape of a query, as a solid and as a surface.
struct QueryRunner::Probe {
    ShapePtr shape;
    PairBody body;
    bool prepare = true;  ///< false for temporary shapes
};

bool QueryRunner::accepts(const QueryFilter& filter, std::uint32_t slot) const {
    const BodyRecord& body = state_.bodies[slot];
    return body.alive && (filter.groups >> body.group & 1u) != 0 && id_of(slot) != filter.excluded;
}

const Aabb& QueryRunner::all_bodies_box() {
    if (!all_bodies_box_) {
        all_bodies_box_.emplace();
        for (std::uint32_t slot = 0; slot < state_.bounds.boxes().size(); ++slot)
            if (state_.bodies[slot].alive) all_bodies_box_->add(state_.bounds.boxes()[slot]);
    }
    return *all_bodies_box_;
}

RayBody QueryRunner::ray_body(std::uint32_t slot) {
    const PairBody& body = state_.placed[slot];
    RayBody out{body.geometry, &body.world_from_body, nullptr};
    if (body.shape->topology().triangles.size() < kMinTreeTriangles) return out;
    PairBody with_tree = body;
    with_tree.prepared = tree_of(slot);
    out.tree = bvh_of(with_tree);
    return out;
}

/// A deformable body has its own tree, which is updated with its vertices.
const Prepared* QueryRunner::tree_of(std::uint32_t slot) {
    BodyRecord& body = state_.bodies[slot];
    if (!body.tree)
        body.tree = body.own ? prepare_bvh(*body.shape, *body.own)
                             : state_.prepared_store.get(surfaces(), body.shape);
    return body.tree.get();
}

void QueryRunner::answer(const WorldQuery& query, std::vector<QueryHit>& out) {
    out.clear();
    if (!all_bodies_box().empty())
        std::visit([&](const auto& spec) { answer(spec, query.filter, out); }, query.spec);
}

// Rays.

/// Clips the ray to the box around all bodies. Returns false when nothing is left.
bool QueryRunner::clip(const RayQuery& query, RayPart& part) {
    const auto largest = [](const Vec3d& v) {
        return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    };
    const Aabb& all = all_bodies_box();
    const double reach = std::max(largest(cast<double>(all.min)), largest(cast<double>(all.max)));
    const double farthest =
        (reach + largest(query.ray.origin)) / largest(query.ray.direction) * (1 + 0x1p-40);
    const RayBoxTest::Span span = RayBoxTest(query.ray).span(all, 0, std::min(query.reach, farthest));
    part = {query.ray, span.enter, span.leave};
    return span.enter <= span.leave;
}

bool QueryRunner::find_hit(const RayQuery& query, double end, RayContact& contact) {
    const PairBody& body = state_.placed[contact.slot];
    if (query.from_inside && has_inside(body.shape->classification()) &&
        SolidLocator(*body.geometry, body.world_from_body).locate({nullptr, query.ray.origin}).inside) {
        contact.hit = {};
        return true;
    }
    const RayWant want = query.want == RayQuery::Want::any ? RayWant::any : RayWant::first;
    return find_surface_hit(query.ray, ray_body(contact.slot), end, want, contact.hit, ray_counts_);
}

bool QueryRunner::comes_before(const Ray& ray, const RayContact& a, const RayContact& b) {
    if (a.max_t() < b.hit.t - b.hit.t_error) return true;
    if (b.max_t() < a.hit.t - a.hit.t_error) return false;
    const bool a_starts = a.max_t() == 0, b_starts = b.max_t() == 0;
    if (a_starts != b_starts) return a_starts;
    const int sign = a_starts ? 0 : compare_hits(ray, ray_body(a.slot), a.hit, ray_body(b.slot), b.hit);
    return sign < 0 || (sign == 0 && a.slot < b.slot);
}

void QueryRunner::answer(const RayQuery& query, const QueryFilter& filter, std::vector<QueryHit>& out) {
    RayPart part;
    if (!clip(query, part)) return;
    contacts_.clear();
    double end = query.reach;
    state_.broad_phase->along_ray(part, state_.bounds.boxes(), walk_, [&](std::uint32_t slot) {
        RayContact contact{slot, {}};
        if (!accepts(filter, slot) || !find_hit(query, end, contact)) return std::min(end, part.end);
        if (query.want == RayQuery::Want::first && !contacts_.empty()) {
            if (comes_before(query.ray, contact, contacts_.front())) contacts_.front() = contact;
        } else {
            contacts_.push_back(contact);
        }
        if (query.want == RayQuery::Want::any) return -1.0;
        if (query.want == RayQuery::Want::first) end = std::min(end, contact.max_t());
        return std::min(end, part.end);
    });
    if (query.want == RayQuery::Want::any) {
        if (!contacts_.empty()) out.emplace_back();
        return;
    }
    std::sort(contacts_.begin(), contacts_.end(),
              [&](const RayContact& a, const RayContact& b) { return comes_before(query.ray, a, b); });
    for (const RayContact& contact : contacts_) out.push_back(make_hit(query.ray, contact));
}

QueryHit QueryRunner::make_hit(const Ray& ray, const RayContact& contact) const {
    const PairBody& body = state_.placed[contact.slot];
    QueryHit out;
    out.body = id_of(contact.slot);
    out.data = state_.bodies[contact.slot].data;
    out.t = contact.hit.t;
    out.t_error = contact.hit.t_error;
    out.triangle = contact.hit.triangle;
    out.point_w = ray.origin + out.t * ray.direction;
    if (out.triangle == kNoIndex) return out;
    const std::uint32_t polygon = body.geometry->topology->triangles[out.triangle].polygon;
    // The matrix is a rotation: normals transform like vectors.
    out.normal_w = normalized(
        transform_vector(to_double(body.world_from_body), polygon_normal(*body.geometry, polygon)), {});
    return out;
}

// Points, boxes and shapes.

void QueryRunner::append_bodies(std::vector<std::uint32_t>& slots, std::vector<QueryHit>& out) const {
    std::sort(slots.begin(), slots.end());
    for (const std::uint32_t slot : slots) {
        out.emplace_back();
        out.back().body = id_of(slot);
        out.back().data = state_.bodies[slot].data;
    }
}

bool QueryRunner::contains_point(std::uint32_t slot, const Vec3d& point_w) {
    const PairBody& body = state_.placed[slot];
    if (has_inside(body.shape->classification()))
        return SolidLocator(*body.geometry, body.world_from_body).locate({nullptr, point_w}).inside;
    SurfaceHit hit;
    return find_surface_hit({point_w, {1, 0, 0}}, ray_body(slot), 0, RayWant::any, hit, ray_counts_);
}

void QueryRunner::answer(const PointQuery& query, const QueryFilter& filter, std::vector<QueryHit>& out) {
    const Vec3d& p = query.point_w;
    const Aabb around{{round_down(p.x), round_down(p.y), round_down(p.z)},
                      {round_up(p.x), round_up(p.y), round_up(p.z)}};
    found_slots_.clear();
    state_.broad_phase->overlapping(around, state_.bounds.boxes(), walk_, [&](std::uint32_t slot) {
        if (accepts(filter, slot) && contains_point(slot, p)) found_slots_.push_back(slot);
        return true;
    });
    append_bodies(found_slots_, out);
}

PairResult QueryRunner::test_probe(const Probe& probe, std::uint32_t slot, Wants wants) {
    PairQuery query;
    query.a = probe.body;
    query.b = state_.placed[slot];
    const bool convex = applicable(solids(), query.a, query.b);
    const PairAlgorithm& algorithm = convex ? solids() : surfaces();
    query.b.prepared =
        convex ? state_.prepared_store.get(solids(), state_.bodies[slot].shape).get() : tree_of(slot);
    if (probe.prepare) query.a.prepared = state_.prepared_store.get(algorithm, probe.shape).get();
    query.wants = wants | kWantSolid;
    query.parameters = default_values(algorithm.parameters);
    query.scratch = &scratch_;
    PairCache cache;
    return run_query(algorithm, query, cache);
}

QueryRunner::Probe QueryRunner::make_probe(const ShapePtr& shape, const Matrix34f& world_from_shape) {
    Probe out;
    out.shape = shape;
    out.body.shape = shape.get();
    out.body.geometry = &shape->geometry();
    out.body.world_from_body = world_from_shape;
    return out;
}

void QueryRunner::answer(const ShapeQuery& query, const QueryFilter& filter, std::vector<QueryHit>& out) {
    const Probe probe = make_probe(query.shape, to_matrix(query.pose));
    const Aabb around = transform_aabb(probe.body.world_from_body, probe.body.geometry->box);
    found_slots_.clear();
    state_.broad_phase->overlapping(around, state_.bounds.boxes(), walk_, [&](std::uint32_t slot) {
        if (accepts(filter, slot) && test_probe(probe, slot, kWantVerdict).verdict == Verdict::colliding)
            found_slots_.push_back(slot);
        return true;
    });
    append_bodies(found_slots_, out);
}

// A body whose box is inside the query box needs no exact test.
void QueryRunner::answer(const BoxQuery& query, const QueryFilter& filter, std::vector<QueryHit>& out) {
    std::optional<Probe> probe;
    found_slots_.clear();
    state_.broad_phase->overlapping(query.box_w, state_.bounds.boxes(), walk_, [&](std::uint32_t slot) {
        if (!accepts(filter, slot)) return true;
        bool intersects = contains(query.box_w, state_.bounds.boxes()[slot]);
        if (!intersects) {
            if (!probe) {
                probe = make_probe(box_shape(query.box_w), Matrix34f{});
                probe->prepare = false;
            }
            intersects = test_probe(*probe, slot, kWantVerdict).verdict == Verdict::colliding;
        }
        if (intersects) found_slots_.push_back(slot);
        return true;
    });
    append_bodies(found_slots_, out);
}

// Closest body: the search box around the shape doubles until it contains the best distance.

/// Collects the bodies whose boxes have a distance in (`from`, `to`] from the box, nearest first.
void QueryRunner::collect_ring(const Aabb& box, double from, double to, const QueryFilter& filter) {
    ring_.clear();
    state_.broad_phase->overlapping(
        grown(box, round_up(to)), state_.bounds.boxes(), walk_, [&](std::uint32_t slot) {
            const double distance = box_distance(box, state_.bounds.boxes()[slot]);
            if (distance > from && distance <= to && accepts(filter, slot)) ring_.push_back({distance, slot});
            return true;
        });
    std::sort(ring_.begin(), ring_.end());
}

void QueryRunner::answer(const ClosestQuery& query, const QueryFilter& filter, std::vector<QueryHit>& out) {
    const Probe probe = make_probe(query.shape ? query.shape : point_shape(), to_matrix(query.pose));
    const Aabb around = transform_aabb(probe.body.world_from_body, probe.body.geometry->box);
    const Aabb& all = all_bodies_box();
    const double farthest = std::min(query.reach, max_box_distance(around, all));
    const double size = length(cast<double>(all.max) - cast<double>(all.min));
    double from = -1, to = std::max({box_distance(around, all), kFirstRing * size, 0x1p-60});
    for (; from < farthest; from = to, to *= 2) {
        collect_ring(around, from, to, filter);
        for (const auto& [distance, slot] : ring_) {
            if (distance > (out.empty() ? query.reach : out.front().distance)) break;
            update_closest(probe, slot, query.reach, out);
        }
        if (!out.empty() && out.front().distance <= to) return;
    }
}

void QueryRunner::update_closest(const Probe& probe, std::uint32_t slot, double reach,
                                 std::vector<QueryHit>& out) {
    const PairResult result = test_probe(probe, slot, kWantDistance);
    const bool separated = result.verdict == Verdict::separated;
    const double distance = separated ? result.distance : 0;
    if (result.verdict == Verdict::undecided || distance > reach) return;
    const bool better = out.empty() || distance < out.front().distance ||
                        (distance == out.front().distance && slot < out.front().body.slot);
    if (!better) return;
    out.resize(1);
    QueryHit& hit = out.front();
    hit.body = id_of(slot);
    hit.data = state_.bodies[slot].data;
    hit.distance = distance;
    const Vec3d origin = cast<double>(probe.body.world_from_body.translation());
    hit.from_w = separated ? result.closest_a_w : origin;
    hit.point_w = separated ? result.closest_b_w : origin;
}

}  // namespace claybox::collision
