#include "app/panels/history.hpp"

#include <algorithm>
#include <numeric>

namespace claybox::app {

const char* stage_title(Stage stage) {
    static constexpr const char* kTitles[kStages] = {"Input", "Scene",  "Collide", "View",
                                                     "Draw",  "Panels", "Wait"};
    return kTitles[static_cast<std::size_t>(stage)];
}

const char* stage_help(Stage stage) {
    static constexpr const char* kHelp[kStages] = {"Mouse, keys and window events.",
                                                   "The scene's own rules: moving bodies, answering events.",
                                                   "The collision pass, if it runs within the frame.",
                                                   "Building the render list from the scene.",
                                                   "Issuing the draw calls of the scene.",
                                                   "Building and drawing these panels.",
                                                   "Waiting for the display."};
    return kHelp[static_cast<std::size_t>(stage)];
}

double FrameTimes::sum() const {
    return std::accumulate(stage.begin(), stage.end(), 0.0);
}

void FrameHistory::add(double now, const FrameTimes& times) {
    now_ = now;
    if (count_ == kCapacity) {
        first_ = (first_ + 1) % kCapacity;
        --count_;
    }
    ring_[(first_ + count_++) % kCapacity] = {now, times};
    while (count_ > 1 && ring_[first_].time < now - kWindow) {
        first_ = (first_ + 1) % kCapacity;
        --count_;
    }
    std::erase_if(switches_, [&](const Switch& s) { return s.time < now - kWindow; });
    if (refreshed_ < 0 || now - refreshed_ >= 0.25 || count_ < 4) refresh();
}

void FrameHistory::mark(double now, std::string label) {
    // Dragging a slider switches in every frame; keep one mark per quarter second.
    if (!switches_.empty() && now - switches_.back().time < 0.25)
        switches_.back() = {now, std::move(label)};
    else
        switches_.push_back({now, std::move(label)});
}

template <class F>
Percentiles FrameHistory::percentiles_of(F&& seconds) {
    for (std::size_t i = 0; i < count_; ++i) sorted_[i] = seconds(at(i).times);
    const auto end = sorted_.begin() + static_cast<std::ptrdiff_t>(count_);
    std::sort(sorted_.begin(), end);
    const auto rank = [&](double share) {
        return sorted_[static_cast<std::size_t>(share * static_cast<double>(count_ - 1) + 0.5)];
    };
    return {rank(0.5), rank(0.95), rank(0.99)};
}

void FrameHistory::refresh() {
    refreshed_ = now_;
    percentiles_ = percentiles_of([](const FrameTimes& t) { return t.total; });
    work_ = percentiles_of([](const FrameTimes& t) { return t.work; });

    FrameTimes sum;
    std::size_t frames = 0;
    for (std::size_t i = count_; i-- > 0 && (frames == 0 || at(i).time > now_ - 0.5); ++frames) {
        const FrameTimes& t = at(i).times;
        for (std::size_t s = 0; s < kStages; ++s) sum.stage[s] += t.stage[s];
        sum.total += t.total;
        sum.broad += t.broad;
        sum.narrow += t.narrow;
        sum.pass += t.pass;
        sum.alone += t.alone;
    }
    const double scale = 1.0 / static_cast<double>(frames);
    for (double& s : sum.stage) s *= scale;
    sum.total *= scale;
    sum.broad *= scale;
    sum.narrow *= scale;
    sum.pass *= scale;
    sum.alone *= scale;
    average_ = sum;
}

}  // namespace claybox::app
