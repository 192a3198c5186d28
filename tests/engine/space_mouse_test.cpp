// A SpaceMouse through the real library, with a daemon played by the test.

#include "engine/input/sources/space_mouse.hpp"

#include <gtest/gtest.h>

#if defined(CLAYBOX_SPNAV)

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace claybox::engine {
namespace {

/// Listens on the library's socket, with version 1 of the protocol: the daemon only sends.
class Daemon {
  public:
    Daemon()
        : path_(std::filesystem::temp_directory_path() / ("claybox-spnav-" + std::to_string(::getpid()))) {
        setenv("SPNAV_SOCKET", path_.c_str(), 1);
    }
    ~Daemon() {
        stop();
        unsetenv("SPNAV_SOCKET");
    }
    void start() {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(address.sun_path, path_.c_str(), sizeof address.sun_path - 1);
        listening_ = socket(AF_UNIX, SOCK_STREAM, 0);
        ASSERT_EQ(bind(listening_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        ASSERT_EQ(listen(listening_, 1), 0);
    }
    void accept_client() { client_ = accept(listening_, nullptr, nullptr); }
    void stop() {
        for (int* handle : {&client_, &listening_}) {
            if (*handle >= 0) close(*handle);
            *handle = -1;
        }
        std::filesystem::remove(path_);
    }
    void send_event(const std::array<int, 8>& event) const {
        ASSERT_EQ(write(client_, event.data(), sizeof event), static_cast<ssize_t>(sizeof event));
    }

  private:
    std::filesystem::path path_;
    int listening_ = -1, client_ = -1;
};

const Reading& channel(SpaceMouseSource& source, const char* name) {
    return source.channels()[*source.open(name)].now;
}

TEST(SpaceMouse, is_available_only_while_its_daemon_runs) {
    Daemon daemon;
    SpaceMouseSource mouse;
    mouse.update(0);
    EXPECT_FALSE(channel(mouse, "x").valid);
    daemon.start();
    mouse.update(1);
    EXPECT_FALSE(channel(mouse, "x").valid) << "the library is tried every 3 seconds";
    mouse.update(3.5);
    ASSERT_TRUE(channel(mouse, "x").valid);
    daemon.accept_client();
    daemon.send_event({0, 350, 0, -175, 0, 0, 70, 16});
    daemon.send_event({1, 2, 0, 0, 0, 0, 0, 0});
    mouse.update(3.6);
    EXPECT_EQ(channel(mouse, "x").number, 1);
    EXPECT_EQ(channel(mouse, "z").number, 0.5);
    EXPECT_EQ(channel(mouse, "rz").number, 0.2);
    EXPECT_TRUE(channel(mouse, "button2").down);
    EXPECT_FALSE(channel(mouse, "button1").down);
    EXPECT_NEAR(channel(mouse, "pose").position.x, 0.025, 1e-9) << "0.1 s at 0.25 m/s";
    daemon.send_event({2, 2, 0, 0, 0, 0, 0, 0});
    daemon.send_event({0, 0, 0, 0, 0, 0, 0, 16});
    mouse.update(3.7);
    EXPECT_FALSE(channel(mouse, "button2").down);
    EXPECT_EQ(channel(mouse, "x").number, 0);
    daemon.stop();
    mouse.update(3.8);
    EXPECT_FALSE(channel(mouse, "x").valid);
    EXPECT_NEAR(channel(mouse, "pose").position.x, 0.025, 1e-9);
}

}  // namespace
}  // namespace claybox::engine

#endif
