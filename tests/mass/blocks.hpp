#pragma once
// Blocks of numbered pairs, shared out to threads; what was counted is added up and told every half minute.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace claybox::test {

/// Each thread makes a Worker and calls run(block, first, end) on it for the blocks that it takes; Tally has
/// add(). `tell(what, tally, seconds)` is called by one thread at a time.
template <class Tally, class MakeWorker, class Tell>
Tally run_in_blocks(std::uint64_t first, std::uint64_t end, std::uint64_t pairs_per_block,
                    std::uint64_t threads, MakeWorker&& make_worker, Tell&& tell) {
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    std::atomic<std::uint64_t> next = first / pairs_per_block;
    std::mutex mutex;
    Tally all;
    double told = 0;
    const auto work = [&] {
        auto worker = make_worker();
        for (std::uint64_t block = next++; block * pairs_per_block < end; block = next++) {
            const Tally one = worker.run(block, first, end);
            const std::lock_guard lock(mutex);
            all.add(one);
            if (seconds() < told + 30) continue;
            told = seconds();
            tell("so far", all, told);
        }
    };
    std::vector<std::thread> running;
    for (std::uint64_t i = 0; i < threads; ++i) running.emplace_back(work);
    for (std::thread& t : running) t.join();
    tell("result", all, seconds());
    return all;
}

}  // namespace claybox::test
