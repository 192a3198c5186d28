#pragma once
// Reads OSC 1.0 messages and bundles in place. Accepts arbitrary bytes.

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace claybox::engine {

inline constexpr std::size_t kMaxOscArguments = 32;

struct OscArgument {
    enum class Kind : unsigned char { number, text, other };
    Kind kind = Kind::other;
    double number = 0;      ///< for i, h, f, d, t, c, r, T (1) and F (0)
    std::string_view text;  ///< for s and S; valid while the packet lives
};

struct OscMessage {
    std::string_view address;
    std::array<OscArgument, kMaxOscArguments> argument;
    std::size_t count = 0;
};

class OscReceiver {
  public:
    virtual ~OscReceiver() = default;
    /// Called for every message before the first receive(); false rejects the packet.
    virtual bool accept(const OscMessage&) { return true; }
    virtual void receive(const OscMessage& message) = 0;
};

/// Delivers the messages of a packet in order. Returns false, with nothing delivered, when the packet
/// violates OSC 1.0, nests bundles deeper than 8, has more than 32 arguments or an address pattern, or when
/// the receiver rejects it. Ignores time tags: messages take effect at once. Allocates nothing.
bool read_osc(std::span<const std::byte> packet, OscReceiver& receiver);

}  // namespace claybox::engine
