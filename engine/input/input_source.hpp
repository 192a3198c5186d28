#pragma once
// A physical device as named channels, each of one class. The caller feeds a source with plain structs, or
// the source reads pending data. Nothing here waits; time is an argument.

#include "engine/hand/hand_joints.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace claybox::engine {

/// Classes of logical devices (Zachmann's thesis, chapter 9); channels use the same classes.
enum class DeviceClass : unsigned char { button, choice, value, location, orientation, space, hand };
inline constexpr int kDeviceClassCount = 7;
const char* to_string(DeviceClass type);
std::optional<DeviceClass> device_class(std::string_view name);

class InputSource;

/// Limit of counted presses per button or channel and frame; nobody presses more often.
inline constexpr int kMaxPresses = 8;

/// The value of a channel or logical device in one frame; its class determines which members are used.
struct Reading {
    bool valid = false;                ///< the device is available; otherwise the members hold the last value
    bool down = false;                 ///< button
    int presses = 0;                   ///< button: presses in this frame, if the source counts them
    int choice = 0;                    ///< choice: from 0
    double number = 0;                 ///< value
    glm::dvec3 position{0};            ///< location, space: metres, +Y up
    glm::dquat rotation{1, 0, 0, 0};   ///< orientation, space: unit quaternion
    const HandJoints* hand = nullptr;  ///< hand: owned by the source or device
    /// Source of a logical device's value; the first of two joined ones. Null for buttons and choices:
    /// several sources may press them.
    const InputSource* source = nullptr;
};

struct Channel {
    std::string name;
    DeviceClass type = DeviceClass::value;
    bool rests = false;  ///< a value that returns to 0 when released, like a stick or wheel
    Reading now;
};

/// One physical device. Single thread. Allocates only when a new channel appears.
class InputSource {
  public:
    explicit InputSource(std::string id) : id_(std::move(id)) {}
    virtual ~InputSource() = default;
    InputSource(const InputSource&) = delete;
    InputSource& operator=(const InputSource&) = delete;

    /// The word before the dot in a device map.
    const std::string& id() const { return id_; }
    const std::vector<Channel>& channels() const { return channels_; }
    /// Processes input since the last frame. `now`: seconds, never decreasing.
    virtual void update(double now) = 0;
    /// The channel with that name. Sources with open-ended names create it.
    virtual std::optional<std::size_t> open(std::string_view name);
    /// Valid channel names, for an error message.
    virtual std::string expected() const;
    /// State for the user: "Xbox Wireless Controller", "not connected".
    virtual std::string state() const = 0;
    /// The channel that has moved clearly since `then` (readings by channel) and can drive a device of that
    /// class. Maps a device by "move the control that you want".
    virtual std::optional<std::string> moved_since(const std::vector<Reading>& then,
                                                   DeviceClass wanted) const;

  protected:
    std::size_t add(std::string name, DeviceClass type, bool rests = false);
    /// Marks all channels as unavailable for this frame; they keep their values.
    void invalidate_all();
    /// Sets the state of a button.
    void set_button(std::size_t channel, bool down);
    /// Sets a value. A non-finite number marks the channel unavailable and keeps its value.
    void set_value(std::size_t channel, double number);
    /// The same for a pose; normalises the rotation.
    void set_pose(std::size_t channel, const glm::dvec3& position, const glm::dquat& rotation);

    std::vector<Channel> channels_;

  private:
    std::string id_;
};

/// Finite, and long enough to normalise.
bool is_rotation(const glm::dquat& q);
bool is_finite(const glm::dvec3& v);

}  // namespace claybox::engine
