#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace claybox::collision {

/// A first-in-first-out cache for values that are slow to build and seldom change. Thread-safe: callers wait
/// while another thread builds a value.
template <class Key, class Value>
class ValueCache {
  public:
    explicit ValueCache(std::size_t capacity) : capacity_(capacity) {}

    /// The value of `key`. Calls `make()` for a shared pointer to it if the key is not in the cache.
    template <class Make>
    std::shared_ptr<const Value> get(const Key& key, Make&& make) {
        const std::lock_guard lock(mutex_);
        for (const auto& [known, value] : values_)
            if (known == key) return value;
        std::shared_ptr<const Value> value = make();
        if (values_.size() == capacity_) values_.erase(values_.begin());
        values_.emplace_back(key, value);
        return value;
    }
    /// Calls `visit(value)` for every cached value.
    template <class Visit>
    void each(Visit&& visit) const {
        const std::lock_guard lock(mutex_);
        for (const auto& entry : values_) visit(*entry.second);
    }

  private:
    std::size_t capacity_;
    mutable std::mutex mutex_;
    std::vector<std::pair<Key, std::shared_ptr<const Value>>> values_;
};

}  // namespace claybox::collision
