#pragma once
// Synthesises the two sounds of a key: down, and a higher one for up.

#include <cstdint>
#include <vector>

namespace claybox::engine {

enum class KeyClick : unsigned char { down, up };

/// Mono samples at `rate` per second: a struck plate of two tones plus a short noise, decaying, zero at both
/// ends. Deterministic.
std::vector<std::int16_t> make_click(KeyClick click, int rate);

/// The lower of the two tones, hertz.
double click_pitch(KeyClick click);

}  // namespace claybox::engine
