#pragma once
// Keeps the dihedral angles of clay near 180 degrees after polygons moved. Source: Zachmann, thesis, 8.1,
// "Avoiding cancer".

#include "collision/core/function_ref.hpp"
#include "collision/geometry/polyhedron.hpp"

#include <vector>

namespace claybox::app {

/// Thread contract: one thread.
class AngleLimit {
  public:
    static constexpr double kLow = 160, kHigh = 200;  ///< degrees inside the clay; 180 is flat
    static constexpr int kMaxScans = 12;

    explicit AngleLimit(const collision::Topology& topology);

    using Move = collision::FunctionRef<void(std::uint32_t vertex, const collision::Vec3f& to)>;
    /// Checks all edges whose angle may have changed since `moved` moved. Moves the ends of a sharp ridge in
    /// and those of a sharp valley out with `move`, which must change `positions`; then checks their
    /// neighbours again. Gives up after kMaxScans scans.
    void relax(std::span<const std::uint32_t> moved, std::span<const collision::Vec3f> positions, Move move);
    /// Checks the edges around vertices that were put back, and moves nothing.
    void update(std::span<const std::uint32_t> moved, std::span<const collision::Vec3f> positions);
    /// Edges that were out of range when the last scan of their relax() ended.
    std::size_t given_up() const { return given_up_; }
    bool is_given_up(std::uint32_t edge) const { return is_given_up_[edge] != 0; }

    /// The angle inside the clay in degrees; 180 for an edge without two polygons.
    double angle(std::uint32_t edge, std::span<const collision::Vec3f> positions) const;

  private:
    void judge_touched(std::span<const collision::Vec3f> positions);
    void enqueue_around(std::uint32_t vertex);
    void correct(std::uint32_t edge, double angle, std::span<const collision::Vec3f> positions, Move move);

    const collision::Topology& topology_;
    std::vector<std::uint32_t> half_edge_;  ///< per edge: one that has a twin, or kNoIndex
    std::vector<std::uint32_t> queue_, next_, touched_;
    std::vector<std::uint8_t> is_queued_, is_touched_, is_given_up_;
    std::size_t given_up_ = 0;
};

}  // namespace claybox::app
