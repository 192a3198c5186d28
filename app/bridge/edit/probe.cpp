#include "app/bridge/edit/probe.hpp"

#include "app/scenes/shared/body_shapes.hpp"
#include "app/scenes/shared/decor.hpp"
#include "collision/continuous/registry.hpp"
#include "engine/files/paths.hpp"
#include "engine/ui/drawing/draw.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {
namespace {

using collision::Pose;
using collision::Vec3d;
using collision::Vec3f;

constexpr double kReach = 30;  // metres of a ray or a cast
constexpr double kMinLift =
    1e-4;  // metres: exactly on a surface, a point would be inside or outside by chance
constexpr std::size_t kMaxNames = 6, kMaxOutlines = 12;
constexpr std::size_t kMaxEdges = 1500;  // of a drawn shape

Vec3d to_vec(const glm::dvec3& v) {
    return {v.x, v.y, v.z};
}

std::string length_text(double metres) {
    const double mm = metres * 1e3;
    return mm < 1000 ? engine::fixed(mm, mm < 10 ? 2 : 1) + " mm" : engine::fixed(metres, 3) + " m";
}

std::string direction_text(const Vec3d& v) {
    return engine::fixed(v.x, 2) + "  " + engine::fixed(v.y, 2) + "  " + engine::fixed(v.z, 2);
}

std::string place_text(const Vec3d& p) {
    return engine::fixed(p.x * 1e3, 1) + "  " + engine::fixed(p.y * 1e3, 1) + "  " +
           engine::fixed(p.z * 1e3, 1);
}

collision::WorldSettings quiet_settings() {
    collision::WorldSettings settings = collision::default_settings();
    settings.queue_events = false;
    return settings;
}

}  // namespace

void Probe::forget() {
    world_.reset();
    now_.clear();
    known_.clear();
    shape_.reset();
    made_ = ProbeShape::point;
}

const Probe::Entry* Probe::entry_of(std::uint32_t pick) const {
    const auto at =
        std::find_if(known_.begin(), known_.end(), [&](const Entry& e) { return e.pick == pick; });
    return at == known_.end() ? nullptr : &*at;
}

std::string Probe::name(std::uint64_t pick) const {
    const std::string text = session_->scene().describe_pick(static_cast<std::uint32_t>(pick));
    return text.empty() ? "A body" : text.substr(0, text.find(':'));
}

/// The bodies of the picture that a click selects. Stretched ones have no pose and are left out.
void Probe::gather(const Bridge& bridge, Inspector& inspector) {
    now_.clear();
    std::uint64_t mesh = 0;
    collision::ShapePtr shape;
    const auto add = [&](const Drawable& d) {
        if (d.pick == collision::kNoIndex || d.scale != Vec3f{1, 1, 1}) return;
        if (!shape || d.mesh != mesh) shape = inspector.shape_of(bridge, d);
        mesh = d.mesh;
        if (shape) now_.push_back({d.pick, shape, d.pose, {}});
    };
    for (const Drawable& d : bridge.view().drawables) add(d);
    for (const ViewCrowd& crowd : bridge.view().crowds)
        for (std::size_t i = 0; i < crowd.positions.size(); ++i) add(drawable_of(bridge.view(), crowd, i));
}

/// Moves what has moved; other bodies make another world.
void Probe::update_world() {
    const bool same =
        world_ && now_.size() == known_.size() &&
        std::equal(now_.begin(), now_.end(), known_.begin(),
                   [](const Entry& a, const Entry& b) { return a.pick == b.pick && a.shape == b.shape; });
    bool changed = !same;
    if (!same) {
        world_ = std::make_unique<collision::World>(quiet_settings());
        world_->set_interest(0, 0, {.test = false});
        known_.clear();
        for (const Entry& entry : now_) {
            auto id = world_->add_body({entry.shape, entry.pose, 0, false, entry.pick});
            if (!id.ok()) continue;
            known_.push_back(entry);
            known_.back().id = id.value();
        }
    } else {
        for (std::size_t i = 0; i < now_.size(); ++i) {
            if (known_[i].pose == now_[i].pose) continue;
            changed = true;
            if (world_->move(known_[i].id, now_[i].pose).ok()) known_[i].pose = now_[i].pose;
        }
    }
    if (!changed) return;
    world_->publish(++frame_);
    world_->check();
}

void Probe::choose_shape(const ProbeRequest& request, const ProbeAim& aim) {
    if (request.shape == ProbeShape::selected) {
        const Entry* body = entry_of(aim.selected);
        shape_ = body ? body->shape : nullptr;
        made_ = ProbeShape::selected;
        return;
    }
    if (made_ == request.shape && made_size_ == request.size) return;
    made_ = request.shape;
    made_size_ = request.size;
    shape_.reset();
    const auto half = static_cast<float>(request.size / 1000);
    if (request.shape == ProbeShape::ball) {
        if (auto ball = make_body_shape("ball", request.size, {}); ball.ok()) shape_ = ball.value();
    } else if (request.shape == ProbeShape::box) {
        auto box = collision::Shape::from_polygons(box_mesh({half, half, half}), "box");
        if (box.ok()) shape_ = box.value();
    }
}

