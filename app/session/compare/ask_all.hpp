#pragma once
// One pair, asked of every algorithm: verdicts, distances, steps and times next to exact arithmetic. Works in
// slices, so that a frame never waits for all of them.

#include "app/session/compare/referee.hpp"
#include "collision/module/world.hpp"

#include <optional>
#include <span>
#include <string>

namespace claybox::app {

/// The answer of one algorithm about one pair.
struct AlgorithmAnswer {
    const char* id = "";
    const char* title = "";
    bool along_motion = false;  ///< of a continuous algorithm
    bool exact = true;
    Standing standing = Standing::no_answer;
    collision::Verdict verdict = collision::Verdict::undecided;
    collision::Meaning meaning = collision::Meaning::solid;
    std::optional<double> distance, depth;  ///< metres
    std::optional<double> time_of_impact;   ///< share of the step
    std::uint32_t iterations = 0;
    double ns = 0;         ///< median of a few runs, each from an empty cache; the verdict only
    const char* why = "";  ///< why the standing is not `agrees`
};

/// The settings that a question depends on.
struct AskOptions {
    collision::WorldSettings settings = collision::default_settings();
    /// Algorithms that took longer than this in the round before are left out, seconds; 0: none is.
    double slowest = 0;
    /// Verdicts only, each with the time of the faster of two runs: for many pairs in a row.
    bool quick = false;
};

class AskAll {
  public:
    /// Asks other algorithms than those of the registries.
    void use(std::span<const collision::PairAlgorithm* const> pairs,
             std::span<const collision::ContinuousAlgorithm* const> continuous);
    /// Starts a round about this pair. The rows of the last round stay until this one is complete.
    void start(const PairSubject& subject, const AskOptions& options);
    /// Works for about this long: one algorithm at least, and no further one after the time is over. Returns
    /// true when this completes the round.
    bool advance(double seconds);
    void clear();

    bool running() const { return running_; }
    std::size_t done() const { return next_; }
    std::size_t total() const { return pairs_.size() + (working_.moves() ? continuous_.size() : 0); }
    /// Of the last complete round, in the order of the registries.
    std::span<const AlgorithmAnswer> rows() const { return rows_; }
    const PairSubject& subject() const { return subject_; }  ///< of the rows
    const Truth& truth() const { return truth_; }            ///< of the rows
    std::size_t disagreements() const;
    std::size_t count(Standing standing) const;

  private:
    AlgorithmAnswer ask(const collision::PairAlgorithm& algorithm);
    AlgorithmAnswer ask(const collision::ContinuousAlgorithm& algorithm);
    void ask_next();
    void complete();

    std::span<const collision::PairAlgorithm* const> pairs_ = collision::pair_algorithms();
    std::span<const collision::ContinuousAlgorithm* const> continuous_ = collision::continuous_algorithms();
    PairSubject working_, subject_;
    AskOptions options_;
    Truth working_truth_, truth_;
    collision::Verdict motion_truth_ = collision::Verdict::undecided;
    std::vector<AlgorithmAnswer> collected_, rows_;
    std::vector<double> took_;  ///< seconds of the last time that each algorithm was asked, by index
    std::size_t next_ = 0;
    bool running_ = false, knows_truth_ = false;
    PreparedShapes prepared_;
    collision::Scratch scratch_;
    std::vector<std::byte> pool_;
};

/// A query of this pair for an algorithm, with the parameters of the settings if it is the chosen one, else
/// the defaults. Large convex bodies are asked about without data that only makes queries faster.
collision::PairQuery query_for(const collision::PairAlgorithm& algorithm, const PairSubject& subject,
                               const collision::WorldSettings& settings, PreparedShapes& prepared,
                               collision::Scratch& scratch);

/// The same for a continuous algorithm. Prepares only what the algorithm accepts.
collision::ContinuousQuery motion_query_for(const collision::ContinuousAlgorithm& algorithm,
                                            const PairSubject& subject,
                                            const collision::WorldSettings& settings,
                                            PreparedShapes& prepared, collision::Scratch& scratch);

/// Whether the algorithm must prepare data for these bodies that takes seconds: it is not asked then.
bool is_slow_to_prepare(const collision::PairAlgorithm& algorithm, const PairSubject& subject);

/// "Needs convex bodies".
const char* needs_sentence(collision::Needs needs);

}  // namespace claybox::app
