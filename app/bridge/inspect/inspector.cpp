#include "app/bridge/inspect/inspector.hpp"

#include "collision/pairwise/contacts.hpp"
#include "collision/pairwise/registry.hpp"
#include "engine/files/paths.hpp"
#include "engine/ui/drawing/draw.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {
namespace {

using collision::Vec3d;

constexpr std::size_t kMaxVertices = 200000;  // more would stop the window for seconds
// A finer mesh that changes, like clay under the hand, is tested when it rests.
constexpr std::size_t kMaxMovingVertices = 4000;
constexpr std::uint64_t kRestFrames = 10;
constexpr std::size_t kMaxHits = 20000, kMaxContacts = 500;

std::string millimetres(double metres) {
    const double mm = metres * 1e3;
    return engine::fixed(mm, mm < 10 ? 2 : mm < 100 ? 1 : 0) + " mm";
}

/// Whether a drawable can be tested: bodies that a click selects, and parts of a hand.
bool is_body(const Drawable& d) {
    return d.pick != collision::kNoIndex || d.material == Material::hand ||
           d.material == Material::hand_active;
}

/// Copies only the best candidate, because there may be a hundred thousand.
std::optional<Drawable> nearest_other(const Bridge& bridge, const Drawable& of) {
    std::optional<Drawable> best;
    double best_distance = HUGE_VAL;
    for (const Drawable& d : bridge.view().drawables) {
        if (!is_body(d) || d.pick == of.pick) continue;
        const double distance = length_squared(d.pose.translation - of.pose.translation);
        if (distance >= best_distance) continue;
        best = d;
        best_distance = distance;
    }
    for (const ViewCrowd& crowd : bridge.view().crowds)
        for (std::size_t i = 0; i < crowd.positions.size(); ++i) {
            const double distance =
                length_squared(collision::cast<double>(crowd.positions[i]) - of.pose.translation);
            if (distance >= best_distance || crowd.first_pick + i == of.pick) continue;
            best = drawable_of(bridge.view(), crowd, i);
            best_distance = distance;
        }
    return best;
}

std::string witness_text(const collision::Certificate& c) {
    using collision::CertificateKind;
    switch (c.kind) {
        case CertificateKind::none:
            return "None";
        case CertificateKind::separating_axis:
            return "Separating axis";
        case CertificateKind::surrounded_origin:
            return "Simplex around the origin";
        case CertificateKind::common_point:
            return "Common point";
        case CertificateKind::edge_triangle:
            return (c.edge == collision::kNoIndex ? "Diagonal" : "Edge " + std::to_string(c.edge)) +
                   ", face " + std::to_string(c.polygon);
        case CertificateKind::contained:
            return "One inside the other";
    }
    return "";
}

std::string seconds_text(double seconds) {
    return seconds < 1e-3 ? engine::fixed(seconds * 1e6, 1) + " µs" : engine::fixed(seconds * 1e3, 2) + " ms";
}

void add_result(const collision::PairResult& result, collision::Wants wants, double cost, Inspection& out) {
    out.has_verdict = result.status == collision::QueryStatus::done;
    out.verdict = result.verdict;
    if (result.verdict == collision::Verdict::separated && (wants & collision::kWantDistance))
        out.rows.push_back({"Gap", millimetres(result.distance)});
    if (result.verdict == collision::Verdict::colliding && (wants & collision::kWantDepth))
        out.rows.push_back({"Depth", millimetres(result.depth)});
    out.rows.push_back({"Witness", witness_text(result.certificate)});
    const char* word = result.iterations == 1 ? " iteration" : " iterations";
    out.rows.push_back({"Cost", seconds_text(cost) + ", " + std::to_string(result.iterations) + word});
}

}  // namespace

void Inspector::forget() {
    shapes_.clear();
    subject_ = {};
    tracks_ = {};
    motion_.clear();
    difference_.clear();
}

