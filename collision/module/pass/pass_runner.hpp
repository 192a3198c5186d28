#pragma once
// Runs collision passes. Everything in here belongs to the thread that runs the passes.

#include "collision/core/state_hash.hpp"
#include "collision/module/exchange/frame_exchange.hpp"
#include "collision/module/pass/body_record.hpp"
#include "collision/module/pass/query_runner.hpp"
#include "collision/module/pass/shared_work.hpp"
#include "collision/module/state/body_bounds.hpp"
#include "collision/module/state/body_sweeps.hpp"
#include "collision/module/state/pair_table.hpp"
#include "collision/module/state/prepared_store.hpp"
#include "collision/module/state/scene_groups.hpp"
#include "collision/module/state/slot_stamps.hpp"

#include <array>
#include <chrono>
#include <exception>

namespace claybox::collision {

/// Runs one pass at a time over the published moved list and keeps the state between passes. The stages, one
/// source file each: bodies, candidates, tests (serial or shared), events, queries. The order is in run();
/// docs/explanation/module.md has a diagram.
class PassRunner final : private CallbackContext {
  public:
    PassRunner(FrameExchange& exchange, const WorldSettings& settings);

    /// Runs one pass over the published input, including callbacks. `recorded`: the accuracy of a recorded
    /// pass, used instead of the governor's.
    void run(const Accuracy* recorded = nullptr);
    /// Cancels the remaining tests of the running pass. Used when the world is destroyed.
    void request_stop() { stop_.request_stop(); }
    /// Answers on the state of the last pass. While a pass runs, only its callbacks may call this.
    Status query_now(const WorldQuery& query, std::vector<QueryHit>& out) override;

  private:
    /// The algorithm of the settings that answers a pair. kContinuous: Test::along answers it.
    enum Choice : unsigned char { kChosen, kFallback, kSolidFallback, kNone, kContinuous };
    static_assert(kNone == kAlgorithmChoices);

    /// The continuous algorithm that answers a pair: the chosen one or default_continuous_algorithm(). Index
    /// in BodySweeps::prepared().
    enum SweepChoice : unsigned char { kChosenSweep, kDefaultSweep };

    struct Test {
        PairKey key = 0;
        std::uint32_t state = 0;  ///< index in pairs_
        Choice choice = kNone;
        Choice second = kNone;  ///< runs when the first leaves the pair undecided; or kNone
        Verdict verdict = Verdict::undecided;
        std::uint32_t work = 0;  ///< steps of the pair's previous test (0: unknown), later of this one
        std::uint32_t worker = 0, contact = 0;  ///< where the ContactRecord of a colliding pair is stored
        Wants wants = kWantVerdict;
        SweepChoice along = kChosenSweep;  ///< for kContinuous
    };

    /// What run_quick_tests() did with a candidate: nothing, or a test that found a separated pair still
    /// apart, or another one.
    enum class Quick : unsigned char { no, apart, other };

    /// How many tests before its own a test is prefetched.
    static constexpr std::uint32_t kTestsAhead = 3;
    /// The same for the bodies of a candidate.
    static constexpr std::size_t kCandidatesAhead = 8;

    /// Data of a colliding pair for its event.
    struct ContactRecord {
        Certificate witness;
        std::uint32_t first_hit = 0, hit_count = 0;  ///< range in Worker::hits
        std::uint32_t impact = kNoIndex;             ///< index in Worker::impacts
    };

    struct alignas(kCacheLine) Worker {
        Scratch scratch;
        PairQuery query;
        PairCache part_cache;  ///< for parts of a test other than the first
        std::vector<ContactRecord> contacts;
        std::vector<Hit> hits;
        std::vector<Hit> hit_buffer = std::vector<Hit>(256);  ///< memory of the hit sink
        ContinuousQuery along;
        std::vector<Impact> impacts;  ///< Impact::first_hit is an index in motion_hits
        std::vector<MotionHit> motion_hits;
        std::vector<MotionHit> motion_hit_buffer;
        std::uint64_t iterations = 0, undecided = 0, fell_back = 0, rung[3] = {};
        std::uint64_t quick_steps = 0;  ///< of quick tests
        Choice parameters_of = kNone;   ///< choice whose parameters `query` contains
        std::uint64_t counters[kMaxCounters] = {};
        std::uint64_t hash_change = 0;
        std::uint32_t hardest = 0;  ///< most iterations of one test of this pass
        PairKey hardest_key = 0;
    };

