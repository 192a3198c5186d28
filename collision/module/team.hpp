#pragma once
// What a pass shares out among its workers: which pairs are tested in parts, by whom, and in what order the
// rest is taken. See docs/parallel.md.

#include "collision/core/function_ref.hpp"
#include "collision/jobs/stop_token.hpp"
#include "collision/pairwise/query.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace claybox::collision {

/// Who has the answer to a shared pair: the algorithm that was asked, or a search that races against it.
enum class Racer : unsigned char { chosen, gap, point };

/// One pair that several workers test. The first certain answer ends all its parts.
struct Team {
    std::uint32_t test = 0;
    std::uint32_t first_part = 0, part_count = 0;  ///< in SharedWork::parts
    StopSource decided;
    std::atomic<std::uint32_t> chosen_left{0};  ///< parts of the chosen algorithm without an answer
    std::atomic<unsigned char> first{kNobody};  ///< a Racer
    std::atomic<std::int64_t> decided_ns{0};    ///< when, on a clock of the pass

    static constexpr unsigned char kNobody = 255;
    bool was_first(Racer racer) const {
        return first.load(std::memory_order_relaxed) == static_cast<unsigned char>(racer);
    }
    /// Only the first one counts.
    void decide(Racer racer, std::int64_t now_ns) {
        unsigned char nobody = kNobody;
        if (!first.compare_exchange_strong(nobody, static_cast<unsigned char>(racer),
                                           std::memory_order_relaxed))
            return;
        decided_ns.store(now_ns, std::memory_order_relaxed);
        decided.request_stop();
    }
};

/// A part of a team's work, and what came of it. Read after the loop only.
struct TeamPart {
    std::uint32_t team = 0;
    Racer racer = Racer::chosen;
    std::uint32_t part = 0, part_count = 1;  ///< of the chosen algorithm's query
    PairResult result;                       ///< stopped where another part was first
    std::uint32_t worker = 0, first_hit = 0, hit_count = 0;
    std::int64_t ended_ns = 0;  ///< 0: never begun
};

/// All that an algorithm counts: what its answer has cost, at least 1.
inline std::uint32_t steps_of(const PairResult& result) {
    std::uint64_t sum = result.iterations + std::uint64_t{1};
    for (const std::uint32_t count : result.counters) sum += count;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, 0xffffffffu));
}

/// What a worker claims: a part of a team, a large test, or a range of tests without those.
struct Job {
    enum class Kind : unsigned char { part, test, range };
    Kind kind = Kind::range;
    std::uint32_t begin = 0, end = 0;
};

/// The order in which a pass's tests are taken. Memory is kept between passes.
class SharedWork {
  public:
    /// Steps from which a pair is claimed alone, before the small ones.
    static constexpr std::uint32_t kLarge = 500;
    /// Small tests are claimed by so many.
    static constexpr std::uint32_t kClaim = 16;
    static constexpr std::size_t kMostTeams = 128;

    SharedWork();

    /// `work`: steps of each test, as far as is known. Chooses the tests that become teams, of those that
    /// `can_share` allows and that have `least` steps: with `pairs` the ones that are more than half of a
    /// worker's share of all, else all. Forgets parts and jobs.
    void choose_teams(std::span<const std::uint32_t> work, std::uint32_t least, unsigned workers, bool pairs,
                      FunctionRef<bool(std::uint32_t test)> can_share);
    /// To the team that was added to last, or to the one after it.
    void add_part(const TeamPart& part);
    /// When all parts are there: first these, then large tests, the longest first, then ranges of the others.
    void make_jobs();

    std::size_t team_count() const { return team_count_; }
    Team& team(std::size_t i) { return *teams_[i]; }
    std::span<TeamPart> parts() { return parts_; }
    std::span<TeamPart> parts_of(const Team& team) {
        return parts().subspan(team.first_part, team.part_count);
    }
    std::span<const Job> jobs() const { return jobs_; }
    /// Of these the parts and large tests, which are taken in turn.
    std::size_t jobs_in_turn() const { return parts_.size() + large_.size(); }
    /// Whether a range of tests passes this one over, because it is a job of its own or a team's.
    bool is_apart(std::uint32_t test) const { return apart_[test] != 0; }
    std::size_t memory_bytes() const;

  private:
    std::vector<std::unique_ptr<Team>> teams_;
    std::size_t team_count_ = 0;
    std::vector<TeamPart> parts_;
    std::vector<Job> jobs_;
    std::vector<std::uint32_t> large_;  ///< tests, the longest first
    std::vector<unsigned char> apart_;
};

}  // namespace claybox::collision
