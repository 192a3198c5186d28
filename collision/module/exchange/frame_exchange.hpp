#pragma once
// Data exchange between the application thread and the pass thread. Neither waits for the other: lists,
// commands and reports change hands as whole objects, by swapping pointers.

#include "collision/jobs/awaited_number.hpp"
#include "collision/jobs/stop_token.hpp"
#include "collision/module/exchange/group_ids.hpp"
#include "collision/module/exchange/group_list.hpp"
#include "collision/module/exchange/mailbox.hpp"
#include "collision/module/exchange/moved_list.hpp"
#include "collision/module/exchange/slot_table.hpp"

#include <optional>

namespace claybox::collision {

struct InterestChange {
    enum class Kind : unsigned char { groups, exception, clear_exception, body };
    Kind kind = Kind::groups;
    unsigned group_a = 0, group_b = 0;
    BodyId a, b;
    Interest interest;
    bool continuous = false;  ///< body: the switch of `a`
};

struct CallbackChange {
    BodyId a, b;  ///< invalid ids: the general callback
    EventCallback callback;
};

/// A submitted query that no pass has answered yet.
struct PendingQuery {
    std::uint64_t ticket = 0;
    WorldQuery query;
};

/// Changes of settings, interests and callbacks, and queries. A pass applies them before it updates bodies.
struct Commands {
    std::optional<WorldSettings> settings;
    std::vector<InterestChange> interests;
    std::vector<CallbackChange> callbacks;
    std::vector<PendingQuery> queries;

    bool empty() const;
    void clear();
    /// Appends `later` and empties it. The settings of `later` win.
    void merge(Commands& later);
};

/// Everything entered since the last frame that a pass took: the thesis' incoming buffer. Its counterpart is
/// the list that a pass is processing (FIX-40: the thesis calls either one "front").
struct FrameInput {
    MovedList list;
    GroupList groups;
    Commands commands;
    std::uint64_t frame = 0;   ///< the newest published frame
    std::uint32_t number = 0;  ///< number of calls of publish() so far
};

/// Results of one or more passes.
struct PassReport {
    EventBatch events;
    PassStats stats;
    HardestPair hardest;
    bool hardest_changed = false;
    StructureView view;
    std::vector<PassBoundary> boundaries;
    std::size_t memory_bytes = 0;
    std::vector<MemoryPart> memory;
    std::vector<std::uint32_t> released_groups;  ///< slots of removed groups; they may be reused

    /// Appends the report of a later pass and leaves it empty; its memory is kept for reuse.
    void merge(PassReport& later);
};

/// The application records and publishes; a pass takes the published input and delivers a report.
/// Each section below belongs to one thread.
class FrameExchange {
  public:
    // Application thread.

    /// Validates a definition and returns the new body's id.
    Result<BodyId> add(const BodyDef& def);
    Status remove(BodyId body);
    Status move(BodyId body, const Pose& pose, Arrival arrival);
    Status deform(BodyId body, std::span<const VertexChange> changes);
    Result<GroupId> add_group(const GroupDef& def);
    Status move_group(GroupId group, const Pose& pose, Arrival arrival);
    Status remove_group(GroupId group);
    void publish(std::uint64_t frame);
    /// Commands of the frame that the next publish() ends. A late pass for an earlier frame does not see
    /// them, which keeps its results repeatable.
    Commands& commands() { return open_->commands; }

    /// Merged report of all finished passes. Its events stay until poll().
    const PassReport& report();
    void poll(EventBatch& out);
    std::uint64_t polled_pass() const { return polled_pass_; }
    /// From now on poll() returns events of passes up to number `pass` only and keeps later ones. The caller
    /// must call report() after each pass.
    void limit_polling(std::uint64_t pass);
    /// The next poll() returns all events that the limit has held back.
    void end_polling_limit();
    std::vector<PassBoundary> take_pass_boundaries();
    void request_view(const ViewRequest& request) { view_request_.store(request, std::memory_order_relaxed); }
    void request_memory_list(bool requested) {
        memory_list_requested_.store(requested, std::memory_order_relaxed);
    }
    /// Memory of lists, ids and reports in bytes.
    std::size_t memory_bytes();
    /// Waits until all frames published so far have been processed, or passes_ended().
    void wait_idle();
    /// Whether end_passes() was called; what the pass thread wrote before it is then visible.
    bool passes_ended() const { return ended_.load(std::memory_order_acquire); }
    /// Wakes wait_for_work(), for example to check its stop request.
    void wake();

    // Any thread.

    bool alive(BodyId body) const { return slots_.alive(body); }
    std::size_t body_count() const { return slots_.alive_count(); }

    // Pass thread.

    /// Waits for a published frame and claims it for the next take(). Returns false when a stop was
    /// requested.
    bool wait_for_work(const StopToken& stop);
    /// The frames taken so far have been processed, and no exception of a callback is on its way.
    void finish_pass();
    /// A pass threw, so no other one follows: nobody waits for it any longer.
    void end_passes();
    /// Moves the published input into the arguments, which must be empty: first the changes made by callbacks
    /// since the last call, then the application's. Returns the newest published frame taken so far.
    std::uint64_t take(MovedList& list, GroupList& groups, Commands& commands);
    /// Changes made by callbacks enter the list of the next pass, with the frame of the current pass. Later
    /// moves of the application win.
    Result<BodyId> add_response(const BodyDef& def, std::uint64_t frame);
    void remove_response(BodyId body, std::uint64_t frame);
    void move_response(BodyId body, const Pose& pose, Arrival arrival, std::uint64_t frame);
    /// Defers the removal of a body whose addition no pass has processed yet.
    void defer_removal(const MovedBody& entry);
    ViewRequest view_request() const { return view_request_.load(std::memory_order_relaxed); }
    bool memory_list_requested() const { return memory_list_requested_.load(std::memory_order_relaxed); }
    /// Delivers the report of a finished pass; `report` comes back empty. The slots may be reused.
    void deliver_report(PassReport& report, std::span<const std::uint32_t> released_slots);

  private:
    enum Author : unsigned char { kApplication, kCallback };
    struct alignas(kCacheLine) AuthorState {
        SlotTable::FreeSlots free_slots;
        std::uint64_t created = 0;
    };
    Result<BodyId> add(const BodyDef& def, Author author, MovedList& list, std::uint64_t frame);
    void collect();

    SlotTable slots_;
    AuthorState authors_[2];  ///< by Author
    Mailbox<FrameInput> incoming_;
    Mailbox<PassReport> reports_;
    AwaitedNumber work_signal_;  ///< incremented when there may be work
    AwaitedNumber done_;         ///< FrameInput::number of the last finished pass
    std::atomic<bool> ended_{false};
    std::atomic<ViewRequest> view_request_{};
    std::atomic<bool> memory_list_requested_{false};

    // Used by the application thread.
    std::unique_ptr<FrameInput> open_ = std::make_unique<FrameInput>();  ///< the unfinished frame
    std::uint32_t published_ = 0;
    GroupIds group_ids_;
    PassReport report_;
    std::uint64_t polled_pass_ = 0;
    std::optional<std::uint64_t> poll_limit_;  ///< set while a recording is replayed
    struct HeldBatch {
        std::uint64_t pass = 0;
        EventBatch batch;
    };
    std::vector<HeldBatch> held_;  ///< events of single passes, kept here while poll_limit_ is set

    // Used by the pass thread.
    alignas(kCacheLine) MovedList responses_;
    std::unique_ptr<FrameInput> claimed_;  ///< claimed by wait_for_work()
    std::uint32_t taken_ = 0;
    std::uint64_t frame_ = 0;
};

}  // namespace claybox::collision
