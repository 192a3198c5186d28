#include "collision/module/parallel_mode.hpp"

namespace claybox::collision {

namespace {

constexpr const char* kNames[kParallelModes] = {"pairs", "halves", "dual", "three", "fine"};

ParallelMode switch_at(unsigned i) {
    return ParallelMode(1u << i);
}

}  // namespace

std::string to_string(ParallelMode mode) {
    std::string out;
    for (unsigned i = 0; i < kParallelModes; ++i)
        if (has(mode, switch_at(i))) out += (out.empty() ? "" : "+") + std::string(kNames[i]);
    return out.empty() ? "serial" : out;
}

std::optional<ParallelMode> parallel_mode(std::string_view text) {
    ParallelMode out = ParallelMode::serial;
    if (text == "serial") return out;
    for (bool last = false; !last;) {
        const std::size_t end = text.find('+');
        last = end == std::string_view::npos;
        const std::string_view word = text.substr(0, end);
        unsigned i = 0;
        while (i < kParallelModes && word != kNames[i]) ++i;
        if (i == kParallelModes) return std::nullopt;
        out = out | switch_at(i);
        if (!last) text.remove_prefix(end + 1);
    }
    return out;
}

}  // namespace claybox::collision
