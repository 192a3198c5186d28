#pragma once
// Who is alive: the names of bodies. Looked up and changed by two threads without a lock.

#include "collision/core/ids.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

namespace claybox::collision {

/// Slots with generations. Two sides open and close bodies, each in its own thread (the application, and
/// callbacks in the thread of the pass); the pass alone gives slots free. Anyone may ask.
class SlotTable {
  public:
    /// Free slots that one side has taken to itself.
    struct Side {
        std::vector<std::uint32_t> free;
    };

    /// `first_generation` is for tests of how generations end.
    explicit SlotTable(std::uint32_t first_generation = 1) : first_generation_(first_generation) {}
    ~SlotTable();
    SlotTable(const SlotTable&) = delete;
    SlotTable& operator=(const SlotTable&) = delete;

    /// A new name. `vertices`: of a deformable body, else kNoIndex.
    BodyId open(Side& side, std::uint32_t vertices);
    /// False when the body is not alive: of two that close it, one does.
    bool close(BodyId body);
    bool alive(BodyId body) const;
    /// Of a body that is alive: as given to open().
    std::uint32_t vertices(BodyId body) const;
    /// The slots may name other bodies from now on. A slot whose generations are used up (after 2^32 bodies)
    /// stays closed for ever, so that no stale id ever names another body.
    void release(std::span<const std::uint32_t> slots);
    std::size_t alive_count() const { return alive_count_.load(std::memory_order_relaxed); }
    std::size_t memory_bytes() const;

  private:
    struct Slot {
        std::atomic<std::uint64_t> state{0};  ///< twice the generation, and 1 while alive
        std::atomic<std::uint32_t> vertices{kNoIndex};
        std::atomic<std::uint32_t> next_free{kNoIndex};
    };
    static constexpr std::uint32_t kFirstChunk = 1024;  ///< slots; each further chunk doubles all there are
    static constexpr std::size_t kChunks = 23;

    static std::uint64_t state_of(BodyId body) { return std::uint64_t{body.generation} << 1 | 1; }
    static std::size_t chunk_of(std::uint32_t slot);
    static std::uint32_t first_of(std::size_t chunk);
    static std::size_t size_of(std::size_t chunk);
    Slot& at(std::uint32_t slot) const;
    void make_room(std::uint32_t slot);
    std::uint32_t free_slot(Side& side);

    std::uint32_t first_generation_;
    std::array<std::atomic<Slot*>, kChunks> chunks_{};  ///< slots stay where they are
    std::atomic<std::uint32_t> count_{0};
    std::atomic<std::uint32_t> released_{kNoIndex};  ///< the newest; each names the one before it
    std::atomic<std::size_t> alive_count_{0};
};

}  // namespace claybox::collision
