#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace claybox::engine {

/// A UDP port that is listened to and never waited for. IPv4.
class UdpSocket {
  public:
    /// On this machine's loopback only, or with `any` on every network. Port 0: one that is free. Null with a
    /// sentence in `error`.
    static std::unique_ptr<UdpSocket> open(std::uint16_t port, bool any, std::string& error);
    ~UdpSocket();
    UdpSocket(const UdpSocket&) = delete;
    UdpSocket& operator=(const UdpSocket&) = delete;

    std::uint16_t port() const { return port_; }
    /// Takes the next packet and tells its size; nothing when none waits. What does not fit into the buffer
    /// is cut.
    std::optional<std::size_t> receive(std::span<std::byte> buffer);

  private:
    UdpSocket(int handle, std::uint16_t port) : handle_(handle), port_(port) {}
    int handle_;
    std::uint16_t port_;
};

}  // namespace claybox::engine
