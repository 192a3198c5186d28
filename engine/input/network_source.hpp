#pragma once
// What comes over the network: OSC over UDP, with the hands of the VMC protocol and any other address as a
// value.

#include "engine/input/input_source.hpp"
#include "engine/input/udp_socket.hpp"
#include "engine/input/vmc_hands.hpp"

#include <unordered_map>

namespace claybox::engine {

struct NetworkFigures {
    bool open = false, any = false;  ///< any: not only from this machine
    std::uint16_t port = 0;
    std::uint64_t received = 0;   ///< packets
    std::uint64_t malformed = 0;  ///< of these dropped, because they break a rule of OSC or VMC
    std::uint64_t too_many = 0;   ///< packets and presses dropped, because more came than anybody can mean
};

/// "network": the hands "left" and "right" (VMC bones), and every OSC address that was asked for or has come
/// as a value:
/// "/fader/1" its first number, "/xy:2" the second. A message without arguments is a press.
class NetworkSource final : public InputSource, private OscReceiver {
  public:
    // Messages. A whole body, faces included, is about 200 of them, up to 120 times a second.
    static constexpr int kMostAPacket = 1024, kMostAFrame = 2048, kMostASecond = 60000;
    static constexpr std::size_t kBytesAMessage = 256;  ///< a packet counts as one for each of these at least
    static constexpr int kMostDroppedAFrame = 1024;     ///< packets that are taken out unread beyond these
    static constexpr std::size_t kMostStrangers = 256;  ///< addresses that came and nobody asked for
    static constexpr std::size_t kMostNumbers = 8;      ///< of an address

    NetworkSource();
    /// Listens from now on; an open port is closed before. False with a sentence in `error`.
    bool listen(std::uint16_t port, bool any, std::string& error);
    void close();
    void update(double now) override;
    std::optional<std::size_t> open(std::string_view name) override;
    std::string state() const override;
    std::string expected() const override;
    const NetworkFigures& figures() const { return figures_; }
    /// One packet, as if it had come over the network. Returns what it costs to read, in messages.
    std::size_t take_packet(std::span<const std::byte> packet, double now);

  private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    struct Address {
        std::array<std::size_t, kMostNumbers> channel{};  ///< by argument; 0 for none yet
        bool asked = false;                               ///< by a map: such ones always find a place
    };
    bool accept(const OscMessage& message) override;
    void receive(const OscMessage& message) override;
    void press(std::size_t channel);
    void drain(double now);
    Address* find_address(std::string_view address, bool asked);
    std::size_t channel_of(std::string_view address, Address& entry, std::size_t number);

    std::unique_ptr<UdpSocket> socket_;
    NetworkFigures figures_;
    VmcHands vmc_;
    std::array<HandJoints, 2> hand_;
    std::unordered_map<std::string, Address, Hash, std::equal_to<>> addresses_;
    std::size_t strangers_ = 0;  ///< of addresses_, those that nobody asked for
    std::vector<std::byte> buffer_;
    double now_ = 0, filled_ = -1;    ///< seconds; filled_: when the allowance last grew
    double allowance_ = kMostAFrame;  ///< messages; negative after a packet that held more
    std::size_t messages_ = 0;        ///< of the packet that is read
};

}  // namespace claybox::engine
