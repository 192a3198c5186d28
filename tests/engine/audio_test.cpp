#include "engine/audio/click_player.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace claybox::engine {
namespace {

/// Amplitude of one tone in the samples.
double share_of_tone(const std::vector<std::int16_t>& samples, int rate, double pitch) {
    double c = 0, s = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double turn = 2 * 3.14159265358979 * pitch * static_cast<double>(i) / rate;
        c += samples[i] * std::cos(turn);
        s += samples[i] * std::sin(turn);
    }
    return std::hypot(c, s);
}

TEST(Clicks, are_60_ms_at_70_percent_peak_and_start_and_end_at_zero) {
    for (const KeyClick click : {KeyClick::down, KeyClick::up}) {
        for (const int rate : {8000, 44100, 48000}) {
            const auto samples = make_click(click, rate);
            EXPECT_NEAR(static_cast<double>(samples.size()) / rate, 0.060, 0.001);
            int peak = 0;
            for (const std::int16_t s : samples) peak = std::max(peak, std::abs(static_cast<int>(s)));
            EXPECT_NEAR(peak, 0.7 * 32767, 2);
            EXPECT_EQ(samples.front(), 0);
            EXPECT_EQ(samples.back(), 0);
            const std::size_t tail = samples.size() - samples.size() / 10;
            for (std::size_t i = tail; i < samples.size(); ++i)
                EXPECT_LT(std::abs(samples[i]), 600) << "decays";
            EXPECT_EQ(samples, make_click(click, rate));
        }
    }
}

TEST(Clicks, up_is_higher_than_down) {
    constexpr int kRate = 44100;
    const auto down = make_click(KeyClick::down, kRate), up = make_click(KeyClick::up, kRate);
    EXPECT_GT(click_pitch(KeyClick::up), 1.3 * click_pitch(KeyClick::down));
    EXPECT_GT(share_of_tone(down, kRate, click_pitch(KeyClick::down)),
              2 * share_of_tone(down, kRate, click_pitch(KeyClick::up)));
    EXPECT_GT(share_of_tone(up, kRate, click_pitch(KeyClick::up)),
              2 * share_of_tone(up, kRate, click_pitch(KeyClick::down)));
}

TEST(ClickPlayer, without_a_device_plays_nothing) {
    ClickPlayer player;
    for (int i = 0; i < 20; ++i) player.play(KeyClick::down);
    EXPECT_EQ(player.played(), 0);
}

// OpenAL's null driver. OpenAL reads the variable once, when it is loaded, so this must be the first open().
TEST(ClickPlayer, plays_on_the_null_device) {
    ::setenv("ALSOFT_DRIVERS", "null", 1);
    ClickPlayer player;
    std::string why;
#ifdef CLAYBOX_HAS_OPENAL
    ASSERT_TRUE(player.open(why)) << why;
    for (int i = 0; i < 20; ++i) player.play(i % 2 == 0 ? KeyClick::down : KeyClick::up);
    EXPECT_EQ(player.played(), 20);
#else
    EXPECT_FALSE(player.open(why));
    EXPECT_NE(why.find("OpenAL"), std::string::npos);
#endif
}

}  // namespace
}  // namespace claybox::engine
