#pragma once
// Controllers: one set of actions, with bindings for the profiles that runtimes know.

#include "engine/xr/instance.hpp"
#include "engine/xr/spaces.hpp"
#include "engine/xr/xr_session.hpp"

#include <array>
#include <span>

namespace claybox::engine {

/// In the order of the actions' names in actions.cpp.
enum class ActionId : unsigned char {
    grip,
    aim,
    trigger,
    squeeze,
    stick,
    primary,
    secondary,
    menu,
    haptic,
    count
};
inline constexpr std::size_t kActionCount = static_cast<std::size_t>(ActionId::count);

/// A part of a controller, such as "input/trigger/value", and the hands that have it.
struct Binding {
    ActionId action;
    const char* part;
    bool left = true, right = true;
};

struct Profile {
    const char* path;  ///< "/interaction_profiles/..."
    const char* name;  ///< for people
    std::span<const Binding> bindings;
    bool needs_hand_interaction = false;
};

/// Those that claybox knows by name; other controllers come as one of these, by the runtime's own mapping.
std::span<const Profile> profiles();

class Actions {
  public:
    /// False only after a loss: a runtime that refuses actions leaves the program without controllers.
    bool create(const Instance& instance, ::XrSession session, CallWatch& watch);
    void close();
    /// The controllers changed: asks which ones there are now.
    void ask_profiles(::XrSession session, CallWatch& watch);
    /// "Touch"; empty when there is no controller.
    const char* profile(std::size_t side) const { return profile_[side]; }
    void read(::XrSession session, XrSpace base, XrTime time, CallWatch& watch,
              std::array<XrController, 2>& controllers) const;
    void buzz(::XrSession session, std::size_t side, double seconds, float amplitude, CallWatch& watch) const;

  private:
    bool create_set(XrInstance instance, CallWatch& watch);
    bool create_action(std::size_t id, CallWatch& watch);
    void suggest(const Instance& instance, const Profile& profile, CallWatch& watch) const;
    bool attach(::XrSession session, CallWatch& watch);
    void create_spaces(::XrSession session, CallWatch& watch);
    XrActionStateGetInfo asked(ActionId id, std::size_t side) const;
    float number(::XrSession session, ActionId id, std::size_t side, CallWatch& watch) const;
    bool pressed(::XrSession session, ActionId id, std::size_t side, CallWatch& watch) const;
    glm::vec2 direction(::XrSession session, ActionId id, std::size_t side, CallWatch& watch) const;
    bool is_there(::XrSession session, std::size_t side, CallWatch& watch) const;

    XrOwned<XrActionSet, xrDestroyActionSet> set_;
    std::array<XrOwned<XrAction, xrDestroyAction>, kActionCount> actions_;
    std::array<std::array<XrOwnedSpace, 2>, 2> spaces_;  ///< of grip and aim, left and right
    std::array<XrPath, 2> sides_{};
    std::array<XrPath, 8> profile_paths_{};  ///< as in profiles()
    std::array<const char*, 2> profile_{"", ""};
    bool attached_ = false;
};

}  // namespace claybox::engine