void Probe::draw(const collision::Shape* shape, const Pose& at, Ink ink) {
    if (shape == nullptr) {
        marks_->points.push_back({collision::cast<float>(at.translation), ink, 5});
        return;
    }
    const collision::Matrix34f m = collision::to_matrix(at);
    const collision::Topology& t = shape->topology();
    if (t.edges.size() > kMaxEdges) return view_bounds(shape->geometry().box, at, *marks_);
    for (const collision::Edge& e : t.edges)
        marks_->lines.push_back({collision::transform_point(m, shape->geometry().positions[e.vertices[0]]),
                                 collision::transform_point(m, shape->geometry().positions[e.vertices[1]]),
                                 ink, 1.2f, false, 0.8f});
}

void Probe::label(const Vec3d& at, std::string text, Ink ink) {
    marks_->labels.push_back({collision::cast<float>(at), std::move(text), ink, false, {}, 0});
}

/// Where the ray, or the shape along it, first meets a body. The shape starts at `start` metres.
std::optional<Probe::Cast> Probe::cast(const Ray& ray, double start) const {
    const auto* const algorithm = collision::default_continuous_algorithm();
    const Vec3d origin = to_vec(ray.origin) + to_vec(ray.direction) * start,
                way = to_vec(ray.direction) * kReach;
    struct Candidate {
        double enters;  ///< at the earliest, metres
        const Entry* body;
    };
    std::vector<Candidate> candidates;
    const auto reach_of = [](const collision::Shape& s) {
        return length(collision::cast<double>(s.sphere().centre)) + static_cast<double>(s.sphere().radius);
    };
    const double own = reach_of(*shape_);
    for (const Entry& entry : known_) {
        const Vec3d to = entry.pose.translation - origin;
        const double along = dot(to, to_vec(ray.direction)), reach = own + reach_of(*entry.shape);
        const double aside = length_squared(to) - along * along, room = reach * reach - aside;
        if (room < 0 || along + reach < 0) continue;
        candidates.push_back({along - std::sqrt(room), &entry});
    }
    std::sort(candidates.begin(), candidates.end(),
              [](const Candidate& a, const Candidate& b) { return a.enters < b.enters; });
    std::optional<Cast> best;
    collision::Scratch scratch;
    const Pose from{{}, origin}, to{{}, origin + way};
    const collision::Motion motion = collision::motion_between(from, to);
    for (const Candidate& c : candidates) {
        if (best && c.enters > best->way) break;
        scratch.reset();
        const collision::ContinuousQuery query =
            collision::make_continuous_query(*shape_, collision::to_matrix(from), motion, *c.body->shape,
                                             collision::to_matrix(c.body->pose), {}, scratch);
        if (!collision::applicable(*algorithm, query)) continue;
        collision::PairCache cache;
        const collision::ContinuousResult r = collision::run_continuous(*algorithm, query, cache);
        if (r.verdict != collision::Verdict::colliding) continue;
        const double at = r.time_low * kReach;
        if (best && at >= best->way) continue;
        best = Cast{c.body, at, r.point_w, r.normal_w};
    }
    if (best) best->way += start;
    return best;
}

/// The place of a probe that is not cast: above the surface under the pointer.
Pose Probe::place(const ProbeAim& aim, const ProbeRequest& request) {
    const Vec3d origin = to_vec(aim.ray.origin), direction = to_vec(aim.ray.direction);
    if (aim.at_start) return {{}, origin};
    collision::RayQuery ray;
    ray.ray = {origin, direction};
    ray.reach = kReach;
    if (!world_->query_now({ray, {}}, hits_).ok() || hits_.empty())
        return {{}, origin + direction * aim.depth};
    Vec3d normal = hits_[0].normal_w;
    if (dot(normal, direction) > 0) normal = -normal;
    return {{}, hits_[0].point_w + normal * std::max(request.lift / 1000, kMinLift)};
}

void Probe::ask_rays(const ProbeAim& aim, bool all) {
    collision::RayQuery ray;
    ray.ray = {to_vec(aim.ray.origin), to_vec(aim.ray.direction)};
    ray.reach = kReach;
    ray.want = all ? collision::RayQuery::Want::all : collision::RayQuery::Want::first;
    if (!world_->query_now({ray, {}}, hits_).ok()) return;
    if (hits_.empty()) return row("Hits", "Nothing");
    const collision::QueryHit& first = hits_[0];
    row("First body", name(first.data));
    row("Distance along the ray", length_text(first.t));
    row("Normal", direction_text(first.normal_w));
    if (all) row("Bodies on the ray", engine::grouped(hits_.size()));
    for (const collision::QueryHit& hit : hits_) {
        const Vec3f p = collision::cast<float>(hit.point_w), n = collision::cast<float>(hit.normal_w * 0.06);
        marks_->points.push_back({p, Ink::witness, 5});
        marks_->lines.push_back({p, p + n, Ink::separating, 2, true});
    }
    label(first.point_w, name(first.data) + ", " + length_text(first.t), Ink::witness);
}

