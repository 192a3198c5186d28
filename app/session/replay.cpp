#include "app/session/recording.hpp"

namespace claybox::app {

using namespace collision;

Result<std::unique_ptr<Replay>> Replay::start(const Recording& recording, const SessionOptions& options,
                                              Adjust adjust) {
    const auto frames = [all = &recording.frames](std::size_t i) {
        return i < all->size() ? &(*all)[i] : nullptr;
    };
    auto session = Session::create(serial(options));
    if (!session) return session.error();
    return std::make_unique<Replay>(frames, std::move(session).value(), std::move(adjust));
}

Replay::Replay(Frames frames, std::unique_ptr<Session> session, Adjust adjust)
    : frames_(std::move(frames)),
      session_(std::move(session)),
      adjust_(std::move(adjust)),
      world_(&session_->world()) {}

SessionOptions Replay::serial(const SessionOptions& options) {
    SessionOptions out = options;
    out.settings.concurrent = false;
    return out;
}

/// Applies the changes recorded before the frame.
Status Replay::prepare(const RecordedFrame& frame) {
    bool new_world = frame.rebuilt;
    if (frame.settings) {
        WorldSettings settings = *frame.settings;
        if (adjust_) adjust_(settings);
        settings.concurrent = false;
        session_->set_settings(settings);
    }
    if (frame.parameters) {
        const std::size_t count = session_->descriptor().parameters.size();
        for (std::size_t i = 0; i < count; ++i) {
            if ((*frame.parameters)[i] == session_->options().scene_parameters[i]) continue;
            if (const Status set = session_->set_parameter(i, (*frame.parameters)[i]); !set) return set;
            new_world = new_world || (session_->descriptor().rebuild_mask >> i & 1u) != 0;
        }
    }
    if (frame.rebuilt) {
        if (const Status built = session_->rebuild(); !built) return built;
    }
    if (new_world) {
        hash_of_pass_.clear();
        world_ = &session_->world();
    }
    return Done{};
}

/// Compares the hash of the recorded pass. The pass has finished here too: passes never run later than in the
/// recording.
void Replay::compare(const RecordedFrame& frame) {
    const PassStats stats = session_->world().stats();
    hash_of_pass_.resize(stats.pass, stats.state_hash);
    if (!hash_of_pass_.empty()) hash_of_pass_.back() = stats.state_hash;
    if (difference_ || frame.pass == 0) return;
    const std::uint64_t found = frame.pass <= hash_of_pass_.size() ? hash_of_pass_[frame.pass - 1] : 0;
    if (found != frame.hash) difference_ = Difference{session_->frame(), frame.hash, found};
}

Result<bool> Replay::step() {
    const RecordedFrame* const recorded = frames_(next_);
    if (recorded == nullptr) return false;
    ++next_;
    const RecordedFrame& frame = *recorded;
    if (const Status prepared = prepare(frame); !prepared) return prepared.error();
    session_->world().replay_frame(frame.passes, frame.polled);
    session_->step(frame.input);
    if (world_ != &session_->world()) {  // the scene has been rebuilt by its own command
        hash_of_pass_.clear();
        world_ = &session_->world();
    }
    compare(frame);
    return true;
}

std::unique_ptr<Session> Replay::take_session() {
    session_->world().end_replay();
    return std::move(session_);
}

}  // namespace claybox::app
