#pragma once
// The module: bodies in, events out. The application never waits for a pass.

#include "collision/broadphase/broad_phase.hpp"
#include "collision/module/events.hpp"
#include "collision/module/governor.hpp"
#include "collision/module/interest.hpp"
#include "collision/module/parallel_mode.hpp"
#include "collision/pairwise/contacts.hpp"
#include "collision/pairwise/registry.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace claybox::collision {

/// A group of the scene: a frame that bodies and other groups hang from. Not to be mixed up with the 64
/// groups of interests.
struct GroupDef {
    Pose pose;       ///< in the frame of the parent
    GroupId parent;  ///< none: the world. Given once, so that no cycle can arise
};

struct BodyDef {
    ShapePtr shape;
    Pose pose;                ///< in the frame of the parent
    unsigned group = 0;       ///< of interests, < kGroupCount
    bool deformable = false;  ///< the module keeps its own copy of the geometry
    std::uint64_t data = 0;   ///< the application's own
    GroupId parent = {};      ///< the scene group that the body hangs from; none: the world
};

/// How passes are made; may be changed at any time, for the next published frame.
struct WorldSettings {
    const PairAlgorithm* pair_algorithm = nullptr;  ///< null: the first of the registry
    ParameterValues pair_parameters;
    /// For pairs outside pair_algorithm's domain, and for those that a one-sided one leaves undecided where
    /// the answer is to be exact; null: the first of the registry that accepts any polygons.
    const PairAlgorithm* fallback_algorithm = nullptr;
    /// Comes before it for pairs of convex bodies when pair_algorithm decides solids; null: the first of the
    /// registry that decides convex solids exactly.
    const PairAlgorithm* solid_fallback = nullptr;
    const BroadPhaseDescriptor* broad_phase = nullptr;  ///< null: the first of the registry
    ParameterValues broad_parameters;
    ParameterValues bound_parameters;  ///< of bound_parameters(): how bounds are made and what they drop
    Exactness exactness = Exactness::exact;
    bool solid = false;  ///< all pairs are asked about solids (kWantSolid): one inside the other collides
    ParallelMode parallel = ParallelMode::serial;
    unsigned workers = 1;  ///< used when parallel is not serial; 0: as many as there are processors
    /// Steps of its algorithm from which a pair is tested by several workers at once, by modes that do that.
    std::uint32_t share_from = kWorthSharing;
    bool concurrent = false;  ///< a thread of the module's own runs passes; check() then does nothing
    bool narrow = true;  ///< false: no pair tests, bounds that overlap collide (the thesis' colMethodNone)
    /// Milliseconds a pass: where passes take longer, accuracy is taken back step by step (governor.hpp). It
    /// decides by the clock, so that results and hashes then depend on the machine; 0 is off.
    double budget_ms = 0;
    bool assert_pairs = false;  ///< every pass compares the pair set with all_pairs and counts disagreements
    bool queue_events = true;   ///< events wait for poll_events; false: only callbacks hear of them
    std::uint64_t seed = 1;
};

/// The parameters of bounds: how the world box of a body is made, and which finer bounds drop pairs before
/// they are tested. Results do not depend on them. All defaults are zero.
std::span<const Parameter> bound_parameters();

/// A setting with the defaults of the registries filled in.
WorldSettings default_settings();

/// The fallback of these settings that can answer about two bodies; null when none can.
const PairAlgorithm* fallback_for(const WorldSettings& settings, const PairBody& a, const PairBody& b);

/// Seconds per stage of one pass and counts; times are measured once per stage, never inside loops.
struct PassStats {
    std::uint64_t pass = 0;              ///< number of the pass, from 1
    std::uint64_t frame = 0;             ///< the published frame it took
    Accuracy accuracy = Accuracy::full;  ///< below full where the governor has taken it back
    double seconds_take = 0, seconds_bounds = 0, seconds_broad = 0, seconds_narrow = 0, seconds_events = 0,
           seconds_total = 0;
    std::uint64_t bodies = 0, moved = 0, raw_candidates = 0, candidates = 0, filtered = 0, ignored = 0,
                  tests = 0, colliding = 0, begins = 0, ends = 0, undecided = 0, iterations = 0,
                  not_applicable = 0,  ///< pairs that no algorithm of the settings can answer
        fell_back = 0,                 ///< tests that a fallback answered
        pair_disagreements = 0;
    /// Tests by the algorithm that was chosen for the pair, by class of its bodies and by what is wanted:
    /// pair_algorithm, fallback_algorithm, solid_fallback.
    std::uint64_t given[3] = {};
    /// How workers shared the pass: docs/parallel.md.
    unsigned workers = 1;
    double seconds_shared = 0;  ///< of the caller, in loops of several workers
    double seconds_busy = 0;    ///< in these loops, summed over the workers
    std::uint64_t shared_pairs = 0,
                  shared_parts = 0;  ///< pairs that several workers tested, in so many parts
    /// Of these, who had the answer first where algorithms ran against each other.
    std::uint64_t first_was_chosen = 0, first_was_gap = 0, first_was_point = 0;
    double seconds_to_listen = 0;  ///< from the first answer until the last part of its pair ended, summed
    std::uint64_t rung[3] = {};    ///< queries that ended on rungs 1, 2, 3
    /// Sums of PairResult::counters of the chosen algorithm.
    std::uint64_t algorithm_counters[kMaxCounters] = {};
    std::uint64_t state_hash = 0;  ///< over all passes: poses, colliding pairs, begin and end events
};

