#pragma once
// What the application and the passes share. Neither ever waits for the other: lists, orders and reports go
// from thread to thread whole, by an exchange of pointers.

#include "collision/module/group_list.hpp"
#include "collision/module/group_names.hpp"
#include "collision/module/mailbox.hpp"
#include "collision/module/moved_list.hpp"
#include "collision/module/slot_table.hpp"

#include <optional>
#include <stop_token>

namespace claybox::collision {

struct InterestChange {
    enum class Kind : unsigned char { groups, exception, clear_exception };
    Kind kind = Kind::groups;
    unsigned group_a = 0, group_b = 0;
    BodyId a, b;
    Interest interest;
};

struct CallbackChange {
    BodyId a, b;  ///< invalid for the general callback
    EventCallback callback;
};

/// A query that waits for its pass.
struct Question {
    std::uint64_t ticket = 0;
    WorldQuery query;
};

/// What a pass takes over before it looks at bodies: all that was ordered up to the frame that it takes.
struct Orders {
    std::optional<WorldSettings> settings;
    std::vector<InterestChange> interests;
    std::vector<CallbackChange> callbacks;
    std::vector<Question> questions;

    void clear();
    /// Appends `later` and empties it; its settings win.
    void merge(Orders& later);
};

/// The application's frames since the last that a pass took: the thesis' incoming buffer, whose counterpart
/// is the list that a pass is processing (FIX-40: the thesis calls either one "front").
struct Incoming {
    MovedList list;
    GroupList groups;
    Orders orders;
    std::uint64_t frame = 0;   ///< the newest
    std::uint32_t number = 0;  ///< calls of publish so far
};

/// What passes leave.
struct PassReport {
    EventBatch events;
    PassStats stats;
    HardestPair hardest;
    bool hardest_changed = false;
    StructureView view;
    std::vector<PassBoundary> boundaries;
    std::size_t memory_bytes = 0;
    std::vector<MemoryPart> memory;
    std::vector<std::uint32_t> forgotten_groups;  ///< slots that may name other groups

    /// Takes over the report of a later pass and leaves it empty, with memory of its own to be used again.
    void merge(PassReport& later);
};

class Front {
  public:
    // The application's thread.

    /// Checks a definition and gives the body its name.
    Result<BodyId> add(const BodyDef& def);
    Status remove(BodyId body);
    Status move(BodyId body, const Pose& pose);
    Status deform(BodyId body, std::span<const VertexChange> changes);
    Result<GroupId> add_group(const GroupDef& def);
    Status move_group(GroupId group, const Pose& pose);
    Status remove_group(GroupId group);
    void publish(std::uint64_t frame);
    /// Like moves, orders belong to the frame that the next publish() ends: a pass that comes late for the
    /// frame before does not see them, so that what it does can be replayed.
    Orders& orders() { return open_->orders; }

    /// What the passes that are over have left; `events` of it waits for poll().
    const PassReport& report();
    void poll(EventBatch& out);
    std::uint64_t polled_pass() const { return polled_pass_; }
    /// From now on poll gives out events of passes up to number `pass` only and keeps the others; report() is
    /// called after each pass.
    void limit_polls(std::uint64_t pass);
    std::vector<PassBoundary> take_boundaries();
    void want_view(const ViewWish& wish) { view_wish_.store(wish, std::memory_order_relaxed); }
    void want_memory(bool wanted) { memory_wanted_.store(wanted, std::memory_order_relaxed); }
    /// Of lists, names and reports.
    std::size_t memory_bytes();
    /// Waits until the passes of everything published so far are over.
    void wait_idle();
    /// Ends a wait_for_work() whose stop was requested.
    void wake();

    // Any thread.

    bool alive(BodyId body) const { return slots_.alive(body); }
    std::size_t body_count() const { return slots_.alive_count(); }

    // The thread of the pass.

    /// Waits until something is published that no pass has taken, and keeps it for the next take(). False
    /// when the stop was requested.
    bool wait_for_work(const std::stop_token& stop);
    /// Hands over what is published, on top of what callbacks did since the last call; the arguments must be
    /// empty. Returns the newest published frame that was taken.
    std::uint64_t take(MovedList& list, GroupList& groups, Orders& orders);
    /// What callbacks do enters the list of the next pass, with the frame of the pass that they answer; what
    /// the application moved since then wins.
    Result<BodyId> add_response(const BodyDef& def, std::uint64_t frame);
    void remove_response(BodyId body, std::uint64_t frame);
    void move_response(BodyId body, const Pose& pose, std::uint64_t frame);
    /// A callback has removed a body that no pass has heard of yet: for the next pass.
    void keep_removal(const MovedBody& entry);
    ViewWish view_wish() const { return view_wish_.load(std::memory_order_relaxed); }
    bool memory_wanted() const { return memory_wanted_.load(std::memory_order_relaxed); }
    /// A finished pass: `report` is taken over and comes back empty; the slots may be used again.
    void deliver(PassReport& report, std::span<const std::uint32_t> forgotten);

  private:
    enum Author : unsigned char { kApplication, kCallback };
    struct alignas(kCacheLine) Side {
        SlotTable::Side slots;
        std::uint64_t created = 0;
    };
    Result<BodyId> add(const BodyDef& def, Author author, MovedList& list, std::uint64_t frame);
    void collect();

    SlotTable slots_;
    Side sides_[2];  ///< by Author
    Mailbox<Incoming> incoming_;
    Mailbox<PassReport> reports_;
    std::atomic<std::uint32_t> bell_{0};  ///< changes when there may be work
    std::atomic<std::uint32_t> done_{0};  ///< Incoming::number as of the last finished pass
    std::atomic<ViewWish> view_wish_{};
    std::atomic<bool> memory_wanted_{false};

    // Of the application.
    std::unique_ptr<Incoming> open_ = std::make_unique<Incoming>();  ///< the unfinished frame
    std::uint32_t published_ = 0;
    GroupNames group_names_;
    PassReport report_;
    std::uint64_t polled_pass_ = 0;
    std::optional<std::uint64_t> poll_limit_;  ///< set while a recording is replayed
    struct HeldBatch {
        std::uint64_t pass = 0;
        EventBatch batch;
    };
    std::vector<HeldBatch> held_;  ///< with a limit, instead of report_.events

    // Of the pass.
    alignas(kCacheLine) MovedList responses_;
    std::unique_ptr<Incoming> claimed_;  ///< by wait_for_work()
    std::uint32_t taken_ = 0;
    std::uint64_t frame_ = 0;
};

}  // namespace claybox::collision
