#pragma once
/// \file
/// The collision module: bodies in, events out. The application never waits for a pass.
/// How it works: docs/explanation/module.md.

#include "collision/broadphase/broad_phase.hpp"
#include "collision/continuous/registry.hpp"
#include "collision/module/arrival.hpp"
#include "collision/module/events.hpp"
#include "collision/module/governor.hpp"
#include "collision/module/interest.hpp"
#include "collision/module/parallel_mode.hpp"
#include "collision/module/ready_body.hpp"
#include "collision/pairwise/contacts.hpp"
#include "collision/pairwise/registry.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace claybox::collision {

/// A scene group: a frame to which bodies and other groups are attached. Unrelated to the 64 interest groups.
struct GroupDef {
    Pose pose;       ///< in the parent's frame
    GroupId parent;  ///< none: the world. Fixed at creation, which rules out cycles
};

/// A new body.
struct BodyDef {
    ShapePtr shape;           ///< never null
    Pose pose;                ///< in the parent's frame
    unsigned group = 0;       ///< interest group, < kGroupCount
    bool deformable = false;  ///< the module keeps its own copy of the geometry
    std::uint64_t data = 0;   ///< application data
    GroupId parent = {};      ///< scene group of the body; none: the world
    /// Made beforehand for this deformable body and its shape, so that the next pass need not: see
    /// make_ready_body(). Null: the pass does it.
    std::shared_ptr<ReadyBody> ready = nullptr;
    bool continuous = false;  ///< its pairs are tested continuously (Interest::continuity)
};

/// How passes run. May be changed at any time; changes apply from the next published frame.
struct WorldSettings {
    const PairAlgorithm* pair_algorithm = nullptr;  ///< null: the first of the registry
    ParameterValues pair_parameters;                ///< of pair_algorithm
    /// For pairs outside the domain of pair_algorithm, and for pairs that a one-sided algorithm leaves
    /// undecided when answers must be exact. Null: the first of the registry that accepts any polygons.
    const PairAlgorithm* fallback_algorithm = nullptr;
    /// Tried before fallback_algorithm for pairs of convex bodies when pair_algorithm decides solids. Null:
    /// the first of the registry that decides convex solids exactly.
    const PairAlgorithm* solid_fallback = nullptr;
    bool continuous = true;  ///< false: no pair is tested continuously, whatever bodies and interests say
    /// For continuous pairs. Null: best_continuous. Pairs outside its domain, and those that it leaves
    /// undecided, get best_continuous with default parameters.
    const ContinuousAlgorithm* continuous_algorithm = nullptr;
    ParameterValues continuous_parameters;              ///< of continuous_algorithm
    double continuous_tolerance = 1e-6;                 ///< ContinuousQuery::tolerance, metres, > 0
    const BroadPhaseDescriptor* broad_phase = nullptr;  ///< null: the first of the registry
    ParameterValues broad_parameters;                   ///< of broad_phase
    ParameterValues bound_parameters;                   ///< see bound_parameters()
    Exactness exactness = Exactness::exact;             ///< whether wrong verdicts are acceptable
    GroupPairs ignored_groups;  ///< pairs of these interest groups are not tested, whatever their interest
    bool solid = false;  ///< test solids (kWantSolid) for all pairs: a body inside another one collides
    ParallelMode parallel = ParallelMode::serial;  ///< how workers share the pair tests
    unsigned workers = 1;                          ///< used unless parallel is serial; 0: one per processor
    /// Minimum steps of a pair's test before several workers share it, in modes that share pairs.
    std::uint32_t share_from = kMinSharedSteps;
    bool concurrent = false;  ///< the module's own thread runs passes; check() does nothing
    bool narrow = true;  ///< false: no pair tests, overlapping bounds collide (colMethodNone in the thesis)
    /// Time budget in milliseconds per pass; 0 is off. Slower passes lower the accuracy step by step
    /// (governor.hpp). Decisions depend on the clock: results and hashes then depend on the machine.
    double budget_ms = 0;
    bool assert_pairs = false;  ///< every pass compares its pairs with all_pairs and counts disagreements
    bool queue_events = true;   ///< keep events for poll_events; false: only callbacks receive them
    std::uint64_t seed = 1;     ///< of algorithms that use random numbers
    /// Whether all settings are equal.
    friend bool operator==(const WorldSettings&, const WorldSettings&) = default;
};

