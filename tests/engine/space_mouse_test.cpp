// A SpaceMouse over the real library, from a daemon that this test plays.

#include "engine/input/space_mouse.hpp"

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

/// Listens where the library looks; the first protocol, in which a daemon only talks.
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
    void tell(const std::array<int, 8>& event) const {
        ASSERT_EQ(write(client_, event.data(), sizeof event), static_cast<ssize_t>(sizeof event));
    }

  private:
    std::filesystem::path path_;
    int listening_ = -1, client_ = -1;
};

const Reading& channel(SpaceMouseSource& source, const char* name) {
    return source.channels()[*source.open(name)].now;
}

TEST(SpaceMouse, is_there_with_its_daemon_and_gone_without) {
    Daemon daemon;
    SpaceMouseSource mouse;
    mouse.update(0);
    EXPECT_FALSE(channel(mouse, "x").valid);
    daemon.start();
    mouse.update(1);
    EXPECT_FALSE(channel(mouse, "x").valid) << "it is asked every 3 seconds";
    mouse.update(3.5);
    ASSERT_TRUE(channel(mouse, "x").valid);
    daemon.accept_client();
    daemon.tell({0, 350, 0, -175, 0, 0, 70, 16});
    daemon.tell({1, 2, 0, 0, 0, 0, 0, 0});
    mouse.update(3.6);
    EXPECT_EQ(channel(mouse, "x").number, 1);
    EXPECT_EQ(channel(mouse, "z").number, 0.5);
    EXPECT_EQ(channel(mouse, "rz").number, 0.2);
    EXPECT_TRUE(channel(mouse, "button2").down);
    EXPECT_FALSE(channel(mouse, "button1").down);
    EXPECT_NEAR(channel(mouse, "pose").position.x, 0.025, 1e-9) << "a tenth of a second at 0.25 m a second";
    daemon.tell({2, 2, 0, 0, 0, 0, 0, 0});
    daemon.tell({0, 0, 0, 0, 0, 0, 0, 16});
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
