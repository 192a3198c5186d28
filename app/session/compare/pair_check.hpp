#pragma once
// Every pair of bodies with overlapping boxes in one frame, asked of every exact algorithm, in slices.

#include "app/session/compare/ask_all.hpp"

#include <array>
#include <span>
#include <string>

namespace claybox::app {

/// A body of the frame.
struct CheckBody {
    collision::ShapePtr shape;
    collision::Matrix34f world_from_body;
    std::uint32_t pick = collision::kNoIndex;
    /// Bodies of the same set are not compared: parts of one hand. 0: of no set.
    std::uint32_t set = 0;
};

class PairCheck {
  public:
    /// An answer that exact arithmetic contradicts.
    struct Difference {
        std::uint32_t pick_a = collision::kNoIndex, pick_b = collision::kNoIndex;
        const collision::PairAlgorithm* algorithm = nullptr;
        collision::Verdict verdict = collision::Verdict::undecided, truth = collision::Verdict::undecided;
        PairSubject subject;
    };
    struct Counts {
        std::uint64_t pairs = 0, colliding = 0, answers = 0, disagreements = 0;
        std::uint64_t not_accepted = 0;  ///< answers that algorithms cannot give, for example to a torus
        std::uint64_t unchecked = 0;     ///< answers to which exact arithmetic has no verdict
    };

    /// Pairs by the iterations of the algorithm of the settings: 0, 1, 2 to 3, 4 to 7 and so on.
    using Histogram = std::array<std::uint64_t, 12>;

    /// Asks other algorithms than the exact ones of the registry.
    void use(std::vector<const collision::PairAlgorithm*> algorithms) { algorithms_ = std::move(algorithms); }
    void start(std::vector<CheckBody> bodies, const collision::WorldSettings& settings, std::uint64_t frame);
    /// Works for about this long; true when this completes the check.
    bool advance(double seconds);
    void cancel() { running_ = false; }
    void clear();

    bool running() const { return running_; }
    /// A check was completed or cancelled.
    bool has_result() const { return !running_ && started_; }
    bool complete() const { return has_result() && !searching() && next_ == candidates_.size(); }
    /// The pairs are not known yet: total() still grows.
    bool searching() const { return swept_ < order_.size(); }
    std::size_t done() const { return next_; }
    std::size_t total() const { return candidates_.size(); }
    std::size_t algorithms() const { return algorithms_.size(); }
    std::uint64_t frame() const { return frame_; }
    const Counts& counts() const { return counts_; }
    const Histogram& histogram() const { return histogram_; }
    const collision::PairAlgorithm* counted() const { return settings_.pair_algorithm; }
    const std::optional<Difference>& first() const { return first_; }

  private:
    void sort_boxes();
    void find_neighbours();
    void check(const CheckBody& a, const CheckBody& b);
    std::optional<collision::PairResult> ask(const collision::PairAlgorithm& algorithm,
                                             const PairSubject& subject);

    std::vector<const collision::PairAlgorithm*> algorithms_;
    std::vector<CheckBody> bodies_;
    std::vector<collision::Aabb> boxes_;
    std::vector<std::uint32_t> order_;  ///< of the bodies, along x
    std::size_t swept_ = 0;             ///< bodies of the order whose neighbours are found
    std::vector<std::pair<std::uint32_t, std::uint32_t>> candidates_;
    collision::WorldSettings settings_;
    PreparedShapes prepared_;
    collision::Scratch scratch_;
    std::vector<std::byte> pool_;
    std::size_t next_ = 0;
    std::uint64_t frame_ = 0;
    bool running_ = false, started_ = false;
    Counts counts_;
    Histogram histogram_{};
    std::optional<Difference> first_;
};

/// The exact algorithms of the registry.
std::vector<const collision::PairAlgorithm*> exact_algorithms();

}  // namespace claybox::app
