#include "collision/module/world.hpp"

#include "collision/module/front.hpp"
#include "collision/module/pass.hpp"

#include <algorithm>
#include <cfenv>
#include <limits>
#include <thread>

namespace claybox::collision {

namespace {

constexpr unsigned kMostWorkers = 64;

/// The error bounds of exact answers hold for rounding to nearest with subnormal numbers.
bool float_mode_is_ieee() {
    volatile float smallest = std::numeric_limits<float>::min();
    volatile float half = smallest * 0.5f;
    return std::fegetround() == FE_TONEAREST && half > 0.0f;
}

WorldSettings filled_in(WorldSettings s) {
    if (!s.pair_algorithm && !pair_algorithms().empty()) {
        s.pair_algorithm = pair_algorithms().front();
        s.pair_parameters = default_values(s.pair_algorithm->parameters);
    }
    for (const PairAlgorithm* algorithm : pair_algorithms()) {
        if (!s.fallback_algorithm && algorithm->needs == Needs::any_polygons)
            s.fallback_algorithm = algorithm;
        const bool solid = algorithm->needs == Needs::convex && algorithm->meaning == Meaning::solid;
        if (!s.solid_fallback && solid && algorithm->exact && !algorithm->fits) s.solid_fallback = algorithm;
    }
    if (!s.broad_phase) {
        s.broad_phase = broad_phases().front();
        s.broad_parameters = default_values(s.broad_phase->parameters);
    }
    if (s.workers == 0) s.workers = processor_count();
    s.workers = std::clamp(s.workers, 1u, kMostWorkers);
    return s;
}

}  // namespace

const PairAlgorithm* fallback_for(const WorldSettings& settings, const PairBody& a, const PairBody& b) {
    const bool solid = settings.pair_algorithm && settings.pair_algorithm->meaning == Meaning::solid;
    const PairAlgorithm* const first = solid ? settings.solid_fallback : nullptr;
    for (const PairAlgorithm* algorithm : {first, settings.fallback_algorithm})
        if (algorithm && applicable(*algorithm, a, b)) return algorithm;
    return nullptr;
}

WorldSettings default_settings() {
    return filled_in({});
}

struct World::Impl {
    explicit Impl(const WorldSettings& wanted) : settings(filled_in(wanted)), pass(front, settings) {
        if (!float_mode_is_ieee())
            assert_failed("floating point rounds to nearest and keeps subnormals", __FILE__, __LINE__);
        if (settings.concurrent) start();
    }
    ~Impl() {
        pass.request_stop();
        stop();
    }

    void start() {
        thread = std::jthread([this](const std::stop_token& token) {
            while (front.wait_for_work(token)) run_pass();
        });
    }
    /// Waits for the running pass; what is published and not taken stays for the next one.
    void stop() {
        thread.request_stop();
        front.wake();
        thread = std::jthread();
    }
    void run_pass() {
        CLAYBOX_ASSERT(float_mode_is_ieee());
        pass.run();
    }
    void replay_passes() {
        for (const Accuracy accuracy : recorded) {
            CLAYBOX_ASSERT(float_mode_is_ieee());
            pass.run(&accuracy);
            front.report();  // so that events of different passes stay apart
        }
        recorded.clear();
    }

