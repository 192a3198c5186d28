// Motions of the bodies during a pass, and the tests of pairs along them: docs/explanation/module.md,
// "Continuous pairs".
#include "collision/module/pass/pass_runner.hpp"

#include <bit>

namespace claybox::collision {

namespace {

/// Upper limit of the buffer of contacts along a motion; further ones are dropped.
constexpr std::size_t kMaxMotionHits = std::size_t{1} << 20;

void swap_bodies(Impact& impact) {
    std::swap(impact.feature_a, impact.feature_b);
    std::swap(impact.pose_a, impact.pose_b);
    impact.normal_w = -impact.normal_w;
}

void swap_bodies(MotionHit& hit) {
    std::swap(hit.a, hit.b);
    hit.normal_w = -hit.normal_w;
}

/// Adding 0 gives -0 and 0 the same hash.
std::uint64_t hash_of(const Impact& impact) {
    StateHash hash;
    for (const double x : {impact.time_low, impact.time_high, impact.point_w.x, impact.point_w.y,
                           impact.point_w.z, impact.normal_w.x, impact.normal_w.y, impact.normal_w.z})
        hash.add(std::bit_cast<std::uint64_t>(x + 0.0));
    return hash.value();
}

}  // namespace

void PassRunner::switch_continuous(std::uint32_t slot, bool continuous) {
    BodyRecord& body = bodies_[slot];
    if (!body.alive || body.continuous == continuous) return;
    body.continuous = continuous;
    count_continuous(body.group, continuous ? 1 : -1);
    interest_changed_slots_.push_back(slot);
}

void PassRunner::count_continuous(unsigned group, int change) {
    std::uint32_t& count = continuous_bodies_[group];
    const bool before = count != 0;
    count += static_cast<std::uint32_t>(change);
    if (before != (count != 0)) sweep_rules_changed_ = true;
}

/// Both bodies of a continuous pair sweep, whichever of them has the switch.
void PassRunner::choose_sweeping_groups() {
    if (!std::exchange(sweep_rules_changed_, false)) return;
    std::uint64_t switched = 0;
    for (unsigned group = 0; group < kGroupCount; ++group)
        if (continuous_bodies_[group] != 0) switched |= std::uint64_t{1} << group;
    const bool on = settings_.continuous && settings_.continuous_algorithm != nullptr;
    const bool was_active = sweeps_.active();
    sweeps_.set_groups(on ? interest_.continuous_groups(switched) : 0);
    if (sweeps_.active() == was_active) return;
    bounds_.keep_placed_boxes(sweeps_.active());
    sweeps_.resize(bodies_.size());
    if (!sweeps_.active()) return;
    for (std::uint32_t slot = 0; slot < bodies_.size(); ++slot)
        if (bodies_[slot].alive && !moved_.marked(slot))
            sweeps_.rest(slot, groups_.world_pose(slot, bodies_[slot].pose));
    for (const MovedBody& entry : list_.bodies()) {
        if (!knows({entry.slot, entry.generation}) || !bodies_[entry.slot].alive) continue;
        if (entry.start != kNoIndex)
            sweeps_.restart(entry.slot, list_.start(entry));
        else if (keeps_last_poses_ && !groups_.contains(entry.slot))
            sweeps_.rest(entry.slot, entry.moved ? entry.pose : bodies_[entry.slot].pose);
    }
}

void PassRunner::restart_sweep(std::uint32_t slot, const Pose& pose) {
    if (sweeps_.active()) sweeps_.restart(slot, pose);
}

/// Bodies that swept in the last pass and rest now: their bounds shrink and their pairs are tested again.
void PassRunner::settle_swept_bodies() {
    for (const std::uint32_t slot : sweeps_.swept_slots()) {
        if (!bodies_[slot].alive || moved_.marked(slot)) continue;
        sweeps_.settle(slot, stats_.pass);
        moved_slots_.push_back(slot);
        moved_.mark(slot);
    }
}

/// Runs for several bodies in parallel.
void PassRunner::sweep_body(std::uint32_t slot, const Pose& to, const LastPlace& last) {
    const PairBody& body = placed_[slot];
    const Pose* const restarted = sweeps_.restarted(slot);
    const Pose start = restarted ? groups_.world_pose(slot, *restarted) : Pose{};
    const BodySweeps::Way way{restarted ? &start : nullptr, last.matrix, to, body.world_from_body};
    if (!sweeps_.begin(slot, bodies_[slot].group, way)) return;
    const Motion& motion = sweeps_.motion(slot);
    // A straight way lies between the boxes at its ends, whichever way these are computed.
    const bool between = motion.kind == Motion::Kind::linear && !restarted && !bodies_[slot].own;
    const Aabb box = between ? last.box : swept_box(body.geometry->box, sweeps_.start_matrix(slot), motion);
    bounds_.sweep(slot, box, static_cast<float>(settings_.continuous_tolerance));
}

bool PassRunner::is_continuous(std::uint32_t a, std::uint32_t b, const Interest& interest) const {
    return interest.continuity == Continuity::of_bodies ? bodies_[a].continuous || bodies_[b].continuous
                                                        : interest.continuity == Continuity::on;
}

/// Whether the bodies' ways overlap, but not the bodies at their poses: no candidate of a test at the poses.
bool PassRunner::only_ways_overlap(std::uint32_t a, std::uint32_t b) const {
    return (bounds_.is_swept(a) || bounds_.is_swept(b)) &&
           !overlap(bounds_.placed_box(a), bounds_.placed_box(b));
}

/// False if the pair is to be tested at its poses: it is not continuous, both bodies rest, or no continuous
/// algorithm accepts it.
bool PassRunner::choose_continuous(std::uint32_t a, std::uint32_t b, const Interest& interest,
                                   SweepChoice& along) {
    if (!is_continuous(a, b, interest) || (!sweeps_.sweeps(a) && !sweeps_.sweeps(b))) return false;
    set_motions(a, b, domain_query_);
    for (const SweepChoice choice : {kChosenSweep, kDefaultSweep}) {
        const ContinuousAlgorithm* const user = algorithm(choice);
        if (user == nullptr || !applicable(*user, domain_query_)) continue;
        along = choice;
        for (const std::uint32_t slot : {a, b}) {
            prepare_sweep(slot, choice);
            if (choice == kChosenSweep) prepare_sweep(slot, kDefaultSweep);
        }
        ++stats_.continuous_tests;
        return true;
    }
    return false;
}

void PassRunner::prepare_sweep(std::uint32_t slot, SweepChoice choice) {
    const ContinuousAlgorithm* const user = algorithm(choice);
    BodySweeps::PreparedFor& prepared = sweeps_.prepared(slot)[choice];
    if (user == nullptr || prepared.algorithm == user) return;
    const BodyRecord& body = bodies_[slot];
    prepared = {user, nullptr};
    if (user->prepare == nullptr) return;
    prepared.data = body.own ? user->prepare(*body.shape, *body.own) : prepared_store_.get(*user, body.shape);
}

/// Follows a deformation; touched_polygons_ are those of the body.
void PassRunner::update_sweep_data(std::uint32_t slot) {
    if (!sweeps_.has_record(slot)) return;
    for (BodySweeps::PreparedFor& prepared : sweeps_.prepared(slot)) {
        if (prepared.data == nullptr) continue;
        if (prepared.algorithm->update)
            prepared.data =
                prepared.algorithm->update(std::move(prepared.data), *bodies_[slot].own, touched_polygons_);
        else
            prepared = {};
    }
}

/// The older body is A: slots, and with them the order of keys, depend on when passes release them.
void PassRunner::set_motions(std::uint32_t a, std::uint32_t b, ContinuousQuery& query) const {
    if (creation_[a] > creation_[b]) std::swap(a, b);
    const auto set = [&](std::uint32_t slot, PairBody& body, Motion& motion) {
        body = placed_[slot];
        body.prepared = nullptr;
        motion = {};
        if (!sweeps_.sweeps(slot)) return;
        body.world_from_body = sweeps_.start_matrix(slot);
        motion = sweeps_.motion(slot);
    };
    set(a, query.pair.a, query.motion_a);
    set(b, query.pair.b, query.motion_b);
}

/// Repeats the query with a larger buffer while the contacts do not fit; appends them to the worker's. The
/// query starts with an empty cache, so its answer depends on nothing but the motions.
ContinuousResult PassRunner::run_sweep(SweepChoice choice, const Test& test, Worker& worker) {
    const ContinuousAlgorithm& user = *algorithm(choice);
    ContinuousQuery& query = worker.along;
    std::uint32_t a = first_slot(test.key), b = second_slot(test.key);
    if (creation_[a] > creation_[b]) std::swap(a, b);
    query.pair.a.prepared = sweeps_.prepared(a)[choice].data.get();
    query.pair.b.prepared = sweeps_.prepared(b)[choice].data.get();
    query.pair.parameters = continuous_parameters_[choice];
    const bool all = (test.wants & kWantAllHits) != 0 && user.gives_all_hits;
    if (all && worker.motion_hit_buffer.empty()) worker.motion_hit_buffer.resize(64);
    for (;;) {
        MotionHitSink sink(worker.motion_hit_buffer);
        query.hits = all ? &sink : nullptr;
        worker.part_cache.clear();
        const ContinuousResult result = run_continuous(user, query, worker.part_cache);
        if (all && result.status == QueryStatus::hits_full &&
            worker.motion_hit_buffer.size() < kMaxMotionHits) {
            worker.motion_hit_buffer.resize(2 * worker.motion_hit_buffer.size());
            continue;
        }
        if (all && result.verdict == Verdict::colliding)
            worker.motion_hits.insert(worker.motion_hits.end(), sink.hits().begin(), sink.hits().end());
        return result;
    }
}

void PassRunner::run_continuous_test(Test& test, Worker& worker, std::uint32_t worker_index) {
    ContinuousQuery& query = worker.along;
    set_motions(first_slot(test.key), second_slot(test.key), query);
    query.tolerance = settings_.continuous_tolerance;
    query.pair.exactness = exactness();
    query.pair.scratch = &worker.scratch;
    query.pair.stop = StopToken(stop_);
    query.pair.seed = mix64(settings_.seed ^ pair_hash(test.key));
    const std::size_t first_hit = worker.motion_hits.size();
    ContinuousResult result = run_sweep(test.along, test, worker);
    const bool again = result.verdict == Verdict::undecided && test.along != kDefaultSweep &&
                       result.status != QueryStatus::stopped;
    if (again) result = run_sweep(kDefaultSweep, test, worker);
    worker.iterations += result.iterations;
    worker.fell_back += again || test.along != kChosenSweep;
    worker.undecided += result.verdict == Verdict::undecided;
    if (result.rung >= 1 && result.rung <= 3) ++worker.rung[result.rung - 1];
    test.work = result.iterations + 1;
    test.verdict = result.verdict;
    if (result.verdict != Verdict::colliding) return;
    test.worker = worker_index;
    test.contact = static_cast<std::uint32_t>(worker.contacts.size());
    worker.contacts.emplace_back().impact = static_cast<std::uint32_t>(worker.impacts.size());
    add_impact(test, result, first_hit, worker);
}

void PassRunner::add_impact(const Test& test, const ContinuousResult& result, std::size_t first_hit,
                            Worker& worker) {
    Impact impact;
    impact.time_low = result.time_low;
    impact.time_high = result.time_high;
    impact.at_start = result.at_start;
    impact.point_w = result.point_w;
    impact.normal_w = result.normal_w;
    impact.feature_a = result.feature_a;
    impact.feature_b = result.feature_b;
    impact.first_hit = static_cast<std::uint32_t>(first_hit);
    impact.hit_count = static_cast<std::uint32_t>(worker.motion_hits.size() - first_hit);
    const auto pose_of = [&](std::uint32_t slot) {
        return sweeps_.sweeps(slot) ? pose_at(sweeps_.start_pose(slot), sweeps_.motion(slot), result.time_low)
                                    : groups_.world_pose(slot, bodies_[slot].pose);
    };
    std::uint32_t a = first_slot(test.key), b = second_slot(test.key);
    if (creation_[a] > creation_[b]) std::swap(a, b);
    impact.pose_a = pose_of(a);
    impact.pose_b = pose_of(b);
    worker.impacts.push_back(impact);
}

/// Moves the impact to the events, with A and B in the order of the key.
void PassRunner::report_impact(const Test& test, const ContactRecord& contact, Event& event) {
    const std::uint32_t a = first_slot(test.key), b = second_slot(test.key);
    const Worker& worker = *workers_[test.worker];
    Impact impact = worker.impacts[contact.impact];
    hash_of_changes_ += mix64(pair_hash(test.key) ^ hash_of(impact));
    const auto first = worker.motion_hits.begin() + impact.first_hit;
    const std::size_t before = events_.motion_hits.size();
    events_.motion_hits.insert(events_.motion_hits.end(), first, first + impact.hit_count);
    impact.first_hit = static_cast<std::uint32_t>(before);
    if (creation_[a] > creation_[b]) {
        swap_bodies(impact);
        for (std::size_t i = before; i < events_.motion_hits.size(); ++i) swap_bodies(events_.motion_hits[i]);
    }
    event.impact = static_cast<std::uint32_t>(events_.impacts.size());
    event.point_w = cast<float>(impact.point_w);
    events_.impacts.push_back(impact);
}

}  // namespace claybox::collision
