#pragma once
// A copy of the clay that another thread may read. It follows the clay a little in each frame, so that no
// frame copies the whole clay.

#include "app/potter/clay_surface.hpp"

#include <memory>

namespace claybox::app {

/// A state of the clay. Immutable while ClayShadow::update() is not called.
struct ClaySnapshot {
    std::shared_ptr<const collision::Topology> topology;
    std::shared_ptr<const float[]> positions;  ///< x y z of each vertex

    std::span<const float> coordinates() const {
        return {positions.get(), std::size_t{topology->vertex_count} * 3};
    }
};

/// Thread contract: one thread calls everything.
class ClayShadow {
  public:
    /// Runs of ClaySurface::kRun vertices that a call copies, in addition to those that changed since the
    /// last call. So the rest shrinks with every call, whatever the hand does.
    static constexpr std::size_t kRunsPerCall = 1024;

    /// Copies some changed runs. True when the shadow equals the clay bit for bit; false while calls are
    /// missing: at most vertices / (kRun * kRunsPerCall) + 1 of them. Another topology starts again from
    /// nothing.
    bool update(const ClaySurface& surface);
    /// The copy; call it after update() has returned true.
    ClaySnapshot snapshot() const { return {topology_, positions_}; }
    /// Forgets the copy: the next clay may have equal versions and other positions. Snapshots stay valid.
    void forget();
    /// Runs that the last update() copied.
    std::size_t copied() const { return copied_; }

  private:
    void restart(const ClaySurface& surface);
    void copy(std::size_t run, std::span<const collision::Vec3f> positions);

    std::shared_ptr<const collision::Topology> topology_;
    std::shared_ptr<float[]> positions_;
    std::vector<std::uint64_t> versions_;  ///< of each run, when it was copied; 0: never
    std::uint64_t seen_ = 0;               ///< version of the clay in the last call
    bool following_ = false;               ///< the last call did not finish
    std::size_t copied_ = 0;
};

}  // namespace claybox::app
