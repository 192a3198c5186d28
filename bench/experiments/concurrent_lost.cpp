#include "bench/experiments/concurrent_report.hpp"
#include "collision/core/random.hpp"
#include "collision/geometry/primitives.hpp"
#include "collision/module/response_list.hpp"
#include "collision/module/world.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace claybox::bench {

using namespace collision;

namespace {

constexpr std::size_t kMovers = 100;
constexpr double kHalfCage = 3.5;
/// Frames whose poses are remembered; passes are never so far behind what is polled.
constexpr std::size_t kRemembered = 1024;

/// Where a body was said to be in the last frames.
class PoseLog {
  public:
    void keep(std::uint64_t frame, const Pose& pose) { entries_[frame % kRemembered] = {frame, pose}; }
    const Pose* find(std::uint64_t frame) const {
        const Entry& entry = entries_[frame % kRemembered];
        return entry.frame == frame ? &entry.pose : nullptr;
    }

  private:
    struct Entry {
        std::uint64_t frame = ~std::uint64_t{0};
        Pose pose;
    };
    std::vector<Entry> entries_ = std::vector<Entry>(kRemembered);
};

/// 100 movers in a cage, each of which the application and the callbacks move.
class Movers {
  public:
    explicit Movers(std::uint64_t seed) : world_(settings()), random_(seed) {
        shape_ = make_primitive_shape(Primitive::ellipsoid_hull, 20, 0.5f, seed).value();
        poses_.resize(kMovers);
        velocities_.resize(kMovers);
        for (std::size_t i = 0; i < kMovers; ++i) {
            velocities_[i] = 0.08 * random_.unit_vector();
            poses_[i] = {{}, {place(), place(), place()}};
            ids_.push_back(world_.add_body({.shape = shape_, .pose = poses_[i], .data = i}).value());
            by_application_[i].keep(1, poses_[i]);
        }
        listen();
    }

    void frame() {
        ++frame_;
        for (std::size_t i = 0; i < kMovers; ++i) {
            if (random_.below(3) == 0) continue;  // this one stands still
            Pose& pose = poses_[i];
            pose.translation += velocities_[i];
            for (std::size_t axis = 0; axis < 3; ++axis)
                if (std::abs(pose.translation[axis]) > kHalfCage)
                    velocities_[i][axis] = std::copysign(velocities_[i][axis], -pose.translation[axis]);
            by_application_[i].keep(frame_, pose);
            if (!world_.move(ids_[i], pose).ok()) fault("a body was gone");
        }
        world_.publish(frame_);
        // Passes may fall behind, but not so far that what they tell of is forgotten here.
        if (frame_ % 8 == 0) world_.wait_idle();
        follow();
    }

    /// All stand where the application says, and the contacts that were told are those of these poses.
    void roll_call() {
        world_.wait_idle();
        follow();
        world_.set_callback(nullptr);
        ++frame_;
        for (std::size_t i = 0; i < kMovers; ++i) {
            by_application_[i].keep(frame_, poses_[i]);
            if (!world_.move(ids_[i], poses_[i]).ok()) fault("a body was gone");
        }
        world_.publish(frame_);
        world_.wait_idle();
        follow();
        listen();
        std::set<std::pair<std::size_t, std::size_t>> expected;
        for (std::size_t a = 0; a < kMovers; ++a)
            for (std::size_t b = a + 1; b < kMovers; ++b)
                if (collide(poses_[a], poses_[b])) expected.emplace(a, b);
        if (expected != contacts_) fault("contacts are not those of the poses");
        if (world_.body_count() != kMovers || world_.stats().bodies != kMovers) fault("a body was lost");
        ++calls_;
    }

    std::uint64_t passes() { return world_.stats().pass; }
    std::uint64_t frames() const { return frame_; }
    std::uint64_t events() const { return events_seen_; }
    std::uint64_t responses() const { return responses_; }
    std::uint64_t roll_calls() const { return calls_; }
    const std::string& first_fault() const { return fault_; }

  private:
    static WorldSettings settings() {
        WorldSettings out = default_settings();
        out.concurrent = true;
        return out;
    }
    double place() { return random_.uniform(-kHalfCage, kHalfCage); }
    void fault(const std::string& what) {
        if (fault_.empty()) fault_ = "frame " + std::to_string(frame_) + ": " + what;
    }
    bool collide(const Pose& a, const Pose& b) {
        PairQuery query = make_pair_query(*shape_, to_matrix(a), *shape_, to_matrix(b), scratch_);
        const PairAlgorithm& algorithm = *default_settings().pair_algorithm;
        query.parameters = default_values(algorithm.parameters);
        PairCache cache;
        return run_query(algorithm, query, cache).verdict == Verdict::colliding;
    }

