#include "engine/input/network/udp_socket.hpp"

#if !defined(_WIN32)
#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#endif

namespace claybox::engine {

#if defined(_WIN32)

std::unique_ptr<UdpSocket> UdpSocket::open(std::uint16_t, bool, std::string& error) {
    error = "OSC is received on Linux and macOS only";
    return nullptr;
}

UdpSocket::~UdpSocket() = default;

std::optional<std::size_t> UdpSocket::receive(std::span<std::byte>) {
    return std::nullopt;
}

#else

std::unique_ptr<UdpSocket> UdpSocket::open(std::uint16_t port, bool any, std::string& error) {
    const int handle = socket(AF_INET, SOCK_DGRAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(any ? INADDR_ANY : INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    const bool good = handle >= 0 && fcntl(handle, F_SETFD, FD_CLOEXEC) == 0 &&
                      fcntl(handle, F_SETFL, fcntl(handle, F_GETFL) | O_NONBLOCK) == 0 &&
                      bind(handle, reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
                      getsockname(handle, reinterpret_cast<sockaddr*>(&address), &size) == 0;
    if (!good) {
        error = "cannot listen on UDP port " + std::to_string(port) + ": " + std::strerror(errno);
        if (errno == EADDRINUSE) error += "; another program uses it, choose another port";
        if (handle >= 0) close(handle);
        return nullptr;
    }
    return std::unique_ptr<UdpSocket>(new UdpSocket(handle, ntohs(address.sin_port)));
}

UdpSocket::~UdpSocket() {
    close(handle_);
}

std::optional<std::size_t> UdpSocket::receive(std::span<std::byte> buffer) {
    const ssize_t size = recv(handle_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (size < 0) return std::nullopt;
    return static_cast<std::size_t>(size);
}

#endif

}  // namespace claybox::engine
