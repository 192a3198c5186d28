#pragma once

#include <atomic>
#include <memory>

namespace claybox::collision {

/// Hands objects from one thread to another. Neither side ever waits: what lies in the box untaken is taken
/// back by the sender, added to and sent again. At most one object lies in the box and one comes back empty,
/// so that with the one on each side there are never more than four. One sender and one receiver.
template <class T>
class Mailbox {
  public:
    Mailbox() = default;
    ~Mailbox() {
        delete box_.load();
        delete spare_.load();
    }
    Mailbox(const Mailbox&) = delete;
    Mailbox& operator=(const Mailbox&) = delete;

    // The sender.

    /// What the receiver has not taken yet, or null.
    std::unique_ptr<T> take_back() { return std::unique_ptr<T>(box_.exchange(nullptr)); }
    /// Into an empty box: take_back() comes first.
    void send(std::unique_ptr<T> object) { delete box_.exchange(object.release()); }
    /// One that the receiver gave back, or a new one.
    std::unique_ptr<T> blank() {
        T* const spare = spare_.exchange(nullptr);
        return spare ? std::unique_ptr<T>(spare) : std::make_unique<T>();
    }

    // The receiver.

    /// Null when nothing has come.
    std::unique_ptr<T> receive() { return std::unique_ptr<T>(box_.exchange(nullptr)); }
    /// For blank(): empty, but with its memory.
    void give_back(std::unique_ptr<T> object) { delete spare_.exchange(object.release()); }

  private:
    alignas(64) std::atomic<T*> box_{nullptr};
    alignas(64) std::atomic<T*> spare_{nullptr};
};

}  // namespace claybox::collision
