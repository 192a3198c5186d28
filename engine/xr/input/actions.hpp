#pragma once
// Controller input: one action set, with bindings for the known interaction profiles.

#include "engine/xr/input/spaces.hpp"
#include "engine/xr/runtime.hpp"
#include "engine/xr/session/xr_session.hpp"

#include <array>
#include <span>

namespace claybox::engine {

/// Same order as the names in actions.cpp.
enum class XrActionId : unsigned char {
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
inline constexpr std::size_t kActionCount = static_cast<std::size_t>(XrActionId::count);

/// A controller component, such as "input/trigger/value", and the sides that have it.
struct XrBinding {
    XrActionId action;
    const char* part;
    bool left = true, right = true;
};

struct XrProfile {
    const char* path;  ///< "/interaction_profiles/..."
    const char* name;  ///< display name
    std::span<const XrBinding> bindings;
    bool needs_hand_interaction = false;
};

/// The supported profiles; the runtime maps other controllers to one of these.
std::span<const XrProfile> profiles();

class XrActions {
  public:
    /// False only after a loss. When a runtime refuses actions, the program runs without controllers.
    bool create(const XrRuntime& runtime, ::XrSession session, CallWatch& watch);
    void close();
    /// Queries the current profiles after a change of controllers.
    void query_profiles(::XrSession session, CallWatch& watch);
    /// For example "Touch"; empty without a controller.
    const char* profile(std::size_t side) const { return profile_[side]; }
    void read(::XrSession session, XrSpace base, XrTime time, CallWatch& watch,
              std::array<XrController, 2>& controllers) const;
    void buzz(::XrSession session, std::size_t side, double seconds, float amplitude, CallWatch& watch) const;

  private:
    bool create_set(XrInstance instance, CallWatch& watch);
    bool create_action(std::size_t id, CallWatch& watch);
    void suggest(const XrRuntime& runtime, const XrProfile& profile, CallWatch& watch) const;
    bool attach(::XrSession session, CallWatch& watch);
    void create_spaces(::XrSession session, CallWatch& watch);
    XrActionStateGetInfo query_info(XrActionId id, std::size_t side) const;
    float number(::XrSession session, XrActionId id, std::size_t side, CallWatch& watch) const;
    bool pressed(::XrSession session, XrActionId id, std::size_t side, CallWatch& watch) const;
    glm::vec2 direction(::XrSession session, XrActionId id, std::size_t side, CallWatch& watch) const;
    bool is_active(::XrSession session, std::size_t side, CallWatch& watch) const;

    XrOwned<XrActionSet, xrDestroyActionSet> set_;
    std::array<XrOwned<XrAction, xrDestroyAction>, kActionCount> actions_;
    std::array<std::array<XrOwnedSpace, 2>, 2> spaces_;  ///< of grip and aim, left and right
    std::array<XrPath, 2> sides_{};
    std::array<XrPath, 8> profile_paths_{};  ///< same order as profiles()
    std::array<const char*, 2> profile_{"", ""};
    bool attached_ = false;
};

}  // namespace claybox::engine