void Probe::ask_distance(const Pose& at) {
    draw(shape_.get(), at, Ink::accent);
    if (!world_->query_now({collision::ClosestQuery{shape_, at}, {}}, hits_).ok()) return;
    if (hits_.empty()) return row("Nearest body", "None");
    const collision::QueryHit& hit = hits_[0];
    row("Nearest body", name(hit.data));
    row("Distance", hit.distance > 0 ? length_text(hit.distance) : "0, they touch or overlap");
    if (hit.distance <= 0) return label(at.translation, "Touches " + name(hit.data), Ink::colliding);
    row("Point, mm", place_text(hit.point_w));
    const Vec3f from = collision::cast<float>(hit.from_w), to = collision::cast<float>(hit.point_w);
    marks_->lines.push_back({from, to, Ink::witness, 2.5f, true});
    marks_->points.push_back({from, Ink::witness, 4});
    marks_->points.push_back({to, Ink::witness, 4});
    label((hit.from_w + hit.point_w) * 0.5, length_text(hit.distance) + " to " + name(hit.data),
          Ink::witness);
}

void Probe::ask_cast(const ProbeAim& aim) {
    if (!shape_) return ask_rays(aim, false);
    const double clear = aim.at_start ? 0 : 2 * static_cast<double>(shape_->sphere().radius);
    const std::optional<Cast> hit = cast(aim.ray, clear);
    if (!hit) return row("Hits", "Nothing");
    row("First body", name(hit->body->pick));
    row("Way to the hit", length_text(hit->way));
    row("Normal", direction_text(hit->normal));
    row("Point, mm", place_text(hit->point));
    const Vec3d place = to_vec(aim.ray.origin) + to_vec(aim.ray.direction) * hit->way;
    draw(shape_.get(), {{}, place}, Ink::accent);
    const Vec3f p = collision::cast<float>(hit->point), n = collision::cast<float>(hit->normal * -0.08);
    marks_->points.push_back({p, Ink::witness, 5});
    marks_->lines.push_back({p, p + n, Ink::separating, 2.5f, true});
    label(hit->point, name(hit->body->pick) + " after " + length_text(hit->way), Ink::witness);
}

void Probe::ask_overlap(const Pose& at) {
    collision::WorldQuery query;
    if (shape_)
        query.spec = collision::ShapeQuery{shape_, at};
    else
        query.spec = collision::PointQuery{at.translation};
    if (!world_->query_now(query, hits_).ok()) return;
    draw(shape_.get(), at, hits_.empty() ? Ink::accent : Ink::colliding);
    row("Bodies that it overlaps", engine::grouped(hits_.size()));
    std::size_t drawn = 0;
    for (const collision::QueryHit& hit : hits_) {
        if (drawn < kMaxNames) row("", name(hit.data));
        const Entry* body = entry_of(static_cast<std::uint32_t>(hit.data));
        if (body && drawn++ < kMaxOutlines) draw(body->shape.get(), body->pose, Ink::witness);
    }
    if (hits_.size() > kMaxNames) row("", "and " + engine::grouped(hits_.size() - kMaxNames) + " more");
    const std::string what = hits_.empty()       ? "No body"
                             : hits_.size() == 1 ? name(hits_[0].data)
                                                 : engine::grouped(hits_.size()) + " bodies";
    label(at.translation, "Overlaps: " + what, hits_.empty() ? Ink::accent : Ink::colliding);
}

void Probe::ask(const Session& session, const Bridge& bridge, Inspector& inspector, const ProbeAim& aim,
                const ProbeRequest& request, ProbeReport& report, SceneView& marks) {
    session_ = &session;
    report_ = &report;
    marks_ = &marks;
    report.rows.clear();
    marks.clear();
    gather(bridge, inspector);
    update_world();
    choose_shape(request, aim);
    if (known_.empty()) return row("Bodies", "None that can be asked");
    if (request.shape == ProbeShape::selected && !shape_)
        return row("Shape", "Select a body: the probe gets its shape");
    if (request.shape == ProbeShape::ray) return ask_rays(aim, request.question == ProbeQuestion::overlap);
    if (request.question == ProbeQuestion::cast) return ask_cast(aim);
    const Pose at = place(aim, request);
    if (request.question == ProbeQuestion::distance) return ask_distance(at);
    ask_overlap(at);
}

}  // namespace claybox::app
