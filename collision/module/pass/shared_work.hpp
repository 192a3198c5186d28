#pragma once
// Distribution of a pass's tests over its workers: which tests are split into parts or raced, and the order
// of all jobs. See docs/explanation/parallel.md.

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

/// A competitor in the race on one pair: the chosen algorithm, the gap search or the point search.
enum class Racer : unsigned char { chosen, gap, point };

/// A test shared by several workers. The first certain answer stops all parts.
struct SharedTest {
    std::uint32_t test = 0;
    std::uint32_t first_part = 0, part_count = 0;  ///< range in SharedWork::parts()
    StopSource decided;
    std::atomic<std::uint32_t> algorithm_parts_left{0};  ///< parts of the chosen algorithm without an answer
    std::atomic<unsigned char> first{kUndecided};        ///< the winning Racer, or kUndecided
    std::atomic<std::int64_t> decided_ns{0};             ///< time of the first answer, steady clock

    static constexpr unsigned char kUndecided = 255;
    bool won(Racer racer) const {
        return first.load(std::memory_order_relaxed) == static_cast<unsigned char>(racer);
    }
    /// Records the winner and stops the other parts. Only the first call has an effect.
    void decide(Racer racer, std::int64_t now_ns) {
        unsigned char expected = kUndecided;
        if (!first.compare_exchange_strong(expected, static_cast<unsigned char>(racer),
                                           std::memory_order_relaxed))
            return;
        decided_ns.store(now_ns, std::memory_order_relaxed);
        decided.request_stop();
    }
};

/// One part of a shared test, and its result. Results are read after the loop only.
struct TestPart {
    std::uint32_t shared_test = 0;
    Racer racer = Racer::chosen;
    std::uint32_t part = 0, part_count = 1;  ///< of the chosen algorithm's query
    PairResult result;                       ///< status `stopped` when another part answered first
    std::uint32_t worker = 0, first_hit = 0, hit_count = 0;
    std::int64_t ended_ns = 0;  ///< 0: never started
};

/// Cost of an answer of an algorithm with so many counters: the sum of them, at least 1.
inline std::uint32_t step_count(const PairResult& result, std::size_t counters) {
    std::uint64_t sum = result.iterations + std::uint64_t{1};
    for (std::size_t i = 0; i < counters; ++i) sum += result.counters[i];
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, 0xffffffffu));
}

/// What a worker claims at once: a part of a shared test, a large test, or a range of small tests.
struct Job {
    enum class Kind : unsigned char { part, test, range };
    Kind kind = Kind::range;
    std::uint32_t begin = 0, end = 0;
};

/// The jobs of a pass, in order. Memory is kept between passes.
class SharedWork {
  public:
    /// Tests with at least this many steps are claimed one by one, before the small ones.
    static constexpr std::uint32_t kLargeTestSteps = 500;
    /// Number of small tests per claim.
    static constexpr std::uint32_t kTestsPerClaim = 16;
    static constexpr std::size_t kMaxSharedTests = 128;

    SharedWork();

    /// Chooses the shared tests and clears parts and jobs. `work`: expected steps per test. A test is shared
    /// if `can_share` allows it and it has at least `min_steps`. With `pairs` it must also exceed half of a
    /// worker's share of the total work, which includes the `done_steps` of other tests.
    void choose_shared_tests(std::span<const std::uint32_t> work, std::uint64_t done_steps,
                             std::uint32_t min_steps, unsigned workers, bool pairs,
                             FunctionRef<bool(std::uint32_t test)> can_share);
    /// Adds a part. Parts must be added in the order of their shared tests.
    void add_part(const TestPart& part);
    /// Call after all parts were added. Order: parts, large tests (longest first), ranges of the other tests.
    void build_jobs();

    /// Whether one of the tests takes so long that the others must not begin before it.
    bool has_dominant_test() const { return dominant_; }
    std::size_t shared_test_count() const { return shared_test_count_; }
    SharedTest& shared_test(std::size_t i) { return *shared_tests_[i]; }
    std::span<TestPart> parts() { return parts_; }
    std::span<TestPart> parts_of(const SharedTest& shared_test) {
        return parts().subspan(shared_test.first_part, shared_test.part_count);
    }
    std::span<const Job> jobs() const { return jobs_; }
    /// The number of leading jobs (parts and large tests) that must be claimed in order.
    std::size_t ordered_job_count() const { return parts_.size() + large_.size(); }
    /// True when ranges skip this test, because it is a job of its own or shared.
    bool is_separate(std::uint32_t test) const { return separate_[test] != 0; }
    std::size_t memory_bytes() const;

  private:
    std::vector<std::unique_ptr<SharedTest>> shared_tests_;
    std::size_t shared_test_count_ = 0;
    std::vector<TestPart> parts_;
    std::vector<Job> jobs_;
    std::vector<std::uint32_t> large_;  ///< tests, longest first
    std::vector<unsigned char> separate_;
    bool dominant_ = false;
};

}  // namespace claybox::collision
