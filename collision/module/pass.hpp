#pragma once
// One run of the module over a moved list. Everything in here belongs to the thread that runs the pass.

#include "collision/core/state_hash.hpp"
#include "collision/module/body_bounds.hpp"
#include "collision/module/front.hpp"
#include "collision/module/pair_table.hpp"
#include "collision/module/prepared_store.hpp"
#include "collision/module/scene_groups.hpp"
#include "collision/module/slot_stamps.hpp"
#include "collision/module/team.hpp"
#include "collision/parts/ray_shape.hpp"

#include <array>
#include <chrono>

namespace claybox::collision {

class Pass final : private CallbackContext {
  public:
    Pass(Front& front, const WorldSettings& settings);

    /// Takes what is published and works it off. Callbacks run in here. `recorded`: the accuracy, where a
    /// recording says it and not the governor.
    void run(const Accuracy* recorded = nullptr);
    /// Makes the running pass give up its remaining tests: for a world that is being destroyed.
    void request_stop() { stop_.request_stop(); }
    /// Answers on the state of the last pass; not while one runs, except from its callbacks.
    Status ask_now(const WorldQuery& query, std::vector<QueryHit>& out) override;

  private:
    /// Which of the settings' algorithms answers about a pair.
    enum Choice : unsigned char { kChosen, kFallback, kSolidFallback, kNone };

    struct BodyRecord {
        ShapePtr shape;
        std::unique_ptr<Geometry> own;  ///< of deformable bodies
        Pose pose;                      ///< in the parent's frame
        std::uint64_t frame = 0;  ///< the application's, of the pose in the world or the last deformation
        std::uint64_t data = 0;
        std::uint32_t generation = 0;
        unsigned group = 0;
        bool alive = false;
        std::array<std::shared_ptr<const Prepared>, kNone> prepared;  ///< by Choice
        std::array<bool, kNone> prepared_made{};
        std::shared_ptr<const Prepared> tree;  ///< for queries, once one asks
    };

    struct Test {
        PairKey key;
        std::uint32_t state;
        Choice choice;
        Choice second;  ///< asked where the first leaves it undecided, or kNone
        Verdict verdict;
        std::uint32_t work;             ///< steps of the pair's last test, 0: not known; then of this one
        std::uint32_t worker, contact;  ///< where the contact of a colliding pair stands
        Wants wants;
    };

    /// What a colliding pair leaves for its event.
    struct Contact {
        Certificate witness;
        std::uint32_t first_hit = 0, hit_count = 0;  ///< in the worker's hits
    };

    struct alignas(kCacheLine) Worker {
        Scratch scratch;
        PairQuery query;
        PairCache part_cache;  ///< of parts other than the first
        std::vector<Contact> contacts;
        std::vector<Hit> hits;
        std::vector<Hit> room = std::vector<Hit>(256);  ///< of the hit sink
        std::uint64_t iterations = 0, undecided = 0, fell_back = 0, rung[3] = {};
        Choice parameters_of = kNone;
        std::uint64_t counters[kMaxCounters] = {};
        std::uint64_t hash_change = 0;
        std::uint32_t hardest = 0;  ///< most iterations of a pair of this pass, and which
        PairKey hardest_key = 0;
    };

    // pass.cpp: the frame of a pass, and orders
    double lap();
    void follow_orders();
    void change_interest(const InterestChange& change);
    void take_settings(const WorldSettings& next);
    void make_broad_phase();
    void take_accuracy(Accuracy accuracy);
    Exactness exactness() const {
        return accuracy_ == Accuracy::full ? settings_.exactness : Exactness::fast;
    }
    bool boxes_only() const { return accuracy_ == Accuracy::boxes || !settings_.narrow; }
    void place_all_bodies();
    void gather_figures();
    void deliver();

    // pass_memory.cpp
    std::size_t memory_bytes() const;
    void list_memory(std::vector<MemoryPart>& parts) const;
    template <class Visit>
    void each_memory(Visit&& visit) const;

    // pass_bodies.cpp: snapshots, bounds and the broad phase
    void apply_list();
    void apply_entry(MovedBody& entry);
    void move_with_group(std::uint32_t slot, std::uint64_t frame);
    void sort_moved_slots();
    void enter_body(MovedBody& entry);
    void retire_body(std::uint32_t slot);
    void deform_body(BodyRecord& body, MovedBody& entry);
    void place_moved_bodies();
    WorldBounds world_bounds();
    void find_candidates();
    void choose_searched();
    void filter_candidates();
    void compare_with_all_pairs();
    void forget_body(BodyId body);
    void forget_retired_bodies();

