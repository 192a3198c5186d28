#include "collision/exact/contained.hpp"
#include "collision/module/pass.hpp"
#include "collision/pairwise/prepared_bvh.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::collision {

namespace {

/// Surfaces of fewer triangles are looked at polygon by polygon.
constexpr std::size_t kWorthTree = 64;
/// Boxes around what is sought grow by this from the size of the world on.
constexpr double kFirstRing = 0x1p-10;

const PairAlgorithm& solids() {
    static const PairAlgorithm& algorithm = *find_pair_algorithm("best");
    return algorithm;
}
const PairAlgorithm& surfaces() {
    static const PairAlgorithm& algorithm = *find_pair_algorithm("mesh_bvh");
    return algorithm;
}

float at_most(double x) {
    const auto f = static_cast<float>(x);
    return static_cast<double>(f) > x ? std::nextafter(f, -HUGE_VALF) : f;
}
float at_least(double x) {
    return -at_most(-x);
}

bool contains(const Aabb& outer, const Aabb& inner) {
    return overlap(outer, inner) && max(outer.min, inner.min) == inner.min &&
           min(outer.max, inner.max) == inner.max;
}

/// Distance of two boxes, rounded down.
double apart(const Aabb& a, const Aabb& b) {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const double gap = std::max({0.0, static_cast<double>(a.min[k]) - static_cast<double>(b.max[k]),
                                     static_cast<double>(b.min[k]) - static_cast<double>(a.max[k])});
        sum += gap * gap;
    }
    return std::sqrt(sum) * (1 - 0x1p-40);
}

/// No two points of the boxes are farther apart.
double farthest_apart(const Aabb& a, const Aabb& b) {
    Aabb both = a;
    both.add(b);
    return length(cast<double>(both.max) - cast<double>(both.min)) * (1 + 0x1p-40);
}

ShapePtr point_shape() {
    static const ShapePtr shape = Shape::from_hull(std::vector<Vec3f>{{0, 0, 0}}, "point").value();
    return shape;
}

/// Algorithms for surfaces see polygons only: a point or a segment becomes a triangle without area.
ShapePtr with_polygons(const ShapePtr& shape) {
    if (shape->topology().polygon_count() > 0) return shape;
    PolygonList list;
    list.positions = shape->geometry().positions;
    const auto last = static_cast<std::uint32_t>(list.positions.size() - 1);
    list.add_polygon(std::array<std::uint32_t, 3>{0, last, last});
    return Shape::from_polygons(list, shape->name()).value();
}

ShapePtr box_shape(const Aabb& box) {
    std::vector<Vec3f> corners;
    for (int i = 0; i < 8; ++i)
        corners.push_back(
            {i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z});
    return Shape::from_hull(corners, "box").value();
}

}  // namespace

/// What is held against bodies, in the two forms that algorithms take.
struct Pass::Probe {
    ShapePtr shape, surface;
    PairBody body;
    bool lasts = true;  ///< worth preparing: the shape lives on
};

bool Pass::asks(const QueryFilter& filter, std::uint32_t slot) const {
    const BodyRecord& body = bodies_[slot];
    return body.alive && (filter.groups >> body.group & 1u) != 0 && id_of(slot) != filter.excluded;
}

/// Around all bodies, made when it is first asked for in a pass.
const Aabb& Pass::everything() {
    if (!everything_) {
        everything_.emplace();
        for (std::uint32_t slot = 0; slot < bounds_.boxes().size(); ++slot)
            if (bodies_[slot].alive) everything_->add(bounds_.boxes()[slot]);
    }
    return *everything_;
}

RayBody Pass::ray_body(std::uint32_t slot) {
    const PairBody& body = placed_[slot];
    RayBody out{body.geometry, &body.world_from_body, nullptr};
    if (body.shape->topology().triangles.size() < kWorthTree) return out;
    PairBody with_tree = body;
    with_tree.prepared = tree_of(slot);
    out.tree = bvh_of(with_tree);
    return out;
}

