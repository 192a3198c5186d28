#pragma once
// What a scene remembers of its newest frames: events of a concurrent module come later than their frame.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace claybox::app {

/// What held at recent frames, so that an event is answered as of the frame that it names.
template <class T>
class RecentFrames {
  public:
    static constexpr std::size_t kFrames = 128;
    void set(std::uint64_t frame, const T& value) {
        frame_[frame % kFrames] = frame;
        value_[frame % kFrames] = value;
    }
    /// Null when the frame is too old or was never there.
    const T* at(std::uint64_t frame) const {
        return frame != 0 && frame_[frame % kFrames] == frame ? &value_[frame % kFrames] : nullptr;
    }

  private:
    std::array<std::uint64_t, kFrames> frame_{};
    std::vector<T> value_ = std::vector<T>(kFrames);
};

}  // namespace claybox::app
