#pragma once
// Thickness of the clay's walls at every vertex, kept up to date with a bounded number of rays per frame.

#include "app/potter/clay_surface.hpp"
#include "app/potter/walls/wall_measure.hpp"
#include "collision/geometry/shape.hpp"

#include <span>

namespace claybox::app {

/// WallMeasure measures a vertex. Moved vertices are measured first, then everything within kFar of them.
/// When nothing waits, all values equal those of a new object over the same clay, bit for bit. Thread
/// contract: one thread.
class WallThickness {
  public:
    /// Thicker walls, and walls that are not measured yet, count as this; metres.
    static constexpr float kFar = kFarWall;
    /// Vertices per entry of run_versions(): the same as those of the clay, which shares its ViewMesh.
    static constexpr std::size_t kRun = ClaySurface::kRun;

    /// Keeps references. Nothing is measured yet. Other polygons need another object.
    WallThickness(const collision::Topology& topology, const std::vector<collision::Vec3f>& positions,
                  const std::vector<collision::Vec3f>& normals);

    /// The same clay from now on, with equal values at another place: for an object that was made elsewhere.
    void use(const collision::Topology& topology, const std::vector<collision::Vec3f>& positions,
             const std::vector<collision::Vec3f>& normals);

    /// These vertices have moved since the last call.
    void note(std::span<const collision::VertexChange> moved);
    /// A vertex needs at most this many rays; most need one.
    static constexpr std::size_t kMostRays = 13;
    /// Measures until it has used `rays` rays, the last vertex to its end; the time is proportional to them.
    /// Positions and normals must be up to date.
    void measure(std::size_t rays);
    /// True when no vertex waits.
    bool up_to_date() const { return moved_.empty() && urgent_.empty() && checked_ >= thickness_.size(); }

    /// True once every vertex has been measured, also while some wait again.
    bool is_known() const { return unknown_ == 0; }

    /// Per vertex, metres.
    const std::vector<float>& thickness() const { return thickness_; }
    /// Version of the last change in each run of kRun vertices.
    const std::vector<std::uint64_t>& run_versions() const { return run_versions_; }
    std::uint64_t version() const { return version_; }
    std::uint64_t rays() const { return rays_; }  ///< so far

    struct Place {
        float thickness = kFar;
        std::uint32_t vertex = collision::kNoIndex;
    };
    /// The thinnest place so far; no vertex if every wall is at least kFar thick.
    Place thinnest() const;

  private:
    using Blocks = std::array<int, 6>;  ///< low and high block per axis
    void take_in(std::uint32_t polygon);
    void take_in_moved(std::size_t count);
    void mark_near(const CellBox& cells);
    void make_urgent(std::uint32_t vertex);
    bool is_stale(std::uint32_t vertex) const;
    /// Returns the number of rays.
    std::size_t measure_vertex(std::uint32_t vertex);
    void set(std::uint32_t vertex, float thickness);

    static constexpr std::size_t kBlockMarks = 1 << 14;  ///< hash values share a mark: then more is measured
    static constexpr std::size_t kRecent = 256;
    const collision::Topology* topology_;
    const std::vector<collision::Vec3f>* positions_;
    const std::vector<collision::Vec3f>* normals_;
    RayGrid grid_;
    std::vector<float> thickness_;
    std::vector<float> run_thinnest_;
    std::vector<std::uint64_t> run_versions_;
    std::uint64_t version_ = 1, rays_ = 0;
    bool changed_ = false;     ///< by the current measure()
    std::uint32_t round_ = 1;  ///< of changes
    std::uint32_t all_changed_ = 0;
    std::vector<std::uint32_t> block_changed_;  ///< round of the last change near a block of space
    std::vector<std::uint32_t> measured_;       ///< per vertex: the round; 0: never
    std::vector<std::uint32_t> taken_in_;       ///< per polygon: the round
    struct Recent {
        Blocks blocks{};
        std::uint32_t round = 0;
    };
    std::vector<Recent> recent_;  ///< ranges of blocks that were marked last
    std::vector<std::uint8_t> waits_;
    std::vector<std::uint32_t> moved_, urgent_;
    std::size_t next_moved_ = 0, next_urgent_ = 0;
    std::size_t unknown_;       ///< vertices that were never measured
    std::uint32_t cursor_ = 0;  ///< of the search for other vertices to measure
    std::size_t checked_ = 0;   ///< vertices that the search has passed since the last change
};

}  // namespace claybox::app
