// The rows of the Inspect card that compare all algorithms: about the selected pair, and about every pair.

#include "app/panels/cards/cards.hpp"

#include <algorithm>

namespace claybox::app {

using collision::Verdict;
using engine::Align;
using engine::Colour;
using engine::Mark;
using engine::Rect;
using engine::TextSize;

namespace {

/// Columns of a row, pixels.
struct AnswerColumns {
    Rect mark, title, size, steps, time;

    AnswerColumns(engine::Ui& ui, const Rect& row) {
        const float time_x = row.x1 - ui.px(52), steps_x = time_x - ui.px(38), size_x = steps_x - ui.px(38);
        mark = {row.x0, row.y0, row.x0 + ui.px(14), row.y1};
        title = {row.x0 + ui.px(14), row.y0, size_x, row.y1};
        size = {size_x, row.y0, steps_x - ui.px(4), row.y1};
        steps = {steps_x, row.y0, time_x - ui.px(2), row.y1};
        time = {time_x, row.y0, row.x1, row.y1};
    }
};

/// Grey: not part of the comparison.
bool is_grey(Standing standing) {
    return standing == Standing::no_answer || standing == Standing::undecided;
}

/// Distance or depth in millimetres, or the time of impact.
std::string size_text(const AlgorithmAnswer& answer) {
    if (answer.time_of_impact) return "t " + engine::fixed(*answer.time_of_impact, 2);
    const std::optional<double>& metres = answer.distance ? answer.distance : answer.depth;
    if (!metres) return "–";
    const double mm = *metres * 1e3;
    return engine::fixed(mm, mm < 10 ? 2 : mm < 100 ? 1 : 0);
}

/// The title, or the id where the title is too long, after a sign for a wrong or an inexact answer.
std::string answer_title(engine::Ui& ui, const AlgorithmAnswer& answer, float width) {
    const bool wrong = answer.standing == Standing::disagrees;
    const std::string sign = wrong ? "≠ " : answer.exact || is_grey(answer.standing) ? "" : "≈ ";
    const std::string full = sign + answer.title;
    return engine::text_width(ui, TextSize::secondary, full) <= width ? full : sign + answer.id;
}

std::string answer_help(const AlgorithmAnswer& answer) {
    std::string out = answer.title;
    if (answer.along_motion) out += ", along the motion of the last step";
    out += ".";
    if (answer.standing != Standing::no_answer) {
        out += std::string(" ") + verdict_word(answer.verdict) +
               (answer.meaning == collision::Meaning::solid ? " (solids)." : " (surfaces).");
        if (!answer.exact) out += " Not exact: approximate, one-sided or within a tolerance.";
    }
    if (*answer.why) out += std::string("\n") + answer.why;
    return out;
}

void answer_row(engine::Ui& ui, const AlgorithmAnswer& answer) {
    const Rect row = engine::take_row(ui, 18, 0);
    const AnswerColumns at(ui, row);
    const engine::Theme& theme = ui.theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool wrong = answer.standing == Standing::disagrees, grey = is_grey(answer.standing),
               answered = answer.standing != Standing::no_answer;
    if (wrong) {
        list.AddRectFilled({row.x0 - ui.px(4), row.y0}, {row.x1, row.y1}, engine::faded(theme.crimson, 0.2f),
                           ui.px(2));
        list.AddRectFilled({row.x0 - ui.px(4), row.y0}, {row.x0 - ui.px(1), row.y1}, theme.crimson);
    }
    const Colour ink = wrong ? theme.crimson : grey ? engine::faded(theme.secondary, 0.75f) : theme.ink;
    if (answered)
        engine::draw_mark(list, {at.mark.x0 + ui.px(6), at.mark.centre().y}, ui.px(9),
                          verdict_mark(answer.verdict), grey ? ink : verdict_colour(theme, answer.verdict));
    engine::draw_text(ui, list, at.title, TextSize::secondary, ink,
                      answer_title(ui, answer, at.title.width()));
    std::string value = "–";
    if (answered) {
        const std::string size = size_text(answer), steps = engine::grouped(answer.iterations),
                          time = short_time(answer.ns);
        engine::draw_text(ui, list, at.size, TextSize::secondary, ink, size, Align::right);
        engine::draw_text(ui, list, at.steps, TextSize::secondary, ink, steps, Align::right);
        engine::draw_text(ui, list, at.time, TextSize::secondary, ink, time, Align::right);
        value = std::string(verdict_word(answer.verdict)) + ", " + size + ", " + steps + ", " + time;
        if (wrong) value += ", disagrees";
    } else {
        engine::draw_text(ui, list, at.time, TextSize::secondary, ink, "–", Align::right);
    }
    engine::tooltip_at(ui, row, answer_help(answer));
    engine::log_widget(ui, "answer", row, answer.title, value);
}

void head_row(engine::Ui& ui) {
    const Rect row = engine::take_row(ui, 16, 2);
    const AnswerColumns at(ui, row);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Colour ink = ui.theme().secondary;
    engine::draw_text(ui, list, at.title, TextSize::secondary, ink, "Algorithm");
    engine::draw_text(ui, list, at.size, TextSize::secondary, ink, "mm", Align::right);
    engine::draw_text(ui, list, at.steps, TextSize::secondary, ink, "Steps", Align::right);
    engine::draw_text(ui, list, at.time, TextSize::secondary, ink, "Time", Align::right);
    list.AddLine({row.x0, row.y1}, {row.x1, row.y1}, ui.theme().line);
    engine::tooltip_at(
        ui, row,
        "mm: distance or penetration depth; along a motion, t: the time of impact as a share "
        "of the step.\nSteps: iterations of the main loop.\nTime: of the verdict alone, median "
        "of a few runs, each from an empty cache.");
}

/// "Colliding", or the two verdicts where solids and surfaces differ.
std::string truth_text_of(const Truth& truth) {
    if (truth.solid == truth.surface || truth.surface == Verdict::undecided) return verdict_word(truth.solid);
    if (truth.solid == Verdict::undecided) return verdict_word(truth.surface);
    return std::string(verdict_word(truth.solid)) + ", surfaces " +
           (truth.surface == Verdict::colliding ? "touch" : "apart");
}

void summary_rows(engine::Ui& ui, const AskAll& asked) {
    const engine::Theme& theme = ui.theme();
    const Verdict shown =
        asked.truth().solid == Verdict::undecided ? asked.truth().surface : asked.truth().solid;
    engine::key_value(ui, "Exact arithmetic", truth_text_of(asked.truth()),
                      "The verdict with a proof that was checked again in exact arithmetic.",
                      verdict_mark(shown), verdict_colour(theme, shown), true);
    const std::size_t wrong = asked.disagreements(), right = asked.count(Standing::agrees);
    const std::string text = wrong > 0 ? engine::grouped(wrong) + (wrong == 1 ? " disagrees" : " disagree")
                                       : "All " + engine::grouped(right) + " with an answer agree";
    engine::key_value(ui, "Frame " + engine::grouped(asked.subject().frame), text,
                      "The poses of this frame. Grey rows do not count: the algorithm does not accept the "
                      "pair, or may leave it undecided. ≈ marks algorithms that are not exact.",
                      wrong > 0 ? Mark::diamond : Mark::none, theme.crimson, wrong > 0);
}

}  // namespace

void answer_rows(engine::Ui& ui, std::span<const AlgorithmAnswer> answers) {
    head_row(ui);
    for (const AlgorithmAnswer& answer : answers) answer_row(ui, answer);
    engine::take_row(ui, 2, 4);
}

void ask_rows(engine::Ui& ui, const PanelModel& model, PanelState& state, PanelRequests& requests) {
    if (model.asked == nullptr) return;
    static constexpr const char* kButtons[] = {"Ask all algorithms", "Save the pair"};
    const std::string ask_help = "Every algorithm answers this pair at its poses now. Key " +
                                 first_key(model.devices, "ask_all"),
                      save_help =
                          "Saves both bodies, at the poses of the table or of this frame, for \"claybox "
                          "query\" and for tests. Key " +
                          first_key(model.devices, "save_pair");
    const char* const help[] = {ask_help.c_str(), save_help.c_str()};
    const int pressed = engine::button_row(ui, kButtons, help);
    if (pressed == 0) requests.ask_all = true;
    if (pressed == 1) requests.save_pair = true;
    engine::check_box(ui, "Keep asking while the scene runs", state.compare.keep_asking,
                      "Asks again and again, about 2 ms per frame. Slow algorithms are left out.");
    const AskAll& asked = *model.asked;
    if (asked.rows().empty()) return;
    summary_rows(ui, asked);
    answer_rows(ui, asked.rows());
}

void progress_bar(engine::Ui& ui, const char* label, std::string_view text, float share) {
    const Rect row = engine::take_row(ui, 20, 4);
    const engine::Theme& theme = ui.theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(row.min(), row.max(), theme.frame, ui.px(3));
    list.AddRectFilled(row.min(), {row.x0 + share * row.width(), row.y1}, engine::faded(theme.accent, 0.35f),
                       ui.px(3));
    engine::draw_text(ui, list, row, TextSize::body, theme.ink, text, Align::centre);
    engine::log_widget(ui, "progress", row, label, text);
}

namespace {

/// How many pairs needed how many iterations: bars with the highest at full height.
void histogram_row(engine::Ui& ui, const PairCheck& check) {
    const Rect row = engine::take_row(ui, 52, 4);
    const engine::Theme& theme = ui.theme();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const PairCheck::Histogram& pairs = check.histogram();
    const std::uint64_t most = std::max<std::uint64_t>(1, *std::max_element(pairs.begin(), pairs.end()));
    const float width = row.width() / static_cast<float>(pairs.size()), base = row.y1 - ui.px(16);
    std::string value;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const float x = row.x0 + width * static_cast<float>(i);
        const float high = static_cast<float>(pairs[i]) / static_cast<float>(most) * (base - row.y0);
        const std::string from = i == 0 ? "0" : engine::grouped(std::uint64_t{1} << (i - 1));
        if (pairs[i] > 0)
            list.AddRectFilled({x + ui.px(1), base - std::max(high, ui.px(1))}, {x + width - ui.px(1), base},
                               theme.teal, ui.px(1));
        engine::draw_text(ui, list, {x, base, x + width, row.y1}, TextSize::label, theme.secondary, from,
                          Align::centre);
        value += (i > 0 ? " " : "") + engine::grouped(pairs[i]);
    }
    list.AddLine({row.x0, base}, {row.x1, base}, theme.line);
    engine::tooltip_at(ui, row,
                       "Pairs by the iterations of the chosen algorithm, each pair from an empty cache. The "
                       "number below a bar is the least number of iterations that it counts.");
    engine::log_widget(ui, "histogram", row, "Iterations", value);
}

void result_rows(engine::Ui& ui, const PairCheck& check, PanelRequests& requests) {
    using engine::grouped;
    using engine::key_value;
    const engine::Theme& theme = ui.theme();
    const PairCheck::Counts& counts = check.counts();
    key_value(ui, check.complete() ? "Pairs checked" : "Cancelled after",
              check.complete() ? grouped(counts.pairs) : grouped(counts.pairs) + " pairs",
              "Pairs of bodies whose boxes overlapped in the frame in which you pressed the button.");
    key_value(ui, "Colliding", grouped(counts.colliding), "By exact arithmetic.");
    key_value(ui, "Answers compared", grouped(counts.answers - counts.unchecked),
              "Answers of all exact algorithms that accept the pair.");
    if (counts.unchecked > 0)
        key_value(ui, "Without a verdict", grouped(counts.unchecked),
                  "Answers about bodies for which exact arithmetic has no verdict, such as open meshes.");
    const collision::PairAlgorithm* counted = check.counted();
    key_value(ui, "Iterations", counted->title, "Of the chosen algorithm, pair by pair: the bars below.");
    histogram_row(ui, check);
    const bool wrong = counts.disagreements > 0;
    key_value(ui, "Disagreements", grouped(counts.disagreements),
              "Answers that differ from exact arithmetic. The first one is selected.",
              wrong ? Mark::diamond : Mark::square, wrong ? theme.crimson : theme.teal, wrong);
    if (!check.first()) return;
    const PairCheck::Difference& first = *check.first();
    key_value(ui, first.algorithm->title,
              std::string(verdict_word(first.verdict)) + ", exact: " + verdict_word(first.truth),
              "The first disagreement.");
    static constexpr const char* kSave[] = {"Save the first disagreement"};
    static constexpr const char* kHelp[] = {
        "Saves the pair at the poses of that moment, for \"claybox query\" and for tests."};
    if (engine::button_row(ui, kSave, kHelp) == 0) requests.save_difference = true;
}

}  // namespace

