// Distribution of a pass's tests over workers.
#include "collision/module/pass/shared_work.hpp"

#include "collision/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace claybox::collision {
namespace {

constexpr std::uint32_t kMinSteps = 1000;

struct Plan {
    Plan(const std::vector<std::uint32_t>& load, unsigned workers, bool pairs, std::uint32_t parts,
         std::uint64_t done = 0)
        : work(load) {
        shared.choose_shared_tests(work, done, kMinSteps, workers, pairs,
                                   [&](std::uint32_t) { return parts > 1; });
        for (std::uint32_t i = 0; i < shared.shared_test_count(); ++i)
            for (std::uint32_t k = 0; k < parts; ++k) {
                TestPart part;
                part.shared_test = i;
                part.part = k;
                part.part_count = parts;
                shared.add_part(part);
            }
        shared.build_jobs();
    }
    /// Steps of a job; the steps of a shared test are divided evenly among its parts.
    std::uint64_t steps(const Job& job) {
        if (job.kind == Job::Kind::part) {
            const SharedTest& shared_test = shared.shared_test(shared.parts()[job.begin].shared_test);
            return work[shared_test.test] / shared_test.part_count;
        }
        std::uint64_t sum = 0;
        for (std::uint32_t i = job.begin; i < job.end; ++i)
            if (job.kind == Job::Kind::test || !shared.is_separate(i)) sum += work[i];
        return sum;
    }
    /// Simulates workers of equal speed: the first free worker takes the next job. Returns the steps per
    /// worker.
    std::vector<std::uint64_t> simulate(unsigned workers) {
        std::vector<std::uint64_t> busy(workers, 0);
        for (const Job& job : shared.jobs()) *std::min_element(busy.begin(), busy.end()) += steps(job);
        return busy;
    }
    std::vector<std::uint32_t> work;
    SharedWork shared;
};

TEST(SharedWork, tests_that_are_done_count_in_the_total) {
    const std::vector<std::uint32_t> work = {5000, 10, 10};
    EXPECT_EQ(Plan(work, 2, true, 2).shared.shared_test_count(), 1u);
    EXPECT_TRUE(Plan(work, 2, true, 2).shared.has_dominant_test());
    EXPECT_EQ(Plan(work, 2, true, 2, 10000).shared.shared_test_count(), 1u);
    EXPECT_FALSE(Plan(work, 2, true, 2, 10000).shared.has_dominant_test());
    EXPECT_EQ(Plan(work, 2, true, 2, 20000).shared.shared_test_count(), 0u) << "half a share is 6255 steps";
    EXPECT_FALSE(Plan({10, 10}, 2, true, 2).shared.has_dominant_test());
}

TEST(SharedWork, every_test_belongs_to_exactly_one_job) {
    Random random(2);
    for (const std::uint32_t parts : {1u, 6u})
        for (const bool pairs : {false, true}) {
            std::vector<std::uint32_t> work;
            for (int i = 0; i < 3000; ++i)
                work.push_back(random.below(50) == 0 ? random.below(9000) : random.below(9));
            Plan plan(work, 3, pairs, parts);
            std::vector<int> times(work.size(), 0);
            for (const Job& job : plan.shared.jobs())
                for (std::uint32_t i = job.begin; i < job.end && job.kind != Job::Kind::part; ++i)
                    times[i] += job.kind == Job::Kind::test || !plan.shared.is_separate(i);
            for (std::size_t t = 0; t < plan.shared.shared_test_count(); ++t)
                ++times[plan.shared.shared_test(t).test];
            EXPECT_EQ(std::count(times.begin(), times.end(), 1), static_cast<std::ptrdiff_t>(times.size()));
            EXPECT_EQ(plan.shared.parts().size(), parts * plan.shared.shared_test_count());
        }
}

TEST(SharedWork, Z_6_balance_few_long_tests_among_many_short_ones_are_balanced_between_workers) {
    Random random(4);
    for (const unsigned workers : {2u, 3u, 5u})
        for (const bool long_ones_last : {false, true}) {
            std::vector<std::uint32_t> work;
            for (int i = 0; i < 4000; ++i) work.push_back(1 + random.below(6));
            const auto end = long_ones_last ? work.end() : work.begin();
            work.insert(end, {700, 900, 2500, 600, 800, 1200, 300, 2900});
            Plan plan(work, workers, true, 1);
            const auto busy = plan.simulate(workers);
            const auto [min, max] = std::minmax_element(busy.begin(), busy.end());
            EXPECT_LE(static_cast<double>(*max), 1.1 * static_cast<double>(*min)) << workers;
        }
}

TEST(SharedWork, Z_6_balance_only_tests_longer_than_half_a_share_are_split) {
    std::vector<std::uint32_t> work(200, 20);
    work[77] = 9000;
    work[78] = 1200;
    Plan plan(work, 2, true, 8);
    ASSERT_EQ(plan.shared.shared_test_count(), 1u);
    EXPECT_EQ(plan.shared.shared_test(0).test, 77u);
    const auto busy = plan.simulate(2);
    EXPECT_LE(static_cast<double>(std::max(busy[0], busy[1])),
              1.1 * static_cast<double>(std::min(busy[0], busy[1])));
    // Without `pairs`, all tests with enough steps are shared.
    EXPECT_EQ(Plan(work, 2, false, 8).shared.shared_test_count(), 2u);
    EXPECT_EQ(Plan(work, 2, false, 1).shared.shared_test_count(), 0u);
}

TEST(SharedWork, long_tests_come_first_and_are_ordered_by_length) {
    std::vector<std::uint32_t> work(5000, 2);
    work[4000] = 700;
    work[123] = 900;
    Plan plan(work, 2, true, 1);
    const auto jobs = plan.shared.jobs();
    ASSERT_EQ(plan.shared.ordered_job_count(), 2u);
    EXPECT_EQ(jobs[0].begin, 123u);
    EXPECT_EQ(jobs[1].begin, 4000u);
    for (const Job& job : jobs.subspan(2)) EXPECT_EQ(job.kind, Job::Kind::range);
}

TEST(SharedWork, number_of_shared_tests_is_limited_and_the_rest_is_tested_whole) {
    Plan plan(std::vector<std::uint32_t>(300, 5000), 4, false, 4);
    EXPECT_EQ(plan.shared.shared_test_count(), SharedWork::kMaxSharedTests);
    std::size_t whole = 0;
    for (const Job& job : plan.shared.jobs()) whole += job.kind == Job::Kind::test;
    EXPECT_EQ(whole, 300 - SharedWork::kMaxSharedTests);
}

}  // namespace
}  // namespace claybox::collision
