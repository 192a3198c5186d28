#include "engine/audio/click.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::engine {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kSeconds = 0.060;
constexpr double kRise = 0.0008, kFade = 0.010;   // seconds; avoids a step at either end
constexpr double kDecay = 90, kNoiseDecay = 700;  // per second
constexpr double kOvertone = 2.76;                // second tone over the first, for a bar free at both ends
constexpr double kPeak = 0.7;                     // share of the 16-bit range

}  // namespace

double click_pitch(KeyClick click) {
    return click == KeyClick::down ? 1150 : 1720;
}

std::vector<std::int16_t> make_click(KeyClick click, int rate) {
    const auto count = static_cast<std::size_t>(std::max(2.0, kSeconds * rate));
    std::vector<double> wave(count);
    std::uint32_t noise = 22695477;
    double loudest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double t = static_cast<double>(i) / rate, left = static_cast<double>(count - 1 - i) / rate;
        noise = noise * 1664525u + 1013904223u;
        const double hiss = static_cast<double>(noise >> 8) / (1 << 23) - 1;
        const double turn = 2 * kPi * click_pitch(click) * t;
        const double tones = std::sin(turn) + 0.4 * std::sin(kOvertone * turn) * std::exp(-kDecay * t);
        const double ends = std::min({1.0, t / kRise, left / kFade});
        wave[i] = ends * (tones * std::exp(-kDecay * t) + 0.5 * hiss * std::exp(-kNoiseDecay * t));
        loudest = std::max(loudest, std::abs(wave[i]));
    }
    std::vector<std::int16_t> out(count);
    for (std::size_t i = 0; i < count; ++i)
        out[i] = static_cast<std::int16_t>(std::lround(32767 * kPeak * wave[i] / std::max(loudest, 1e-9)));
    return out;
}

}  // namespace claybox::engine
