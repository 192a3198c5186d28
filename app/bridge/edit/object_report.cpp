#include "app/bridge/edit/object_report.hpp"

#include "app/potter/shapes/lathe.hpp"
#include "engine/ui/drawing/draw.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {
namespace {

constexpr std::size_t kMaxPairs = 10;
constexpr std::size_t kMaxPairTests = 40;  // per frame

/// Millimetres with a sign and one decimal.
std::string mm3(const collision::Vec3d& v) {
    return engine::fixed(v.x * 1e3, 1) + "  " + engine::fixed(v.y * 1e3, 1) + "  " +
           engine::fixed(v.z * 1e3, 1);
}

void add_shape(const collision::Shape& shape, double volume, ObjectReport& out) {
    const collision::Classification& c = shape.classification();
    out.shape.push_back(
        {"Vertices, edges, faces",
         engine::grouped(c.vertices) + ", " + engine::grouped(c.edges) + ", " + engine::grouped(c.polygons)});
    std::string kind = c.convex ? "Convex" : c.closed ? "Closed, not convex" : "Open surface";
    if (!c.manifold) kind += ", not manifold";
    out.shape.push_back({"Kind", kind});
    if (c.closed && c.oriented) out.shape.push_back({"Volume", engine::fixed(volume * 1e6, 1) + " cm³"});
}

/// The interest group, where the scene forms its groups by colour.
void add_group(const Scene& scene, const Drawable& body, ObjectReport& out) {
    for (const SceneGroup& group : scene.groups())
        if (body.material == Material::body && group.colour == body.colour)
            out.shape.push_back({"Group", group.name});
}

}  // namespace

void ObjectDescriber::add_motion(const Drawable& body, std::uint64_t frame, ObjectReport& out) {
    track_.follow(body, frame);
    out.motion.push_back({"Position, mm", mm3(body.pose.translation)});
    const collision::Screw turned = collision::screw_between({{}, {}}, {body.pose.rotation, {}});
    constexpr double kDegrees = 57.29577951308232;
    out.motion.push_back({"Orientation", engine::fixed(turned.angle * kDegrees, 1) + "° about " +
                                             engine::fixed(turned.axis.x, 2) + " " +
                                             engine::fixed(turned.axis.y, 2) + " " +
                                             engine::fixed(turned.axis.z, 2)});
    const collision::Screw moved = collision::screw_between(track_.before, track_.pose);
    const double way = length(track_.pose.translation - track_.before.translation);
    out.motion.push_back({"Moved since the last frame", engine::fixed(way * 1e3, 2) + " mm, " +
                                                            engine::fixed(moved.angle * kDegrees, 2) + "°"});
}

void ObjectDescriber::add_pairs(const Session& session, const Bridge& bridge, Inspector& inspector,
                                const Drawable& body, const collision::ShapePtr& shape, ObjectReport& out) {
    const collision::WorldSettings settings = session.settings();
    const collision::Matrix34f own = placement_of(body);
    const collision::Aabb box = collision::transform_aabb(own, shape->geometry().box);
    out.motion.push_back({"Box, mm", mm3(collision::cast<double>(box.max - box.min))});
    std::size_t tests = 0;
    for (const CheckBody& other : inspector.bodies(bridge)) {
        if (other.pick == body.pick || other.pick == collision::kNoIndex) continue;
        if (!overlap(box, collision::transform_aabb(other.world_from_body, other.shape->geometry().box)))
            continue;
        if (out.pairs.size() >= kMaxPairs || ++tests > kMaxPairTests) {
            ++out.more_pairs;
            continue;
        }
        scratch_.reset();
        collision::PairQuery query =
            collision::make_pair_query(*shape, own, *other.shape, other.world_from_body, scratch_);
        const collision::PairAlgorithm* algorithm = choose_algorithm(settings, query);
        ObjectReport::Pair pair;
        pair.pick = other.pick;
        const std::string text = session.scene().describe_pick(other.pick);
        pair.name = text.empty() ? "Another body" : text.substr(0, text.find(':'));
        collision::PairCache cache;
        if (algorithm != nullptr) pair.verdict = collision::run_query(*algorithm, query, cache).verdict;
        out.pairs.push_back(std::move(pair));
    }
}

void ObjectDescriber::describe(const Session& session, const Bridge& bridge, Inspector& inspector,
                               std::uint32_t selected, std::uint64_t frame, ObjectReport& out) {
    out = {};
    const std::optional<Drawable> body = bridge.find(selected);
    if (!body) return;
    const collision::ShapePtr shape = inspector.shape_of(bridge, *body);
    add_motion(*body, frame, out);
    if (!shape) return;
    if (volume_.of != shape.get())
        volume_ = {shape.get(), enclosed_volume(shape->topology(), shape->geometry().positions)};
    add_shape(*shape, volume_.cubic_metres, out);
    add_group(session.scene(), *body, out);
    add_pairs(session, bridge, inspector, *body, shape, out);
}

}  // namespace claybox::app