void Inspector::look_from(const engine::CameraData& camera) {
    const glm::vec3 to = glm::normalize(camera.position - camera.target);
    const glm::vec3 right = glm::normalize(glm::cross(camera.up, to)), up = glm::cross(to, right);
    const auto vec = [](const glm::vec3& v) { return Vec3d{v.x, v.y, v.z}; };
    axes_ = {vec(right), vec(up), vec(to)};
}

const collision::PairAlgorithm* choose_algorithm(const collision::WorldSettings& settings,
                                                 collision::PairQuery& query) {
    const collision::PairAlgorithm* algorithm = settings.pair_algorithm;
    query.parameters = settings.pair_parameters;
    if (!collision::applicable(*algorithm, query.a, query.b)) {
        algorithm = collision::fallback_for(settings, query.a, query.b);
        if (!algorithm) return nullptr;
        query.parameters = collision::default_values(algorithm->parameters);
    }
    query.exactness = settings.exactness;
    query.seed = settings.seed;
    if (settings.solid) query.wants |= collision::kWantSolid;
    return algorithm;
}

void BodyTrack::follow(const Drawable& drawable, std::uint64_t picture) {
    if (pick != drawable.pick || mesh != drawable.mesh)
        *this = {drawable.pick, drawable.mesh, picture, drawable.pose, drawable.pose};
    if (frame == picture) return;
    before = pose;
    pose = drawable.pose;
    frame = picture;
}

std::vector<CheckBody> Inspector::bodies(const Bridge& bridge) {
    std::vector<CheckBody> out;
    const auto add = [&](const Drawable& d) {
        const CachedShape* kept = is_body(d) ? cached_shape(bridge, d) : nullptr;
        if (!kept || !kept->shape) return;
        out.push_back({kept->shape, placement_of(d), d.pick, d.pick == collision::kNoIndex ? 1u : 0u});
    };
    for (const Drawable& d : bridge.view().drawables) add(d);
    for (const ViewCrowd& crowd : bridge.view().crowds)
        for (std::size_t i = 0; i < crowd.positions.size(); ++i) add(drawable_of(bridge.view(), crowd, i));
    return out;
}

Inspector::CachedShape* Inspector::cached_shape(const Bridge& bridge, const Drawable& drawable) {
    const auto mesh = std::find_if(bridge.meshes().begin(), bridge.meshes().end(),
                                   [&](const ViewMesh& m) { return m.id == drawable.mesh; });
    if (mesh == bridge.meshes().end()) return nullptr;
    CachedShape& kept = shapes_[mesh->id];
    const std::size_t size = mesh->positions->size();
    if (kept.topology != mesh->topology.get() || kept.version != mesh->version) {
        const bool first = kept.topology == nullptr;
        kept = {};
        kept.version = mesh->version;
        kept.topology = mesh->topology.get();
        kept.rested = first ? kRestFrames : 0;
    }
    if (kept.state != CachedShape::State::waits) return &kept;
    if (size > kMaxVertices) {
        kept.state = CachedShape::State::too_fine;
        return &kept;
    }
    if (size > kMaxMovingVertices && kept.rested++ < kRestFrames) return &kept;
    collision::PolygonList polygons;
    polygons.positions = *mesh->positions;
    for (std::uint32_t p = 0; p < mesh->topology->polygon_count(); ++p)
        polygons.add_polygon(mesh->topology->loop(p));
    auto shape = collision::Shape::from_polygons(polygons);
    kept.state = shape.ok() ? CachedShape::State::made : CachedShape::State::broken;
    if (shape.ok()) kept.shape = shape.value();
    return &kept;
}

collision::ShapePtr Inspector::shape_of(const Bridge& bridge, const Drawable& drawable) {
    const CachedShape* kept = cached_shape(bridge, drawable);
    return kept ? kept->shape : nullptr;
}

const char* Inspector::obstacle(const CachedShape* kept) {
    if (!kept) return "Not a body";
    switch (kept->state) {
        case CachedShape::State::made:
            return nullptr;
        case CachedShape::State::waits:
            return "Shape still changing";
        case CachedShape::State::too_fine:
            return "More than 200,000 vertices";
        case CachedShape::State::broken:
            return "Not a valid mesh";
    }
    return nullptr;
}