/// S_p of a pass as its own times tell it: what one worker would have taken, if no work is done twice, over
/// what it took. 1 before the first pass.
inline double estimated_speed_up(const PassStats& stats) {
    const double one = stats.seconds_total - stats.seconds_shared + stats.seconds_busy;
    return stats.seconds_total > 0 ? one / stats.seconds_total : 1;
}

/// The pair of convex bodies that took the chosen algorithm the most iterations so far, as it was asked: the
/// first one where several took as many. Starts anew when algorithm, parameters or exactness change.
struct HardestPair {
    std::uint32_t iterations = 0;  ///< 0: none yet
    std::uint64_t frame = 0;       ///< the published frame that the pass took
    const PairAlgorithm* algorithm = nullptr;
    ParameterValues parameters;
    ShapePtr a, b;
    Matrix34f world_from_a, world_from_b;
    std::uint64_t data_a = 0, data_b = 0;  ///< BodyDef::data
};

/// Given to callbacks: what they do enters the *next* pass, with the frame of the pass that they answer; the
/// application's move of the same frame or later wins. Ids of bodies that are gone are ignored. In concurrent
/// mode the next pass begins with the application's next publish(): callbacks alone do not keep the module
/// running.
class CallbackContext {
  public:
    virtual ~CallbackContext() = default;
    /// As of this pass, in the frame of the body's parent: what was set, and what move() sets anew.
    virtual const Pose& pose(BodyId body) const = 0;
    /// As of this pass, in the world: the same where the body hangs from no group.
    virtual Pose world_pose(BodyId body) const = 0;
    virtual std::uint64_t data(BodyId body) const = 0;
    /// The contacts that an event's hits make (find_contacts): returns how many there are, of which as many
    /// as fit stand in `out`. None without hits: the pair's interest must ask for kWantAllHits.
    virtual std::size_t contacts(const Event& event, std::span<const Hit> hits, std::span<Contact> out) = 0;
    /// As of this pass; see World::ask_now.
    virtual Status ask_now(const WorldQuery& query, std::vector<QueryHit>& out) = 0;
    virtual void move(BodyId body, const Pose& pose) = 0;
    /// A parent that the next pass does not know is none; one that goes in it hands the body on to its own.
    virtual Result<BodyId> add_body(const BodyDef& def) = 0;
    virtual void remove_body(BodyId body) = 0;
};

/// Where a pass took the list, and how accurate it was: what a recording stores of it.
struct PassBoundary {
    std::uint64_t frame = 0;
    Accuracy accuracy = Accuracy::full;
    friend bool operator==(const PassBoundary&, const PassBoundary&) = default;
};

/// What one thing takes of the memory.
struct MemoryPart {
    enum class Kind : unsigned char { shape, algorithm, structure };
    Kind kind = Kind::structure;
    std::string name;  ///< of the shape; id of the algorithm or broad phase; or what it is
    std::size_t bytes = 0;
};

/// Pass boundaries that wait for take_pass_boundaries(): a quarter of an hour at 72 passes a second.
inline constexpr std::size_t kMostPassBoundaries = std::size_t{1} << 16;

/// Must not throw. In concurrent mode it must not call the World: that is what the context is for.
using EventCallback = std::function<void(const Event&, std::span<const Hit>, CallbackContext&)>;

/// Thread contract: one producer thread calls everything here except what says otherwise. In concurrent mode
/// passes and callbacks run on the module's own thread, else inside check(). Results do not depend on
/// workers, broad phase or parallel mode. Nothing here waits for a pass or takes a lock, except wait_idle(),
/// the destructor, and switching concurrent mode off. alive() and body_count() may be called by any thread.
class World {
  public:
    explicit World(const WorldSettings& settings = default_settings());
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    /// Refuses a missing shape, a bad pose or group, a stale parent. The body takes part from the next
    /// published frame on.
    Result<BodyId> add_body(const BodyDef& def);
    /// From the next published frame on; its contacts end. A stale id is an error.
    Status remove_body(BodyId body);
    /// Enters the moved list (each body once, the newest pose wins). A stale id or bad pose is an error. The
    /// pose is in the frame of the body's parent.
    Status move(BodyId body, const Pose& pose);
    /// Enters the changed vertices (merged until the frame is taken); only for deformable bodies.
    Status deform(BodyId body, std::span<const VertexChange> changes);

