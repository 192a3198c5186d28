#pragma once
/// \file
/// Sparse values per pair of bodies. Replaces the half matrix of Zachmann's thesis (7.0.1), since few pairs
/// have a value of their own.

#include "collision/core/ids.hpp"

#include <array>
#include <unordered_map>
#include <utility>
#include <vector>

namespace claybox::collision {

/// Maps some pairs of bodies to values. Lookup is O(1); erasing a body is O(number of its values). Values
/// belong to bodies, not to slots. Not thread-safe.
template <class Value>
class PairMap {
    static constexpr std::size_t kNodeBytes = sizeof(std::pair<PairKey, std::uint32_t>) + sizeof(void*);

  public:
    /// Sets the value of a pair. Here and below, the order of a and b does not matter.
    void put(BodyId a, BodyId b, Value value) {
        if (b.slot < a.slot) std::swap(a, b);
        const auto [place, fresh] = index_of_pair_.try_emplace(make_pair_key(a.slot, b.slot), kNoIndex);
        if (fresh) place->second = link(a, b);
        Entry& entry = entries_[place->second];
        entry.body = {a, b};
        entry.value = std::move(value);
    }
    /// The value of a pair, or null when it has none. Valid until the map changes.
    const Value* find(BodyId a, BodyId b) const {
        if (first_of(a.slot) == kNoIndex || first_of(b.slot) == kNoIndex) return nullptr;
        const std::uint32_t index = index_of(a, b);
        return index == kNoIndex ? nullptr : &entries_[index].value;
    }
    /// Removes the value of a pair, if it has one.
    void erase(BodyId a, BodyId b) {
        if (const std::uint32_t index = index_of(a, b); index != kNoIndex) unlink(index);
    }
    /// Removes all values of a body.
    void erase_body(BodyId body) {
        for (std::uint32_t i = first_of(body.slot); i != kNoIndex;) {
            const unsigned side = side_of(i, body.slot);
            const std::uint32_t next = entries_[i].next[side];
            if (entries_[i].body[side] == body) unlink(i);
            i = next;
        }
    }
    /// Number of pairs with a value.
    std::size_t size() const { return index_of_pair_.size(); }
    /// Whether no pair has a value.
    bool empty() const { return index_of_pair_.empty(); }
    /// Approximate memory per pair: its entry, its hash node and its share of the buckets.
    static constexpr std::size_t kBytesPerPair = sizeof(Value) + sizeof(std::array<BodyId, 2>) +
                                                 4 * sizeof(std::uint32_t) + kNodeBytes + sizeof(void*);
    /// Memory of the map, approximately.
    std::size_t memory_bytes() const {
        return entries_.capacity() * sizeof(Entry) + index_of_pair_.size() * kNodeBytes +
               index_of_pair_.bucket_count() * sizeof(void*) +
               (free_.capacity() + first_.capacity()) * sizeof(std::uint32_t);
    }

  private:
    /// An element of two linked lists, one per body.
    struct Entry {
        std::array<BodyId, 2> body;  ///< ordered by slot
        std::array<std::uint32_t, 2> next, previous;
        Value value;
    };

    std::uint32_t first_of(std::uint32_t slot) const {
        return slot < first_.size() ? first_[slot] : kNoIndex;
    }
    unsigned side_of(std::uint32_t index, std::uint32_t slot) const {
        return entries_[index].body[0].slot == slot ? 0 : 1;
    }
    std::uint32_t index_of(BodyId a, BodyId b) const {
        if (b.slot < a.slot) std::swap(a, b);
        const auto found = index_of_pair_.find(make_pair_key(a.slot, b.slot));
        const bool same =
            found != index_of_pair_.end() && entries_[found->second].body == std::array<BodyId, 2>{a, b};
        return same ? found->second : kNoIndex;
    }
    std::uint32_t link(BodyId a, BodyId b) {
        if (free_.empty()) {
            free_.push_back(static_cast<std::uint32_t>(entries_.size()));
            entries_.emplace_back();
        }
        const std::uint32_t index = free_.back();
        free_.pop_back();
        entries_[index].body = {a, b};
        if (b.slot >= first_.size()) first_.resize(b.slot + std::size_t{1}, kNoIndex);
        for (unsigned side = 0; side < 2; ++side) {
            std::uint32_t& first = first_[entries_[index].body[side].slot];
            entries_[index].next[side] = first;
            entries_[index].previous[side] = kNoIndex;
            if (first != kNoIndex)
                entries_[first].previous[side_of(first, entries_[index].body[side].slot)] = index;
            first = index;
        }
        return index;
    }
    void unlink(std::uint32_t index) {
        Entry& entry = entries_[index];
        for (unsigned side = 0; side < 2; ++side) {
            const std::uint32_t slot = entry.body[side].slot, next = entry.next[side],
                                previous = entry.previous[side];
            if (next != kNoIndex) entries_[next].previous[side_of(next, slot)] = previous;
            (previous == kNoIndex ? first_[slot] : entries_[previous].next[side_of(previous, slot)]) = next;
        }
        index_of_pair_.erase(make_pair_key(entry.body[0].slot, entry.body[1].slot));
        entry.value = Value{};
        free_.push_back(index);
    }

    std::vector<Entry> entries_;
    std::vector<std::uint32_t> free_;   ///< free indices in entries_
    std::vector<std::uint32_t> first_;  ///< by slot: first entry of the list
    std::unordered_map<PairKey, std::uint32_t> index_of_pair_;
};

}  // namespace claybox::collision