    // pass_runner.cpp: sequence of the stages, commands, settings, statistics
    double stage_seconds();
    void apply_commands();
    void apply_interest_change(const InterestChange& change);
    void apply_settings(const WorldSettings& next);
    void create_broad_phase();
    void apply_accuracy(Accuracy accuracy);
    Exactness exactness() const {
        return accuracy_ == Accuracy::full ? settings_.exactness : Exactness::fast;
    }
    bool boxes_only() const { return accuracy_ == Accuracy::boxes || !settings_.narrow; }
    void place_all_bodies();
    void collect_stats();
    void deliver_report();
    std::size_t memory_bytes() const;
    void list_memory(std::vector<MemoryPart>& parts) const;
    template <class Visit>
    void each_memory(Visit&& visit) const;

    // pass_bodies.cpp: the moved list, poses and bounds
    void apply_moved_list();
    void apply_entry(MovedBody& entry);
    void move_with_group(std::uint32_t slot, std::uint64_t frame, Arrival arrival);
    void sort_moved_slots();
    void insert_body(MovedBody& entry);
    void take_prepared(std::uint32_t slot, ReadyBody& ready);
    void retire_body(std::uint32_t slot);
    void deform_body(BodyRecord& body, MovedBody& entry);
    void place_moved_bodies();
    void place_body(std::uint32_t slot, Worker& worker);
    void release_retired_bodies();

    // pass_sweeps.cpp: motions of bodies, and tests along them
    void switch_continuous(std::uint32_t slot, bool continuous);
    void count_continuous(unsigned group, int change);
    void choose_sweeping_groups();
    void restart_sweep(std::uint32_t slot, const Pose& pose);
    void settle_swept_bodies();
    /// Of a moved body, before this pass.
    struct LastPlace {
        Matrix34f matrix;
        Aabb box;
    };
    void sweep_body(std::uint32_t slot, const Pose& to, const LastPlace& last);
    bool is_continuous(std::uint32_t a, std::uint32_t b, const Interest& interest) const;
    bool only_ways_overlap(std::uint32_t a, std::uint32_t b) const;
    bool choose_continuous(std::uint32_t a, std::uint32_t b, const Interest& interest, SweepChoice& along);
    const ContinuousAlgorithm* algorithm(SweepChoice choice) const {
        return choice == kChosenSweep ? settings_.continuous_algorithm : default_continuous_algorithm();
    }
    void prepare_sweep(std::uint32_t slot, SweepChoice choice);
    void update_sweep_data(std::uint32_t slot);
    void set_motions(std::uint32_t a, std::uint32_t b, ContinuousQuery& query) const;
    ContinuousResult run_sweep(SweepChoice choice, const Test& test, Worker& worker);
    void run_continuous_test(Test& test, Worker& worker, std::uint32_t worker_index);
    void add_impact(const Test& test, const ContinuousResult& result, std::size_t first_hit, Worker& worker);
    void report_impact(const Test& test, const ContactRecord& contact, Event& event);

    // pass_candidates.cpp: broad phase and filter of pairs by finer bounds
    void find_candidates();
    WorldBounds broad_phase_bounds();
    void choose_searched_bodies();
    void filter_candidates();
    void compare_with_all_pairs();

