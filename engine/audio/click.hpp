#pragma once
// The two sounds of a key: down, and the higher one as it comes up. Made by arithmetic.

#include <cstdint>
#include <vector>

namespace claybox::engine {

enum class KeyClick : unsigned char { down, up };

/// Samples of one channel, at `rate` a second: a struck plate of two tones and a short noise, that dies away;
/// begins and ends at zero. The same samples every time.
std::vector<std::int16_t> make_click(KeyClick click, int rate);

/// The deeper of its two tones, hertz.
double click_pitch(KeyClick click);

}  // namespace claybox::engine