const collision::Prepared* Inspector::prepared_for(CachedShape& kept,
                                                   const collision::PairAlgorithm& algorithm) {
    if (!algorithm.prepare) return nullptr;
    if (kept.prepared_for != &algorithm) {
        kept.prepared = algorithm.prepare(*kept.shape, kept.shape->geometry());
        kept.prepared_for = &algorithm;
    }
    return kept.prepared.get();
}

/// Adds the contacts of two colliding surfaces, if finding all hits is fast enough for a frame.
void Inspector::add_contacts(const collision::PairAlgorithm& algorithm, collision::PairQuery query,
                             Inspection& out) {
    if ((algorithm.gives & collision::kWantAllHits) == 0) return;
    for (const collision::PairBody* body : {&query.a, &query.b})
        if (body->geometry->positions.size() > kMaxMovingVertices) return;
    hits_.resize(kMaxHits);
    contacts_.resize(kMaxContacts);
    collision::HitSink sink(hits_);
    query.hits = &sink;
    query.wants = collision::kWantAllHits;
    collision::PairCache cache;
    if (collision::run_query(algorithm, query, cache).status != collision::QueryStatus::done) return;
    const std::size_t count = collision::find_contacts(query, sink.hits(), contacts_);
    if (count == 0 || count > kMaxContacts) return;
    double depth = 0;
    for (std::size_t i = 0; i < count; ++i) depth = std::max(depth, contacts_[i].depth);
    out.rows.push_back({"Contacts", std::to_string(count)});
    if (depth > 0) out.rows.push_back({"Deepest contact", millimetres(depth)});
}

/// Half the side of the square that shows a plane between the bodies: about as large as the smaller body.
double plane_half_side(const collision::PairQuery& query) {
    double least = HUGE_VAL;
    for (const collision::PairBody* body : {&query.a, &query.b}) {
        collision::Aabb box;
        for (const collision::Vec3f& p : body->geometry->positions)
            box.add(collision::cast<float>(
                collision::transform_point(collision::to_double(body->world_from_body), p)));
        least = std::min(least, 0.5 * length(collision::cast<double>(box.max - box.min)));
    }
    return least;
}

/// Runs the query again with a trace; the answer is the same.
void Inspector::show_steps(const collision::PairAlgorithm& algorithm, const collision::PairQuery& query,
                           const TraceRequest& request, Inspection& out) {
    trace_.clear();
    collision::PairCache cache;
    collision::run_query(algorithm, query, cache, &trace_);
    if (!choose_step(request, out)) return;
    const std::size_t step = out.steps.shown - 1;
    view_trace(trace_, step, request.before, plane_half_side(query), marks_);
    add_step_rows(trace_, step, out.steps.rows);
    if (!axes_) return;
    if (has_space(trace_, collision::TraceSpace::difference)) difference_.update(query.a, query.b);
    add_step_insets(trace_, step, request.before, difference_, *axes_, marks_.insets);
}

/// Reports the recorded steps. False if there is none.
bool Inspector::choose_step(const TraceRequest& request, Inspection& out) const {
    out.steps.count = trace_.steps();
    out.steps.is_cut = trace_.is_cut();
    if (out.steps.count == 0) return false;
    out.steps.shown = request.step == 0 ? out.steps.count : std::min(request.step, out.steps.count);
    return true;
}

/// The steps of a continuous algorithm, with the bodies at the time of the step.
void Inspector::show_motion(const collision::WorldSettings& settings, const TraceRequest& request,
                            Inspection& out) {
    trace_.clear();
    const std::string reason = motion_.ask(*request.motion, subject_, settings, trace_);
    if (!reason.empty()) {
        out.steps.rows.push_back({"Not asked", reason});
        return;
    }
    if (!choose_step(request, out)) return;
    const std::size_t step = out.steps.shown - 1;
    motion_.view(subject_, time_of_step(trace_, step), marks_);
    view_trace(trace_, step, request.before, 0.5 * subject_.a->sphere().radius, marks_);
    const collision::ContinuousResult& result = motion_.result();
    if (result.verdict == collision::Verdict::colliding)
        out.steps.rows.push_back({"First contact", engine::fixed(result.time_high, 6)});
    else
        out.steps.rows.push_back({"First contact", "None in this motion"});
    add_step_rows(trace_, step, out.steps.rows);
    if (axes_) motion_.add_insets(trace_, step, request.before, subject_, *axes_, marks_.insets);
}