    // pass_tests.cpp: choice of tests and algorithms, and the tests
    void choose_tests();
    void choose_test(PairKey key, std::uint32_t state, const Interest& interest);
    const Interest* interest_of(PairKey key) const;
    Wants wants_of(const Interest& interest) const;
    void prefetch_bodies(PairKey key) const;
    Test& add_test(PairKey key, std::uint32_t state, Wants wants);
    Choice choose_algorithm(const PairBody& a, const PairBody& b, Wants wants) const;
    Choice choose_fallback(const PairBody& a, const PairBody& b) const;
    Choice choose_second_algorithm(Choice first, const PairBody& a, const PairBody& b) const;
    void prepare_body(std::uint32_t slot, Choice choice);
    static void assign_cache_pool(PairState& state, const PairAlgorithm& owner, const Shape& a,
                                  const Shape& b);
    const PairAlgorithm* algorithm(Choice choice) const {
        return choice == kChosen     ? settings_.pair_algorithm
               : choice == kFallback ? settings_.fallback_algorithm
                                     : settings_.solid_fallback;
    }
    /// A test that was not a quick one.
    Test& waiting_test(std::size_t i) { return tests_[waiting_[i]]; }
    const Test& waiting_test(std::size_t i) const { return tests_[waiting_[i]]; }
    void run_tests();
    void prefetch_test(std::size_t index) const;
    void set_bodies(const Test& test, Worker& worker) const;
    void run_test(Test& test, Worker& worker, unsigned worker_index);
    PairResult run_choice(const Test& test, Choice choice, Wants wants, Worker& worker, PairCache& cache);
    PairResult run_second_choice(const Test& test, Worker& worker);
    PairResult run_algorithm(const PairAlgorithm& algorithm, Worker& worker, PairCache& cache, Wants wants);
    void store_result(Test& test, const PairResult& result, std::size_t first_hit,
                      std::uint32_t worker_index);
    void store_answer(Test& test, const PairResult& result, std::size_t first_hit,
                      std::uint32_t worker_index);
    static void update_worker_hardest(const Test& test, const PairResult& result, Worker& worker);
    void reset_workers();
    void sum_worker_counts();
    void update_hardest_pair();

    // pass_quick_tests.cpp: tests that run while the workers look through the candidates
    bool runs_quick_tests() const;
    void run_quick_tests();
    void run_quick_tests(std::size_t begin, std::size_t end, unsigned worker);
    bool choose_quick_test(Test& test);
    Quick run_quick_test(Test& test, unsigned worker);

    // pass_shared_tests.cpp: distribution of the tests over workers
    void plan_shared_tests();
    std::uint32_t part_count(const Test& test) const;
    bool races_gap_search(const Test& test) const;
    bool races_point_search(const Test& test) const;
    void add_parts(std::uint32_t shared_test);
    void run_jobs();
    void run_job(const Job& job, unsigned worker);
    void run_part(TestPart& part, unsigned worker);
    void run_algorithm_part(SharedTest& shared_test, TestPart& part, Worker& worker);
    void search_common_point(const Test& test, TestPart& part, Worker& worker);
    void merge_shared_tests();
    PairResult merge_results(const SharedTest& shared_test);
    double seconds_to_stop(const SharedTest& shared_test);
    void merge_hits(const SharedTest& shared_test);

    // pass_events.cpp: events, callbacks, answers to queries, and the state hash
    void report_events();
    void report_test(const Test& test);
    void report_end(PairKey key, std::uint64_t data);
    Event make_event(EventKind kind, PairKey key, std::uint64_t data) const;
    std::exception_ptr run_callbacks();
    void answer_queries();
    void update_state_hash();
    std::uint64_t pair_hash(PairKey key) const;
    BodyId id_of(std::uint32_t slot) const { return {slot, bodies_[slot].generation}; }
    bool knows(BodyId body) const {
        return body.slot < bodies_.size() && bodies_[body.slot].generation == body.generation;
    }
    /// True for a body that is alive or was removed in this pass.
    bool has_record(BodyId body) const { return knows(body) && bodies_[body.slot].shape; }

    // CallbackContext
    const Pose& pose(BodyId body) const override;
    Pose world_pose(BodyId body) const override;
    std::uint64_t data(BodyId body) const override;
    std::size_t contacts(const Event& event, std::span<const Hit> hits, std::span<Contact> out) override;
    const Impact* impact(const Event& event) const override { return events_.impact_of(event); }
    std::span<const MotionHit> motion_hits(const Impact& impact) const override {
        return events_.hits_of(impact);
    }
    void move(BodyId body, const Pose& pose, Arrival arrival) override;
    Result<BodyId> add_body(const BodyDef& def) override;
    void remove_body(BodyId body) override;

