#include "bench/experiments/module/concurrent_report.hpp"
#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/module/exchange/response_list.hpp"
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
/// Number of frames whose poses are stored; passes never lag that far behind.
constexpr std::size_t kStoredFrames = 1024;

/// Poses of a body in the last frames.
class PoseLog {
  public:
    void store(std::uint64_t frame, const Pose& pose) { entries_[frame % kStoredFrames] = {frame, pose}; }
    const Pose* find(std::uint64_t frame) const {
        const Entry& entry = entries_[frame % kStoredFrames];
        return entry.frame == frame ? &entry.pose : nullptr;
    }

  private:
    struct Entry {
        std::uint64_t frame = ~std::uint64_t{0};
        Pose pose;
    };
    std::vector<Entry> entries_ = std::vector<Entry>(kStoredFrames);
};

/// 100 bodies in a cage, moved by the application and by callbacks.
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
            by_application_[i].store(1, poses_[i]);
        }
        set_push_callback();
    }

    void frame() {
        ++frame_;
        for (std::size_t i = 0; i < kMovers; ++i) {
            if (random_.below(3) == 0) continue;  // this one rests
            Pose& pose = poses_[i];
            pose.translation += velocities_[i];
            for (std::size_t axis = 0; axis < 3; ++axis)
                if (std::abs(pose.translation[axis]) > kHalfCage)
                    velocities_[i][axis] = std::copysign(velocities_[i][axis], -pose.translation[axis]);
            by_application_[i].store(frame_, pose);
            if (!world_.move(ids_[i], pose).ok()) fault("a body was lost");
        }
        world_.publish(frame_);
        // Limits the lag of passes, so that the poses of their frames are still stored.
        if (frame_ % 8 == 0) world_.wait_idle();
        process_events();
    }

    /// Places all bodies without callbacks and compares the reported contacts with these poses.
    void compare_contacts() {
        world_.wait_idle();
        process_events();
        world_.set_callback(nullptr);
        ++frame_;
        for (std::size_t i = 0; i < kMovers; ++i) {
            by_application_[i].store(frame_, poses_[i]);
            if (!world_.move(ids_[i], poses_[i]).ok()) fault("a body was lost");
        }
        world_.publish(frame_);
        world_.wait_idle();
        process_events();
        set_push_callback();
        std::set<std::pair<std::size_t, std::size_t>> expected;
        for (std::size_t a = 0; a < kMovers; ++a)
            for (std::size_t b = a + 1; b < kMovers; ++b)
                if (collide(poses_[a], poses_[b])) expected.emplace(a, b);
        if (expected != contacts_) fault("contacts differ from the poses");
        if (world_.body_count() != kMovers || world_.stats().bodies != kMovers) fault("a body was lost");
        ++comparisons_;
    }

    std::uint64_t passes() { return world_.stats().pass; }
    std::uint64_t frames() const { return frame_; }
    std::uint64_t events() const { return events_seen_; }
    std::uint64_t responses() const { return responses_; }
    std::uint64_t comparisons() const { return comparisons_; }
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
    void set_push_callback() {
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
        if (found == ids_.end()) fault("an event names an unknown body");
        return static_cast<std::size_t>(found - ids_.begin()) % kMovers;
    }
    /// Poses that the application or a callback set for the body in this frame.
    std::vector<Pose> poses_of(std::size_t number, std::uint64_t frame) {
        std::vector<Pose> out;
        for (const PoseLog* log : {&by_application_[number], &by_callback_[number]})
            if (const Pose* pose = log->find(frame)) out.push_back(*pose);
        return out;
    }
    void process_events() {
        world_.poll_events(batch_);
        responses_in_.swap_out(out_);
        for (const Response& response : out_)
            by_callback_[response.number].store(response.frame, response.pose);
        responses_ += out_.size();
        for (const Event& event : batch_.events) {
            ++events_seen_;
            const std::size_t a = number_of(event.a), b = number_of(event.b);
            const auto pair = std::minmax(a, b);
            if (event.kind == EventKind::begin && !contacts_.insert(pair).second)
                fault("a contact began twice");
            if (event.kind == EventKind::stay && !contacts_.contains(pair))
                fault("a contact stayed without a begin event");
            if (event.kind == EventKind::end && contacts_.erase(pair) == 0)
                fault("a contact ended without a begin event");
            check_frames(event, a, b);
        }
    }
    void check_frames(const Event& event, std::size_t a, std::size_t b) {
        if (event.frame_a > event.frame || event.frame_b > event.frame)
            fault("an event has a pose of a later frame");
        const bool expected = event.kind != EventKind::end;
        bool known = false, right = false;
        for (const Pose& pose_a : poses_of(a, event.frame_a))
            for (const Pose& pose_b : poses_of(b, event.frame_b)) {
                known = true;
                right = right || collide(pose_a, pose_b) == expected;
            }
        // A frame that is no longer stored means that the body has rested since then.
        if (!known && frame_ < event.frame_a + kStoredFrames && frame_ < event.frame_b + kStoredFrames)
            fault("an event names a frame in which the body was not moved");
        if (known && !right) fault("an event contradicts the poses of its frames");
    }

    ResponseList<Response> responses_in_;  // declared before the world, whose thread writes to it
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
    std::uint64_t frame_ = 0, events_seen_ = 0, comparisons_ = 0, responses_ = 0;
    std::string fault_;
};

}  // namespace

void check_lost(const ExperimentOptions& options, ExperimentReport& report) {
    const std::uint64_t passes = options.quick ? 3000 : 1000000;
    Movers movers(options.seed);
    for (std::uint64_t reported = 0; movers.passes() < passes && movers.first_fault().empty();) {
        movers.frame();
        if (movers.frames() % 1000 == 0) movers.compare_contacts();
        if (options.progress && movers.passes() >= reported + passes / 10)
            options.progress(std::to_string(reported = movers.passes()) + " passes");
    }
    movers.compare_contacts();
    report.markdown +=
        "### Lost bodies and events\n\n" + std::to_string(movers.passes()) + " passes over " +
        std::to_string(movers.frames()) + " frames of " + std::to_string(kMovers) + " movers, " +
        std::to_string(movers.events()) + " events checked, " + std::to_string(movers.responses()) +
        " moves by callbacks, " + std::to_string(movers.comparisons()) +
        " full comparisons: " + (movers.first_fault().empty() ? "no fault" : movers.first_fault()) + "\n\n";
    Measurement m;
    m.name = "concurrent/lost/movers";
    m.queries = movers.passes();
    m.counters = {{"events", static_cast<double>(movers.events())},
                  {"responses", static_cast<double>(movers.responses())},
                  {"comparisons", static_cast<double>(movers.comparisons())}};
    report.measurements.push_back(std::move(m));
    if (!movers.first_fault().empty()) report.failure = "lost: " + movers.first_fault();
}

}  // namespace claybox::bench
