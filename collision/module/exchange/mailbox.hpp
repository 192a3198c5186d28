#pragma once

#include <atomic>
#include <memory>

namespace claybox::collision {

/// Passes objects from one sender thread to one receiver thread without waiting. The sender takes back an
/// object that the receiver has not taken, adds to it and sends it again. At most four objects exist: one in
/// the box, one coming back empty, and one with each thread (double buffering in both directions).
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

    // Sender.

    /// The object that the receiver has not taken yet, or null.
    std::unique_ptr<T> take_back() { return std::unique_ptr<T>(box_.exchange(nullptr)); }
    /// The box must be empty: call take_back() first.
    void send(std::unique_ptr<T> object) { delete box_.exchange(object.release()); }
    /// An empty object: one returned by the receiver, or a new one.
    std::unique_ptr<T> blank() {
        T* const spare = spare_.exchange(nullptr);
        return spare ? std::unique_ptr<T>(spare) : std::make_unique<T>();
    }

    // Receiver.

    /// Null when the box is empty.
    std::unique_ptr<T> receive() { return std::unique_ptr<T>(box_.exchange(nullptr)); }
    /// Returns an emptied object (with its memory) for blank().
    void give_back(std::unique_ptr<T> object) { delete spare_.exchange(object.release()); }

  private:
    alignas(64) std::atomic<T*> box_{nullptr};
    alignas(64) std::atomic<T*> spare_{nullptr};
};

}  // namespace claybox::collision