    FrameExchange& exchange_;
    StopSource stop_;
    bool running_ = false;
    WorldSettings settings_;
    std::array<ParameterValues, kNone> parameters_;  ///< per Choice
    std::unique_ptr<Executor> executor_;
    std::unique_ptr<BroadPhase> broad_phase_;
    InterestMatrix interest_;
    PreparedStore prepared_store_;
    bool test_all_ = false;  ///< the next pass also tests pairs of unmoved bodies

    // Bodies, indexed by slot.
    std::vector<BodyRecord> bodies_;
    std::vector<PairBody> placed_;             ///< shape, geometry, data prepared for kChosen, matrix
    std::vector<std::uint64_t> creation_;      ///< identifies bodies in hashes: slots depend on timing
    std::vector<std::uint64_t> hash_of_body_;  ///< hash of creation number and matrix
    BodyBounds bounds_;
    SceneGroups groups_;
    BodySweeps sweeps_;
    std::array<ParameterValues, 2> continuous_parameters_;        ///< per SweepChoice
    std::array<std::uint32_t, kGroupCount> continuous_bodies_{};  ///< with the continuous switch, per group
    bool sweep_rules_changed_ = false;  ///< the groups that sweep must be chosen again
    bool keeps_last_poses_ = false;     ///< in this pass, entries of list_ end up with the poses before it
    ContinuousQuery domain_query_;      ///< of choose_continuous()
    SlotStamps<> moved_;                ///< placed or deformed in this pass
    SlotStamps<> touched_;              ///< bodies whose pairs are searched in this pass
    std::size_t alive_count_ = 0;
    std::size_t colliding_count_ = 0;  ///< pairs

    // The running pass.
    MovedList list_;
    GroupList group_list_;
    Commands commands_;
    ChangeMerger change_merger_;
    std::vector<std::uint32_t> touched_polygons_;
    std::vector<std::uint32_t> moved_slots_, entered_slots_, searched_slots_, retired_slots_;
    std::vector<std::pair<std::uint32_t, Pose>>
        last_world_poses_;                               ///< of removed bodies that were in a group
    std::optional<Burst> burst_;                         ///< covers the loops before the tests
    std::vector<std::uint32_t> interest_changed_slots_;  ///< one body of each pair with a changed exception
    std::vector<PairKey> candidates_, reference_pairs_;
    std::vector<unsigned char> kept_;     ///< per candidate
    std::vector<Quick> quick_;            ///< per candidate, or empty
    std::vector<Test> quick_tests_;       ///< per candidate, at least
    std::vector<Test> tests_;             ///< without those of Quick::apart
    std::vector<std::uint32_t> waiting_;  ///< in tests_: those that were not quick ones
    std::vector<std::uint32_t> work_;     ///< expected steps per waiting test
    SharedWork shared_;
    std::vector<std::unique_ptr<Worker>> workers_;
    EventBatch events_;
    PassStats stats_;
    PassReport report_;
    std::size_t memory_bytes_ = 0;
    bool memory_listed_ = false;  ///< whether the last pass listed its memory
    HardestPair hardest_;
    bool hardest_changed_ = false;
    Governor governor_;
    Accuracy accuracy_ = Accuracy::full;
    std::chrono::steady_clock::time_point stage_start_;

    std::vector<PendingQuery> queries_;  ///< of this pass
    std::vector<QueryHit> query_hits_;
    QueryRunner query_runner_{{bodies_, placed_, bounds_, broad_phase_, prepared_store_}};

    PairTable pairs_;
    EventCallback callback_;
    PairMap<EventCallback> pair_callbacks_;

    StateHash hash_;
    /// Sums of hashes: they do not depend on the order of bodies and pairs.
    std::uint64_t hash_of_poses_ = 0, hash_of_pairs_ = 0, hash_of_changes_ = 0;
};

}  // namespace claybox::collision
