#include "collision/module/world.hpp"

#include "collision/module/exchange/frame_exchange.hpp"
#include "collision/module/pass/pass_runner.hpp"

#include <algorithm>
#include <cfenv>
#include <exception>
#include <limits>
#include <system_error>
#include <thread>

namespace claybox::collision {

namespace {

constexpr unsigned kMaxWorkers = 64;

/// The error bounds of exact answers require rounding to nearest and subnormal numbers.
bool float_mode_is_ieee() {
    volatile float smallest = std::numeric_limits<float>::min();
    volatile float half = smallest * 0.5f;
    return std::fegetround() == FE_TONEAREST && half > 0.0f;
}

WorldSettings with_defaults(WorldSettings s) {
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
    if (!s.continuous_algorithm) {
        s.continuous_algorithm = default_continuous_algorithm();
        if (s.continuous_algorithm)
            s.continuous_parameters = default_values(s.continuous_algorithm->parameters);
    }
    if (!s.broad_phase) {
        s.broad_phase = broad_phases().front();
        s.broad_parameters = default_values(s.broad_phase->parameters);
    }
    if (s.workers == 0) s.workers = processor_count();
    s.workers = std::clamp(s.workers, 1u, kMaxWorkers);
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

const ContinuousAlgorithm* default_continuous_algorithm() {
    static const ContinuousAlgorithm* const algorithm = [] {
        const ContinuousAlgorithm* const best = find_continuous_algorithm("best_continuous");
        const auto all = continuous_algorithms();
        return best != nullptr || all.empty() ? best : all.front();
    }();
    return algorithm;
}

WorldSettings default_settings() {
    return with_defaults({});
}

struct World::Impl {
    explicit Impl(const WorldSettings& initial) : settings(with_defaults(initial)), pass(exchange, settings) {
        if (!float_mode_is_ieee())
            assert_failed("floating point rounds to nearest and keeps subnormals", __FILE__, __LINE__);
        if (settings.concurrent) start();
    }
    ~Impl() {
        pass.request_stop();
        stop();
    }

    /// If the system has no more threads, passes run in check(), as in serial mode.
    void start() {
        if (exchange.passes_ended()) return;
        exchange.finish_pass();  // also if the last one in check() threw the exception of a callback
        try {
            thread = std::thread([this] { run_passes(); });
        } catch (const std::system_error&) {
        }
    }
    void run_passes() {
        try {
            while (exchange.wait_for_work(StopToken(ending))) run_pass();
        } catch (...) {
            thrown = std::current_exception();
            exchange.end_passes();
        }
    }
    void throw_again() const {
        if (exchange.passes_ended()) std::rethrow_exception(thrown);
    }
    /// Waits for the running pass. Published frames that it did not take stay for the next pass.
    void stop() {
        if (!thread.joinable()) return;
        ending.request_stop();
        exchange.wake();
        thread.join();
        ending.reset();
    }
    void run_pass() {
        CLAYBOX_ASSERT(float_mode_is_ieee());
        pass.run();
    }
    void replay_passes() {
        for (const Accuracy accuracy : recorded) {
            CLAYBOX_ASSERT(float_mode_is_ieee());
            pass.run(&accuracy);
            exchange.report();  // keeps the events of different passes separate
        }
        recorded.clear();
    }

    WorldSettings settings;
    FrameExchange exchange;
    PassRunner pass;
    GroupPairs untested;
    std::uint64_t tickets = 0;
    bool replaying = false;
    std::vector<Accuracy> recorded;  ///< accuracies of the passes of the next check()
    StopSource ending;               // of the thread
    std::exception_ptr thrown;       ///< by a pass on the thread
    std::thread thread;
};

World::World(const WorldSettings& settings) : impl_(std::make_unique<Impl>(settings)) {}

World::~World() = default;

Result<BodyId> World::add_body(const BodyDef& def) {
    return impl_->exchange.add(def);
}

Status World::remove_body(BodyId body) {
    return impl_->exchange.remove(body);
}

Status World::move(BodyId body, const Pose& pose, Arrival arrival) {
    return impl_->exchange.move(body, pose, arrival);
}

void World::set_continuous(BodyId body, bool continuous) {
    if (!alive(body)) return;
    InterestChange change;
    change.kind = InterestChange::Kind::body;
    change.a = body;
    change.continuous = continuous;
    impl_->exchange.commands().interests.push_back(change);
}

Status World::deform(BodyId body, std::span<const VertexChange> changes) {
    return impl_->exchange.deform(body, changes);
}

Result<GroupId> World::add_group(const GroupDef& def) {
    return impl_->exchange.add_group(def);
}

Status World::move_group(GroupId group, const Pose& pose, Arrival arrival) {
    return impl_->exchange.move_group(group, pose, arrival);
}

Status World::remove_group(GroupId group) {
    return impl_->exchange.remove_group(group);
}

void World::publish(std::uint64_t frame) {
    impl_->exchange.publish(frame);
}

void World::check() {
    impl_->throw_again();
    if (impl_->replaying) {
        impl_->replay_passes();
    } else if (!impl_->thread.joinable()) {
        impl_->run_pass();
    }
}

void World::poll_events(EventBatch& out) {
    impl_->throw_again();
    impl_->exchange.poll(out);
}

void World::wait_idle() {
    if (impl_->thread.joinable()) impl_->exchange.wait_idle();
    impl_->throw_again();
}

Result<std::uint64_t> World::submit_query(const WorldQuery& query) {
    WorldQuery valid = query;
    const Status status = validate(valid);
    if (!status) return status.error();
    const std::uint64_t ticket = ++impl_->tickets;
    impl_->exchange.commands().queries.push_back({ticket, std::move(valid)});
    return ticket;
}

Status World::query_now(const WorldQuery& query, std::vector<QueryHit>& out) {
    out.clear();
    if (impl_->thread.joinable())
        return Error{
            "query: query_now() is not available in concurrent mode, expected submit_query() and "
            "poll_events()",
            {},
            0};
    return impl_->pass.query_now(query, out);
}

WorldSettings World::settings() const {
    return impl_->settings;
}

void World::set_settings(const WorldSettings& settings) {
    impl_->settings = with_defaults(settings);
    impl_->exchange.commands().settings = impl_->settings;
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
    impl_->exchange.commands().interests.push_back(change);
    impl_->untested.set(group_a, group_b, !interest.test);
}

const GroupPairs& World::untested_groups() const {
    return impl_->untested;
}

void World::set_interest_exception(BodyId a, BodyId b, const Interest& interest) {
    if (a == b || !alive(a) || !alive(b)) return;
    InterestChange change;
    change.kind = InterestChange::Kind::exception;
    change.a = a;
    change.b = b;
    change.interest = interest;
    impl_->exchange.commands().interests.push_back(change);
}

void World::clear_interest_exception(BodyId a, BodyId b) {
    InterestChange change;
    change.kind = InterestChange::Kind::clear_exception;
    change.a = a;
    change.b = b;
    impl_->exchange.commands().interests.push_back(change);
}

void World::set_callback(EventCallback callback) {
    impl_->exchange.commands().callbacks.push_back({{}, {}, std::move(callback)});
}

void World::set_pair_callback(BodyId a, BodyId b, EventCallback callback) {
    if (a == b || !alive(a) || !alive(b)) return;
    if (b.slot < a.slot) std::swap(a, b);
    impl_->exchange.commands().callbacks.push_back({a, b, std::move(callback)});
}

bool World::alive(BodyId body) const {
    return impl_->exchange.alive(body);
}

std::size_t World::body_count() const {
    return impl_->exchange.body_count();
}

HardestPair World::hardest_pair() const {
    return impl_->exchange.report().hardest;
}

PassStats World::stats() const {
    return impl_->exchange.report().stats;
}

void World::request_view(const ViewRequest& request) {
    impl_->exchange.request_view(request);
}

StructureView World::view() const {
    return impl_->exchange.report().view;
}

std::vector<PassBoundary> World::take_pass_boundaries() {
    return impl_->exchange.take_pass_boundaries();
}

std::uint64_t World::polled_pass() const {
    return impl_->exchange.polled_pass();
}

void World::replay_frame(std::span<const Accuracy> passes, std::uint64_t polled) {
    impl_->stop();
    impl_->replaying = true;
    impl_->recorded.assign(passes.begin(), passes.end());
    impl_->exchange.limit_polling(polled);
}

void World::end_replay() {
    if (!impl_->replaying) return;
    impl_->replaying = false;
    impl_->recorded.clear();
    impl_->exchange.end_polling_limit();
    if (impl_->settings.concurrent) impl_->start();
}

void World::request_memory_list(bool requested) {
    impl_->exchange.request_memory_list(requested);
}

std::vector<MemoryPart> World::memory() const {
    std::vector<MemoryPart> parts = impl_->exchange.report().memory;
    const PassReport& report = impl_->exchange.report();
    if (parts.empty()) return parts;
    parts.push_back({MemoryPart::Kind::structure, "ids, incoming list and events",
                     impl_->exchange.memory_bytes() - report.memory_bytes});
    return parts;
}

std::size_t World::memory_bytes() const {
    return impl_->exchange.memory_bytes();
}

}  // namespace claybox::collision
