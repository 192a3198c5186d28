#include "collision/module/exchange/slot_table.hpp"

#include "collision/core/assert.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace claybox::collision {

SlotTable::~SlotTable() {
    for (auto& chunk : chunks_) delete[] chunk.load();
}

std::size_t SlotTable::chunk_of(std::uint32_t slot) {
    return static_cast<std::size_t>(std::bit_width(slot / kFirstChunk));
}

std::uint32_t SlotTable::first_of(std::size_t chunk) {
    return chunk == 0 ? 0 : kFirstChunk << (chunk - 1);
}

std::size_t SlotTable::size_of(std::size_t chunk) {
    return chunk == 0 ? kFirstChunk : std::size_t{kFirstChunk} << (chunk - 1);
}

SlotTable::Slot& SlotTable::at(std::uint32_t slot) const {
    const std::size_t chunk = chunk_of(slot);
    return chunks_[chunk].load(std::memory_order_acquire)[slot - first_of(chunk)];
}

/// Both threads may allocate the same chunk; one of them wins, the other frees its copy.
void SlotTable::ensure_chunk(std::uint32_t slot) {
    const std::size_t chunk = chunk_of(slot);
    if (chunks_[chunk].load(std::memory_order_acquire) != nullptr) return;
    Slot* const fresh = new Slot[size_of(chunk)];
    Slot* nothing = nullptr;
    if (!chunks_[chunk].compare_exchange_strong(nothing, fresh)) delete[] fresh;
}

/// The most recently released slot, otherwise a new one.
std::uint32_t SlotTable::take_free_slot(FreeSlots& free) {
    if (released_.load(std::memory_order_relaxed) != kNoIndex) {
        // Take the whole list at once: this avoids the ABA problem of popping single entries.
        const std::size_t before = free.slots.size();
        for (std::uint32_t slot = released_.exchange(kNoIndex, std::memory_order_acquire); slot != kNoIndex;
             slot = at(slot).next_free.load(std::memory_order_relaxed))
            free.slots.push_back(slot);
        std::reverse(free.slots.begin() + static_cast<std::ptrdiff_t>(before), free.slots.end());
    }
    if (!free.slots.empty()) {
        const std::uint32_t slot = free.slots.back();
        free.slots.pop_back();
        return slot;
    }
    const std::uint32_t slot = count_.fetch_add(1, std::memory_order_relaxed);
    CLAYBOX_ASSERT(slot != kNoIndex);
    ensure_chunk(slot);
    return slot;
}

BodyId SlotTable::open(FreeSlots& free, std::uint32_t vertices) {
    BodyId body;
    body.slot = take_free_slot(free);
    Slot& slot = at(body.slot);
    const auto last = static_cast<std::uint32_t>(slot.state.load(std::memory_order_relaxed) >> 1);
    body.generation = last == 0 ? first_generation_ : last + 1;
    slot.vertices.store(vertices, std::memory_order_relaxed);
    slot.state.store(state_of(body), std::memory_order_release);
    alive_count_.fetch_add(1, std::memory_order_relaxed);
    return body;
}

bool SlotTable::close(BodyId body) {
    if (!alive(body)) return false;
    std::uint64_t state = state_of(body);
    if (!at(body.slot).state.compare_exchange_strong(state, state - 1)) return false;
    alive_count_.fetch_sub(1, std::memory_order_relaxed);
    return true;
}

bool SlotTable::alive(BodyId body) const {
    return body.slot < count_.load(std::memory_order_relaxed) &&
           chunks_[chunk_of(body.slot)].load(std::memory_order_acquire) != nullptr &&
           at(body.slot).state.load(std::memory_order_acquire) == state_of(body);
}

std::uint32_t SlotTable::vertices(BodyId body) const {
    return at(body.slot).vertices.load(std::memory_order_relaxed);
}

void SlotTable::release(std::span<const std::uint32_t> slots) {
    constexpr std::uint64_t kLast = std::numeric_limits<std::uint32_t>::max();
    for (const std::uint32_t slot : slots) {
        Slot& freed = at(slot);
        if (freed.state.load(std::memory_order_relaxed) >> 1 == kLast) continue;
        std::uint32_t newest = released_.load(std::memory_order_relaxed);
        do freed.next_free.store(newest, std::memory_order_relaxed);
        while (!released_.compare_exchange_weak(newest, slot, std::memory_order_release,
                                                std::memory_order_relaxed));
    }
}

std::size_t SlotTable::memory_bytes() const {
    std::size_t bytes = 0;
    for (std::size_t chunk = 0; chunk < kChunks; ++chunk)
        if (chunks_[chunk].load(std::memory_order_relaxed) != nullptr) bytes += size_of(chunk) * sizeof(Slot);
    return bytes;
}

}  // namespace claybox::collision
