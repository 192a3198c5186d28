#pragma once
// Body ids: which bodies are alive. Read and changed by two threads without a lock.

#include "collision/core/ids.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

namespace claybox::collision {

/// Slots with generations. The application thread and the pass thread (callbacks) open and close ids; only
/// the pass thread releases slots. Any thread may query.
class SlotTable {
  public:
    /// Free slots reserved by one thread.
    struct FreeSlots {
        std::vector<std::uint32_t> slots;
    };

    /// `first_generation` lets tests exhaust the generations of a slot.
    explicit SlotTable(std::uint32_t first_generation = 1) : first_generation_(first_generation) {}
    ~SlotTable();
    SlotTable(const SlotTable&) = delete;
    SlotTable& operator=(const SlotTable&) = delete;

    /// Returns a new id. `vertices`: vertex count of a deformable body, otherwise kNoIndex.
    BodyId open(FreeSlots& free, std::uint32_t vertices);
    /// Returns false when the body is not alive. When two threads close the same id, one of them gets true.
    bool close(BodyId body);
    bool alive(BodyId body) const;
    /// The value passed to open(); the body must be alive.
    std::uint32_t vertices(BodyId body) const;
    /// Makes the slots available for new bodies. A slot that has used all 2^32 generations stays closed: a
    /// stale id never names another body.
    void release(std::span<const std::uint32_t> slots);
    std::size_t alive_count() const { return alive_count_.load(std::memory_order_relaxed); }
    std::size_t memory_bytes() const;

  private:
    struct Slot {
        std::atomic<std::uint64_t> state{0};  ///< 2 * generation, plus 1 while alive
        std::atomic<std::uint32_t> vertices{kNoIndex};
        std::atomic<std::uint32_t> next_free{kNoIndex};
    };
    static constexpr std::uint32_t kFirstChunk = 1024;  ///< slots; each further chunk doubles the total
    static constexpr std::size_t kChunks = 23;

    static std::uint64_t state_of(BodyId body) { return std::uint64_t{body.generation} << 1 | 1; }
    static std::size_t chunk_of(std::uint32_t slot);
    static std::uint32_t first_of(std::size_t chunk);
    static std::size_t size_of(std::size_t chunk);
    Slot& at(std::uint32_t slot) const;
    void ensure_chunk(std::uint32_t slot);
    std::uint32_t take_free_slot(FreeSlots& free);

    std::uint32_t first_generation_;
    std::array<std::atomic<Slot*>, kChunks> chunks_{};  ///< slots never move in memory
    std::atomic<std::uint32_t> count_{0};
    std::atomic<std::uint32_t> released_{kNoIndex};  ///< head of a linked list of released slots
    std::atomic<std::size_t> alive_count_{0};
};

}  // namespace claybox::collision
