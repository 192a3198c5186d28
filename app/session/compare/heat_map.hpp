#pragma once
// One body of a pair moves over a grid, and every algorithm answers in every cell: where do they agree with
// exact arithmetic, and what does an answer cost? Works in slices, so that a frame never waits.

#include "app/session/compare/ask_all.hpp"

namespace claybox::app {

/// The grid: B's centre moves along two of the world's axes (0 is x) around A's centre, in steps of the same
/// size. Its place along the third axis stays.
struct HeatSlice {
    std::size_t right = 0, up = 1;  ///< axes of the picture
    std::uint32_t cells = 24;       ///< per side
};

class HeatMap {
  public:
    static constexpr std::uint32_t kMinCells = 8, kMaxCells = 64;

    /// Asks other algorithms than those of the registry. Stops and forgets a map.
    void use(std::span<const collision::PairAlgorithm* const> algorithms);
    void start(const PairSubject& subject, const collision::WorldSettings& settings, const HeatSlice& slice);
    /// Works for about this long; true when this completes the map.
    bool advance(double seconds);
    void cancel() { running_ = false; }
    void clear();

    bool running() const { return running_; }
    std::size_t done() const { return truths_.size(); }  ///< cells: rows from the bottom up, from the left
    std::size_t total() const { return std::size_t{slice_.cells} * slice_.cells; }
    const HeatSlice& slice() const { return slice_; }
    const PairSubject& subject() const { return subject_; }  ///< as the map found it
    double half_side() const { return half_side_; }          ///< of the picture, metres
    std::span<const collision::PairAlgorithm* const> algorithms() const { return algorithms_; }

    /// Of a finished cell: exact arithmetic, and all answers in the order of algorithms().
    const Truth& truth(std::size_t cell) const { return truths_[cell]; }
    std::span<const AlgorithmAnswer> answers(std::size_t cell) const {
        return std::span(answers_).subspan(cell * algorithms_.size(), algorithms_.size());
    }
    /// The worst of a finished cell: disagrees, else approximate, else agrees; unchecked if nothing could be
    /// compared.
    Standing standing(std::size_t cell) const;
    /// The pair with B in this cell; it does not move.
    PairSubject subject_at(std::size_t cell) const;
    /// Of B's centre in this cell, relative to A's centre, metres along the slice's axes.
    double right_of(std::size_t cell) const { return along(cell % slice_.cells); }
    double up_of(std::size_t cell) const { return along(cell / slice_.cells); }

  private:
    double along(std::size_t index) const {
        return half_side_ * (2 * (static_cast<double>(index) + 0.5) / slice_.cells - 1);
    }

    std::span<const collision::PairAlgorithm* const> algorithms_ = collision::pair_algorithms();
    PairSubject subject_;
    HeatSlice slice_;
    AskOptions options_;
    double half_side_ = 0;
    collision::Vec3d centre_a_, centre_b_;  ///< of the bounding spheres, world
    AskAll asked_;
    std::vector<Truth> truths_;
    std::vector<AlgorithmAnswer> answers_;
    bool running_ = false;
};

}  // namespace claybox::app
