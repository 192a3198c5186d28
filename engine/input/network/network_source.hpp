#pragma once
// Network input: OSC over UDP. The VMC protocol provides hands; any other address is a value.

#include "engine/input/input_source.hpp"
#include "engine/input/network/udp_socket.hpp"
#include "engine/input/network/vmc_hands.hpp"

#include <unordered_map>

namespace claybox::engine {

struct NetworkFigures {
    bool open = false, any = false;  ///< any: accepts other machines
    std::uint16_t port = 0;
    std::uint64_t received = 0;   ///< packets
    std::uint64_t malformed = 0;  ///< dropped packets that violate OSC or VMC
    std::uint64_t too_many = 0;   ///< packets and presses dropped by the rate limits
};

/// "network": the hands "left" and "right" (VMC bones), and OSC addresses as values: "/fader/1" is the first
/// argument, "/xy:2" the second. A message without arguments is a press.
class NetworkSource final : public InputSource, private OscReceiver {
  public:
    // Limits in messages. A whole body with its face is about 200 messages, up to 120 times a second.
    static constexpr int kMaxMessagesPerPacket = 1024, kMaxMessagesPerFrame = 2048,
                         kMaxMessagesPerSecond = 60000;
    static constexpr std::size_t kBytesPerMessage =
        256;  ///< a packet counts as at least one message per 256 bytes
    static constexpr int kMaxDroppedPerFrame = 1024;           ///< further packets received but not read
    static constexpr std::size_t kMaxUnmappedAddresses = 256;  ///< received addresses that no map names
    static constexpr std::size_t kMaxArguments = 8;            ///< arguments per address

    NetworkSource();
    /// Opens the port and closes a previous one. Returns false with a sentence in `error`.
    bool listen(std::uint16_t port, bool any, std::string& error);
    void close();
    void update(double now) override;
    std::optional<std::size_t> open(std::string_view name) override;
    std::string state() const override;
    std::string expected() const override;
    const NetworkFigures& figures() const { return figures_; }
    /// Processes one packet as if received. Returns its cost, in messages.
    std::size_t read_packet(std::span<const std::byte> packet, double now);

  private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    struct Address {
        std::array<std::size_t, kMaxArguments> channel{};  ///< by argument; 0: none yet
        bool mapped = false;  ///< named by a map; such addresses always get a place
    };
    bool accept(const OscMessage& message) override;
    void receive(const OscMessage& message) override;
    void press(std::size_t channel);
    void drain(double now);
    Address* find_address(std::string_view address, bool mapped);
    std::size_t channel_of(std::string_view address, Address& entry, std::size_t number);

    std::unique_ptr<UdpSocket> socket_;
    NetworkFigures figures_;
    VmcHands vmc_;
    std::array<HandJoints, 2> hand_;
    std::unordered_map<std::string, Address, Hash, std::equal_to<>> addresses_;
    std::size_t unmapped_addresses_ = 0;  ///< count in addresses_
    std::vector<std::byte> buffer_;
    double now_ = 0, refilled_at_ = -1;        ///< seconds; refilled_at_: last refill of the allowance
    double allowance_ = kMaxMessagesPerFrame;  ///< messages; negative after a packet that exceeded it
    std::size_t messages_ = 0;                 ///< in the current packet
};

}  // namespace claybox::engine