    /// Scene groups (Zachmann, thesis, 6.0.1; docs/module.md), from the next published frame on. A bad pose
    /// and a stale parent are errors. World poses are products of poses in double, rounded once to the
    /// matrix; a translation that leaves the magnitudes of `checked` on the way down is held at their limit.
    Result<GroupId> add_group(const GroupDef& def);
    /// All bodies below count as moved. A stale id or bad pose is an error.
    Status move_group(GroupId group, const Pose& pose);
    /// What hangs from it hangs from its parent from then on, where its pose is read. A stale id is an error.
    Status remove_group(GroupId group);

    /// Ends the application's frame: what was entered since the last call becomes visible to the next pass at
    /// once. Until it is taken, later frames merge into it.
    void publish(std::uint64_t frame);

    /// Serial mode: runs one pass over what is published. Concurrent mode: does nothing.
    void check();
    /// Swaps the gathered events into `out` (cleared first). Never waits for a pass. What nobody polls is
    /// kept, at the full size of every pass: poll about once per published frame, or switch queue_events off
    /// where callbacks are all that listens.
    void poll_events(EventBatch& out);
    /// Waits until everything published has been taken and its pass is over (tests, recording). In serial
    /// mode there is nothing to wait for: check() is the pass.
    void wait_idle();

    /// Asks the pass that takes the frame which the next publish() ends; its answer, under the ticket that is
    /// returned, comes with the events of that pass, after its callbacks, in any mode. A bad query is an
    /// error. Answers do not depend on broad phase, workers or mode.
    Result<std::uint64_t> ask(const WorldQuery& query);
    /// Answers at once, on the state of the last finished pass. An error while passes run on a thread of
    /// their own, since nobody may wait for them. `out` is overwritten and keeps its memory.
    Status ask_now(const WorldQuery& query, std::vector<QueryHit>& out);

    WorldSettings settings() const;
    /// From the next published frame on, like moves, so that a late pass for the frame before is the same
    /// whenever it comes; only `concurrent` is followed at once. Bodies, contacts and events carry over.
    void set_settings(const WorldSettings& settings);

    /// Symmetric, from the next published frame on, which tests the pairs of unmoved bodies anew as well. A
    /// pair of which all hits are wanted goes to the fallback algorithm where the chosen one cannot give
    /// them.
    void set_interest(unsigned group_a, unsigned group_b, const Interest& interest);
    void set_interest_exception(BodyId a, BodyId b, const Interest& interest);
    void clear_interest_exception(BodyId a, BodyId b);

    /// From the next published frame on called for every event after the narrow phase, in key order, on the
    /// thread of the pass, one after the other. Null removes it.
    void set_callback(EventCallback callback);
    /// For one pair, in place of the general one, whichever was set first: the general one is for pairs that
    /// have none of their own (Zachmann, thesis, 7.2; there a second general one is for those that have none
    /// yet, here it takes the place of the first). Null gives the pair back to the general one.
    void set_pair_callback(BodyId a, BodyId b, EventCallback callback);

    bool alive(BodyId body) const;
    std::size_t body_count() const;
    /// Of the last finished pass; a copy, safe while a pass runs.
    PassStats stats() const;
    /// As of the last finished pass; a copy, safe while a pass runs.
    HardestPair hardest_pair() const;
    /// What the broad phase's structure looked like in the last finished pass, as it was wished then.
    void want_view(const ViewWish& wish);
    StructureView view() const;
    /// Where passes took the list since the last call, oldest first: what a recording stores so that a
    /// concurrent run can be replayed serially: publish frame by frame, check() at each boundary. The state
    /// hash is then the same. Which slot a new body gets depends on what passes have forgotten by then,
    /// so callbacks that take part in the state should tell bodies apart by their data. Only the newest
    /// kMostPassBoundaries are given out.
    std::vector<PassBoundary> take_pass_boundaries();
    /// The newest pass whose events poll_events has given out; a recording stores it with every frame.
    std::uint64_t polled_pass() const;
    /// Replays one frame of a recording: the next check() runs these passes in the caller, each as accurate
    /// as it says, and poll_events gives out events of passes up to number `polled` only. From the first call
    /// on the concurrent setting and the budget are not followed.
    void replay_frame(std::span<const Accuracy> passes, std::uint64_t polled);
    /// All that the world keeps, without shapes, which it may share; of passes as of some passes ago.
    std::size_t memory_bytes() const;
    /// The same by name, and every shape; made while wanted, so of a pass after want_memory(true).
    void want_memory(bool wanted);
    std::vector<MemoryPart> memory() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace claybox::collision
