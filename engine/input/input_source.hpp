#pragma once
// What a physical device says: named channels, each of one class. Sources are fed with plain structs or read
// what waits for them; nothing here waits, and time comes from outside.

#include "engine/hand/hand_joints.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace claybox::engine {

/// The classes of logical devices (Zachmann's thesis, chapter 9); channels have one of them as well.
enum class DeviceClass : unsigned char { button, choice, value, location, orientation, space, hand };
inline constexpr int kDeviceClassCount = 7;
const char* to_string(DeviceClass type);
std::optional<DeviceClass> device_class(std::string_view name);

class InputSource;

/// Presses of a button or channel that count in a frame: nobody means more.
inline constexpr int kMostPresses = 8;

/// What a channel or a logical device says in one frame; its class tells which fields mean something.
struct Reading {
    bool valid = false;      ///< the device is there; otherwise the rest is what it last said
    bool down = false;       ///< button
    int presses = 0;         ///< button: how often it went down in this frame, where the source counts
    int choice = 0;          ///< choice: from 0
    double number = 0;       ///< value
    glm::dvec3 position{0};  ///< location and space: metres, +Y up
    glm::dquat rotation{1, 0, 0, 0};   ///< orientation and space: unit
    const HandJoints* hand = nullptr;  ///< hand: lives as long as its source or device
    /// Of a logical device: who says it, the first where two are joined. Null for a button or choice, which
    /// several may press.
    const InputSource* source = nullptr;
};

struct Channel {
    std::string name;
    DeviceClass type = DeviceClass::value;
    bool rests = false;  ///< a value that is 0 while nobody touches the control, like a stick or a wheel
    Reading now;
};

/// One physical device. One thread; nothing allocates between two frames in which no new channel comes.
class InputSource {
  public:
    explicit InputSource(std::string id) : id_(std::move(id)) {}
    virtual ~InputSource() = default;
    InputSource(const InputSource&) = delete;
    InputSource& operator=(const InputSource&) = delete;

    /// The word before the dot in a map.
    const std::string& id() const { return id_; }
    const std::vector<Channel>& channels() const { return channels_; }
    /// Takes what came since the last frame. `now`: seconds, never less than before.
    virtual void update(double now) = 0;
    /// The channel of that name. Sources whose channels nobody knows beforehand make one.
    virtual std::optional<std::size_t> open(std::string_view name);
    /// For people who asked for a channel that cannot be: which ones can.
    virtual std::string expected() const;
    /// For people: what is there, "Xbox Wireless Controller", "not connected".
    virtual std::string state() const = 0;
    /// What has moved clearly since `then` (readings by channel) and can become a device of the class; what a
    /// person who is asked to move something meant.
    virtual std::optional<std::string> moved_since(const std::vector<Reading>& then,
                                                   DeviceClass wanted) const;

  protected:
    std::size_t add(std::string name, DeviceClass type, bool rests = false);
    /// Nothing is there this frame: what the channels said stays.
    void lose_all();
    /// Reads a button by whether it is down.
    void set_button(std::size_t channel, bool down);
    /// A number that is not finite leaves the channel as it was, and not there.
    void set_value(std::size_t channel, double number);
    /// The same for a pose; the rotation is normalised.
    void set_pose(std::size_t channel, const glm::dvec3& position, const glm::dquat& rotation);

    std::vector<Channel> channels_;

  private:
    std::string id_;
};

/// Finite and of a length that can be made 1.
bool is_rotation(const glm::dquat& q);
bool is_finite(const glm::dvec3& v);

}  // namespace claybox::engine
