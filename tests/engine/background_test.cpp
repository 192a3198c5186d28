// Work on a thread of its own, and locks that end with their owner.

#include "engine/files/background_job.hpp"
#include "engine/files/file_lock.hpp"
#include "engine/files/paths.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <new>
#include <sys/wait.h>
#include <unistd.h>

namespace claybox::engine {
namespace {

namespace fs = std::filesystem;

TEST(BackgroundJob, runs_while_its_owner_goes_on_and_reports_once) {
    BackgroundJob job;
    EXPECT_FALSE(job.busy());
    EXPECT_FALSE(job.take_result());
    EXPECT_FALSE(job.wait());
    std::promise<void> go;
    job.start([&] {
        go.get_future().wait();
        return std::string("full");
    });
    EXPECT_TRUE(job.busy());
    EXPECT_FALSE(job.take_result()) << "it waits for us";
    go.set_value();
    EXPECT_EQ(job.wait(), "full");
    EXPECT_FALSE(job.busy());
    EXPECT_FALSE(job.take_result()) << "once";
    job.start([] { return std::string(); });
    std::optional<std::string> result;
    while (!result) result = job.take_result();
    EXPECT_EQ(*result, "");
}

TEST(BackgroundJob, exhausted_memory_is_a_result_and_the_end_waits) {
    bool done = false;
    {
        BackgroundJob job;
        job.start([]() -> std::string { throw std::bad_alloc(); });
        EXPECT_EQ(job.wait().value_or(""), "not enough memory");
        job.start([&] {
            usleep(20000);
            done = true;
            return std::string();
        });
    }
    EXPECT_TRUE(done);
}

class FileLockTest : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("claybox-lock-" + std::to_string(getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    fs::path folder_;
};

TEST_F(FileLockTest, one_owner_at_a_time) {
    FileLock first, second;
    ASSERT_TRUE(first.take(folder_ / "a"));
    EXPECT_FALSE(second.take(folder_ / "a"));
    FileLock moved = std::move(first);
    EXPECT_TRUE(moved.held());
    EXPECT_FALSE(first.held());
    EXPECT_FALSE(second.take(folder_ / "a"));
    moved.remove();
    EXPECT_FALSE(fs::exists(folder_ / "a"));
    EXPECT_TRUE(second.take(folder_ / "a"));
    EXPECT_FALSE(moved.take(folder_ / "absent" / "a"));
    moved.remove();
}

TEST_F(FileLockTest, ends_with_a_killed_process) {
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    char taken = 0;
    if (child == 0) {
        FileLock lock;
        taken = lock.take(folder_ / "a") ? 'y' : 'n';
        [[maybe_unused]] const auto written = write(ready[1], &taken, 1);
        for (;;) pause();
    }
    ASSERT_EQ(read(ready[0], &taken, 1), 1);
    EXPECT_EQ(taken, 'y');
    FileLock lock;
    EXPECT_FALSE(lock.take(folder_ / "a"));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_TRUE(lock.take(folder_ / "a"));
    close(ready[0]);
    close(ready[1]);
}

TEST(StateFolder, is_an_absolute_folder_of_the_user) {
    const char* before = std::getenv("XDG_STATE_HOME");
    const std::string kept = before ? before : "";
    setenv("XDG_STATE_HOME", "/somewhere", 1);
    EXPECT_EQ(state_folder(), "/somewhere/claybox");
    setenv("XDG_STATE_HOME", "relative", 1);
    const char* home = std::getenv("HOME");
    EXPECT_EQ(state_folder(), home ? fs::path(home) / ".local/state/claybox" : fs::path());
    if (before)
        setenv("XDG_STATE_HOME", kept.c_str(), 1);
    else
        unsetenv("XDG_STATE_HOME");
}

}  // namespace
}  // namespace claybox::engine