    WorldSettings settings;
    Front front;
    Pass pass;
    std::uint64_t tickets = 0;
    bool replaying = false;
    std::vector<Accuracy> recorded;  ///< passes of the next check()
    std::jthread thread;             // last: joined before the rest goes
};

World::World(const WorldSettings& settings) : impl_(std::make_unique<Impl>(settings)) {}

World::~World() = default;

Result<BodyId> World::add_body(const BodyDef& def) {
    return impl_->front.add(def);
}

Status World::remove_body(BodyId body) {
    return impl_->front.remove(body);
}

Status World::move(BodyId body, const Pose& pose) {
    return impl_->front.move(body, pose);
}

Status World::deform(BodyId body, std::span<const VertexChange> changes) {
    return impl_->front.deform(body, changes);
}

Result<GroupId> World::add_group(const GroupDef& def) {
    return impl_->front.add_group(def);
}

Status World::move_group(GroupId group, const Pose& pose) {
    return impl_->front.move_group(group, pose);
}

Status World::remove_group(GroupId group) {
    return impl_->front.remove_group(group);
}

void World::publish(std::uint64_t frame) {
    impl_->front.publish(frame);
}

void World::check() {
    if (impl_->replaying) {
        impl_->replay_passes();
    } else if (!impl_->settings.concurrent) {
        impl_->run_pass();
    }
}

void World::poll_events(EventBatch& out) {
    impl_->front.poll(out);
}

void World::wait_idle() {
    if (impl_->thread.joinable()) impl_->front.wait_idle();
}

Result<std::uint64_t> World::ask(const WorldQuery& query) {
    WorldQuery good = query;
    const Status status = make_good(good);
    if (!status) return status.error();
    const std::uint64_t ticket = ++impl_->tickets;
    impl_->front.orders().questions.push_back({ticket, std::move(good)});
    return ticket;
}

Status World::ask_now(const WorldQuery& query, std::vector<QueryHit>& out) {
    out.clear();
    if (impl_->thread.joinable())
        return Error{"query: passes run on a thread of their own, expected ask() and poll_events()", {}, 0};
    return impl_->pass.ask_now(query, out);
}

WorldSettings World::settings() const {
    return impl_->settings;
}

void World::set_settings(const WorldSettings& settings) {
    impl_->settings = filled_in(settings);
    impl_->front.orders().settings = impl_->settings;
    const bool threaded = settings.concurrent && !impl_->replaying;
    if (impl_->thread.joinable() && !threaded) impl_->stop();
    if (!impl_->thread.joinable() && threaded) impl_->start();
}

void World::set_interest(unsigned group_a, unsigned group_b, const Interest& interest) {
    CLAYBOX_ASSERT(group_a < kGroupCount && group_b < kGroupCount);
    if (group_a >= kGroupCount || group_b >= kGroupCount) return;
    InterestChange change;
    change.group_a = group_a;
    change.group_b = group_b;
    change.interest = interest;
    impl_->front.orders().interests.push_back(change);
}

void World::set_interest_exception(BodyId a, BodyId b, const Interest& interest) {
    if (a == b || !alive(a) || !alive(b)) return;
    InterestChange change;
    change.kind = InterestChange::Kind::exception;
    change.a = a;
    change.b = b;
    change.interest = interest;
    impl_->front.orders().interests.push_back(change);
}

void World::clear_interest_exception(BodyId a, BodyId b) {
    InterestChange change;
    change.kind = InterestChange::Kind::clear_exception;
    change.a = a;
    change.b = b;
    impl_->front.orders().interests.push_back(change);
}

void World::set_callback(EventCallback callback) {
    impl_->front.orders().callbacks.push_back({{}, {}, std::move(callback)});
}

void World::set_pair_callback(BodyId a, BodyId b, EventCallback callback) {
    if (a == b || !alive(a) || !alive(b)) return;
    if (b.slot < a.slot) std::swap(a, b);
    impl_->front.orders().callbacks.push_back({a, b, std::move(callback)});
}

bool World::alive(BodyId body) const {
    return impl_->front.alive(body);
}

std::size_t World::body_count() const {
    return impl_->front.body_count();
}

HardestPair World::hardest_pair() const {
    return impl_->front.report().hardest;
}

PassStats World::stats() const {
    return impl_->front.report().stats;
}

void World::want_view(const ViewWish& wish) {
    impl_->front.want_view(wish);
}

StructureView World::view() const {
    return impl_->front.report().view;
}

std::vector<PassBoundary> World::take_pass_boundaries() {
    return impl_->front.take_boundaries();
}

std::uint64_t World::polled_pass() const {
    return impl_->front.polled_pass();
}

void World::replay_frame(std::span<const Accuracy> passes, std::uint64_t polled) {
    impl_->stop();
    impl_->replaying = true;
    impl_->recorded.assign(passes.begin(), passes.end());
    impl_->front.limit_polls(polled);
}

void World::want_memory(bool wanted) {
    impl_->front.want_memory(wanted);
}

std::vector<MemoryPart> World::memory() const {
    std::vector<MemoryPart> parts = impl_->front.report().memory;
    const PassReport& report = impl_->front.report();
    if (parts.empty()) return parts;
    parts.push_back({MemoryPart::Kind::structure, "names, incoming list and events",
                     impl_->front.memory_bytes() - report.memory_bytes});
    return parts;
}

std::size_t World::memory_bytes() const {
    return impl_->front.memory_bytes();
}

}  // namespace claybox::collision