/// Parameters of bounds: how a body's world box is computed, and which finer bounds drop pairs before they
/// are tested. Results do not depend on them. All defaults are zero.
std::span<const Parameter> bound_parameters();

/// Settings with the defaults of the registries filled in.
WorldSettings default_settings();

/// The fallback algorithm for two bodies; null when no algorithm of these settings applies.
const PairAlgorithm* fallback_for(const WorldSettings& settings, const PairBody& a, const PairBody& b);

/// The algorithm for continuous pairs that the chosen one does not accept or leaves undecided:
/// best_continuous.
const ContinuousAlgorithm* default_continuous_algorithm();

/// Times and counts of one pass. Times are measured once per stage, never inside loops.
struct PassStats {
    std::uint64_t pass = 0;                ///< number of the pass, from 1
    std::uint64_t frame = 0;               ///< the published frame that the pass processed
    Accuracy accuracy = Accuracy::full;    ///< below full when the governor has lowered it
    double seconds_take = 0;               ///< taking over the published changes
    double seconds_bounds = 0;             ///< placing the moved bodies and their bounds
    double seconds_broad = 0;              ///< finding and filtering the candidates
    double seconds_narrow = 0;             ///< testing the pairs
    double seconds_events = 0;             ///< events, callbacks and answers to queries
    double seconds_total = 0;              ///< the sum of these stages
    std::uint64_t bodies = 0;              ///< bodies in the world
    std::uint64_t moved = 0;               ///< bodies that moved, or are new
    std::uint64_t raw_candidates = 0;      ///< BroadPhaseCounts::raw_candidates
    std::uint64_t candidates = 0;          ///< pairs that the broad phase found for the moved bodies
    std::uint64_t filtered = 0;            ///< of these, dropped by finer bounds
    std::uint64_t ignored = 0;             ///< of these, dropped because nobody is interested
    std::uint64_t tests = 0;               ///< tested pairs
    std::uint64_t quick_tests = 0;         ///< of these, run while the workers looked through the candidates
    std::uint64_t colliding = 0;           ///< pairs that collide after this pass, tested or not
    std::uint64_t begins = 0;              ///< events of the kind begin
    std::uint64_t ends = 0;                ///< events of the kind end
    std::uint64_t undecided = 0;           ///< tests without a verdict, also after a fallback
    std::uint64_t iterations = 0;          ///< PairResult::iterations, summed
    std::uint64_t not_applicable = 0;      ///< pairs that no algorithm of the settings accepts
    std::uint64_t fell_back = 0;           ///< tests answered by a fallback
    std::uint64_t pair_disagreements = 0;  ///< candidates missing or too many: WorldSettings::assert_pairs
    /// Tests per algorithm chosen for the pair: pair_algorithm, fallback_algorithm, solid_fallback.
    std::uint64_t tests_by_algorithm[3] = {};
    std::uint64_t swept = 0;             ///< bodies whose bounds contain their way
    std::uint64_t continuous_tests = 0;  ///< of `tests`, those along motions

    // How workers shared the pass: docs/explanation/parallel.md.
    unsigned workers = 1;                   ///< that took part
    double seconds_shared = 0;              ///< the caller's time in loops of several workers
    double seconds_busy = 0;                ///< time in these loops, summed over the workers
    std::uint64_t shared_pairs = 0;         ///< pairs tested by several workers
    std::uint64_t shared_parts = 0;         ///< their parts
    std::uint64_t won_by_algorithm = 0;     ///< races on one pair that the chosen algorithm won
    std::uint64_t won_by_gap_search = 0;    ///< races that the search for a gap won
    std::uint64_t won_by_point_search = 0;  ///< races that the search for a common point won
    double seconds_to_stop = 0;  ///< from a pair's first answer to the end of its last part, summed
    std::uint64_t rung[3] = {};  ///< queries that ended on rungs 1, 2, 3
    /// Sums of PairResult::counters of the chosen algorithm, of those that it names.
    std::uint64_t algorithm_counters[kMaxCounters] = {};
    std::uint64_t state_hash = 0;  ///< over all passes: poses, colliding pairs, begin and end events
};

