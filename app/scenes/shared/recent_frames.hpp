#pragma once
// State of the newest frames. Events of a concurrent module arrive after their frame; they must be answered
// with the state of that frame.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace claybox::app {

/// Ring buffer of one value per frame.
template <class T>
class RecentFrames {
  public:
    static constexpr std::size_t kFrames = 128;
    void set(std::uint64_t frame, const T& value) {
        frame_[frame % kFrames] = frame;
        value_[frame % kFrames] = value;
    }
    /// Null if the frame is too old or was never set.
    const T* at(std::uint64_t frame) const {
        return frame != 0 && frame_[frame % kFrames] == frame ? &value_[frame % kFrames] : nullptr;
    }

  private:
    std::array<std::uint64_t, kFrames> frame_{};
    std::vector<T> value_ = std::vector<T>(kFrames);
};

}  // namespace claybox::app
