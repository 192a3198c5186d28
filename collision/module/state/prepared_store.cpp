#include "collision/module/state/prepared_store.hpp"

#include <algorithm>

namespace claybox::collision {

std::shared_ptr<const Prepared> PreparedStore::find_or_make(const void* algorithm, Prepare prepare,
                                                            const ShapePtr& shape) {
    const auto key = std::make_pair(static_cast<const Shape*>(shape.get()), algorithm);
    const auto found = entries_.find(key);
    // A new shape may have the address of a destroyed one.
    if (found != entries_.end() && found->second.shape.lock() == shape) return found->second.prepared;
    auto prepared = prepare(*shape, shape->geometry());
    entries_.insert_or_assign(key, Entry{shape, prepared});
    if (entries_.size() > 2 * checked_size_) forget_dead_shapes();
    return prepared;
}

void PreparedStore::forget_dead_shapes() {
    std::erase_if(entries_, [](const auto& entry) { return entry.second.shape.expired(); });
    checked_size_ = std::max<std::size_t>(entries_.size(), 16);
}

std::size_t PreparedStore::bytes_of(const void* algorithm) const {
    std::size_t bytes = 0;
    for (const auto& [key, entry] : entries_)
        if (key.second == algorithm)
            bytes += sizeof key + sizeof entry + (entry.prepared ? entry.prepared->memory_bytes() : 0);
    return bytes;
}

}  // namespace claybox::collision
