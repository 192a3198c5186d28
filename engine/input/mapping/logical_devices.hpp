#pragma once
// Logical devices: inputs by meaning, independent of hardware. The application declares them, calls update()
// once per frame, and then polls devices or reads events(). Time is an argument; single thread.

#include "engine/input/mapping/device_map.hpp"
#include "engine/input/mapping/device_steps.hpp"

#include <memory>
#include <span>

namespace claybox::engine {

/// A device that the application uses.
struct DeviceDeclaration {
    DeviceClass type = DeviceClass::button;
    const char* name = "";
    const char* title = "";    ///< display name
    const char* mapping = "";  ///< default mapping: the right side of its line
    const char* scope = "";    ///< the device acts only in this scope; empty: always
};

struct LogicalDevice {
    DeviceClass type = DeviceClass::button;
    std::string name, title;
    std::string mapping;          ///< the current one
    std::string default_mapping;  ///< empty: the device exists only in the map, for other devices
    std::string scope = {};       ///< as declared
    Reading now = {};             ///< holds the last value while not valid
};

/// A change in the last update. A button pressed and released within one frame makes two events.
struct DeviceEvent {
    std::size_t device = 0;
    Reading reading;
};

class LogicalDevices {
  public:
    /// The sources must outlive this. Aborts if a declared mapping is wrong.
    LogicalDevices(std::span<const DeviceDeclaration> declared, std::vector<InputSource*> sources);

    /// Replaces the map by the declared mappings, overridden by the lines of a text. Undeclared devices are
    /// available to other devices. On error returns false and changes nothing; `error` has file, line and
    /// what was expected, `wrong` the line number, 0 if the fault is not in the text.
    bool load(std::string_view text, std::string_view file, std::string& error, std::size_t* wrong = nullptr);
    /// Changes the mapping of one device from the next update on. On error returns false, changes nothing,
    /// and `error` names what was expected.
    bool remap(std::string_view name, std::string_view mapping, std::string& error);
    /// The lines that differ from the declared ones, in the format of load().
    std::string changes() const;

    /// Enters a scope, such as a scene with keys of its own, and leaves the one before. A device of another
    /// scope is not valid. A channel that a device of this scope reads rests for the devices without one.
    void set_scope(std::string_view scope);

    /// Updates sources, then devices in dependency order. `now`: seconds.
    void update(double now);

    std::span<const LogicalDevice> devices() const { return graph_.devices; }
    std::span<InputSource* const> sources() const { return sources_; }
    const LogicalDevice* find(std::string_view name) const;
    /// The reading of a declared device; invalid for any other name.
    const Reading& poll(std::string_view name) const;
    std::span<const DeviceEvent> events() const { return events_; }

    /// From the next update on, detects the first control that moves, as the mapping for this device.
    void listen(std::size_t device);
    void stop_listening() { listening_.reset(); }
    std::optional<std::size_t> listening() const { return listening_; }
    /// The detected mapping, such as "gamepad.x", if there is one; ends listening.
    std::optional<std::string> take_heard_mapping();

  private:
    static constexpr std::size_t kNone = ~std::size_t{0};
    /// A resolved reference.
    struct Operand {
        std::size_t source = kNone;   ///< kNone: a logical device
        std::size_t index = 0;        ///< channel or device
        std::size_t feature = kNone;  ///< hand feature
        DeviceClass type = DeviceClass::value;
        bool rests = false;
    };
    struct Step {
        MapStep step;
        DeviceClass before{}, after{};
        StepState state;
    };
    /// State of one source of a button or of a choice made of buttons, for when it is lost.
    struct Hold {
        bool lost = false, down = false;  ///< down: the last known state
        bool overtaken = false;           ///< was lost while down, and another source counts: until released
    };
    struct Term {
        Operand first, second;
        MapJoin join = MapJoin::none;
        std::vector<Step> steps;
        DeviceClass type{};  ///< after the last step
        bool rests = false;
        bool masked = false;  ///< a device of the scope has taken its channel
        Hold hold;
    };
    /// The active map: terms by device, and the update order.
    struct Graph {
        std::vector<LogicalDevice> devices;
        std::vector<std::vector<Term>> terms;
        std::vector<std::size_t> order;
        /// By device: newly mapped, so a button that is down was not pressed for it.
        std::vector<char> suppress_press;
        std::vector<char> in_scope;                      ///< by device
        std::vector<std::unique_ptr<HandJoints>> hands;  ///< by device; null unless it is a hand
    };
    friend class GraphBuilder;

    std::vector<MapLine> lines() const;
    bool adopt(std::vector<MapLine> lines, std::size_t& bad, std::string& error);
    void copy_states(Graph& next) const;
    void mask_channels(Graph& graph) const;
    Reading read(const Operand& operand) const;
    Reading read_joined(const Term& term) const;
    Reading evaluate(Term& term, DeviceClass wanted, double dt);
    void update_device(std::size_t device, double dt);
    Reading update_button(std::vector<Term>& terms, double dt);
    static void hold_lost(std::vector<Term>& terms, bool pressed, Reading& out);
    Reading update_choice(std::size_t device, std::vector<Term>& terms, double dt);
    Reading update_first(DeviceClass type, std::vector<Term>& terms, double dt);
    void store(std::size_t device, const Reading& reading);
    void press_events(std::size_t device, bool was_down, const Reading& reading);
    void detect_movement();

    std::vector<DeviceDeclaration> declared_;
    std::vector<InputSource*> sources_;
    Graph graph_;
    std::vector<DeviceEvent> events_;
    std::string scope_;
    double now_ = 0;
    bool started_ = false;

    std::optional<std::size_t> listening_;
    std::vector<std::vector<Reading>> readings_before_;  ///< by source and channel, at the start of listening
    std::string heard_mapping_;
};

}  // namespace claybox::engine
