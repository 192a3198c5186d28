#pragma once
// Plays key clicks through OpenAL, if the build includes it and the machine has a device.

#include "engine/audio/click.hpp"

#include <memory>
#include <string>

namespace claybox::engine {

/// Single thread. open() may take as long as the device needs; play() only queues a buffer and never waits.
class ClickPlayer {
  public:
    /// Silent until open().
    ClickPlayer();
    ~ClickPlayer();
    ClickPlayer(const ClickPlayer&) = delete;
    ClickPlayer& operator=(const ClickPlayer&) = delete;

    /// Opens the default device. Without sound returns false with one sentence in `why`, and the player stays
    /// silent.
    bool open(std::string& why);
    void play(KeyClick click);
    /// Clicks that the device accepted since open().
    int played() const { return played_; }

  private:
    struct Device;
    std::unique_ptr<Device> device_;
    int played_ = 0;
};

}  // namespace claybox::engine
