// How a pass's tests are put in order for its workers.
#include "collision/module/team.hpp"

#include "collision/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace claybox::collision {
namespace {

constexpr std::uint32_t kLeast = 1000;

struct Plan {
    Plan(const std::vector<std::uint32_t>& load, unsigned workers, bool pairs, std::uint32_t parts)
        : work(load) {
        shared.choose_teams(work, kLeast, workers, pairs, [&](std::uint32_t) { return parts > 1; });
        for (std::uint32_t team = 0; team < shared.team_count(); ++team)
            for (std::uint32_t k = 0; k < parts; ++k) {
                TeamPart part;
                part.team = team;
                part.part = k;
                part.part_count = parts;
                shared.add_part(part);
            }
        shared.make_jobs();
    }
    /// Steps of a job, a team's divided evenly.
    std::uint64_t steps(const Job& job) {
        if (job.kind == Job::Kind::part) {
            const Team& team = shared.team(shared.parts()[job.begin].team);
            return work[team.test] / team.part_count;
        }
        std::uint64_t sum = 0;
        for (std::uint32_t i = job.begin; i < job.end; ++i)
            if (job.kind == Job::Kind::test || !shared.is_apart(i)) sum += work[i];
        return sum;
    }
    /// Steps of each of so many workers of equal speed: who is free first takes the next job.
    std::vector<std::uint64_t> play(unsigned workers) {
        std::vector<std::uint64_t> busy(workers, 0);
        for (const Job& job : shared.jobs()) *std::min_element(busy.begin(), busy.end()) += steps(job);
        return busy;
    }
    std::vector<std::uint32_t> work;
    SharedWork shared;
};

TEST(SharedWork, every_test_is_in_one_job) {
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
                    times[i] += job.kind == Job::Kind::test || !plan.shared.is_apart(i);
            for (std::size_t t = 0; t < plan.shared.team_count(); ++t) ++times[plan.shared.team(t).test];
            EXPECT_EQ(std::count(times.begin(), times.end(), 1), static_cast<std::ptrdiff_t>(times.size()));
            EXPECT_EQ(plan.shared.parts().size(), parts * plan.shared.team_count());
        }
}

TEST(SharedWork, Z_6_balance_a_few_long_tests_among_many_short_ones_leave_no_worker_idle) {
    Random random(4);
    for (const unsigned workers : {2u, 3u, 5u})
        for (const bool long_ones_last : {false, true}) {
            std::vector<std::uint32_t> work;
            for (int i = 0; i < 4000; ++i) work.push_back(1 + random.below(6));
            const auto end = long_ones_last ? work.end() : work.begin();
            work.insert(end, {700, 900, 2500, 600, 800, 1200, 300, 2900});
            Plan plan(work, workers, true, 1);
            const auto busy = plan.play(workers);
            const auto [least, most] = std::minmax_element(busy.begin(), busy.end());
            EXPECT_LE(static_cast<double>(*most), 1.1 * static_cast<double>(*least)) << workers;
        }
}

TEST(SharedWork, Z_6_balance_a_test_longer_than_a_share_is_split_and_others_are_not) {
    std::vector<std::uint32_t> work(200, 20);
    work[77] = 9000;
    work[78] = 1200;
    Plan plan(work, 2, true, 8);
    ASSERT_EQ(plan.shared.team_count(), 1u);
    EXPECT_EQ(plan.shared.team(0).test, 77u);
    const auto busy = plan.play(2);
    EXPECT_LE(static_cast<double>(std::max(busy[0], busy[1])),
              1.1 * static_cast<double>(std::min(busy[0], busy[1])));
    // Without pairs in parallel all that are worth it are teams.
    EXPECT_EQ(Plan(work, 2, false, 8).shared.team_count(), 2u);
    EXPECT_EQ(Plan(work, 2, false, 1).shared.team_count(), 0u);
}

TEST(SharedWork, long_ones_are_taken_in_turn_and_the_longest_first) {
    std::vector<std::uint32_t> work(5000, 2);
    work[4000] = 700;
    work[123] = 900;
    Plan plan(work, 2, true, 1);
    const auto jobs = plan.shared.jobs();
    ASSERT_EQ(plan.shared.jobs_in_turn(), 2u);
    EXPECT_EQ(jobs[0].begin, 123u);
    EXPECT_EQ(jobs[1].begin, 4000u);
    for (const Job& job : jobs.subspan(2)) EXPECT_EQ(job.kind, Job::Kind::range);
}

TEST(SharedWork, teams_are_limited_and_what_is_left_is_tested_whole) {
    Plan plan(std::vector<std::uint32_t>(300, 5000), 4, false, 4);
    EXPECT_EQ(plan.shared.team_count(), SharedWork::kMostTeams);
    std::size_t whole = 0;
    for (const Job& job : plan.shared.jobs()) whole += job.kind == Job::Kind::test;
    EXPECT_EQ(whole, 300 - SharedWork::kMostTeams);
}

}  // namespace
}  // namespace claybox::collision
