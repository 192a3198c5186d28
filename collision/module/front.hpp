#pragma once
// What the application and the passes share, behind one lock that is only held for a few copies or swaps.

#include "collision/module/moved_list.hpp"

#include <condition_variable>
#include <mutex>
#include <optional>

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

/// What a pass takes over before it looks at bodies: all that was ordered up to the frame that it takes.
struct Orders {
    std::optional<WorldSettings> settings;
    std::vector<InterestChange> interests;
    std::vector<CallbackChange> callbacks;

    void clear();
    /// Appends `later` and empties it; its settings win.
    void merge(Orders& later);
};

class Front {
  public:
    enum class Author : unsigned char { application, callback };

    /// Checks a definition and gives the body its name. Callbacks enter the published list, with the frame of
    /// the pass that they answer.
    Result<BodyId> add(const BodyDef& def, Author author, std::uint64_t frame);
    Status remove(BodyId body, Author author, std::uint64_t frame);
    Status move(BodyId body, const Pose& pose);
    /// A callback's move: nothing when the application has moved the body in the same frame or later.
    void respond(BodyId body, const Pose& pose, std::uint64_t frame);
    Status deform(BodyId body, std::span<const VertexChange> changes);
    void publish(std::uint64_t frame);
    bool alive(BodyId body) const;
    std::size_t body_count() const;

    /// Like moves, orders belong to the frame that the next publish() ends: a pass that comes late for the
    /// frame before does not see them, so that what it does can be replayed.
    template <class Edit>
    void order(Edit&& edit) {
        const std::lock_guard lock(mutex_);
        edit(open_orders_);
    }

    /// Hands the published list and orders to a pass; both arguments must be empty. Returns the frame.
    std::uint64_t take(MovedList& list, Orders& orders);

    /// What a finished pass leaves.
    struct Delivery {
        EventBatch& events;                        ///< taken over
        PassStats& stats;                          ///< copied
        std::vector<Aabb>& view;                   ///< swapped
        std::span<const std::uint32_t> forgotten;  ///< slots that may be used again
        std::size_t memory_bytes = 0;
        const HardestPair* hardest = nullptr;  ///< copied; null when it is still the same
    };
    void deliver(const Delivery& delivery);

    void poll(EventBatch& out);
    std::uint64_t polled_pass() const;
    /// From now on poll gives out events of passes up to number `pass` only and keeps the others.
    void limit_polls(std::uint64_t pass);
    PassStats stats() const;
    HardestPair hardest_pair() const;
    std::size_t view_limit() const;
    void want_view(std::size_t limit);
    std::vector<Aabb> view() const;
    std::vector<std::uint64_t> take_boundaries();
    std::size_t memory_bytes() const;

    /// Waits until something is published that no pass has taken. False when the stop was requested.
    bool wait_for_work(const std::stop_token& stop);
    /// Waits until the passes of everything published so far are over.
    void wait_idle();

  private:
    struct Slot {
        std::uint32_t generation = 0;
        bool alive = false, deformable = false;
        std::uint32_t vertex_count = 0;
    };
    bool is_alive(BodyId body) const {
        return body.slot < slots_.size() && slots_[body.slot].alive &&
               slots_[body.slot].generation == body.generation;
    }
    MovedBody& enter(BodyId body, Author author);
    void keep_boundary(std::uint64_t frame);

    mutable std::mutex mutex_;
    std::condition_variable_any work_, idle_;

    std::vector<Slot> slots_;
    std::vector<std::uint32_t> free_slots_;
    std::size_t alive_count_ = 0;
    std::uint64_t created_[2] = {};  ///< by Author

    MovedList open_;       ///< of the application's unfinished frame
    MovedList published_;  ///< closed, not yet taken
    std::uint64_t frame_ = 0;
    std::uint64_t published_count_ = 0, taken_count_ = 0, done_count_ = 0;  ///< calls of publish
    Orders open_orders_;       ///< of the application's unfinished frame
    Orders published_orders_;  ///< closed, not yet taken

    EventBatch outgoing_;
    std::uint64_t polled_pass_ = 0;
    std::optional<std::uint64_t> poll_limit_;  ///< set while a recording is replayed
    struct HeldBatch {
        std::uint64_t pass = 0;
        EventBatch batch;
    };
    std::vector<HeldBatch> held_;  ///< with a limit, instead of outgoing_
    PassStats stats_;
    HardestPair hardest_;
    std::size_t view_limit_ = 0;
    std::vector<Aabb> view_;
    std::vector<std::uint64_t> boundaries_;
    std::size_t pass_memory_ = 0;
};

}  // namespace claybox::collision