void Inspector::describe_pair(const Session& session, const Bridge& bridge, const Drawable& a,
                              const Drawable& b, const TraceRequest& request, Inspection& out) {
    CachedShape *kept_a = cached_shape(bridge, a), *kept_b = cached_shape(bridge, b);
    for (const CachedShape* kept : {kept_a, kept_b}) {
        const char* reason = obstacle(kept);
        if (!reason) continue;
        out.rows.push_back({"Not tested", reason});
        return;
    }
    subject_.a = kept_a->shape;
    subject_.b = kept_b->shape;
    subject_.world_from_a = placement_of(a);
    subject_.world_from_b = placement_of(b);
    subject_.before_a = placement_of(a, tracks_[0].before);
    subject_.before_b = placement_of(b, tracks_[1].before);
    subject_.motion_a = collision::motion_between(tracks_[0].before, a.pose);
    subject_.motion_b = collision::motion_between(tracks_[1].before, b.pose);
    scratch_.reset();
    collision::PairQuery query = collision::make_pair_query(*kept_a->shape, placement_of(a), *kept_b->shape,
                                                            placement_of(b), scratch_);
    const collision::PairAlgorithm* algorithm = choose_algorithm(session.settings(), query);
    if (!algorithm) return;
    query.wants |= algorithm->gives & (collision::kWantDistance | collision::kWantDepth);
    query.a.prepared = prepared_for(*kept_a, *algorithm);
    query.b.prepared = prepared_for(*kept_b, *algorithm);
    collision::PairCache cache;
    const double start = engine::now_seconds();
    const collision::PairResult result = collision::run_query(*algorithm, query, cache);
    add_result(result, query.wants, engine::now_seconds() - start, out);
    if (result.verdict == collision::Verdict::colliding) add_contacts(*algorithm, query, out);
    out.rows.push_back({"By", algorithm->title});
    if (!algorithm->exact && algorithm->bias == collision::Bias::none)
        out.rows.push_back({"Certainty", "Approximate"});
    out.steps.moves = subject_.moves();
    if (!request.on) return;
    if (request.motion != nullptr && out.steps.moves)
        show_motion(session.settings(), request, out);
    else
        show_steps(*algorithm, query, request, out);
}

void Inspector::inspect(const Session& session, const Bridge& bridge, std::uint32_t selected,
                        std::uint32_t partner, const TraceRequest& request, Inspection& out) {
    out.title.clear();
    out.text.clear();
    out.rows.clear();
    out.steps = {};
    marks_.clear();
    out.has_verdict = false;
    subject_ = {};
    const std::optional<Drawable> a = bridge.find(selected);
    if (!a) return;
    out.text = session.scene().describe_pick(selected);
    out.title = out.text.substr(0, out.text.find(':'));
    if (out.title.empty()) out.title = "Selected";
    std::optional<Drawable> b = bridge.find(partner);
    if (!b || b->pick == a->pick) b = nearest_other(bridge, *a);
    if (!b) return;
    std::string other = session.scene().describe_pick(b->pick);
    if (b->pick == collision::kNoIndex) other = "Part of the hand";
    subject_.name_a = out.title;
    subject_.name_b = other.substr(0, other.find(':'));
    subject_.frame = past_.value_or(session.frame());
    tracks_[0].follow(*a, subject_.frame);
    tracks_[1].follow(*b, subject_.frame);
    out.rows.push_back({partner == collision::kNoIndex ? "Nearest body" : "Other body", subject_.name_b});
    describe_pair(session, bridge, *a, *b, request, out);
    axes_.reset();
}

}  // namespace claybox::app