/// Speed-up S_p of a pass, estimated from its own times: the time of one worker, assuming that no work is
/// done twice, divided by the measured time. 1 before the first pass.
inline double estimated_speed_up(const PassStats& stats) {
    const double one = stats.seconds_total - stats.seconds_shared + stats.seconds_busy;
    return stats.seconds_total > 0 ? one / stats.seconds_total : 1;
}

/// The query of convex bodies that needed the most iterations of the chosen algorithm so far; the first one
/// of equals. Resets when algorithm, parameters or exactness change.
struct HardestPair {
    std::uint32_t iterations = 0;              ///< 0: none yet
    std::uint64_t frame = 0;                   ///< the published frame that the pass processed
    const PairAlgorithm* algorithm = nullptr;  ///< the chosen one
    ParameterValues parameters;                ///< of the algorithm
    ShapePtr a;                                ///< body A
    ShapePtr b;                                ///< body B
    Matrix34f world_from_a;                    ///< exact pose of A
    Matrix34f world_from_b;                    ///< exact pose of B
    std::uint64_t data_a = 0;                  ///< BodyDef::data of A
    std::uint64_t data_b = 0;                  ///< BodyDef::data of B
};

/// Passed to callbacks. Changes made here enter the *next* pass, stamped with the frame of the current pass;
/// the application's move of the same or a later frame wins. Ids of removed bodies are ignored. In concurrent
/// mode the next pass starts with the application's next publish(): callbacks alone do not keep the module
/// running.
class CallbackContext {
  public:
    virtual ~CallbackContext() = default;
    /// Pose of this pass, in the parent's frame: the pose that move() replaces.
    virtual const Pose& pose(BodyId body) const = 0;
    /// Pose of this pass in the world frame; equal to pose() for a body without a scene group.
    virtual Pose world_pose(BodyId body) const = 0;
    /// BodyDef::data of a body.
    virtual std::uint64_t data(BodyId body) const = 0;
    /// Contacts computed from an event's hits (find_contacts). Returns their number; writes as many as fit
    /// into `out`. Zero without hits: the pair's interest must contain kWantAllHits.
    virtual std::size_t contacts(const Event& event, std::span<const Hit> hits, std::span<Contact> out) = 0;
    /// Impact of an event, and its contacts; null unless the contact was found along motions. Valid until the
    /// callback returns.
    virtual const Impact* impact(const Event& event) const = 0;
    /// The contacts of an impact, in order of time. Valid until the callback returns.
    virtual std::span<const MotionHit> motion_hits(const Impact& impact) const = 0;
    /// Answers on the state of this pass; see World::query_now.
    virtual Status query_now(const WorldQuery& query, std::vector<QueryHit>& out) = 0;
    /// Like World::move().
    virtual void move(BodyId body, const Pose& pose, Arrival arrival = Arrival::moved) = 0;
    /// Like World::add_body(). A parent unknown to the next pass counts as none. If the next pass removes the
    /// parent, the body moves to the parent's parent.
    virtual Result<BodyId> add_body(const BodyDef& def) = 0;
    /// Like World::remove_body().
    virtual void remove_body(BodyId body) = 0;
};

/// The frame that a pass processed, and its accuracy. Recordings store it.
struct PassBoundary {
    std::uint64_t frame = 0;             ///< as in PassStats
    Accuracy accuracy = Accuracy::full;  ///< as in PassStats
    /// Whether frame and accuracy are equal.
    friend bool operator==(const PassBoundary&, const PassBoundary&) = default;
};

