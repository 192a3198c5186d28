#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace claybox::engine {

/// A UDP port for receiving without blocking. IPv4.
class UdpSocket {
  public:
    /// Listens on loopback only, or on every network with `any`. Port 0 selects a free one. Null with a
    /// sentence in `error`.
    static std::unique_ptr<UdpSocket> open(std::uint16_t port, bool any, std::string& error);
    ~UdpSocket();
    UdpSocket(const UdpSocket&) = delete;
    UdpSocket& operator=(const UdpSocket&) = delete;

    std::uint16_t port() const { return port_; }
    /// Receives the next packet and returns its size; empty when none waits. Data beyond the buffer is cut
    /// off.
    std::optional<std::size_t> receive(std::span<std::byte> buffer);

  private:
    UdpSocket(int handle, std::uint16_t port) : handle_(handle), port_(port) {}
    int handle_;
    std::uint16_t port_;
};

}  // namespace claybox::engine
