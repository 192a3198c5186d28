#include "engine/render/run_fill.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace claybox::engine {

namespace {

void write_rows(const float* p, const float* q, InstanceData& out) {
    const float w = q[0], x = q[1], y = q[2], z = q[3];
    out.rows[0] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), p[0]};
    out.rows[1] = {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), p[1]};
    out.rows[2] = {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), p[2]};
}

}  // namespace

ViewVolume::ViewVolume(const glm::mat4& m, float height) {
    const auto row = [&](int r) { return glm::vec4(m[0][r], m[1][r], m[2][r], m[3][r]); };
    const glm::vec4 w = row(3);
    const glm::vec4 planes[] = {w + row(0), w - row(0), w + row(1), w - row(1), w + row(2)};
    for (std::size_t k = 0; k < 5; ++k)
        planes_[k] = planes[k] / std::max(glm::length(glm::vec3(planes[k])), 1e-20f);
    depth_ = w;
    // An asymmetric field of view mixes the forward direction into the second row; remove it.
    const glm::vec3 up(row(1)), forward(w);
    const float along = glm::dot(up, forward) / std::max(glm::dot(forward, forward), 1e-20f);
    pixels_per_unit_ = 0.5f * height * glm::length(up - along * forward);
}

bool ViewVolume::sees(const glm::vec3& c, float radius) const {
    bool inside = true;  // no early exit per plane: most bodies are visible
    for (const glm::vec4& plane : planes_)
        inside &= plane.x * c.x + plane.y * c.y + plane.z * c.z + plane.w >= -radius;
    return inside;
}

float ViewVolume::depth(const glm::vec3& c) const {
    return depth_.x * c.x + depth_.y * c.y + depth_.z * c.z + depth_.w;
}

float ViewVolume::pixels(float depth, float radius) const {
    return pixels_per_unit_ * radius / std::max(depth, radius);
}

RunFill fill_run(const InstanceRun& run, std::span<const InstanceData> material_data,
                 const ViewVolume& volume, std::span<InstanceData> out) {
    RunFill fill;
    std::size_t back = out.size();
    float nearest = std::numeric_limits<float>::max();
    for (std::size_t i = 0; i < out.size(); ++i) {
        const float* p = &run.positions[3 * i];
        const glm::vec3 centre(p[0], p[1], p[2]);
        const bool visible = volume.sees(centre, run.radius);  // false for NaN
        InstanceData& data = visible ? out[fill.visible++] : out[--back];
        data = material_data[std::min<std::size_t>(run.material[i], material_data.size() - 1)];
        if (visible) nearest = std::min(nearest, volume.depth(centre));
        if (visible || std::isfinite(p[0] + p[1] + p[2])) write_rows(p, &run.rotations[4 * i], data);
        data.tags[0] = ~0u;
        data.tags[1] = run.first_pick == ~0u ? ~0u : run.first_pick + static_cast<std::uint32_t>(i);
    }
    if (fill.visible > 0) fill.largest = volume.pixels(nearest, run.radius);
    return fill;
}

}  // namespace claybox::engine
