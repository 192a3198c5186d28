#include "app/session/history/input_log.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace claybox::app {

using namespace collision;

namespace {

template <class T>
bool same_bits(const T& a, const T& b) {
    using Bytes = std::array<std::byte, sizeof(T)>;
    return std::bit_cast<Bytes>(a) == std::bit_cast<Bytes>(b);
}

/// The same bits: -0 and 0 may lead to different runs.
bool same_hand(const HandInput& a, const HandInput& b) {
    const std::array more_a{a.pinch, a.grip, a.scale, a.pressure},
        more_b{b.pinch, b.grip, b.scale, b.pressure};
    return a.present == b.present && a.held == b.held && same_bits(a.part, b.part) &&
           same_bits(a.radius, b.radius) && same_bits(a.length, b.length) && same_bits(more_a, more_b);
}

}  // namespace

std::size_t InputLog::bytes_of(std::size_t edits) {
    return sizeof(Edits) + edits * sizeof(BodyEdit);
}

void InputLog::start(const Session& session) {
    missing_.clear();
    options_ = session.options();
    options_.settings = session.settings();
    before_ = session.frame();
    watch_.start(session);
    frames_.clear();
    hands_.clear();
    std::fill(std::begin(newest_hand_), std::end(newest_hand_), kNone);
    programs_.clear();
    changes_.clear();
    edits_.clear();
    edit_bytes_ = 0;
    boundaries_.clear();
}

void InputLog::give_up(std::string why) {
    missing_ = std::move(why);
    std::deque<Frame>().swap(frames_);
    std::deque<HandInput>().swap(hands_);
    std::deque<ParameterValues>().swap(programs_);
    std::deque<Change>().swap(changes_);
    std::deque<Edits>().swap(edits_);
    edit_bytes_ = 0;
    std::deque<PassBoundary>().swap(boundaries_);
}

void InputLog::before_step(const Session& session, const StepInput& input) {
    if (!missing_.empty()) return;
    if (session.frame() != newest()) return give_up("some frames have run unseen");
    RecordedFrame now = watch_.next(session, input);
    Frame& frame = frames_.emplace_back();
    frame.dt = input.dt;
    for (std::size_t side = 0; side < input.hand.size(); ++side) {
        const HandInput& hand = input.hand[side];
        std::uint32_t& newest = newest_hand_[side];
        if (!hand.present) continue;
        if (newest == kNone || !same_hand(hands_[newest], hand)) {
            newest = static_cast<std::uint32_t>(hands_.size());
            hands_.push_back(hand);
        }
        frame.hand[side] = newest;
    }
    if (programs_.empty() || programs_.back() != input.program) programs_.push_back(input.program);
    frame.program = static_cast<std::uint32_t>(programs_.size() - 1);
    if (!input.edits.empty() || input.frozen) {
        frame.edits = static_cast<std::uint32_t>(edits_.size());
        edit_bytes_ += bytes_of(input.edits.size());
        edits_.push_back({input.edits, input.frozen});
    }
    if (input.actions.empty() && !now.rebuilt && !now.settings && !now.parameters) return;
    frame.change = static_cast<std::uint32_t>(changes_.size());
    changes_.push_back({std::move(now.input.actions), now.rebuilt, now.settings, now.parameters});
}

void InputLog::after_step(const PassNotes& passes) {
    if (!missing_.empty()) return;
    boundaries_.insert(boundaries_.end(), passes.took.begin(), passes.took.end());
    Frame& frame = frames_.back();
    frame.polled = passes.polled;
    frame.pass = passes.pass;
    frame.hash = passes.hash;
    if (bytes() <= max_bytes_) return;
    give_up("the run is too long: its inputs do not fit into " + std::to_string(max_bytes_ >> 20) + " MB");
}

void InputLog::cut(std::uint64_t frame, const Session& session) {
    if (!missing_.empty()) return;
    CLAYBOX_ASSERT(frame >= before_ && frame <= newest());
    frames_.resize(frame - before_);
    const auto later = std::find_if(boundaries_.begin(), boundaries_.end(),
                                    [&](const PassBoundary& at) { return at.frame > frame; });
    boundaries_.erase(later, boundaries_.end());
    // What only later frames refer to. Indices ascend from frame to frame.
    std::size_t hands = 0, changes = 0, edits = 0;
    std::fill(std::begin(newest_hand_), std::end(newest_hand_), kNone);
    for (auto f = frames_.rbegin(); f != frames_.rend(); ++f) {
        if (changes == 0 && f->change != kNone) changes = f->change + std::size_t{1};
        if (edits == 0 && f->edits != kNone) edits = f->edits + std::size_t{1};
        for (std::size_t side = 0; side < 2; ++side)
            if (newest_hand_[side] == kNone) newest_hand_[side] = f->hand[side];
    }
    for (const std::uint32_t newest : newest_hand_)
        if (newest != kNone) hands = std::max(hands, newest + std::size_t{1});
    hands_.resize(hands);
    changes_.resize(changes);
    for (; edits_.size() > edits; edits_.pop_back()) edit_bytes_ -= bytes_of(edits_.back().list.size());
    programs_.resize(frames_.empty() ? 0 : frames_.back().program + std::size_t{1});
    watch_.start(session);
}

RecordedFrame InputLog::frame(std::size_t i) const {
    const Frame& kept = frames_[i];
    RecordedFrame out;
    out.input.dt = kept.dt;
    for (std::size_t side = 0; side < out.input.hand.size(); ++side)
        if (kept.hand[side] != kNone) out.input.hand[side] = hands_[kept.hand[side]];
    out.input.program = programs_[kept.program];
    if (kept.change != kNone) {
        const Change& change = changes_[kept.change];
        out.input.actions = change.actions;
        out.rebuilt = change.rebuilt;
        out.settings = change.settings;
        out.parameters = change.parameters;
    }
    if (kept.edits != kNone) {
        out.input.edits = edits_[kept.edits].list;
        out.input.frozen = edits_[kept.edits].frozen;
    }
    out.polled = kept.polled;
    out.pass = kept.pass;
    out.hash = kept.hash;
    const std::uint64_t number = before_ + i + 1;
    auto at = std::lower_bound(boundaries_.begin(), boundaries_.end(), number,
                               [](const PassBoundary& b, std::uint64_t n) { return b.frame < n; });
    for (; at != boundaries_.end() && at->frame == number; ++at) out.passes.push_back(at->accuracy);
    return out;
}

WorldSettings InputLog::settings_at(std::uint64_t frame) const {
    for (std::size_t i = frame - before_; i-- > 0;)
        if (frames_[i].change != kNone && changes_[frames_[i].change].settings)
            return *changes_[frames_[i].change].settings;
    return options_.settings;
}

std::size_t InputLog::bytes() const {
    return frames_.size() * sizeof(Frame) + hands_.size() * sizeof(HandInput) +
           programs_.size() * sizeof(ParameterValues) + changes_.size() * sizeof(Change) +
           boundaries_.size() * sizeof(PassBoundary) + edit_bytes_;
}

}  // namespace claybox::app
