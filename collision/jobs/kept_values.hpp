#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace claybox::collision {

/// Values that are made from a key when first asked for, and kept while they are among the newest. For things
/// that are slow to make and seldom change; whoever asks while one is made waits.
template <class Key, class Value>
class KeptValues {
  public:
    explicit KeptValues(std::size_t most) : most_(most) {}

    /// `make()` returns a shared pointer to the value of `key`.
    template <class Make>
    std::shared_ptr<const Value> get(const Key& key, Make&& make) {
        const std::lock_guard lock(mutex_);
        for (const auto& [known, value] : values_)
            if (known == key) return value;
        std::shared_ptr<const Value> value = make();
        if (values_.size() == most_) values_.erase(values_.begin());
        values_.emplace_back(key, value);
        return value;
    }
    /// Calls `visit(value)` for every one that is kept.
    template <class Visit>
    void each(Visit&& visit) const {
        const std::lock_guard lock(mutex_);
        for (const auto& entry : values_) visit(*entry.second);
    }

  private:
    std::size_t most_;
    mutable std::mutex mutex_;
    std::vector<std::pair<Key, std::shared_ptr<const Value>>> values_;
};

}  // namespace claybox::collision