    // pass_pairs.cpp: which pairs are tested, and the tests
    void choose_tests();
    Choice choose_algorithm(const PairBody& a, const PairBody& b, Wants wants) const;
    Choice choose_fallback(const PairBody& a, const PairBody& b) const;
    Choice choose_second(Choice first, const PairBody& a, const PairBody& b) const;
    void prepare_body(std::uint32_t slot, Choice choice);
    static void give_pool(PairState& state, const PairAlgorithm& owner, const Shape& a, const Shape& b);
    const PairAlgorithm* algorithm(Choice choice) const {
        return choice == kChosen     ? settings_.pair_algorithm
               : choice == kFallback ? settings_.fallback_algorithm
                                     : settings_.solid_fallback;
    }
    void run_tests();
    void set_bodies(const Test& test, Worker& worker) const;
    void run_test(Test& test, Worker& worker, unsigned worker_index);
    PairResult ask_choice(const Test& test, Choice choice, Wants wants, Worker& worker, PairCache& cache);
    PairResult ask_second(const Test& test, Worker& worker);
    PairResult ask(const PairAlgorithm& algorithm, Worker& worker, PairCache& cache, Wants wants);
    void take_result(Test& test, const PairResult& result, std::size_t first_hit, std::uint32_t worker_index);
    static void note_hardest(const Test& test, const PairResult& result, Worker& worker);
    void ready_workers();
    void sum_up_workers();
    void keep_hardest();

    // pass_teams.cpp: how the tests are shared among workers
    void share_tests();
    std::uint32_t part_count(const Test& test) const;
    bool races_gap(const Test& test) const;
    bool races_point(const Test& test) const;
    void add_parts(std::uint32_t team);
    void run_jobs();
    void run_job(const Job& job, unsigned worker);
    void run_part(TeamPart& part, unsigned worker);
    void run_chosen_part(Team& team, TeamPart& part, Worker& worker);
    void search_common_point(const Test& test, TeamPart& part, Worker& worker);
    void join_teams();
    PairResult join_results(const Team& team);
    double seconds_to_listen(const Team& team);
    void join_hits(const Team& team);

    // pass_events.cpp: events, callbacks and the hash
    void report_events();
    void report_test(const Test& test);
    void report_end(PairKey key, std::uint64_t data);
    Event make_event(EventKind kind, PairKey key, std::uint64_t data) const;
    void call_back();
    void hash_state();
    std::uint64_t pair_hash(PairKey key) const;
    BodyId id_of(std::uint32_t slot) const { return {slot, bodies_[slot].generation}; }
    bool knows(BodyId body) const {
        return body.slot < bodies_.size() && bodies_[body.slot].generation == body.generation;
    }
    /// Alive, or gone in this pass.
    bool holds(BodyId body) const { return knows(body) && bodies_[body.slot].shape; }

    // pass_queries.cpp: rays, points, boxes, shapes, closest bodies
    struct Probe;
    struct RayContact {
        std::uint32_t slot;
        SurfaceHit hit;
        double most() const { return hit.t + hit.t_error; }  ///< zero exactly at the start of the ray
    };
    void answer_questions();
    void answer(const WorldQuery& query, std::vector<QueryHit>& out);
    void answer(const RayQuery& query, const QueryFilter& filter, std::vector<QueryHit>& out);
    void answer(const PointQuery& query, const QueryFilter& filter, std::vector<QueryHit>& out);
    void answer(const BoxQuery& query, const QueryFilter& filter, std::vector<QueryHit>& out);
    void answer(const ShapeQuery& query, const QueryFilter& filter, std::vector<QueryHit>& out);
    void answer(const ClosestQuery& query, const QueryFilter& filter, std::vector<QueryHit>& out);
    bool asks(const QueryFilter& filter, std::uint32_t slot) const;
    const Aabb& everything();
    RayBody ray_body(std::uint32_t slot);
    const Prepared* tree_of(std::uint32_t slot);
    bool clip(const RayQuery& query, RayPart& part);
    bool meets(const RayQuery& query, double end, RayContact& contact);
    bool comes_before(const Ray& ray, const RayContact& a, const RayContact& b);
    QueryHit hit_of(const Ray& ray, const RayContact& contact) const;
    void tell(std::vector<std::uint32_t>& slots, std::vector<QueryHit>& out) const;
    bool holds(std::uint32_t slot, const Vec3d& point_w);
    static Probe make_probe(const ShapePtr& shape, const Matrix34f& world_from_shape);
    PairResult ask_probe(const Probe& probe, std::uint32_t slot, Wants wants);
    void gather_ring(const Aabb& box, double from, double to, const QueryFilter& filter);
    void keep_closer(const Probe& probe, std::uint32_t slot, double reach, std::vector<QueryHit>& out);

