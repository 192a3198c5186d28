#include "collision/jobs/awaited_number.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace claybox::collision {
namespace {

/// Each thread waits for the other one's answer: one lost notification, and neither goes on.
TEST(AwaitedNumber, no_notification_is_lost) {
    constexpr std::uint32_t kRounds = 20000;
    AwaitedNumber question, answer;
    std::thread other([&] {
        for (std::uint32_t round = 0; round < kRounds; ++round) {
            question.wait(round);
            answer.store(round + 1);
        }
    });
    for (std::uint32_t round = 0; round < kRounds; ++round) {
        question.increment();
        answer.wait(round);
        ASSERT_EQ(answer.load(), round + 1);
    }
    other.join();
}

TEST(AwaitedNumber, wait_returns_at_once_if_the_value_is_another_one) {
    AwaitedNumber number;
    number.store(7);
    number.wait(6);
    EXPECT_EQ(number.load(), 7u);
}

}  // namespace
}  // namespace claybox::collision
