#pragma once
// One run of the module over a moved list. Everything in here belongs to the thread that runs the pass.

#include "collision/core/state_hash.hpp"
#include "collision/module/front.hpp"
#include "collision/module/pair_table.hpp"
#include "collision/module/prepared_store.hpp"

#include <array>
#include <chrono>

namespace claybox::collision {

class Pass final : private CallbackContext {
  public:
    Pass(Front& front, const WorldSettings& settings);

    /// Takes what is published and works it off. Callbacks run in here.
    void run();
    /// Makes the running pass give up its remaining tests: for a world that is being destroyed.
    void request_stop() { stop_.request_stop(); }

  private:
    /// Which of the settings' algorithms answers about a pair.
    enum Choice : unsigned char { kChosen, kFallback, kSolidFallback, kNone };

    struct BodyRecord {
        ShapePtr shape;
        std::unique_ptr<Geometry> own;  ///< of deformable bodies
        Pose pose;
        std::uint64_t frame = 0;  ///< the application's, of the pose or the last deformation
        std::uint64_t data = 0;
        std::uint64_t creation = 0;  ///< names the body in hashes: slots depend on when they became free
        std::uint64_t hash = 0;      ///< of creation and matrix
        std::uint32_t generation = 0;
        unsigned group = 0;
        bool alive = false;
        std::array<std::shared_ptr<const Prepared>, kNone> prepared;  ///< by Choice
        std::array<bool, kNone> prepared_made{};
    };

    struct Test {
        PairKey key;
        std::uint32_t state;
        Choice choice;
        Choice second;  ///< asked where the first leaves it undecided, or kNone
        Verdict verdict;
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

    struct PairCallback {
        BodyId a, b;
        EventCallback callback;
    };

    // pass.cpp: the frame of a pass, and orders
    double lap();
    void take_orders();
    void take_settings(const WorldSettings& next);
    void make_broad_phase();
    void gather_figures();
    void deliver();
    std::size_t memory_bytes() const;

    // pass_bodies.cpp: snapshots, bounds and the broad phase
    void apply_list();
    void enter_body(MovedBody& entry);
    void retire_body(std::uint32_t slot);
    void deform_body(BodyRecord& body, MovedBody& entry);
    void place_moved_bodies();
    Aabb world_box(std::uint32_t slot) const;
    void find_candidates();
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
    void run_test(Test& test, Worker& worker, unsigned worker_index);
    PairResult ask_choice(const Test& test, Choice choice, Wants wants, Worker& worker);
    PairResult ask(const PairAlgorithm& algorithm, Worker& worker, PairState& state, Wants wants);
    static void note_hardest(const Test& test, const PairResult& result, Worker& worker);
    void ready_workers();
    void sum_up_workers();
    void keep_hardest();

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

    const Pose& pose(BodyId body) const override;
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
    std::vector<PairBody> placed_;        ///< shape, geometry and matrix
    std::vector<Aabb> boxes_;             ///< world bounds
    std::vector<unsigned char> moved_;    ///< placed or deformed in this pass
    std::vector<unsigned char> touched_;  ///< pairs of these bodies are looked for in this pass
    std::size_t alive_count_ = 0;
    std::size_t colliding_count_ = 0;  ///< pairs

    // Of the running pass.
    MovedList list_;
    Orders orders_;
    ChangeMerger change_merger_;
    std::vector<std::uint32_t> touched_polygons_;
    std::vector<std::uint32_t> moved_slots_, entered_slots_, searched_slots_, retired_slots_;
    std::vector<PairKey> candidates_, reference_pairs_;
    std::vector<Test> tests_;
    std::vector<std::unique_ptr<Worker>> workers_;
    EventBatch events_;
    PassStats stats_;
    std::vector<Aabb> view_;
    std::size_t memory_bytes_ = 0;
    HardestPair hardest_;
    bool hardest_changed_ = false;
    std::chrono::steady_clock::time_point lap_start_;

    PairTable pairs_;
    EventCallback callback_;
    std::vector<PairCallback> pair_callbacks_;  ///< sorted by key

    StateHash hash_;
    std::uint64_t hash_of_poses_ = 0, hash_of_pairs_ = 0, hash_of_changes_ = 0;  ///< sums: no order
};

}  // namespace claybox::collision
