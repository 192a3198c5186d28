#include "engine/files/paths.hpp"
#include "engine/files/write_file.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

namespace claybox::test {
namespace {

using namespace engine;
namespace fs = std::filesystem;

/// A temporary folder, removed after the test.
class PathsTest : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() /
                  (std::string("claybox-") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    static std::string content(const fs::path& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }
    fs::path folder_;
};

TEST_F(PathsTest, a_file_is_replaced_whole_and_no_temporary_file_is_left) {
    std::string error;
    const fs::path path = folder_ / "a.json";
    ASSERT_TRUE(write_file_atomically(path, "first", error)) << error;
    ASSERT_TRUE(write_file_atomically(path, std::string_view("s\0econd", 7), error)) << error;
    EXPECT_EQ(content(path), std::string("s\0econd", 7));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(PathsTest, a_failed_write_is_an_error_with_the_file_name) {
    std::string error;
    EXPECT_FALSE(write_file_atomically(folder_ / "missing" / "a.json", "x", error));
    EXPECT_NE(error.find("a.json"), std::string::npos);
    EXPECT_FALSE(write_file_atomically(folder_, "x", error));
    EXPECT_NE(error.find("folder"), std::string::npos);
}

TEST(ThreadSeconds, grow_while_the_thread_computes_but_not_while_it_waits) {
    const double start = thread_seconds();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const double waited = thread_seconds();
    EXPECT_LT(waited - start, 0.05);
    while (thread_seconds() < waited + 0.01) {
    }
}

TEST_F(PathsTest, the_configuration_folder_follows_the_environment) {
    const char* before = std::getenv("XDG_CONFIG_HOME");
    const std::string kept = before != nullptr ? before : "";
    setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
    const fs::path folder = config_folder();
    setenv("XDG_CONFIG_HOME", kept.c_str(), 1);
    EXPECT_EQ(folder, folder_ / "claybox");
    EXPECT_TRUE(fs::is_directory(folder));
}

TEST(Clock, never_runs_backwards) {
    double last = now_seconds();
    for (int i = 0; i < 1000; ++i) {
        const double now = now_seconds();
        EXPECT_GE(now, last);
        last = now;
    }
}

}  // namespace
}  // namespace claybox::test
