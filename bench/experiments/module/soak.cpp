// The experiment `soak`: a long run with random actions. Bodies and scene groups are added, moved and
// removed, bodies deform, interest changes, and algorithms, broad phases, parallel and concurrent modes are
// switched. A serial twin world without switches gets the same actions; at intervals both process the same
// frame and must have the same contacts. Some passes compare their pairs with all pairs, and memory must not
// grow. The seed determines all actions, but not the timing of passes in concurrent mode.

#include "bench/experiments/experiment.hpp"
#include "bench/experiments/shared/measure.hpp"
#include "bench/experiments/shared/tables.hpp"
#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/module/world.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace claybox::bench {

using namespace collision;

const Experiment& describe_soak();

namespace {

constexpr std::size_t kMinBodies = 60, kMaxBodies = 110, kMaxGroups = 8;
constexpr double kHalf = 3;
constexpr std::uint64_t kCheckEvery = 40;

/// A world, and its contacts according to events, by body numbers.
class Listener {
  public:
    explicit Listener(const WorldSettings& settings) : world(settings) {}

    void add(std::uint64_t number, const BodyDef& def) {
        const BodyId id = world.add_body(def).value();
        ids_[number] = id;
        numbers_[id] = number;
    }
    BodyId id(std::uint64_t number) const { return ids_.at(number); }
    bool remove(std::uint64_t number) {
        const BodyId gone = ids_.at(number);
        const bool removed = world.remove_body(gone).ok() && !world.remove_body(gone).ok();
        ids_.erase(number);
        return removed;
    }
    void process_events() {
        world.poll_events(batch_);
        for (const Event& event : batch_.events) {
            const auto a = numbers_.find(event.a), b = numbers_.find(event.b);
            if (a == numbers_.end() || b == numbers_.end()) {
                fault = "an event names an unknown body";
                return;
            }
            const auto pair = std::minmax(a->second, b->second);
            if (event.kind == EventKind::begin && !contacts.emplace(pair).second)
                fault = "a contact began twice";
            if (event.kind == EventKind::stay && !contacts.contains(pair))
                fault = "a contact stayed without a begin event";
            if (event.kind == EventKind::end && contacts.erase(pair) == 0)
                fault = "a contact ended without a begin event";
        }
        events += batch_.events.size();
    }
    /// Forgets the ids of removed bodies. Call when no more events can name them.
    void drop_removed_bodies() {
        std::erase_if(numbers_, [&](const auto& e) { return !world.alive(e.first); });
    }

    World world;
    std::set<std::pair<std::uint64_t, std::uint64_t>> contacts;
    std::uint64_t events = 0;
    std::string fault;
    std::map<std::uint64_t, GroupId> groups;  ///< by number

  private:
    std::map<std::uint64_t, BodyId> ids_;
    std::map<BodyId, std::uint64_t> numbers_;
    EventBatch batch_;
};

WorldSettings first_settings() {
    WorldSettings out = default_settings();
    out.solid = true;  // the same meaning for all algorithms
    return out;
}

class Soak {
  public:
    explicit Soak(std::uint64_t seed)
        : random_(seed), settings_(first_settings()), subject_(settings_), twin_(settings_) {
        const auto add_shape = [&](Primitive primitive, std::uint32_t count, float radius) {
            shapes_.push_back(make_primitive_shape(primitive, count, radius, seed).value());
        };
        for (const std::uint32_t count : {8u, 30u, 100u}) add_shape(Primitive::ellipsoid_hull, count, 0.4f);
        add_shape(Primitive::rod_hull, 20, 0.7f);
        add_shape(Primitive::torus, 80, 0.5f);
        add_shape(Primitive::tetra_flake, 60, 0.5f);
        for (const PairAlgorithm* algorithm : pair_algorithms())
            if (algorithm->exact && algorithm->needs == Needs::convex &&
                algorithm->meaning == Meaning::solid && !algorithm->fits)
                algorithms_.push_back(algorithm);
        while (groups_.size() < kMaxGroups / 2) add_group();
        while (bodies_.size() < (kMinBodies + kMaxBodies) / 2) add_body_to_both();
    }

    /// One frame of the application; false after a fault.
    bool frame() {
        ++frame_;
        for (auto& [number, body] : bodies_)
            if (random_.below(3) != 0) move(number, body);
        if (random_.below(4) == 0) add_or_remove_body();
        if (random_.below(3) == 0) move_group();
        if (random_.below(20) == 0) add_or_remove_group();
        if (random_.below(3) == 0) deform_one();
        if (random_.below(10) == 0) change_interest();
        if (random_.below(8) == 0) switch_setting();
        subject_.world.publish(frame_);
        subject_.world.check();
        subject_.process_events();
        if (subject_.world.stats().pair_disagreements != 0) fault("pairs differ from all pairs");
        if (frame_ % kCheckEvery == 0) compare();
        if (!subject_.fault.empty()) fault(subject_.fault);
        return fault_.empty();
    }

