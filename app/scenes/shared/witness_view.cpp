#include "app/scenes/shared/witness_view.hpp"

namespace claybox::app {

using collision::Vec3d;
using collision::Vec3f;

namespace {

/// The polygon of a convex body whose plane is nearest to a point of the body.
std::uint32_t face_at(const collision::Geometry& g, const Vec3f& p) {
    std::uint32_t best = collision::kNoIndex;
    float best_distance = 0;
    for (std::uint32_t f = 0; f < g.topology->polygon_count(); ++f) {
        const auto loop = g.topology->loop(f);
        Vec3f normal{};
        for (std::size_t i = 0; i < loop.size(); ++i)
            normal = normal + cross(g.positions[loop[i]], g.positions[loop[(i + 1) % loop.size()]]);
        const float size = length(normal);
        if (size <= 0) continue;
        const float distance = dot(normal, p - g.positions[loop[0]]) / size;
        if (best != collision::kNoIndex && distance <= best_distance) continue;
        best = f;
        best_distance = distance;
    }
    return best;
}

}  // namespace

Witness make_witness(const collision::Certificate& certificate, const Vec3f& point_w, const WitnessBody& a,
                     const WitnessBody& b) {
    const auto inside = [&](const WitnessBody& body) {
        const Vec3d offset = collision::cast<double>(point_w) - body.pose.translation;
        return collision::rotate(collision::conjugate(body.pose.rotation), offset);
    };
    Witness out{certificate, inside(a), {}};
    out.face[0] = face_at(*a.geometry, collision::cast<float>(out.point_a));
    out.face[1] = face_at(*b.geometry, collision::cast<float>(inside(b)));
    return out;
}

void view_witness(const Witness& witness, const WitnessBody& a, const WitnessBody& b, SceneView& out) {
    const collision::Matrix34f to_w[2] = {collision::to_matrix(a.pose), collision::to_matrix(b.pose)};
    const collision::Certificate& w = witness.certificate;
    const collision::Geometry* g[2] = {a.geometry, b.geometry};
    const auto place = [&](std::size_t side, std::uint32_t v) {
        return collision::transform_point(to_w[side], g[side]->positions[v]);
    };
    const auto outline = [&](std::size_t side, std::uint32_t polygon) {
        const auto loop = g[side]->topology->loop(polygon);
        for (std::size_t i = 0; i < loop.size(); ++i) {
            out.lines.push_back(
                {place(side, loop[i]), place(side, loop[(i + 1) % loop.size()]), Ink::witness, 2.5f, true});
        }
    };
    if (w.kind == collision::CertificateKind::edge_triangle) {
        const std::size_t edge_side = w.edge_of_b ? 1 : 0, face_side = 1 - edge_side;
        out.lines.push_back(
            {place(edge_side, w.pairs[0][0]), place(edge_side, w.pairs[0][1]), Ink::witness, 4, true});
        outline(face_side, w.polygon);
    } else {  // solids share a point but no feature: outline the nearest faces
        for (std::size_t side = 0; side < 2; ++side)
            if (witness.face[side] != collision::kNoIndex) outline(side, witness.face[side]);
    }
}

Vec3f witness_point(const Witness& witness, const collision::Pose& a) {
    return collision::transform_point(collision::to_matrix(a), collision::cast<float>(witness.point_a));
}

std::string witness_words(const Witness& witness, const char* verb, std::string otherwise) {
    const collision::Certificate& w = witness.certificate;
    if (w.kind != collision::CertificateKind::edge_triangle || w.edge == collision::kNoIndex)
        return otherwise;
    return "Edge " + std::to_string(w.edge) + verb + "face " + std::to_string(w.polygon);
}

}  // namespace claybox::app
