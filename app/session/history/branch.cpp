#include "app/session/history/branch.hpp"

#include <chrono>

namespace claybox::app {

using namespace collision;

Result<std::unique_ptr<Branch>> Branch::start(const InputLog& log, std::uint64_t frame) {
    if (!log.missing().empty()) return Error{log.missing(), {}, 0};
    CLAYBOX_ASSERT(frame >= log.before() && frame <= log.newest());
    std::unique_ptr<Branch> out(new Branch(log, frame - log.before()));
    const auto frames = [branch = out.get()](std::size_t i) {
        branch->frame_ = branch->log_.frame(i);
        return &branch->frame_;
    };
    auto replay = Replay::start(frames, log.options(), log.before());
    if (!replay) return replay.error();
    out->replay_ = std::move(replay).value();
    return out;
}

Status Branch::advance(double seconds) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    while (!done()) {
        if (const auto stepped = replay_->step(); !stepped) return stepped.error();
        ++repeated_;
        if (Clock::now() >= end) break;
    }
    return Done{};
}

std::unique_ptr<Session> Branch::take_session() {
    CLAYBOX_ASSERT(done());
    std::unique_ptr<Session> session = replay_->take_session();
    WorldSettings settings = session->settings();
    if (settings.concurrent != log_.settings_at(target()).concurrent) {
        settings.concurrent = !settings.concurrent;  // a replay is serial
        session->set_settings(settings);
    }
    return session;
}

}  // namespace claybox::app