/// A body with vertices of its own has a tree of its own, which follows them.
const Prepared* Pass::tree_of(std::uint32_t slot) {
    BodyRecord& body = bodies_[slot];
    if (!body.tree)
        body.tree =
            body.own ? prepare_bvh(*body.shape, *body.own) : prepared_store_.get(surfaces(), body.shape);
    return body.tree.get();
}

void Pass::answer(const WorldQuery& query, std::vector<QueryHit>& out) {
    out.clear();
    if (!everything().empty())
        std::visit([&](const auto& what) { answer(what, query.filter, out); }, query.what);
}

// Rays.

/// The part of the ray that can meet anything. False when there is none.
bool Pass::clip(const RayQuery& query, RayPart& part) {
    const auto largest = [](const Vec3d& v) {
        return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    };
    const Aabb& all = everything();
    const double reach = std::max(largest(cast<double>(all.min)), largest(cast<double>(all.max)));
    const double farthest =
        (reach + largest(query.ray.origin)) / largest(query.ray.direction) * (1 + 0x1p-40);
    const RayBoxTest::Span span = RayBoxTest(query.ray).span(all, 0, std::min(query.reach, farthest));
    part = {query.ray, span.enter, span.leave};
    return span.enter <= span.leave;
}

bool Pass::meets(const RayQuery& query, double end, RayContact& contact) {
    const PairBody& body = placed_[contact.slot];
    if (query.from_inside && has_inside(body.shape->classification()) &&
        SolidLocator(*body.geometry, body.world_from_body).locate({nullptr, query.ray.origin}).inside) {
        contact.hit = {};
        return true;
    }
    const RayWant want = query.want == RayQuery::Want::any ? RayWant::any : RayWant::first;
    return find_surface_hit(query.ray, ray_body(contact.slot), end, want, contact.hit, ray_counts_);
}

bool Pass::comes_before(const Ray& ray, const RayContact& a, const RayContact& b) {
    if (a.most() < b.hit.t - b.hit.t_error) return true;
    if (b.most() < a.hit.t - a.hit.t_error) return false;
    const bool a_starts = a.most() == 0, b_starts = b.most() == 0;
    if (a_starts != b_starts) return a_starts;
    const int sign = a_starts ? 0 : compare_hits(ray, ray_body(a.slot), a.hit, ray_body(b.slot), b.hit);
    return sign < 0 || (sign == 0 && a.slot < b.slot);
}

void Pass::answer(const RayQuery& query, const QueryFilter& filter, std::vector<QueryHit>& out) {
    RayPart part;
    if (!clip(query, part)) return;
    contacts_.clear();
    double end = query.reach;
    broad_phase_->along_ray(part, bounds_.boxes(), walk_, [&](std::uint32_t slot) {
        RayContact contact{slot, {}};
        if (!asks(filter, slot) || !meets(query, end, contact)) return std::min(end, part.end);
        if (query.want == RayQuery::Want::first && !contacts_.empty()) {
            if (comes_before(query.ray, contact, contacts_.front())) contacts_.front() = contact;
        } else {
            contacts_.push_back(contact);
        }
        if (query.want == RayQuery::Want::any) return -1.0;
        if (query.want == RayQuery::Want::first) end = std::min(end, contact.most());
        return std::min(end, part.end);
    });
    if (query.want == RayQuery::Want::any) {
        if (!contacts_.empty()) out.emplace_back();
        return;
    }
    std::sort(contacts_.begin(), contacts_.end(),
              [&](const RayContact& a, const RayContact& b) { return comes_before(query.ray, a, b); });
    for (const RayContact& contact : contacts_) out.push_back(hit_of(query.ray, contact));
}

