#pragma once
// Plays the clicks of keys through OpenAL, where the build has it and the machine a device.

#include "engine/audio/click.hpp"

#include <memory>
#include <string>

namespace claybox::engine {

/// One thread. Opening takes a device's time once; play() only hands a buffer over and never waits.
class ClickPlayer {
  public:
    /// Silent until open().
    ClickPlayer();
    ~ClickPlayer();
    ClickPlayer(const ClickPlayer&) = delete;
    ClickPlayer& operator=(const ClickPlayer&) = delete;

    /// Opens the default device. False with one sentence in `why` when there is no sound: then it stays
    /// silent.
    bool open(std::string& why);
    void play(KeyClick click);
    /// Clicks that the device took since open().
    int played() const { return played_; }

  private:
    struct Device;
    std::unique_ptr<Device> device_;
    int played_ = 0;
};

}  // namespace claybox::engine