    /// `settled`: lists have reached their sizes; memory must then stay below twice the maximum so far.
    void watch_memory(bool settled) {
        const std::size_t bytes = subject_.world.memory_bytes();
        if (!settled)
            max_memory_ = std::max(max_memory_, bytes);
        else if (bytes > 2 * max_memory_ + (std::size_t{1} << 20))
            fault("memory grew from " + std::to_string(max_memory_) + " to " + std::to_string(bytes) +
                  " bytes");
    }
    std::string line() const {
        const PassStats stats = subject_.world.stats();
        return std::to_string(frame_) + " frames, " + std::to_string(stats.pass) + " passes, " +
               std::to_string(bodies_.size()) + " bodies, " + std::to_string(stats.colliding) +
               " contacts, " + std::to_string(subject_.events) + " events, " + std::to_string(compared_) +
               " comparisons, " + std::to_string(subject_.world.memory_bytes() / 1024) + " kB";
    }
    const std::string& first_fault() const { return fault_; }
    std::uint64_t frames() const { return frame_; }
    std::uint64_t comparisons() const { return compared_; }
    std::uint64_t switches() const { return switches_; }
    std::uint64_t events() const { return subject_.events; }

  private:
    struct Body {
        Pose pose;
        Vec3d velocity;
        bool soft = false;
        ShapePtr shape;
    };

    void fault(const std::string& what) {
        if (fault_.empty()) fault_ = "frame " + std::to_string(frame_) + ": " + what;
    }
    std::uint64_t any_body() {
        auto body = bodies_.begin();
        std::advance(body, static_cast<std::ptrdiff_t>(random_.below(bodies_.size())));
        return body->first;
    }
    void add_body_to_both() {
        Body body;
        const auto place = [&] { return random_.uniform(-kHalf, kHalf); };
        body.pose = {random_rotation(random_, 0, 3), {place(), place(), place()}};
        body.velocity = 0.06 * random_.unit_vector();
        body.shape = shapes_[random_.below(shapes_.size())];
        body.soft = random_.below(8) == 0;
        BodyDef def{.shape = body.shape,
                    .pose = body.pose,
                    .group = static_cast<unsigned>(random_.below(4)),
                    .deformable = body.soft,
                    .data = next_};
        const std::uint64_t parent = random_.below(3) == 0 ? any_group() : 0;
        for (Listener* world : {&subject_, &twin_}) {
            if (parent != 0) def.parent = world->groups.at(parent);
            world->add(next_, def);
        }
        bodies_.emplace(next_++, std::move(body));
    }
    /// A random group; 0 if there is none.
    std::uint64_t any_group() { return groups_.empty() ? 0 : groups_[random_.below(groups_.size())]; }
    Pose pose_of_group() { return {random_rotation(random_, 0, 0.5), 0.5 * random_.unit_vector()}; }
    void add_group() {
        const std::uint64_t parent = random_.below(3) == 0 ? 0 : any_group();
        const Pose pose = pose_of_group();
        for (Listener* world : {&subject_, &twin_}) {
            const GroupId above = parent == 0 ? GroupId{} : world->groups.at(parent);
            world->groups[next_group_] = world->world.add_group({pose, above}).value();
        }
        groups_.push_back(next_group_++);
    }
    void move_group() {
        const std::uint64_t number = any_group();
        const Pose pose = pose_of_group();
        for (Listener* world : {&subject_, &twin_})
            if (number != 0 && !world->world.move_group(world->groups.at(number), pose).ok())
                fault("a group was lost");
    }
    void add_or_remove_group() {
        if (groups_.size() < kMaxGroups && random_.below(2) == 0) return add_group();
        const std::uint64_t number = any_group();
        if (number == 0) return;
        for (Listener* world : {&subject_, &twin_}) {
            const GroupId gone = world->groups.at(number);
            if (!world->world.remove_group(gone).ok() || world->world.remove_group(gone).ok())
                fault("a group was not removed exactly once");
            world->groups.erase(number);
        }
        std::erase(groups_, number);
    }
    void add_or_remove_body() {
        if (bodies_.size() < kMaxBodies && (bodies_.size() < kMinBodies || random_.below(2) == 0))
            return add_body_to_both();
        const std::uint64_t number = any_body();
        if (!subject_.remove(number) || !twin_.remove(number)) fault("a body was not removed exactly once");
        bodies_.erase(number);
    }
    void move(std::uint64_t number, Body& body) {
        body.pose.translation += body.velocity;
        body.pose.rotation = axis_angle(random_.unit_vector(), 0.05) * body.pose.rotation;
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (std::abs(body.pose.translation[axis]) > kHalf)
                body.velocity[axis] = std::copysign(body.velocity[axis], -body.pose.translation[axis]);
        for (Listener* world : {&subject_, &twin_})
            if (!world->world.move(world->id(number), body.pose).ok()) fault("a body was lost");
    }
    void deform_one() {
        const std::uint64_t number = any_body();
        const Body& body = bodies_.at(number);
        if (!body.soft) return;
        const auto& positions = body.shape->geometry().positions;
        std::vector<VertexChange> changes;
        for (std::uint32_t i = 0; i < 3; ++i) {
            const auto vertex = static_cast<std::uint32_t>(random_.below(positions.size()));
            changes.push_back({vertex, positions[vertex] + cast<float>(0.05 * random_.unit_vector())});
        }
        for (Listener* world : {&subject_, &twin_})
            if (!world->world.deform(world->id(number), changes).ok()) fault("a body could not be deformed");
    }
    void change_interest() {
        const std::uint64_t a = any_body(), b = any_body();
        if (a == b) return;
        const bool clear = random_.below(2) == 0;
        Interest interest;
        interest.test = random_.below(3) == 0;
        interest.wants = random_.below(2) == 0 ? kWantVerdict : kWantAllHits;
        for (Listener* world : {&subject_, &twin_}) {
            if (clear)
                world->world.clear_interest_exception(world->id(a), world->id(b));
            else
                world->world.set_interest_exception(world->id(a), world->id(b), interest);
        }
    }
    /// Switches a setting of the subject only.
    void switch_setting() {
        ++switches_;
        switch (random_.below(6)) {
            case 0:
                settings_.concurrent = !settings_.concurrent;
                break;
            case 1:
                settings_.parallel = static_cast<ParallelMode>(random_.below(1u << kParallelModes));
                settings_.share_from = random_.below(2) ? 1 : kMinSharedSteps;
                break;
            case 2:
                settings_.workers = 1 + static_cast<unsigned>(random_.below(4));
                break;
            case 3:
                settings_.pair_algorithm = algorithms_[random_.below(algorithms_.size())];
                settings_.pair_parameters = default_values(settings_.pair_algorithm->parameters);
                break;
            case 4:
                settings_.broad_phase = broad_phases()[random_.below(broad_phases().size())];
                settings_.broad_parameters = default_values(settings_.broad_phase->parameters);
                break;
            default:
                settings_.assert_pairs = !settings_.assert_pairs;
                break;
        }
        subject_.world.set_settings(settings_);
    }
    /// Compares both worlds. The twin processes all frames since the last comparison at once.
    void compare() {
        ++compared_;
        subject_.world.wait_idle();
        subject_.world.check();
        subject_.process_events();
        twin_.world.publish(frame_);
        twin_.world.check();
        twin_.process_events();
        if (subject_.contacts != twin_.contacts) fault("contacts differ from those of the serial twin");
        if (!twin_.fault.empty()) fault("the twin: " + twin_.fault);
        for (const Listener* world : {&subject_, &twin_})
            if (world->world.body_count() != bodies_.size() || world->world.stats().bodies != bodies_.size())
                fault("a body was lost");
        subject_.drop_removed_bodies();
        twin_.drop_removed_bodies();
    }