QueryHit Pass::hit_of(const Ray& ray, const RayContact& contact) const {
    const PairBody& body = placed_[contact.slot];
    QueryHit out;
    out.body = id_of(contact.slot);
    out.data = bodies_[contact.slot].data;
    out.t = contact.hit.t;
    out.t_error = contact.hit.t_error;
    out.triangle = contact.hit.triangle;
    out.point_w = ray.origin + out.t * ray.direction;
    if (out.triangle == kNoIndex) return out;
    const std::uint32_t polygon = body.geometry->topology->triangles[out.triangle].polygon;
    // Placements are rotations.
    out.normal_w = normalized(
        transform_vector(to_double(body.world_from_body), body.geometry->polygon_normals[polygon]), {});
    return out;
}

// Points, boxes and shapes.

void Pass::tell(std::vector<std::uint32_t>& slots, std::vector<QueryHit>& out) const {
    std::sort(slots.begin(), slots.end());
    for (const std::uint32_t slot : slots) {
        out.emplace_back();
        out.back().body = id_of(slot);
        out.back().data = bodies_[slot].data;
    }
}

bool Pass::holds(std::uint32_t slot, const Vec3d& point_w) {
    const PairBody& body = placed_[slot];
    if (has_inside(body.shape->classification()))
        return SolidLocator(*body.geometry, body.world_from_body).locate({nullptr, point_w}).inside;
    SurfaceHit hit;
    return find_surface_hit({point_w, {1, 0, 0}}, ray_body(slot), 0, RayWant::any, hit, ray_counts_);
}

void Pass::answer(const PointQuery& query, const QueryFilter& filter, std::vector<QueryHit>& out) {
    const Vec3d& p = query.point_w;
    const Aabb around{{at_most(p.x), at_most(p.y), at_most(p.z)},
                      {at_least(p.x), at_least(p.y), at_least(p.z)}};
    found_slots_.clear();
    broad_phase_->overlapping(around, bounds_.boxes(), walk_, [&](std::uint32_t slot) {
        if (asks(filter, slot) && holds(slot, p)) found_slots_.push_back(slot);
        return true;
    });
    tell(found_slots_, out);
}

PairResult Pass::ask_probe(const Probe& probe, std::uint32_t slot, Wants wants) {
    PairQuery query;
    query.a = probe.body;
    query.b = placed_[slot];
    const bool convex = applicable(solids(), query.a, query.b);
    if (!convex && query.b.shape->topology().polygon_count() == 0) return {};
    const PairAlgorithm& asked = convex ? solids() : surfaces();
    if (!convex) {
        query.a.shape = probe.surface.get();
        query.a.geometry = &probe.surface->geometry();
        query.b.prepared = tree_of(slot);
    } else {
        query.b.prepared = prepared_store_.get(solids(), bodies_[slot].shape).get();
    }
    if (probe.lasts)
        query.a.prepared = prepared_store_.get(asked, convex ? probe.shape : probe.surface).get();
    query.wants = wants | kWantSolid;
    query.parameters = default_values(asked.parameters);
    query.scratch = &workers_.front()->scratch;
    PairCache cache;
    return run_query(asked, query, cache);
}

Pass::Probe Pass::make_probe(const ShapePtr& shape, const Matrix34f& world_from_shape) {
    Probe out;
    out.shape = shape;
    out.surface = with_polygons(shape);
    out.body.shape = shape.get();
    out.body.geometry = &shape->geometry();
    out.body.world_from_body = world_from_shape;
    return out;
}

void Pass::answer(const ShapeQuery& query, const QueryFilter& filter, std::vector<QueryHit>& out) {
    const Probe probe = make_probe(query.shape, to_matrix(query.pose));
    const Aabb around = transform_aabb(probe.body.world_from_body, probe.body.geometry->box);
    found_slots_.clear();
    broad_phase_->overlapping(around, bounds_.boxes(), walk_, [&](std::uint32_t slot) {
        if (asks(filter, slot) && ask_probe(probe, slot, kWantVerdict).verdict == Verdict::colliding)
            found_slots_.push_back(slot);
        return true;
    });
    tell(found_slots_, out);
}

