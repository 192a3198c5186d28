#pragma once
// The parts that draw_panels() puts together.

#include "app/panels/model.hpp"
#include "engine/ui/widgets/widgets.hpp"

namespace claybox::app {

/// Cards that are open at first: as many as fit a column of this height, the most important ones for the
/// scene first. All headers except Headset and Devices stay in view.
struct OpenCards {
    bool scene = false, algorithm = false, broad_phase = false, performance = false, inspect = false,
         events = false, headset = false;
};
OpenCards open_cards(const PanelModel& model, float column_units);

/// "5.1 ms", "0.02 ms", "1.59 s": at most three digits.
std::string milliseconds(double seconds);

std::string capitalised(std::string_view name);

/// How a verdict is shown: "Colliding", with a mark and a colour.
const char* verdict_word(collision::Verdict verdict);
engine::Mark verdict_mark(collision::Verdict verdict);
engine::Colour verdict_colour(const engine::Theme& theme, collision::Verdict verdict);

/// "840 ns", "12.3 µs", "1.2 ms".
std::string short_time(double ns);

/// "Full", "Boxes only".
std::string accuracy_text(collision::Accuracy accuracy);

void scene_card(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                bool open);
void algorithm_card(engine::Ui& ui, const PanelModel& model, PanelRequests& requests, bool open);
void broad_phase_card(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                      bool open);
void performance_card(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                      bool open);
void inspect_card(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                  bool open);
/// Rows of the Broad phase card: which groups of bodies are tested against which.
void interest_rows(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests);
/// Rows of the Scene card: buttons that add, duplicate and delete bodies, in a scene that allows it.
void edit_rows(engine::Ui& ui, const PanelModel& model, PanelRequests& requests);
/// Rows of the Scene card: how deep the button was that was pressed last, in scenes with buttons.
void press_rows(engine::Ui& ui, const PanelModel& model);
/// Rows of the Inspect card: the selected body, and the probe.
void object_rows(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests);
void probe_rows(engine::Ui& ui, const PanelModel& model, PanelState& state);
/// Rows of the Inspect card: all algorithms about the selected pair, and about every pair.
void ask_rows(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests);
void tumble_rows(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests);
void heat_rows(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests);
/// One row per algorithm: mark of the verdict, title, distance, steps, time. Wrong answers are red.
void answer_rows(engine::Ui& ui, std::span<const AlgorithmAnswer> answers);
void progress_bar(engine::Ui& ui, const char* label, std::string_view text, float share);
void check_rows(engine::Ui& ui, const PanelModel& model, PanelRequests& requests);
/// Rows of the Performance card: slow frames and counts; the kept run and files.
void statistics_rows(engine::Ui& ui, const PanelModel& model);
void kept_run_rows(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests);
void headset_card(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                  bool open);
void events_card(engine::Ui& ui, const PanelModel& model, const PanelState& state, PanelRequests& requests,
                 bool open);
/// Logical devices: values, sources, and an editor for one mapping. Draws nothing without devices in the
/// model.
void devices_card(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests);

void rail(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
          const engine::Rect& box);
void bottom_bar(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                const engine::Rect& box);
void help_overlay(engine::Ui& ui, const PanelModel& model, PanelState& state);
/// The first-run hint in the lower left corner of the free area, where it covers neither the scene nor an
/// idle hand. Returns its rectangle, or an empty one.
engine::Rect hint_panel(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                        const engine::Rect& area);
/// The shown lesson, in the place of the hint. Returns its rectangle, or an empty one without a lesson.
engine::Rect lesson_panel(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests,
                          const engine::Rect& area);
/// Offers a pot of a program that did not end regularly, above the hint. Blocks nothing.
void leftover_panel(engine::Ui& ui, const PanelModel& model, PanelRequests& requests,
                    const engine::Rect& area, const engine::Rect& hint);
/// "−3.20 s, frame 1,234" while the past is shown, else empty.
std::string past_text(const PastModel& past);
/// At the upper edge while another thread builds a scene or saves a mesh. Returns its rectangle, or an empty one.
engine::Rect build_panel(engine::Ui& ui, const PanelModel& model, PanelRequests& requests,
                         const engine::Rect& area);
/// At the upper edge while the past is shown. Returns its rectangle, or an empty one.
engine::Rect past_panel(engine::Ui& ui, const PanelModel& model, PanelRequests& requests,
                        const engine::Rect& area);
/// A short message at the upper edge that disappears after some seconds.
void passing_message(engine::Ui& ui, const PanelModel& model, const engine::Rect& area);
/// Labels and dimensions of the scene. Chips keep off the rectangles in `taken`.
void scene_labels(engine::Ui& ui, const PanelModel& model, PanelState& state, const engine::Rect& area,
                  std::vector<engine::Rect> taken);
/// The flat drawings of the scene and of the drawn step, from the upper left corner of `area` downwards.
/// Returns their rectangles.
std::vector<engine::Rect> scene_insets(engine::Ui& ui, const PanelModel& model, const engine::Rect& area);

}  // namespace claybox::app
