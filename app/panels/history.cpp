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

const char* series_title(Series series) {
    static constexpr const char* kTitles[kSeries] = {
        "Frame",        "Window's work", "Pass",        "Broad phase",  "Narrow phase",    "Candidates",
        "Tested pairs", "Iterations",    "Float alone", "Certificates", "Exact arithmetic"};
    return kTitles[static_cast<std::size_t>(series)];
}

double value_of(Series series, const FrameHistory::Entry& entry) {
    const FrameTimes& t = entry.times;
    const FrameCounts& c = entry.counts;
    switch (series) {
        case Series::frame:
            return t.total;
        case Series::work:
            return t.work;
        case Series::pass:
            return t.pass;
        case Series::broad:
            return t.broad;
        case Series::narrow:
            return t.narrow;
        case Series::candidates:
            return static_cast<double>(c.candidates);
        case Series::tests:
            return static_cast<double>(c.tests);
        case Series::iterations:
            return static_cast<double>(c.iterations);
        default:
            return static_cast<double>(
                c.rung[static_cast<std::size_t>(series) - static_cast<std::size_t>(Series::by_float)]);
    }
}

std::size_t bucketed(const FrameHistory& history, std::span<KeptRun::Point> buckets) {
    std::size_t count = 0, last = buckets.size();
    for (std::size_t i = 0; i < history.size(); ++i) {
        const FrameHistory::Entry& e = history.at(i);
        const double t = 1 + (e.time - history.now()) / FrameHistory::kWindow;
        if (t < 0) continue;
        const std::size_t bucket =
            std::min(buckets.size() - 1, static_cast<std::size_t>(t * static_cast<double>(buckets.size())));
        const auto frame = static_cast<float>(e.times.total * 1e3),
                   narrow = static_cast<float>(e.times.narrow * 1e3);
        if (bucket == last) {
            KeptRun::Point& p = buckets[count - 1];
            p.frame = std::max(p.frame, frame);
            p.narrow = std::max(p.narrow, narrow);
            continue;
        }
        if (count == buckets.size()) break;
        last = bucket;
        buckets[count++] = {static_cast<float>(t), frame, narrow};
    }
    return count;
}

void FrameHistory::add(double now, const FrameTimes& times, const FrameCounts& counts) {
    const bool passed = counts.pass != 0 && (count_ == 0 || stored_at(count_ - 1).counts.pass != counts.pass);
    now_ = now;
    if (count_ == kCapacity) {
        first_ = (first_ + 1) % kCapacity;
        --count_;
        window_ -= window_ > 0 ? 1 : 0;
    }
    ring_[(first_ + count_++) % kCapacity] = {now, times, counts, passed};
    while (count_ > 1 && ring_[first_].time < now - kStored) {
        first_ = (first_ + 1) % kCapacity;
        --count_;
        window_ -= window_ > 0 ? 1 : 0;
    }
    while (size() > 1 && at(0).time < now - kWindow) ++window_;
    std::erase_if(switches_, [&](const Switch& s) { return s.time < now - kWindow; });
    if (refreshed_ < 0 || now - refreshed_ >= 0.25 || count_ < 4) refresh();
}

void FrameHistory::mark(double now, std::string label) {
    switched_ = now;
    // Dragging a slider switches in every frame; keep one mark per quarter second.
    if (!switches_.empty() && now - switches_.back().time < 0.25)
        switches_.back() = {now, std::move(label)};
    else
        switches_.push_back({now, std::move(label)});
}

/// The values of the window's frames after this time, ascending. Valid until the next call.
std::span<const double> FrameHistory::sorted(Series series, double after) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        const Entry& entry = at(i);
        if (entry.time <= after || (is_of_pass(series) && !entry.passed)) continue;
        sorted_[count++] = value_of(series, entry);
    }
    std::sort(sorted_.begin(), sorted_.begin() + static_cast<std::ptrdiff_t>(count));
    return {sorted_.data(), count};
}

namespace {

double rank(std::span<const double> values, double share) {
    if (values.empty()) return 0;
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

}  // namespace

double FrameHistory::median(Series series, double after) {
    return rank(sorted(series, after), 0.5);
}

void FrameHistory::keep(std::string label) {
    constexpr std::size_t kPoints = 240;
    KeptRun run;
    run.label = std::move(label);
    run.until = now_;
    run.points.resize(kPoints);
    run.points.resize(bucketed(*this, run.points));
    // Frames of the settings before the last switch belong to another run.
    run.frame = median(Series::frame, switched_);
    run.pass = median(Series::pass, switched_);
    run.narrow = median(Series::narrow, switched_);
    kept_ = std::move(run);
    since_kept_.reset();
}

void FrameHistory::refresh() {
    constexpr std::size_t kLeastFrames = 5;
    refreshed_ = now_;
    for (std::size_t i = 0; i < kSeries; ++i) {
        const std::span<const double> values = sorted(static_cast<Series>(i), -1);
        percentiles_[i] = {rank(values, 0.5), rank(values, 0.95), rank(values, 0.99), rank(values, 1)};
    }
    const std::span<const double> frames = sorted(Series::frame, -1);
    slow_ = {frames.size(), 0, 0};
    const std::size_t slowest = (frames.size() + 99) / 100;
    const std::span<const double> worst = frames.last(slowest);
    const double seconds = std::accumulate(worst.begin(), worst.end(), 0.0);
    if (seconds > 0) slow_.low = static_cast<double>(slowest) / seconds;
    slow_.late = static_cast<std::size_t>(
        frames.end() - std::upper_bound(frames.begin(), frames.end(), interval_ + kTolerance));
    if (kept_) {
        const double after = std::max(kept_->until, switched_);
        if (sorted(Series::frame, after).size() >= kLeastFrames) {
            if (!since_kept_) since_kept_.emplace();
            since_kept_->frame = median(Series::frame, after);
            since_kept_->pass = median(Series::pass, after);
            since_kept_->narrow = median(Series::narrow, after);
        } else {
            since_kept_.reset();
        }
    }
    refresh_average();
}

void FrameHistory::refresh_average() {
    FrameTimes sum;
    std::size_t frames = 0;
    for (std::size_t i = size(); i-- > 0 && (frames == 0 || at(i).time > now_ - 0.5); ++frames) {
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
