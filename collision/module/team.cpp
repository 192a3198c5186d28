#include "collision/module/team.hpp"

#include "collision/core/assert.hpp"

#include <algorithm>

namespace claybox::collision {

SharedWork::SharedWork() {
    // Once and for all: teams hold atomics, and a pass in its steady state allocates nothing.
    for (std::size_t i = 0; i < kMostTeams; ++i) teams_.push_back(std::make_unique<Team>());
}

void SharedWork::choose_teams(std::span<const std::uint32_t> work, std::uint32_t least, unsigned workers,
                              bool pairs, FunctionRef<bool(std::uint32_t test)> can_share) {
    parts_.clear();
    jobs_.clear();
    large_.clear();
    team_count_ = 0;
    apart_.assign(work.size(), 0);
    std::uint64_t total = 0;
    for (std::uint32_t i = 0; i < work.size(); ++i) {
        total += work[i];
        if (work[i] >= std::min(kLarge, least)) large_.push_back(i);
    }
    std::sort(large_.begin(), large_.end(), [&](std::uint32_t x, std::uint32_t y) {
        return work[x] != work[y] ? work[x] > work[y] : x < y;
    });
    std::size_t kept = 0;
    for (const std::uint32_t i : large_) {
        apart_[i] = 1;
        const bool worth = work[i] >= least && (!pairs || std::uint64_t{2} * workers * work[i] > total);
        if (!worth || team_count_ == kMostTeams || !can_share(i)) {
            large_[kept++] = i;
            continue;
        }
        Team& team = *teams_[team_count_++];
        team.test = i;
        team.part_count = 0;
        team.decided.reset();
        team.chosen_left.store(0, std::memory_order_relaxed);
        team.first.store(Team::kNobody, std::memory_order_relaxed);
        team.decided_ns.store(0, std::memory_order_relaxed);
    }
    large_.resize(kept);
}

void SharedWork::add_part(const TeamPart& part) {
    Team& team = *teams_[part.team];
    if (team.part_count++ == 0) team.first_part = static_cast<std::uint32_t>(parts_.size());
    if (part.racer == Racer::chosen) team.chosen_left.fetch_add(1, std::memory_order_relaxed);
    parts_.push_back(part);
}

void SharedWork::make_jobs() {
    for (std::uint32_t i = 0; i < parts_.size(); ++i) jobs_.push_back({Job::Kind::part, i, i + 1});
    for (const std::uint32_t i : large_) jobs_.push_back({Job::Kind::test, i, i + 1});
    const auto count = static_cast<std::uint32_t>(apart_.size());
    for (std::uint32_t begin = 0; begin < count; begin += kClaim)
        jobs_.push_back({Job::Kind::range, begin, std::min(count, begin + kClaim)});
}

std::size_t SharedWork::memory_bytes() const {
    return teams_.size() * sizeof(Team) + parts_.capacity() * sizeof(TeamPart) +
           jobs_.capacity() * sizeof(Job) + large_.capacity() * sizeof(std::uint32_t) + apart_.capacity();
}

}  // namespace claybox::collision
