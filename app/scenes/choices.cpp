#include "app/scenes/choices.hpp"

#include <algorithm>

namespace claybox::app {

using collision::Parameter;
using collision::ParameterKind;
using collision::ParameterValues;

namespace {

constexpr const char* kThemes[] = {"light", "dark"};
constexpr const char* kTimes[] = {"1/4", "1/2", "1", "2"};
static_assert(std::size(kTimes) == std::size(kTimeFactors));

const Parameter kProgram[] = {
    {"theme", "Theme", ParameterKind::choice, 0, 0, 1, "", "", "Bright paper and ink, or dark paper.", false,
     kThemes},
    {"sound", "Sound of keys", ParameterKind::toggle, 1, 0, 1, "", "", "A click as a key goes down and up."},
    {"labels", "Labels", ParameterKind::toggle, 1, 0, 1, "", "", "Labels and measures in the scene."},
    {"witness", "Witness", ParameterKind::toggle, 1, 0, 1, "", "", "What proves each collision."},
    {"boxes", "Boxes", ParameterKind::toggle, 0, 0, 1, "", "", "The boxes that the broad phase compares."},
    {"structure", "Structure of the broad phase", ParameterKind::toggle, 0, 0, 1, "", "",
     "Its occupied cells, nodes or intervals."},
    {"time", "Speed of time", ParameterKind::choice, 2, 0, 3, "", "", "How fast time runs in the scene.",
     false, kTimes},
    {"headset", "In the headset", ParameterKind::toggle, 0, 0, 1, "", "", "Shows the scene in a headset."},
    {"haptics", "Haptics", ParameterKind::toggle, 1, 0, 1, "", "", "Controllers buzz."},
    {"seated", "Seated", ParameterKind::toggle, 0, 0, 1, "", "",
     "Heights count from the head and not from the floor."},
    {"world_size", "World size", ParameterKind::real, 1, 0.25, 4, "times", "",
     "How large the scene is beside your hands.", true},
};
static_assert(std::size(kProgram) == program_choice::world_size + 1);

enum ModuleChoice : std::size_t { kSolid, kCompare, kBudget };
const Parameter kModule[] = {
    {"solid", "Meshes are solid", ParameterKind::toggle, 0, 0, 1, "", "",
     "Surface tests too count a body inside a closed one as a collision."},
    {"compare", "Compare with all pairs", ParameterKind::toggle, 0, 0, 1, "", "",
     "Every pass also tests all pairs and counts where the sets differ."},
    {"budget", "Pass budget", ParameterKind::real, 0, 0, 50, "ms", "",
     "Where passes take longer, accuracy is taken back; 0 is off."},
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