    struct Response {
        std::uint64_t number = 0, frame = 0;
        Pose pose;
    };
    void listen() {
        world_.set_callback([this](const Event& event, std::span<const Hit>, CallbackContext& context) {
            if (event.kind == EventKind::begin) push_apart(event, context);
        });
    }
    /// On the module's thread.
    void push_apart(const Event& event, CallbackContext& context) {
        for (const auto& [body, other] : {std::pair{event.a, event.b}, std::pair{event.b, event.a}}) {
            Pose pose = context.pose(body);
            pose.translation += 0.1 * (pose.translation - context.pose(other).translation);
            responses_in_.add({context.data(body), event.frame, pose});
            context.move(body, pose);
        }
    }

    std::size_t number_of(BodyId body) {
        const auto found = std::find(ids_.begin(), ids_.end(), body);
        if (found == ids_.end()) fault("an event names a body that never was");
        return static_cast<std::size_t>(found - ids_.begin()) % kMovers;
    }
    /// What was said of the body in the frame that an event bears.
    std::vector<Pose> poses_of(std::size_t number, std::uint64_t frame) {
        std::vector<Pose> out;
        for (const PoseLog* log : {&by_application_[number], &by_callback_[number]})
            if (const Pose* pose = log->find(frame)) out.push_back(*pose);
        return out;
    }
    void follow() {
        world_.poll_events(batch_);
        responses_in_.swap_out(out_);
        for (const Response& response : out_)
            by_callback_[response.number].keep(response.frame, response.pose);
        responses_ += out_.size();
        for (const Event& event : batch_.events) {
            ++events_seen_;
            const std::size_t a = number_of(event.a), b = number_of(event.b);
            const auto pair = std::minmax(a, b);
            if (event.kind == EventKind::begin && !contacts_.insert(pair).second)
                fault("a contact began twice");
            if (event.kind == EventKind::stay && !contacts_.contains(pair))
                fault("a contact stayed unheard of");
            if (event.kind == EventKind::end && contacts_.erase(pair) == 0) fault("a contact ended twice");
            check_frames(event, a, b);
        }
    }
    void check_frames(const Event& event, std::size_t a, std::size_t b) {
        if (event.frame_a > event.frame || event.frame_b > event.frame) fault("a pose from the future");
        const bool expected = event.kind != EventKind::end;
        bool known = false, right = false;
        for (const Pose& pose_a : poses_of(a, event.frame_a))
            for (const Pose& pose_b : poses_of(b, event.frame_b)) {
                known = true;
                right = right || collide(pose_a, pose_b) == expected;
            }
        // A frame that is not remembered any more is as old as a body stood still.
        if (!known && frame_ < event.frame_a + kRemembered && frame_ < event.frame_b + kRemembered)
            fault("an event bears a frame in which the body was not moved");
        if (known && !right) fault("the poses of an event's frames do not say what it says");
    }

    ResponseList<Response> responses_in_;  // before the world, whose thread adds to it
    World world_;
    Random random_;
    ShapePtr shape_;
    Scratch scratch_;
    std::vector<BodyId> ids_;
    std::vector<Pose> poses_;
    std::vector<Vec3d> velocities_;
    std::array<PoseLog, kMovers> by_application_;
    std::array<PoseLog, kMovers> by_callback_;
    std::vector<Response> out_;
    std::set<std::pair<std::size_t, std::size_t>> contacts_;
    EventBatch batch_;
    std::uint64_t frame_ = 0, events_seen_ = 0, calls_ = 0, responses_ = 0;
    std::string fault_;
};

}  // namespace

void check_lost(const ExperimentOptions& options, ExperimentReport& report) {
    const std::uint64_t passes = options.quick ? 3000 : 1000000;
    Movers movers(options.seed);
    for (std::uint64_t told = 0; movers.passes() < passes && movers.first_fault().empty();) {
        movers.frame();
        if (movers.frames() % 1000 == 0) movers.roll_call();
        if (options.progress && movers.passes() >= told + passes / 10)
            options.progress(std::to_string(told = movers.passes()) + " passes");
    }
    movers.roll_call();
    report.markdown +=
        "### Nothing is lost\n\n" + std::to_string(movers.passes()) + " passes over " +
        std::to_string(movers.frames()) + " frames of " + std::to_string(kMovers) + " movers, " +
        std::to_string(movers.events()) + " events checked, " + std::to_string(movers.responses()) +
        " moves by callbacks, " + std::to_string(movers.roll_calls()) +
        " roll calls: " + (movers.first_fault().empty() ? "no fault" : movers.first_fault()) + "\n\n";
    Measurement m;
    m.name = "concurrent/lost/movers";
    m.queries = movers.passes();
    m.counters = {{"events", static_cast<double>(movers.events())},
                  {"responses", static_cast<double>(movers.responses())},
                  {"roll_calls", static_cast<double>(movers.roll_calls())}};
    report.measurements.push_back(std::move(m));
    if (!movers.first_fault().empty()) report.failure = "lost: " + movers.first_fault();
}

}  // namespace claybox::bench
