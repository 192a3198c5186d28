#pragma once
// Logical devices: what an application wants to know, whatever it is made of. The application declares them,
// calls update() once a frame, and then asks devices (poll) or goes through events(). Time comes from
// outside; one thread.

#include "engine/input/device_map.hpp"
#include "engine/input/device_steps.hpp"

#include <memory>
#include <span>

namespace claybox::engine {

/// What an application asks for.
struct DeviceDeclaration {
    DeviceClass type = DeviceClass::button;
    const char* name = "";
    const char* title = "";    ///< for people
    const char* mapping = "";  ///< the right side of its line until somebody writes another
};

struct LogicalDevice {
    DeviceClass type = DeviceClass::button;
    std::string name, title;
    std::string mapping;          ///< as it is now
    std::string default_mapping;  ///< empty: it is only in the map, for other devices to read
    Reading now;                  ///< while not valid: what it last said
};

/// What changed in the last update. A button that went down and up again within a frame gives both.
struct DeviceEvent {
    std::size_t device = 0;
    Reading reading;
};

class LogicalDevices {
  public:
    /// The sources must outlive this. The mappings declared must be right: the application's own mistake
    /// otherwise.
    LogicalDevices(std::span<const DeviceDeclaration> declared, std::vector<InputSource*> sources);

    /// Replaces the map by the declared mappings and, over them, the lines of a text. Devices that nobody
    /// declared are made for others to read. False, with everything as it was and file, line and what was
    /// expected in `error`; the number of the line in `wrong`, 0 where it is none of the text.
    bool load(std::string_view text, std::string_view file, std::string& error, std::size_t* wrong = nullptr);
    /// Another right side for one device, from the next update on. False, with everything as it was and what
    /// was expected in `error`.
    bool remap(std::string_view name, std::string_view mapping, std::string& error);
    /// The lines that are not as declared, as load() reads them.
    std::string changes() const;

    /// Sources first, then devices, those that are read before those that read them. `now`: seconds.
    void update(double now);

    std::span<const LogicalDevice> devices() const { return graph_.devices; }
    std::span<InputSource* const> sources() const { return sources_; }
    const LogicalDevice* find(std::string_view name) const;
    /// The reading of a device that was declared; an invalid one for any other name.
    const Reading& poll(std::string_view name) const;
    std::span<const DeviceEvent> events() const { return events_; }

    /// From the next update on the first control that moves is heard, for this device.
    void listen(std::size_t device);
    void stop_listening() { listening_.reset(); }
    std::optional<std::size_t> listening() const { return listening_; }
    /// The mapping that was heard for listening(), "gamepad.x"; ends listening.
    std::optional<std::string> take_heard();

  private:
    static constexpr std::size_t kNone = ~std::size_t{0};
    /// What a reference means.
    struct Operand {
        std::size_t source = kNone;   ///< kNone: another device
        std::size_t index = 0;        ///< of the channel or device
        std::size_t feature = kNone;  ///< of a hand
        DeviceClass type = DeviceClass::value;
        bool rests = false;
    };
    struct Step {
        MapStep step;
        DeviceClass before{}, after{};
        StepState state;
    };
    /// What a button remembers of one of its sources while that is lost.
    struct Hold {
        bool lost = false, down = false;  ///< down: what it last said
        bool overtaken = false;           ///< another was pressed meanwhile: it counts once it has been up
    };
    struct Term {
        Operand first, second;
        MapJoin join = MapJoin::none;
        std::vector<Step> steps;
        DeviceClass type{};  ///< after the last step
        bool rests = false;
        Hold hold;
    };
    /// A map as it runs: terms by device, and the order in which devices are read.
    struct Graph {
        std::vector<LogicalDevice> devices;
        std::vector<std::vector<Term>> terms;
        std::vector<std::size_t> order;
        std::vector<char>
            quiet;  ///< by device: it has just been mapped anew, what is held was not pressed for it
        std::vector<std::unique_ptr<HandJoints>> hands;  ///< by device; null for those that are no hands
    };
    friend class GraphMaker;

    std::vector<MapLine> lines() const;
    bool adopt(std::vector<MapLine> lines, std::size_t& bad, std::string& error);
    void keep_states(Graph& next) const;
    Reading read(const Operand& operand) const;
    Reading read_joined(const Term& term) const;
    Reading evaluate(Term& term, DeviceClass wanted, double dt);
    void update_device(std::size_t device, double dt);
    Reading update_button(std::vector<Term>& terms, double dt);
    static void hold_lost(std::vector<Term>& terms, bool pressed, Reading& out);
    Reading update_choice(std::size_t device, std::vector<Term>& terms, double dt);
    Reading update_first(DeviceClass type, std::vector<Term>& terms, double dt);
    void take(std::size_t device, const Reading& reading);
    void press_events(std::size_t device, bool was_down, const Reading& reading);
    void hear();

    std::vector<DeviceDeclaration> declared_;
    std::vector<InputSource*> sources_;
    Graph graph_;
    std::vector<DeviceEvent> events_;
    double now_ = 0;
    bool started_ = false;

    std::optional<std::size_t> listening_;
    std::vector<std::vector<Reading>> then_;  ///< by source and channel, when listening began
    std::string heard_;
};

}  // namespace claybox::engine
