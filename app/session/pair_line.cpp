#include "app/session/pair_line.hpp"

#include "app/session/recording_json.hpp"

namespace claybox::app {

using Json = nlohmann::ordered_json;

Json matrix_to_json(const collision::Matrix34f& matrix) {
    Json out = Json::array();
    for (const float entry : matrix.m) out.push_back(static_cast<double>(entry));
    return out;
}

Json hull_to_json(const collision::Shape& shape) {
    const collision::ConvexHull& hull = *shape.hull();
    Json points = Json::array();
    for (std::uint32_t v = 0; v < hull.vertex_count; ++v) {
        const auto p = collision::cast<double>(hull.vertex(v));
        points.push_back({p.x, p.y, p.z});
    }
    return {{"kind", "vertices"}, {"points", std::move(points)}};
}

std::string hardest_pair_line(const collision::HardestPair& pair) {
    CLAYBOX_ASSERT(pair.iterations > 0);
    const Json line{{"id", "bodies " + std::to_string(pair.data_a) + " and " + std::to_string(pair.data_b)},
                    {"pair", pair.algorithm->id},
                    {"k", pair.iterations},
                    {"frame", pair.frame},
                    {"parameters", values_to_json(pair.algorithm->parameters, pair.parameters)},
                    {"matrix_a", matrix_to_json(pair.world_from_a)},
                    {"matrix_b", matrix_to_json(pair.world_from_b)},
                    {"a", hull_to_json(*pair.a)},
                    {"b", hull_to_json(*pair.b)}};
    return line.dump() + "\n";
}

}  // namespace claybox::app
