#include "app/scenes/shared/choices.hpp"

#include <algorithm>

namespace claybox::app {

using collision::Parameter;
using collision::ParameterKind;
using collision::ParameterValues;

namespace {

constexpr const char* kThemes[] = {"light", "dark"};
constexpr const char* kTimes[] = {"1/4", "1/2", "1", "2"};
constexpr const char* kPressures[] = {"none", "speed", "trigger"};
static_assert(std::size(kTimes) == std::size(kTimeFactors));

const Parameter kProgram[] = {
    {"theme", "Theme", ParameterKind::choice, 0, 0, 1, "", "", "Light or dark colours.", false, kThemes},
    {"sound", "Key sounds", ParameterKind::toggle, 1, 0, 1, "", "",
     "Plays a click when a key goes down and up."},
    {"labels", "Labels", ParameterKind::toggle, 1, 0, 1, "", "",
     "Shows labels and measurements in the scene."},
    {"witness", "Witness", ParameterKind::toggle, 1, 0, 1, "", "",
     "Shows the proof of each collision: the features that touch."},
    {"boxes", "Boxes", ParameterKind::toggle, 0, 0, 1, "", "",
     "Shows the bounding boxes that the broad phase compares."},
    {"structure", "Broad-phase structure", ParameterKind::toggle, 0, 0, 1, "", "",
     "Shows the occupied cells, nodes or intervals of the broad phase."},
    {"time", "Speed of time", ParameterKind::choice, 2, 0, 3, "", "", "How fast time passes in the scene.",
     false, kTimes},
    {"headset", "In the headset", ParameterKind::toggle, 0, 0, 1, "", "", "Shows the scene in a headset."},
    {"haptics", "Haptics", ParameterKind::toggle, 1, 0, 1, "", "", "Controllers vibrate on contact."},
    {"seated", "Seated", ParameterKind::toggle, 0, 0, 1, "", "",
     "Measures heights from the head instead of the floor."},
    {"world_size", "World size", ParameterKind::real, 1, 0.25, 4, "times", "",
     "Size of the scene relative to your hands.", true},
    {"hand_filter", "Hand filter", ParameterKind::real, 0, 0, 100, "%",
     "Casiez, Roussel, Vogel: 1 € filter, CHI 2012",
     "Removes the jitter of tracked, networked and recorded hands. A higher value makes a resting hand "
     "calmer "
     "and a fast one later. 0: off."},
    {"stroke_lead", "Stroke lead", ParameterKind::real, 0, 0, 40, "mm", "",
     "Steadies strokes: a hand that presses follows the mouse or your hand on a lead of this length. 0: "
     "off."},
    {"pressure_from", "Pressure from", ParameterKind::choice, 0, 0, 2, "", "",
     "What sets the pressure of the hand. None: always full. Speed: full up to 50 mm/s, a fifth from 500 "
     "mm/s "
     "on. Trigger: the trigger of the controller or gamepad.",
     false, kPressures},
};
static_assert(std::size(kProgram) == program_choice::pressure_from + 1);

enum ModuleChoice : std::size_t { kSolid, kCompare, kBudget };
const Parameter kModule[] = {
    {"solid", "Meshes are solid", ParameterKind::toggle, 0, 0, 1, "", "",
     "A body inside a closed mesh counts as a collision, also for surface tests."},
    {"compare", "Compare with all pairs", ParameterKind::toggle, 0, 0, 1, "", "",
     "Every pass also tests all pairs and counts the differences."},
    {"budget", "Pass budget", ParameterKind::real, 0, 0, 50, "ms", "",
     "Accuracy is reduced when passes take longer. 0 turns the budget off."},
};

}  // namespace

std::span<const Parameter> program_parameters() {
    return kProgram;
}

std::size_t time_choice(double factor) {
    constexpr std::size_t kUsual = 2;
    const auto* const found = std::find(kTimeFactors.begin(), kTimeFactors.end(), factor);
    return found == kTimeFactors.end() ? kUsual : static_cast<std::size_t>(found - kTimeFactors.begin());
}

std::span<const Parameter> module_parameters() {
    return kModule;
}

ParameterValues module_values(const collision::WorldSettings& settings) {
    ParameterValues values;
    values[kSolid] = settings.solid ? 1 : 0;
    values[kCompare] = settings.assert_pairs ? 1 : 0;
    values[kBudget] = settings.budget_ms;
    return values;
}

void set_module_values(const ParameterValues& values, collision::WorldSettings& settings) {
    settings.solid = values.on(kSolid);
    settings.assert_pairs = values.on(kCompare);
    settings.budget_ms = values[kBudget];
}

}  // namespace claybox::app
