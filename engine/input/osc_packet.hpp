#pragma once
// OSC 1.0 as it comes over the network: messages and bundles, read in place. Any bytes may come.

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace claybox::engine {

inline constexpr std::size_t kMostOscArguments = 32;

struct OscArgument {
    enum class Kind : unsigned char { number, text, other };
    Kind kind = Kind::other;
    double number = 0;      ///< of i, h, f, d, t, c, r, T (1) and F (0)
    std::string_view text;  ///< of s and S; lives as long as the packet
};

struct OscMessage {
    std::string_view address;
    std::array<OscArgument, kMostOscArguments> argument;
    std::size_t count = 0;
};

class OscReceiver {
  public:
    virtual ~OscReceiver() = default;
    /// Each message of a packet, before any is handed over; false refuses the packet.
    virtual bool accept(const OscMessage&) { return true; }
    virtual void receive(const OscMessage& message) = 0;
};

/// Hands over the messages of a packet in their order. False for a packet that breaks a rule of OSC 1.0,
/// nests bundles deeper than 8, has more than 32 arguments or an address that is a pattern, and for one that
/// the receiver does not accept: nothing of it is handed over then. Times of bundles are ignored: what comes
/// counts at once. Allocates nothing.
bool read_osc(std::span<const std::byte> packet, OscReceiver& receiver);

}  // namespace claybox::engine
