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

void draw_governor(engine::Ui& ui, const collision::WorldSettings& before, const collision::PassStats& stats,
                   PanelRequests& requests) {
    engine::SliderSpec spec;
    spec.label = "Pass budget (ms)";
    spec.min = 0;
    spec.max = 50;
    spec.default_value = 0;
    spec.help =
        "Where passes take longer, accuracy is taken back: fast answers, then verdicts only, then boxes "
        "only. "
        "It comes back after a calm while. 0 is off. Hashes then depend on the machine.";
    double budget = before.budget_ms;
    if (engine::slider(ui, spec, budget)) {
        collision::WorldSettings settings = before;
        settings.budget_ms = budget;
        requests.settings = settings;
    }
    if (before.budget_ms > 0)
        engine::key_value(ui, "Accuracy", accuracy_text(stats.accuracy),
                          "How accurate the last pass was, within the budget.");
}

void draw_worth(engine::Ui& ui, const collision::PassStats& stats) {
    const collision::BroadWorth worth = collision::broad_worth(stats);
    engine::key_value(ui, worth.pays() ? "Broad phase pays" : "Broad phase does not pay",
                      engine::grouped(static_cast<std::uint64_t>(worth.pairs)) +
                          (worth.pays() ? " < " : " ≥ ") +
                          engine::grouped(static_cast<std::uint64_t>(std::max(0.0, worth.limit))),
                      "Tested pairs against n²/2 − Ts/Tp: below, finding pairs costs less than testing all.");
}

std::string kilobytes(std::size_t bytes) {
    return engine::grouped((bytes + 1023) / 1024) + " kB";
}

/// By name; of shapes the largest and the sum.
void draw_memory(engine::Ui& ui, collision::World& world) {
    const bool open =
        engine::fold_row(ui, "Memory", "What the module keeps, by structure, algorithm and shape.");
    world.want_memory(open);
    if (!open) return;
    constexpr std::size_t kShapes = 3;
    std::size_t shapes = 0, bytes_of_shapes = 0;
    for (const MemoryPart& part : world.memory()) {
        if (part.kind == MemoryPart::Kind::shape) {
            bytes_of_shapes += part.bytes;
            if (++shapes > kShapes) continue;
        }
        const char* kind = part.kind == MemoryPart::Kind::shape       ? "Shape "
                           : part.kind == MemoryPart::Kind::algorithm ? "Prepared for "
                                                                      : "";
        if (part.bytes > 0) engine::key_value(ui, kind + part.name, kilobytes(part.bytes));
    }
    engine::key_value(ui, "All " + engine::grouped(shapes) + " shapes", kilobytes(bytes_of_shapes));
}

}  // namespace

void module_rows(engine::Ui& ui, const PanelModel& model, PanelRequests& requests) {
    const collision::PassStats& stats = model.session->report().pass;
    draw_governor(ui, model.session->settings(), stats, requests);
    draw_worth(ui, stats);
    draw_memory(ui, model.session->world());
}

}  // namespace claybox::app
