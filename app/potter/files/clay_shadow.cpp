#include "app/potter/files/clay_shadow.hpp"

#include <algorithm>
#include <cstring>

namespace claybox::app {

static_assert(sizeof(collision::Vec3f) == 3 * sizeof(float), "positions are copied as bytes");

void ClayShadow::forget() {
    topology_.reset();
    positions_.reset();
    versions_.clear();
    following_ = false;
}

void ClayShadow::restart(const ClaySurface& surface) {
    forget();
    topology_ = surface.start()->geometry().topology;
    // Not initialised: writing zeros into a large clay would take longer than copying its changes.
    positions_ = std::shared_ptr<float[]>(new float[surface.positions().size() * 3]);
    versions_.assign(surface.run_versions().size(), 0);
}

void ClayShadow::copy(std::size_t run, std::span<const collision::Vec3f> positions) {
    const std::size_t first = run * ClaySurface::kRun;
    const auto part = positions.subspan(first, std::min(ClaySurface::kRun, positions.size() - first));
    std::memcpy(positions_.get() + first * 3, part.data(), part.size_bytes());
}

bool ClayShadow::update(const ClaySurface& surface) {
    if (topology_ != surface.start()->geometry().topology) restart(surface);
    const std::vector<std::uint64_t>& now = surface.run_versions();
    std::size_t budget = kRunsPerCall;
    if (following_)
        budget += static_cast<std::size_t>(
            std::count_if(now.begin(), now.end(), [&](std::uint64_t version) { return version > seen_; }));
    seen_ = surface.version();
    copied_ = 0;
    following_ = false;
    for (std::size_t run = 0; run < now.size(); ++run) {
        if (versions_[run] == now[run]) continue;
        if (copied_ == budget) {
            following_ = true;
            break;
        }
        copy(run, surface.positions());
        versions_[run] = now[run];
        ++copied_;
    }
    return !following_;
}

}  // namespace claybox::app