void check_rows(engine::Ui& ui, const PanelModel& model, PanelRequests& requests) {
    if (model.check == nullptr) return;
    if (!engine::fold_row(ui, "Every pair of this frame",
                          "Asks all exact algorithms about every pair of bodies with overlapping boxes."))
        return;
    const PairCheck& check = *model.check;
    if (check.running()) {
        const bool known = !check.searching() && check.total() > 0;
        progress_bar(ui, "Pairs checked",
                     known
                         ? engine::grouped(check.done()) + " of " + engine::grouped(check.total()) + " pairs"
                         : "Finding the pairs …",
                     known ? static_cast<float>(check.done()) / static_cast<float>(check.total()) : 0);
        static constexpr const char* kCancel[] = {"Cancel"};
        if (engine::button_row(ui, kCancel) == 0) requests.cancel_check = true;
        return;
    }
    static constexpr const char* kStart[] = {"Ask all about every pair"};
    static constexpr const char* kHelp[] = {
        "Asks all exact algorithms about every pair of bodies with overlapping boxes, at the poses of this "
        "frame. The scene runs on."};
    if (engine::button_row(ui, kStart, kHelp) == 0) requests.check_pairs = true;
    if (check.has_result()) result_rows(ui, check, requests);
}

}  // namespace claybox::app
