#pragma once
// The module: bodies in, events out. The application never waits for a pass.

#include "collision/broadphase/broad_phase.hpp"
#include "collision/module/events.hpp"
#include "collision/module/interest.hpp"
#include "collision/pairwise/contacts.hpp"
#include "collision/pairwise/registry.hpp"

#include <functional>
#include <memory>
#include <string>

namespace claybox::collision {

struct BodyDef {
    ShapePtr shape;
    Pose pose;
    unsigned group = 0;       ///< < kGroupCount
    bool deformable = false;  ///< the module keeps its own copy of the geometry
    std::uint64_t data = 0;   ///< the application's own
};

enum class ParallelMode : unsigned char { serial, pairs };
const char* to_string(ParallelMode mode);

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
    Exactness exactness = Exactness::exact;
    bool solid = false;  ///< all pairs are asked about solids (kWantSolid): one inside the other collides
    ParallelMode parallel = ParallelMode::serial;
    unsigned workers = 1;       ///< used when parallel is not serial
    bool concurrent = false;    ///< a thread of the module's own runs passes; check() then does nothing
    bool assert_pairs = false;  ///< every pass compares the pair set with all_pairs and counts disagreements
    bool queue_events = true;   ///< events wait for poll_events; false: only callbacks hear of them
    std::uint64_t seed = 1;
};

/// A setting with the defaults of the registries filled in.
WorldSettings default_settings();

/// The fallback of these settings that can answer about two bodies; null when none can.
const PairAlgorithm* fallback_for(const WorldSettings& settings, const PairBody& a, const PairBody& b);

/// Seconds per stage of one pass and counts; times are measured once per stage, never inside loops.
struct PassStats {
    std::uint64_t pass = 0;   ///< number of the pass, from 1
    std::uint64_t frame = 0;  ///< the published frame it took
    double seconds_take = 0, seconds_bounds = 0, seconds_broad = 0, seconds_narrow = 0, seconds_events = 0,
           seconds_total = 0;
    std::uint64_t bodies = 0, moved = 0, raw_candidates = 0, candidates = 0, ignored = 0, tests = 0,
                  colliding = 0, begins = 0, ends = 0, undecided = 0, iterations = 0,
                  not_applicable = 0,  ///< pairs that no algorithm of the settings can answer
        fell_back = 0,                 ///< tests that a fallback answered
        pair_disagreements = 0;
    std::uint64_t rung[3] = {};  ///< queries that ended on rungs 1, 2, 3
    /// Sums of PairResult::counters of the chosen algorithm.
    std::uint64_t algorithm_counters[kMaxCounters] = {};
    std::uint64_t state_hash = 0;  ///< over all passes: poses, colliding pairs, begin and end events
};

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
    virtual const Pose& pose(BodyId body) const = 0;  ///< as of this pass
    virtual std::uint64_t data(BodyId body) const = 0;
    /// The contacts that an event's hits make (find_contacts): returns how many there are, of which as many
    /// as fit stand in `out`. None without hits: the pair's interest must ask for kWantAllHits.
    virtual std::size_t contacts(const Event& event, std::span<const Hit> hits, std::span<Contact> out) = 0;
    virtual void move(BodyId body, const Pose& pose) = 0;
    virtual Result<BodyId> add_body(const BodyDef& def) = 0;
    virtual void remove_body(BodyId body) = 0;
};

/// Pass boundaries that wait for take_pass_boundaries(): a quarter of an hour at 72 passes a second.
inline constexpr std::size_t kMostPassBoundaries = std::size_t{1} << 16;

/// Must not throw. In concurrent mode it must not call the World: that is what the context is for.
using EventCallback = std::function<void(const Event&, std::span<const Hit>, CallbackContext&)>;

/// Thread contract: one producer thread calls everything here except what says otherwise. In concurrent mode
/// passes and callbacks run on the module's own thread, else inside check(). Results do not depend on
/// workers, broad phase or parallel mode. Nothing here waits for a pass, except wait_idle(), take-over of
/// settings in the destructor, and switching concurrent mode off.
class World {
  public:
    explicit World(const WorldSettings& settings = default_settings());
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    /// Refuses a missing shape, a bad pose or group. The body takes part from the next published frame on.
    Result<BodyId> add_body(const BodyDef& def);
    /// From the next published frame on; its contacts end. A stale id is an error.
    Status remove_body(BodyId body);
    /// Enters the moved list (each body once, the newest pose wins). A stale id or bad pose is an error.
    Status move(BodyId body, const Pose& pose);
    /// Enters the changed vertices (merged until the frame is taken); only for deformable bodies.
    Status deform(BodyId body, std::span<const VertexChange> changes);
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
    /// thread of the pass. Null removes it.
    void set_callback(EventCallback callback);
    /// For one pair only, before the general one.
    void set_pair_callback(BodyId a, BodyId b, EventCallback callback);

    bool alive(BodyId body) const;
    std::size_t body_count() const;
    /// Of the last finished pass; a copy, safe while a pass runs.
    PassStats stats() const;
    /// As of the last finished pass; a copy, safe while a pass runs.
    HardestPair hardest_pair() const;
    /// Boxes of the broad phase's view as of the last finished pass (asked for by want_view), at most
    /// `limit`.
    void want_view(std::size_t limit);
    std::vector<Aabb> view() const;
    /// Frames at which passes took the list since the last call, oldest first: what a recording stores so
    /// that a concurrent run can be replayed serially: publish frame by frame, check() at each boundary. The
    /// state hash is then the same. Which slot a new body gets depends on what passes have forgotten by then,
    /// so callbacks that take part in the state should tell bodies apart by their data. Only the newest
    /// kMostPassBoundaries are given out.
    std::vector<std::uint64_t> take_pass_boundaries();
    /// The newest pass whose events poll_events has given out; a recording stores it with every frame.
    std::uint64_t polled_pass() const;
    /// Replays one frame of a recording: the next check() runs `passes` passes in the caller, and poll_events
    /// gives out events of passes up to number `polled` only. From the first call on the concurrent setting
    /// is not followed.
    void replay_frame(std::uint32_t passes, std::uint64_t polled);
    std::size_t memory_bytes() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace claybox::collision
