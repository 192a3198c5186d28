#pragma once
// Runs blocks of numbered pairs on several threads, sums up their counts and reports progress every half
// minute.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace claybox::test {

/// Each thread creates a worker with make_worker() and calls worker.run(block, first, end) for its blocks.
/// Tally has add(). `report(what, tally, seconds)` is called by one thread at a time.
template <class Tally, class MakeWorker, class Report>
Tally run_in_blocks(std::uint64_t first, std::uint64_t end, std::uint64_t pairs_per_block,
                    std::uint64_t threads, MakeWorker&& make_worker, Report&& report) {
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    std::atomic<std::uint64_t> next = first / pairs_per_block;
    std::mutex mutex;
    Tally all;
    double reported = 0;
    const auto work = [&] {
        auto worker = make_worker();
        for (std::uint64_t block = next++; block * pairs_per_block < end; block = next++) {
            const Tally one = worker.run(block, first, end);
            const std::lock_guard lock(mutex);
            all.add(one);
            if (seconds() < reported + 30) continue;
            reported = seconds();
            report("so far", all, reported);
        }
    };
    std::vector<std::thread> running;
    for (std::uint64_t i = 0; i < threads; ++i) running.emplace_back(work);
    for (std::thread& t : running) t.join();
    report("result", all, seconds());
    return all;
}

}  // namespace claybox::test
