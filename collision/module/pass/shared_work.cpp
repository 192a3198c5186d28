#include "collision/module/pass/shared_work.hpp"

#include "collision/core/assert.hpp"

#include <algorithm>

namespace claybox::collision {

SharedWork::SharedWork() {
    // Allocated once: SharedTest has atomics and cannot move, and passes must not allocate in steady state.
    for (std::size_t i = 0; i < kMaxSharedTests; ++i) shared_tests_.push_back(std::make_unique<SharedTest>());
}

void SharedWork::choose_shared_tests(std::span<const std::uint32_t> work, std::uint64_t done_steps,
                                     std::uint32_t min_steps, unsigned workers, bool pairs,
                                     FunctionRef<bool(std::uint32_t test)> can_share) {
    parts_.clear();
    jobs_.clear();
    large_.clear();
    shared_test_count_ = 0;
    separate_.assign(work.size(), 0);
    std::uint64_t total = done_steps;
    for (std::uint32_t i = 0; i < work.size(); ++i) {
        total += work[i];
        if (work[i] >= std::min(kLargeTestSteps, min_steps)) large_.push_back(i);
    }
    std::sort(large_.begin(), large_.end(), [&](std::uint32_t x, std::uint32_t y) {
        return work[x] != work[y] ? work[x] > work[y] : x < y;
    });
    dominant_ = !large_.empty() && std::uint64_t{workers} * work[large_.front()] > total;
    std::size_t kept = 0;
    for (const std::uint32_t i : large_) {
        separate_[i] = 1;
        const bool large_enough =
            work[i] >= min_steps && (!pairs || std::uint64_t{2} * workers * work[i] > total);
        if (!large_enough || shared_test_count_ == kMaxSharedTests || !can_share(i)) {
            large_[kept++] = i;
            continue;
        }
        SharedTest& shared_test = *shared_tests_[shared_test_count_++];
        shared_test.test = i;
        shared_test.part_count = 0;
        shared_test.decided.reset();
        shared_test.algorithm_parts_left.store(0, std::memory_order_relaxed);
        shared_test.first.store(SharedTest::kUndecided, std::memory_order_relaxed);
        shared_test.decided_ns.store(0, std::memory_order_relaxed);
    }
    large_.resize(kept);
}

void SharedWork::add_part(const TestPart& part) {
    SharedTest& shared_test = *shared_tests_[part.shared_test];
    if (shared_test.part_count++ == 0) shared_test.first_part = static_cast<std::uint32_t>(parts_.size());
    if (part.racer == Racer::chosen) shared_test.algorithm_parts_left.fetch_add(1, std::memory_order_relaxed);
    parts_.push_back(part);
}

void SharedWork::build_jobs() {
    for (std::uint32_t i = 0; i < parts_.size(); ++i) jobs_.push_back({Job::Kind::part, i, i + 1});
    for (const std::uint32_t i : large_) jobs_.push_back({Job::Kind::test, i, i + 1});
    const auto count = static_cast<std::uint32_t>(separate_.size());
    for (std::uint32_t begin = 0; begin < count; begin += kTestsPerClaim)
        jobs_.push_back({Job::Kind::range, begin, std::min(count, begin + kTestsPerClaim)});
}

std::size_t SharedWork::memory_bytes() const {
    return shared_tests_.size() * sizeof(SharedTest) + parts_.capacity() * sizeof(TestPart) +
           jobs_.capacity() * sizeof(Job) + large_.capacity() * sizeof(std::uint32_t) + separate_.capacity();
}

}  // namespace claybox::collision
