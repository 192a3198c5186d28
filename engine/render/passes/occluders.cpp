#include "engine/render/passes/occluders.hpp"

#include "engine/render/frame.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::engine {

void Occluders::propose(const RenderList& list, std::size_t instance, const glm::vec4& sphere) {
    const float distance = glm::length(glm::vec3(sphere) - list.camera.target);
    if (!(sphere.w > 0) || !std::isfinite(distance) || !std::isfinite(sphere.w)) return;
    candidates_.push_back({distance, static_cast<std::uint32_t>(candidates_.size()),
                           static_cast<std::uint32_t>(instance), sphere});
}

void Occluders::choose(const RenderList& list) {
    own_.assign(list.instances.size(), ~0u);
    candidates_.clear();
    for (std::size_t i = 0; i < list.instances.size(); ++i) {
        const Instance& instance = list.instances[i];
        propose(list, i, glm::vec4(glm::vec3(instance.world_from_local[3]), instance.occluder_radius));
        for (const glm::vec4& sphere : instance.occluders) propose(list, i, sphere);
    }
    const auto count =
        std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(candidates_.size()), kMaxOccluders);
    std::partial_sort(candidates_.begin(), candidates_.begin() + count, candidates_.end(),
                      [](const Candidate& a, const Candidate& b) {
                          return a.distance != b.distance ? a.distance < b.distance : a.order < b.order;
                      });
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
        spheres_[k] = candidates_[k].sphere;
        std::uint32_t& own = own_[candidates_[k].instance];
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
    const glm::vec2 low(cells_.x, cells_.y), size = 1.0f / glm::vec2(cells_.z, cells_.w);
    for (int z = 0; z < kCells; ++z) {
        for (int x = 0; x < kCells; ++x) {
            const glm::vec2 corner = low + size * glm::vec2(static_cast<float>(x), static_cast<float>(z));
            std::array<std::pair<float, std::uint8_t>, kMaxOccluders> nearby;
            int found = 0;
            for (int k = 0; k < count; ++k) {
                const glm::vec4& s = spheres_[static_cast<std::size_t>(k)];
                const glm::vec2 centre(s.x, s.z);
                const glm::vec2 gap = centre - glm::clamp(centre, corner, corner + size);
                const float distance = glm::length(gap) / s.w;
                if (distance < kReach)
                    nearby[static_cast<std::size_t>(found++)] = {distance, static_cast<std::uint8_t>(k)};
            }
            if (found > kPerCell) std::sort(nearby.begin(), nearby.begin() + found);
            auto& cell = grid_[static_cast<std::size_t>(z * kCells + x)];
            cell.fill(kNone);
            for (int k = 0; k < std::min(found, kPerCell); ++k)
                cell[static_cast<std::size_t>(k)] = nearby[static_cast<std::size_t>(k)].second;
        }
    }
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
