#include "app/bridge/inspect.hpp"

#include "collision/pairwise/registry.hpp"
#include "engine/platform/paths.hpp"
#include "engine/ui/draw.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::app {
namespace {

using collision::Vec3d;

constexpr std::size_t kMostVertices = 4000;  // of a mesh whose shape is made for one look

collision::Matrix34f matrix_of(const Drawable& d) {
    collision::Matrix34f m = collision::to_matrix(d.pose);
    for (std::size_t row = 0; row < 3; ++row) {
        m.m[row * 4] *= d.scale.x;
        m.m[row * 4 + 1] *= d.scale.y;
        m.m[row * 4 + 2] *= d.scale.z;
    }
    return m;
}

std::string millimetres(double metres) {
    const double mm = metres * 1e3;
    return engine::fixed(mm, mm < 10 ? 2 : mm < 100 ? 1 : 0) + " mm";
}

const Drawable* nearest_other(const Bridge& bridge, const Drawable& of) {
    const Drawable* best = nullptr;
    double best_distance = 0;
    for (const Drawable& d : bridge.view().drawables) {
        if (d.pick == collision::kNoIndex || d.pick == of.pick) continue;
        const double distance = length_squared(d.pose.translation - of.pose.translation);
        if (best && distance >= best_distance) continue;
        best = &d;
        best_distance = distance;
    }
    return best;
}

std::string witness_text(const collision::Certificate& c) {
    using collision::CertificateKind;
    switch (c.kind) {
        case CertificateKind::none:
            return "None of fixed size";
        case CertificateKind::separating_axis:
            return "Separating axis";
        case CertificateKind::surrounded_origin:
            return "Surrounded origin";
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

/// The algorithm that answers this pair, with its parameters in the query; null when there is none.
const collision::PairAlgorithm* choose_algorithm(const collision::WorldSettings& settings,
                                                 collision::PairQuery& query) {
    const collision::PairAlgorithm* algorithm = settings.pair_algorithm;
    query.parameters = settings.pair_parameters;
    if (!collision::applicable(*algorithm, query.a, query.b)) {
        algorithm = settings.fallback_algorithm;
        if (!algorithm) return nullptr;
        query.parameters = collision::default_values(algorithm->parameters);
    }
    query.exactness = settings.exactness;
    query.seed = settings.seed;
    query.wants = algorithm->gives & (collision::kWantDistance | collision::kWantDepth);
    return algorithm;
}

void tell(const collision::PairResult& result, collision::Wants wants, double cost, Inspection& out) {
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
}

collision::ShapePtr Inspector::shape_of(const Bridge& bridge, const Drawable& drawable) {
    const auto mesh = std::find_if(bridge.meshes().begin(), bridge.meshes().end(),
                                   [&](const ViewMesh& m) { return m.id == drawable.mesh; });
    if (mesh == bridge.meshes().end() || mesh->positions->size() > kMostVertices) return nullptr;
    Kept& kept = shapes_[mesh->id];
    if (kept.topology == mesh->topology.get() && kept.version == mesh->version) return kept.shape;
    kept = {mesh->version, mesh->topology.get(), nullptr};
    collision::PolygonList polygons;
    polygons.positions = *mesh->positions;
    for (std::uint32_t p = 0; p < mesh->topology->polygon_count(); ++p)
        polygons.add_polygon(mesh->topology->loop(p));
    auto shape = collision::Shape::from_polygons(polygons);
    if (shape.ok()) kept.shape = shape.value();
    return kept.shape;
}

void Inspector::describe_pair(const Session& session, const Bridge& bridge, const Drawable& a,
                              const Drawable& b, Inspection& out) {
    const collision::ShapePtr shape_a = shape_of(bridge, a), shape_b = shape_of(bridge, b);
    if (!shape_a || !shape_b) {
        out.rows.push_back({"Pair", "Too fine to ask at every frame"});
        return;
    }
    scratch_.reset();
    collision::PairQuery query =
        collision::make_pair_query(*shape_a, matrix_of(a), *shape_b, matrix_of(b), scratch_);
    const collision::PairAlgorithm* algorithm = choose_algorithm(session.settings(), query);
    if (!algorithm) return;
    std::shared_ptr<const collision::Prepared> prepared_a, prepared_b;
    if (algorithm->prepare) {
        prepared_a = algorithm->prepare(*shape_a, shape_a->geometry());
        prepared_b = algorithm->prepare(*shape_b, shape_b->geometry());
        query.a.prepared = prepared_a.get();
        query.b.prepared = prepared_b.get();
    }
    collision::PairCache cache;
    const double start = engine::now_seconds();
    const collision::PairResult result = collision::run_query(*algorithm, query, cache);
    tell(result, query.wants, engine::now_seconds() - start, out);
    out.rows.push_back({"Asked", algorithm->title});
}

void Inspector::inspect(const Session& session, const Bridge& bridge, std::uint32_t selected,
                        std::uint32_t partner, Inspection& out) {
    out.title.clear();
    out.text.clear();
    out.rows.clear();
    out.has_verdict = false;
    const Drawable* a = bridge.find(selected);
    if (!a) return;
    out.text = session.scene().describe_pick(selected);
    out.title = out.text.substr(0, out.text.find(':'));
    if (out.title.empty()) out.title = "Selected";
    const Drawable* b = bridge.find(partner);
    if (!b || b == a) b = nearest_other(bridge, *a);
    if (!b) return;
    const std::string other = session.scene().describe_pick(b->pick);
    out.rows.push_back(
        {partner == collision::kNoIndex ? "Nearest" : "With", other.substr(0, other.find(':'))});
    describe_pair(session, bridge, *a, *b, out);
}

}  // namespace claybox::app