// A body whose box lies in the box needs no further question.
void Pass::answer(const BoxQuery& query, const QueryFilter& filter, std::vector<QueryHit>& out) {
    std::optional<Probe> probe;
    found_slots_.clear();
    broad_phase_->overlapping(query.box_w, bounds_.boxes(), walk_, [&](std::uint32_t slot) {
        if (!asks(filter, slot)) return true;
        bool meets = contains(query.box_w, bounds_.boxes()[slot]);
        if (!meets) {
            if (!probe) {
                probe = make_probe(box_shape(query.box_w), Matrix34f{});
                probe->lasts = false;
            }
            meets = ask_probe(*probe, slot, kWantVerdict).verdict == Verdict::colliding;
        }
        if (meets) found_slots_.push_back(slot);
        return true;
    });
    tell(found_slots_, out);
}

// The closest body: boxes around the shape grow until the best distance is within one of them.

/// Bodies whose boxes are farther than `from` and not farther than `to` from the box, nearer ones first.
void Pass::gather_ring(const Aabb& box, double from, double to, const QueryFilter& filter) {
    ring_.clear();
    broad_phase_->overlapping(grown(box, at_least(to)), bounds_.boxes(), walk_, [&](std::uint32_t slot) {
        const double distance = apart(box, bounds_.boxes()[slot]);
        if (distance > from && distance <= to && asks(filter, slot)) ring_.push_back({distance, slot});
        return true;
    });
    std::sort(ring_.begin(), ring_.end());
}

void Pass::answer(const ClosestQuery& query, const QueryFilter& filter, std::vector<QueryHit>& out) {
    const Probe probe = make_probe(query.shape ? query.shape : point_shape(), to_matrix(query.pose));
    const Aabb around = transform_aabb(probe.body.world_from_body, probe.body.geometry->box);
    const Aabb& all = everything();
    const double farthest = std::min(query.reach, farthest_apart(around, all));
    const double size = length(cast<double>(all.max) - cast<double>(all.min));
    double from = -1, to = std::max({apart(around, all), kFirstRing * size, 0x1p-60});
    for (; from < farthest; from = to, to *= 2) {
        gather_ring(around, from, to, filter);
        for (const auto& [distance, slot] : ring_) {
            if (distance > (out.empty() ? query.reach : out.front().distance)) break;
            keep_closer(probe, slot, query.reach, out);
        }
        if (!out.empty() && out.front().distance <= to) return;
    }
}

void Pass::keep_closer(const Probe& probe, std::uint32_t slot, double reach, std::vector<QueryHit>& out) {
    const PairResult result = ask_probe(probe, slot, kWantDistance);
    const bool apart = result.verdict == Verdict::separated;
    const double distance = apart ? result.distance : 0;
    if (result.verdict == Verdict::undecided || distance > reach) return;
    const bool better = out.empty() || distance < out.front().distance ||
                        (distance == out.front().distance && slot < out.front().body.slot);
    if (!better) return;
    out.resize(1);
    QueryHit& hit = out.front();
    hit.body = id_of(slot);
    hit.data = bodies_[slot].data;
    hit.distance = distance;
    const Vec3d origin = cast<double>(probe.body.world_from_body.translation());
    hit.from_w = apart ? result.closest_a_w : origin;
    hit.point_w = apart ? result.closest_b_w : origin;
}

void Pass::answer_questions() {
    for (const Question& question : questions_) {
        answer(question.query, query_hits_);
        events_.answers.push_back({question.ticket, stats_.frame,
                                   static_cast<std::uint32_t>(events_.answer_hits.size()),
                                   static_cast<std::uint32_t>(query_hits_.size())});
        events_.answer_hits.insert(events_.answer_hits.end(), query_hits_.begin(), query_hits_.end());
    }
    questions_.clear();
}

Status Pass::ask_now(const WorldQuery& query, std::vector<QueryHit>& out) {
    out.clear();
    WorldQuery good = query;
    const Status status = make_good(good);
    if (status) answer(good, out);
    return status;
}

}  // namespace claybox::collision