/// Memory of one item.
struct MemoryPart {
    /// What the memory is used for.
    enum class Kind : unsigned char {
        shape,      ///< a shape, which bodies may share
        algorithm,  ///< data that an algorithm prepared for all shapes
        structure,  ///< bodies, pairs, the broad phase and others
    };
    Kind kind = Kind::structure;  ///< what the memory is used for
    std::string name;             ///< name of the shape, id of the algorithm or broad phase, or a description
    std::size_t bytes = 0;        ///< its size
};

/// Maximum number of pass boundaries kept for take_pass_boundaries(): a quarter of an hour at 72 passes per
/// second.
inline constexpr std::size_t kMaxPassBoundaries = std::size_t{1} << 16;

/// What a callback is. In concurrent mode it must use the context and not call the World. In serial mode an
/// exception skips the remaining callbacks of the pass, and check() throws it after the pass. In concurrent
/// mode it ends the passes: see World.
using EventCallback = std::function<void(const Event&, std::span<const Hit>, CallbackContext&)>;

/// Moving bodies, and which of them collide.
///
/// Thread contract: one producer thread makes all calls, except where noted. In concurrent mode passes and
/// callbacks run on the module's own thread, otherwise inside check(). No call waits for a pass or takes a
/// lock, except wait_idle(), the destructor, and switching concurrent mode off; on systems without a futex,
/// such as Windows, publish() takes one to wake the module. Any thread may call alive() and body_count().
/// Results do not depend on workers, broad phase or parallel mode.
///
/// Errors: a pass that runs out of memory throws std::bad_alloc, on whatever thread it ran; then only destroy
/// the world. In serial mode check() throws it. In concurrent mode, after any exception, no other pass runs:
/// check(), poll_events() and wait_idle() throw it from then on.
class World {
  public:
    /// A world without bodies. In concurrent mode this starts its thread.
    explicit World(const WorldSettings& settings = default_settings());
    /// Stops a running pass and waits until its thread has ended.
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    /// The body exists from the next published frame. Errors: no shape, an invalid pose or group, a stale
    /// parent.
    Result<BodyId> add_body(const BodyDef& def);
    /// Takes effect with the next published frame; the body's contacts end. A stale id is an error.
    Status remove_body(BodyId body);
    /// Records a pose in the parent's frame; only the newest pose per body is kept. A stale id or an invalid
    /// pose is an error.
    Status move(BodyId body, const Pose& pose, Arrival arrival = Arrival::moved);
    /// Changes BodyDef::continuous, from the next published frame. Stale ids are ignored.
    void set_continuous(BodyId body, bool continuous);
    /// Records changed vertices; changes merge until a pass processes them. Errors: a stale id, a body that
    /// is not deformable, an invalid vertex or position.
    Status deform(BodyId body, std::span<const VertexChange> changes);

    /// Adds a scene group (Zachmann, thesis, 6.0.1; docs/explanation/module.md), from the next published
    /// frame. World poses are products of poses in double, rounded once to the matrix; a translation that
    /// exceeds the limits of `checked` is clamped to them. An invalid pose or a stale parent is an error.
    Result<GroupId> add_group(const GroupDef& def);
    /// Records a pose in the parent's frame. All bodies below count as moved. A stale id or an invalid pose
    /// is an error.
    Status move_group(GroupId group, const Pose& pose, Arrival arrival = Arrival::moved);
    /// Removes a group. Children move to the group's parent and keep their poses, now read in the parent's
    /// frame. A stale id is an error.
    Status remove_group(GroupId group);

    /// Ends the application's frame: everything recorded since the last call becomes visible to the next pass
    /// at once. Frames that no pass has processed merge.
    void publish(std::uint64_t frame);

    /// Serial mode: runs one pass on the published list. Concurrent mode: does nothing.
    void check();
    /// Swaps the collected events into `out` (cleared first). Never waits for a pass. Events that are not
    /// polled accumulate, with the full size of every pass: poll about once per published frame, or switch
    /// queue_events off when only callbacks are used.
    void poll_events(EventBatch& out);
    /// Waits until all published frames have been processed (tests, recording). Returns at once in serial
    /// mode, where check() is the pass.
    void wait_idle();

