// Rows of the Performance card about the module itself: the governor, whether the broad phase pays, memory.
#include "app/panels/cards.hpp"
#include "collision/module/worth.hpp"

#include <algorithm>
#include <array>

namespace claybox::app {

using collision::Accuracy;
using collision::MemoryPart;

std::string accuracy_text(Accuracy accuracy) {
    constexpr std::array<const char*, collision::kAccuracies> kTexts{"Full", "Fast answers", "Verdicts only",
                                                                     "Boxes only"};
    return kTexts[static_cast<std::size_t>(accuracy)];
}

namespace {

const char* accuracy_help(Accuracy accuracy) {
    constexpr std::array<const char*, collision::kAccuracies> kHelp{
        "Nothing is reduced: the last pass answered as the settings ask.",
        "Reduced: float answers without proofs, and no second algorithm.",
        "Reduced: as fast answers, and no hits, distances, depths or axes.",
        "Reduced: no pair is tested, and boxes that overlap count as colliding."};
    return kHelp[static_cast<std::size_t>(accuracy)];
}

void draw_governor(engine::Ui& ui, const collision::WorldSettings& before, const collision::PassStats& stats,
                   const FrameTimes& mean, PanelRequests& requests) {
    engine::key_value(ui, "Time of a pass", milliseconds(mean.pass), "Mean over the last half second.");
    engine::SliderSpec spec;
    spec.label = "Pass budget";
    spec.unit = "ms";
    spec.zero = "Off";
    spec.min = 0;
    spec.max = 50;
    spec.default_value = 0;
    spec.help =
        "Where passes take longer, accuracy is taken back: fast answers, then verdicts only, then boxes "
        "only. It comes back after a calm while. 0 is off. With a budget hashes depend on the machine.";
    double budget = before.budget_ms;
    if (engine::slider(ui, spec, budget)) {
        collision::WorldSettings settings = before;
        settings.budget_ms = budget;
        requests.settings = settings;
    }
    if (before.budget_ms > 0)
        engine::key_value(ui, "Accuracy", accuracy_text(stats.accuracy), accuracy_help(stats.accuracy));
}

void draw_worth(engine::Ui& ui, const collision::PassStats& stats) {
    const collision::BroadWorth worth = collision::broad_worth(stats);
    engine::key_value(
        ui, worth.pays() ? "Broad phase pays" : "Broad phase does not pay",
        engine::grouped(static_cast<std::uint64_t>(worth.pairs)) + (worth.pays() ? " < " : " ≥ ") +
            engine::grouped(static_cast<std::uint64_t>(std::max(0.0, worth.limit))),
        "Tested pairs against n²/2 − Ts/Tp, with n moved bodies, Ts the time of finding pairs and Tp "
        "that of a test: below, finding pairs costs less than testing all.");
}

/// "65 kB", "1.2 MB": short, so that the name beside it has room.
std::string memory_text(std::size_t bytes) {
    const std::size_t kilobytes = (bytes + 1023) / 1024;
    if (kilobytes < 1000) return engine::grouped(kilobytes) + " kB";
    return engine::fixed(static_cast<double>(bytes) / (1024.0 * 1024.0), 1) + " MB";
}

std::string title_of(const MemoryPart& part) {
    if (part.kind == MemoryPart::Kind::shape) return "Shape " + part.name;
    if (part.kind == MemoryPart::Kind::algorithm) {
        const collision::PairAlgorithm* algorithm = collision::find_pair_algorithm(part.name);
        return algorithm ? algorithm->title : part.name;
    }
    if (const collision::BroadPhaseDescriptor* phase = collision::find_broad_phase(part.name))
        return std::string("Broad phase: ") + phase->title;
    return capitalised(part.name);
}

/// By name; of shapes the largest and the sum. True when it is in view.
bool draw_memory(engine::Ui& ui, const collision::World& world) {
    if (!engine::fold_row(ui, "Memory", "What the module keeps, by structure, algorithm and shape."))
        return false;
    constexpr std::size_t kShapes = 3;
    std::vector<MemoryPart> parts = world.memory();
    if (parts.empty()) {  // while time stands still that may be a while
        engine::paragraph(ui, "It is added up with the next step.");
        return true;
    }
    std::stable_partition(parts.begin(), parts.end(),
                          [](const MemoryPart& part) { return part.kind != MemoryPart::Kind::shape; });
    std::size_t shapes = 0, bytes_of_shapes = 0, bytes = 0;
    for (const MemoryPart& part : parts) {
        bytes += part.bytes;
        if (part.kind == MemoryPart::Kind::shape) {
            bytes_of_shapes += part.bytes;
            if (++shapes > kShapes) continue;
        }
        const bool prepared = part.kind == MemoryPart::Kind::algorithm;
        const char* help = prepared ? "What was prepared of shapes for this pair algorithm." : "";
        if (part.bytes > 0) engine::key_value(ui, title_of(part), memory_text(part.bytes), help);
    }
    engine::key_value(ui, "All " + engine::grouped(shapes) + " shapes", memory_text(bytes_of_shapes));
    engine::key_value(ui, "All together", memory_text(bytes), "Shapes may be shared with other worlds.");
    return true;
}

}  // namespace

bool module_rows(engine::Ui& ui, const PanelModel& model, PanelRequests& requests) {
    const collision::PassStats& stats = model.session->report().pass;
    draw_governor(ui, model.session->settings(), stats, model.history->average(), requests);
    draw_worth(ui, stats);
    return draw_memory(ui, model.session->world());
}

}  // namespace claybox::app