    Random random_;
    WorldSettings settings_;
    Listener subject_, twin_;
    std::vector<ShapePtr> shapes_;
    std::vector<const PairAlgorithm*> algorithms_;
    std::map<std::uint64_t, Body> bodies_;  ///< by number
    std::vector<std::uint64_t> groups_;     ///< numbers
    std::uint64_t next_group_ = 1;
    std::uint64_t next_ = 1, frame_ = 0, compared_ = 0, switches_ = 0;
    std::size_t max_memory_ = 0;
    std::string fault_;
};

Result<ExperimentReport> run_soak(const ExperimentOptions& options) {
    if (!options.rows.empty() || !options.algorithms.empty())
        return Error{"bench soak: expected no --rows and no --algorithms", {}, 0};
    const double seconds = 60 * (options.minutes > 0 ? options.minutes : 1), start = now_ns();
    const auto elapsed = [&] { return 1e-9 * (now_ns() - start); };
    Soak soak(options.seed);
    double reported = 0;
    const auto running = [&] { return options.quick ? soak.frames() < 400 : elapsed() < seconds; };
    while (running() && soak.frame()) {
        const double now = elapsed();
        if (soak.frames() % 200 == 0)
            soak.watch_memory(options.quick ? soak.frames() > 200 : now > 0.2 * seconds);
        if (options.progress && now >= reported + 60) {
            reported = now;
            options.progress("minute " + format_number("%.0f", now / 60) + ": " + soak.line());
        }
    }
    ExperimentReport report;
    report.markdown = "Seed " + std::to_string(options.seed) + ", " + format_number("%.1f", elapsed() / 60) +
                      " minutes: " + soak.line() + ", " + std::to_string(soak.switches()) +
                      " switches: " + (soak.first_fault().empty() ? "no fault" : soak.first_fault()) + "\n";
    Measurement m;
    m.name = "soak/all";
    m.queries = soak.frames();
    m.counters = {{"comparisons", static_cast<double>(soak.comparisons())},
                  {"switches", static_cast<double>(soak.switches())},
                  {"events", static_cast<double>(soak.events())}};
    report.measurements.push_back(std::move(m));
    if (!soak.first_fault().empty()) report.failure = "soak: " + soak.first_fault();
    return report;
}

}  // namespace

const Experiment& describe_soak() {
    static const Experiment experiment{
        "soak", "Random actions compared with a serial twin world, for --minutes", "none", run_soak};
    return experiment;
}

}  // namespace claybox::bench