    /// Submits a query to the pass that processes the next published frame. Returns a ticket; the answer
    /// carries it and arrives with the events of that pass, after its callbacks, in every mode. An invalid
    /// query is an error. Answers do not depend on broad phase, workers or mode.
    Result<std::uint64_t> submit_query(const WorldQuery& query);
    /// Answers at once, on the state of the last finished pass. An error in concurrent mode, where the caller
    /// would have to wait. `out` is overwritten and keeps its memory.
    Status query_now(const WorldQuery& query, std::vector<QueryHit>& out);

    /// The newest settings, whether a pass has used them already or not.
    WorldSettings settings() const;
    /// Takes effect with the next published frame, like a move, which makes runs repeatable however late a
    /// pass starts; only `concurrent` changes at once. Bodies, contacts and events are kept.
    void set_settings(const WorldSettings& settings);

    /// Sets the interest in the pairs of two groups, in either order. Takes effect with the next published
    /// frame, which tests the pairs of unmoved bodies again. A pair whose interest contains kWantAllHits uses
    /// the fallback algorithm when the chosen one reports no hits.
    void set_interest(unsigned group_a, unsigned group_b, const Interest& interest);
    /// The pairs of groups whose newest interest says that they are not tested.
    const GroupPairs& untested_groups() const;
    /// Sets the interest in one pair, instead of that of its groups, from the next published frame. Stale ids
    /// are ignored.
    void set_interest_exception(BodyId a, BodyId b, const Interest& interest);
    /// The interest of its groups applies to the pair again, from the next published frame.
    void clear_interest_exception(BodyId a, BodyId b);

    /// General callback, from the next published frame. Called for every event after the narrow phase, one
    /// after the other in key order, on the thread of the pass. Null removes it.
    void set_callback(EventCallback callback);
    /// Callback of one pair, called instead of the general callback, in whichever order the two were set.
    /// Null removes it. (Zachmann, thesis, 7.2: there a second general callback applies to pairs that have
    /// none yet; here it replaces the first.)
    void set_pair_callback(BodyId a, BodyId b, EventCallback callback);

    /// Whether the body was added and not removed. Any thread may ask.
    bool alive(BodyId body) const;
    /// Number of bodies that were added and not removed. Any thread may ask.
    std::size_t body_count() const;
    /// Times and counts of the last finished pass; a copy, safe while a pass runs.
    PassStats stats() const;
    /// The hardest query so far, as of the last finished pass; a copy, safe while a pass runs.
    HardestPair hardest_pair() const;
    /// Requests boxes of the broad phase's structure, from the next pass.
    void request_view(const ViewRequest& request);
    /// The requested boxes, as of the last finished pass.
    StructureView view() const;
    /// The boundaries of the passes since the last call, oldest first, at most kMaxPassBoundaries. A serial
    /// replay that publishes frame by frame and calls check() at each boundary reaches the same state hash.
    /// The slot of a new body depends on when passes release slots: callbacks that change state should
    /// identify bodies by data.
    std::vector<PassBoundary> take_pass_boundaries();
    /// Number of the newest pass whose events poll_events has returned; recordings store it with every frame.
    std::uint64_t polled_pass() const;
    /// Replays one frame of a recording: the next check() runs one pass per entry of `passes` in the calling
    /// thread, each with the given accuracy. poll_events returns events up to pass number `polled` only. From
    /// the first call on until end_replay(), `concurrent` and the time budget are ignored.
    void replay_frame(std::span<const Accuracy> passes, std::uint64_t polled);
    /// Ends the replay: `concurrent` and the time budget count again, and the next poll_events returns all
    /// events that the replay has held back.
    void end_replay();
    /// Memory of the world in bytes, without shapes (which may be shared). The figures of passes may be up to
    /// 16 passes old.
    std::size_t memory_bytes() const;
    /// Switches the list of memory() on or off; filled by the first pass after the request.
    void request_memory_list(bool requested);
    /// Memory by structure, algorithm and shape; empty unless requested.
    std::vector<MemoryPart> memory() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace claybox::collision
