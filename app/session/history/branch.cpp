#include "app/session/history/branch.hpp"

#include <chrono>

namespace claybox::app {

using namespace collision;

Branch::Branch(const InputLog& log, std::uint64_t frame, std::unique_ptr<Session> session)
    : log_(log),
      frames_(frame - log.before()),
      replay_(
          [this](std::size_t i) {
              frame_ = log_.frame(i);
              return &frame_;
          },
          std::move(session)) {
    CLAYBOX_ASSERT(frame >= log.before() && frame <= log.newest());
}

Result<std::unique_ptr<Branch>> Branch::start(const InputLog& log, std::uint64_t frame) {
    if (!log.missing().empty()) return Error{log.missing(), {}, 0};
    auto session = Session::create(options(log), log.before());
    if (!session) return session.error();
    return std::make_unique<Branch>(log, frame, std::move(session).value());
}

Status Branch::advance(double seconds) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    while (!done()) {
        if (const auto stepped = replay_.step(); !stepped) return stepped.error();
        ++repeated_;
        if (Clock::now() >= end) break;
    }
    return Done{};
}

std::unique_ptr<Session> Branch::take_session() {
    CLAYBOX_ASSERT(done());
    std::unique_ptr<Session> session = replay_.take_session();
    WorldSettings settings = session->settings();
    if (settings.concurrent != log_.settings_at(target()).concurrent) {
        settings.concurrent = !settings.concurrent;  // a replay is serial
        session->set_settings(settings);
    }
    return session;
}

}  // namespace claybox::app
