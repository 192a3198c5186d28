#include "engine/render/passes/occluders.hpp"

#include "engine/render/frame.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace claybox::engine {

namespace {

/// Distance of a number from an interval.
float gap(float value, float low, float high) {
    return std::max({low - value, value - high, 0.0f});
}

}  // namespace

void Occluders::choose(const RenderList& list) {
    own_.assign(list.instances.size(), ~0u);
    candidates_.clear();
    for (std::size_t i = 0; i < list.occluders.size(); ++i) {
        const Occluder& o = list.occluders[i];
        const glm::vec3 away = o.centre - list.camera.target;
        const float distance = glm::dot(away, away);
        if (!(o.radius > 0) || !std::isfinite(distance + kReach * o.radius)) continue;
        if (o.instance < own_.size()) candidates_.push_back({distance, static_cast<std::uint32_t>(i)});
    }
    const auto nearer = [](const Candidate& a, const Candidate& b) {
        return a.distance != b.distance ? a.distance < b.distance : a.index < b.index;
    };
    const auto count =
        std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(candidates_.size()), kMaxOccluders);
    const auto chosen_end = candidates_.begin() + count;
    std::nth_element(candidates_.begin(), chosen_end, candidates_.end(), nearer);
    std::sort(candidates_.begin(), chosen_end, nearer);
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
        const Occluder& o = list.occluders[candidates_[k].index];
        spheres_[k] = glm::vec4(o.centre, o.radius);
        std::uint32_t& own = own_[o.instance];
        own = own << 8 | static_cast<std::uint32_t>(k);  // unused bytes stay kNone
    }
    place_grid(static_cast<int>(count));
    fill_grid(static_cast<int>(count));
}

/// The grid covers the reach of all spheres; points outside use the nearest border cell.
void Occluders::place_grid(int count) {
    glm::vec2 low(0), high(0);
    for (int k = 0; k < count; ++k) {
        const glm::vec4& s = spheres_[static_cast<std::size_t>(k)];
        const glm::vec2 centre(s.x, s.z), reach(kReach * s.w);
        low = k == 0 ? centre - reach : glm::min(low, centre - reach);
        high = k == 0 ? centre + reach : glm::max(high, centre + reach);
    }
    const glm::vec2 size = glm::max(high - low, glm::vec2(1e-3f));
    cells_ = glm::vec4(low, glm::vec2(kCells) / size);
}

void Occluders::fill_grid(int count) {
    for (auto& cell : grid_) cell.fill(kNone);
    for (auto& cell : grid_distances_) cell.fill(std::numeric_limits<float>::max());
    const glm::vec2 low(cells_.x, cells_.y), per_metre(cells_.z, cells_.w), size = 1.0f / per_metre;
    for (int k = 0; k < count; ++k) {
        const glm::vec4& s = spheres_[static_cast<std::size_t>(k)];
        const glm::vec2 centre(s.x, s.z);
        const float reach = kReach * s.w;
        const auto cell_at = [&](const glm::vec2& p) {
            return glm::ivec2(glm::clamp((p - low) * per_metre, 0.0f, static_cast<float>(kCells - 1)));
        };
        const glm::ivec2 first = cell_at(centre - reach), last = cell_at(centre + reach);
        for (int z = first.y; z <= last.y; ++z) {
            const float z0 = low.y + size.y * static_cast<float>(z), gap_z = gap(s.z, z0, z0 + size.y);
            for (int x = first.x; x <= last.x; ++x) {
                const float x0 = low.x + size.x * static_cast<float>(x), gap_x = gap(s.x, x0, x0 + size.x);
                const float distance = gap_x * gap_x + gap_z * gap_z;
                if (distance < reach * reach)
                    add_to_cell(static_cast<std::size_t>(z) * kCells + static_cast<std::size_t>(x),
                                distance / (s.w * s.w), static_cast<std::uint8_t>(k));
            }
        }
    }
}

/// Keeps the nearest spheres; of equally near ones, those that came first.
void Occluders::add_to_cell(std::size_t cell, float distance, std::uint8_t sphere) {
    auto& spheres = grid_[cell];
    auto& distances = grid_distances_[cell];
    if (!(distance < distances.back())) return;
    std::size_t at = kPerCell - 1;
    for (; at > 0 && distance < distances[at - 1]; --at) {
        spheres[at] = spheres[at - 1];
        distances[at] = distances[at - 1];
    }
    spheres[at] = sphere;
    distances[at] = distance;
}

void Occluders::upload_and_bind() {
    const bool first = !texture_;
    if (first) texture_ = Texture::make();
    glActiveTexture(GL_TEXTURE0 + kOccluderUnit);
    glBindTexture(GL_TEXTURE_2D, texture_.id());
    if (first) {
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32UI, kCells, kCells, 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT,
                 grid_.data());
}

}  // namespace claybox::engine