    const Pose& pose(BodyId body) const override;
    Pose world_pose(BodyId body) const override;
    std::uint64_t data(BodyId body) const override;
    std::size_t contacts(const Event& event, std::span<const Hit> hits,
                         std::span<collision::Contact> out) override;
    void move(BodyId body, const Pose& pose) override;
    Result<BodyId> add_body(const BodyDef& def) override;
    void remove_body(BodyId body) override;

    Front& front_;
    StopSource stop_;
    bool running_ = false;
    WorldSettings settings_;
    std::array<ParameterValues, kNone> parameters_;  ///< by Choice
    std::unique_ptr<Executor> executor_;
    std::unique_ptr<BroadPhase> broad_phase_;
    InterestMatrix interest_;
    PreparedStore prepared_store_;
    bool test_all_ = false;  ///< the next pass tests pairs of unmoved bodies as well

    // Bodies, by slot.
    std::vector<BodyRecord> bodies_;
    std::vector<PairBody> placed_;         ///< shape, geometry, what kChosen prepared, and matrix
    std::vector<std::uint64_t> creation_;  ///< names bodies in hashes: slots depend on when they became free
    std::vector<std::uint64_t> hash_of_body_;  ///< of creation and matrix
    BodyBounds bounds_;
    SceneGroups groups_;
    SlotStamps<> moved_;    ///< placed or deformed in this pass
    SlotStamps<> touched_;  ///< pairs of these bodies are looked for in this pass
    std::size_t alive_count_ = 0;
    std::size_t colliding_count_ = 0;  ///< pairs

    // Of the running pass.
    MovedList list_;
    GroupList group_list_;
    Orders orders_;
    ChangeMerger change_merger_;
    std::vector<std::uint32_t> touched_polygons_;
    std::vector<std::uint32_t> moved_slots_, entered_slots_, searched_slots_, retired_slots_;
    std::vector<std::pair<std::uint32_t, Pose>> left_at_;  ///< world poses of bodies that left with a group
    std::optional<Burst> burst_;                           ///< of the loops up to the tests
    std::vector<std::uint32_t> asked_slots_;               ///< about whose pairs an order spoke
    std::vector<PairKey> candidates_, reference_pairs_;
    std::vector<unsigned char> kept_;  ///< by candidate
    std::vector<Test> tests_;
    std::vector<std::uint32_t> work_;  ///< of the tests
    SharedWork shared_;
    std::vector<std::unique_ptr<Worker>> workers_;
    EventBatch events_;
    PassStats stats_;
    PassReport report_;
    std::size_t memory_bytes_ = 0;
    bool memory_listed_ = false;  ///< as of the last pass
    HardestPair hardest_;
    bool hardest_changed_ = false;
    Governor governor_;
    Accuracy accuracy_ = Accuracy::full;
    std::chrono::steady_clock::time_point lap_start_;

    // Of queries.
    std::vector<Question> questions_;  ///< for this pass
    std::optional<Aabb> everything_;   ///< around all bodies, once it is asked for
    WalkScratch walk_;
    RayCounts ray_counts_;
    std::vector<QueryHit> query_hits_;
    std::vector<RayContact> contacts_;
    std::vector<std::uint32_t> found_slots_;
    std::vector<std::pair<double, std::uint32_t>> ring_;

    PairTable pairs_;
    EventCallback callback_;
    PairMap<EventCallback> pair_callbacks_;

    StateHash hash_;
    std::uint64_t hash_of_poses_ = 0, hash_of_pairs_ = 0, hash_of_changes_ = 0;  ///< sums: no order
};

}  // namespace claybox::collision
