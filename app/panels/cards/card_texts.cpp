// Short texts that several cards share.

#include "app/panels/cards/cards.hpp"

#include <array>

namespace claybox::app {

std::string milliseconds(double seconds) {
    const double ms = seconds * 1e3;
    if (ms >= 999.5) return engine::fixed(seconds, 2) + " s";
    return engine::fixed(ms, ms < 0.0995 ? 2 : ms < 99.95 ? 1 : 0) + " ms";
}

std::string short_time(double ns) {
    if (ns < 999.5) return engine::fixed(ns, 0) + " ns";
    if (ns < 999.5e3) return engine::fixed(ns * 1e-3, ns < 99.95e3 ? 1 : 0) + " µs";
    return engine::fixed(ns * 1e-6, ns < 99.95e6 ? 1 : 0) + " ms";
}

std::string capitalised(std::string_view name) {
    std::string out(name);
    if (!out.empty() && out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
    return out;
}

std::string accuracy_text(collision::Accuracy accuracy) {
    constexpr std::array<const char*, collision::kAccuracies> kTexts{"Full", "Fast answers", "Verdicts only",
                                                                     "Boxes only"};
    return kTexts[static_cast<std::size_t>(accuracy)];
}

const char* verdict_word(collision::Verdict verdict) {
    return verdict == collision::Verdict::colliding   ? "Colliding"
           : verdict == collision::Verdict::separated ? "Separated"
                                                      : "Undecided";
}

engine::Mark verdict_mark(collision::Verdict verdict) {
    return verdict == collision::Verdict::colliding   ? engine::Mark::disc
           : verdict == collision::Verdict::separated ? engine::Mark::square
                                                      : engine::Mark::triangle;
}

engine::Colour verdict_colour(const engine::Theme& theme, collision::Verdict verdict) {
    return verdict == collision::Verdict::colliding   ? theme.crimson
           : verdict == collision::Verdict::separated ? theme.teal
                                                      : theme.amber;
}

}  // namespace claybox::app
