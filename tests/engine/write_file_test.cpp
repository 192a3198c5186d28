// Files are written completely or not at all, and nothing else is touched.

#include "engine/files/write_file.hpp"

#include "engine/files/read_file.hpp"
#include "tests/pairwise/counting_new.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <new>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {
int error_of_link = 0;
}

/// In place of the one of the C library, as of a file system that has no links.
extern "C" int link(const char* from, const char* to) noexcept {
    if (error_of_link == 0) return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
    errno = error_of_link;
    return -1;
}

namespace claybox::test {
namespace {

using namespace engine;
namespace fs = std::filesystem;

class WriteFile : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("claybox-write-" + std::to_string(getpid()));
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    void put(const std::string& name, const std::string& content) {
        std::ofstream(folder_ / name, std::ios::binary) << content;
    }
    std::string content(const std::string& name) {
        std::ifstream file(folder_ / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }
    std::ptrdiff_t count() { return std::distance(fs::directory_iterator(folder_), {}); }

    fs::path folder_;
    std::string error_;
};

TEST_F(WriteFile, a_link_stays_and_the_file_behind_it_is_replaced) {
    put("real.json", "old");
    fs::create_symlink("real.json", folder_ / "link.json");
    ASSERT_TRUE(write_file_atomically(folder_ / "link.json", "new", error_)) << error_;
    EXPECT_TRUE(fs::is_symlink(folder_ / "link.json"));
    EXPECT_EQ(content("real.json"), "new");
    EXPECT_EQ(count(), 2);
}

TEST_F(WriteFile, a_link_to_a_missing_file_is_an_error) {
    fs::create_symlink("missing", folder_ / "link");
    EXPECT_FALSE(write_file_atomically(folder_ / "link", "x", error_));
    EXPECT_NE(error_.find("link"), std::string::npos) << error_;
    EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
    EXPECT_EQ(count(), 1);
}

TEST_F(WriteFile, a_device_is_written_and_not_replaced) {
    if (!fs::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full";
    fs::create_symlink("/dev/full", folder_ / "full");
    fs::create_symlink("/dev/null", folder_ / "null");
    EXPECT_FALSE(write_file_atomically(folder_ / "full", "x", error_));
    EXPECT_NE(error_.find("No space left"), std::string::npos) << error_;
    EXPECT_TRUE(write_file_atomically(folder_ / "null", "x", error_)) << error_;
    EXPECT_TRUE(fs::is_character_file(folder_ / "full") && fs::is_character_file(folder_ / "null"));
    EXPECT_EQ(count(), 2);
}

TEST_F(WriteFile, a_planted_link_with_the_name_of_the_temporary_file_is_not_followed) {
    put("victim", "precious");
    for (const char* end : {"", "-1", "-2"})
        fs::create_symlink("victim", folder_ / ("a.json.new" + std::to_string(getpid()) + end));
    ASSERT_TRUE(write_file_atomically(folder_ / "a.json", "x", error_)) << error_;
    EXPECT_EQ(content("victim"), "precious");
    EXPECT_EQ(content("a.json"), "x");
}

TEST_F(WriteFile, a_private_file_stays_private) {
    put("secret", "old");
    fs::permissions(folder_ / "secret", fs::perms::owner_read | fs::perms::owner_write);
    ASSERT_TRUE(write_file_atomically(folder_ / "secret", "new", error_)) << error_;
    EXPECT_EQ(fs::status(folder_ / "secret").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(WriteFile, a_shared_file_stays_shared_whatever_the_umask) {
    put("shared", "old");
    const fs::perms all = fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read |
                          fs::perms::group_write | fs::perms::others_read;
    fs::permissions(folder_ / "shared", all);
    const mode_t before = umask(077);
    const bool written = write_file_atomically(folder_ / "shared", "new", error_);
    umask(before);
    ASSERT_TRUE(written) << error_;
    EXPECT_EQ(fs::status(folder_ / "shared").permissions(), all);
}

/// Calls `write` again and again, each time with another allocation that fails, until none fails.
template <class Write, class Check>
void with_every_failing_allocation(const Write& write, const Check& check) {
    for (std::size_t allowed = 0;; ++allowed) {
        const std::size_t before = allocations_of_this_thread();
        bool written = false;
        fail_allocation_of_this_thread(allowed);
        try {
            written = write();
        } catch (const std::bad_alloc&) {
        }
        stop_failing_allocations();
        const bool failed = allocations_of_this_thread() - before > allowed;
        check(failed, written);
        if (!failed) return;
        ASSERT_LT(allowed, 1000u);
    }
}

TEST_F(WriteFile, an_exhausted_memory_leaves_the_old_or_the_new_file) {
    const fs::path file = folder_ / "a_name_too_long_for_the_place_within_a_string.json";
    put(file.filename(), "old");
    with_every_failing_allocation([&] { return write_file_atomically(file, "new", error_); },
                                  [&](bool failed, bool written) {
                                      const std::string now = content(file.filename());
                                      EXPECT_TRUE(now == "new" || (failed && !written && now == "old"))
                                          << "'" << now << "'";
                                      EXPECT_EQ(count(), 1);
                                      put(file.filename(), "old");
                                  });
}

TEST_F(WriteFile, an_exhausted_memory_leaves_no_reserved_name) {
    fs::path path;
    with_every_failing_allocation(
        [&] {
            return write_new_file(
                folder_, "a_name_too_long_for_the_place_within_a_string-", ".json",
                [](FileWriter& file, std::string&) {
                    file.append("new");
                    return true;
                },
                path, error_);
        },
        [&](bool failed, bool written) {
            EXPECT_TRUE(written || failed);
            for (const auto& entry : fs::directory_iterator(folder_)) {
                EXPECT_EQ(content(entry.path().filename()), "new");
                fs::remove(entry.path());
            }
        });
}

TEST_F(WriteFile, the_error_names_the_cause) {
    EXPECT_FALSE(write_file_atomically(folder_ / "absent" / "a", "x", error_));
    EXPECT_NE(error_.find("its folder does not exist"), std::string::npos) << error_;
    EXPECT_FALSE(write_file_atomically(folder_ / std::string(300, 'a'), "x", error_));
    EXPECT_NE(error_.find("name too long"), std::string::npos) << error_;
}

TEST_F(WriteFile, without_commit_the_target_is_unchanged_and_nothing_remains) {
    put("a", "old");
    {
        FileWriter writer;
        ASSERT_TRUE(writer.open(folder_ / "a", error_)) << error_;
        writer.append("new");
        EXPECT_EQ(content("a"), "old");
    }
    EXPECT_EQ(content("a"), "old");
    EXPECT_EQ(count(), 1);
}

TEST_F(WriteFile, two_writers_of_one_file_do_not_mix) {
    FileWriter first, second;
    ASSERT_TRUE(first.open(folder_ / "a", error_) && second.open(folder_ / "a", error_)) << error_;
    first.append("11");
    second.append("2");
    ASSERT_TRUE(second.commit(error_)) << error_;
    EXPECT_EQ(content("a"), "2");
    ASSERT_TRUE(first.commit(error_)) << error_;
    EXPECT_EQ(content("a"), "11");
    EXPECT_EQ(count(), 1);
}

TEST_F(WriteFile, a_new_file_never_overwrites_also_after_number_9999) {
    for (int i = 1; i <= 10001; ++i) put("shot-" + std::to_string(i) + ".png", "old");
    const auto write = [](FileWriter& file, std::string&) {
        file.append("new");
        return true;
    };
    fs::path path;
    ASSERT_TRUE(write_new_file(folder_, "shot-", ".png", write, path, error_)) << error_;
    EXPECT_EQ(path.filename(), "shot-10002.png");
    EXPECT_EQ(content("shot-10002.png"), "new");
    EXPECT_EQ(content("shot-9999.png"), "old");
    EXPECT_EQ(content("shot-10000.png"), "old");
}

TEST_F(WriteFile, a_name_taken_while_a_new_file_is_written_is_left_alone) {
    int writes = 0;
    const auto write = [&](FileWriter& file, std::string&) {
        if (++writes == 1) put("pot-1.stl", "of another program");
        file.append("new");
        return true;
    };
    fs::path path;
    ASSERT_TRUE(write_new_file(folder_, "pot-", ".stl", write, path, error_)) << error_;
    EXPECT_EQ(path.filename(), "pot-2.stl");
    EXPECT_EQ(content("pot-1.stl"), "of another program");
    EXPECT_EQ(content("pot-2.stl"), "new");
    EXPECT_EQ(count(), 2);
}

TEST_F(WriteFile, a_new_file_gets_its_name_also_where_there_are_no_links) {
    const auto write = [](FileWriter& file, std::string&) {
        file.append("new");
        return true;
    };
    put("pot-1.stl", "old");
    fs::path path;
    for (const int code : {EPERM, EOPNOTSUPP, EMLINK}) {
        error_of_link = code;
        ASSERT_TRUE(write_new_file(folder_, "pot-", ".stl", write, path, error_)) << error_;
        EXPECT_EQ(content(path.filename().string()), "new");
    }
    EXPECT_EQ(path.filename(), "pot-4.stl");
    EXPECT_EQ(content("pot-1.stl"), "old");
    error_of_link = EACCES;
    EXPECT_FALSE(write_new_file(folder_, "pot-", ".stl", write, path, error_));
    EXPECT_NE(error_.find("expected a folder that you may write to"), std::string::npos) << error_;
    error_of_link = 0;
    EXPECT_EQ(count(), 4);
}

TEST_F(WriteFile, a_process_killed_while_it_writes_a_new_file_leaves_no_file_of_that_name) {
    const pid_t child = fork();
    if (child == 0) {
        const auto write = [](FileWriter& file, std::string&) {
            file.append(std::string(100'000, 'x'));
            return std::raise(SIGKILL) == 0;
        };
        fs::path path;
        write_new_file(folder_, "pot-", ".stl", write, path, error_);
        _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_FALSE(fs::exists(folder_ / "pot-1.stl"));
}

TEST_F(WriteFile, a_failed_new_file_leaves_nothing) {
    const auto write = [](FileWriter& file, std::string& error) {
        file.append("half");
        error = "no";
        return false;
    };
    fs::path path;
    EXPECT_FALSE(write_new_file(folder_, "a", "", write, path, error_));
    EXPECT_EQ(error_, "no");
    EXPECT_EQ(count(), 0);
    EXPECT_FALSE(write_new_file(folder_ / "absent", "a", "", write, path, error_));
    EXPECT_NE(error_.find("cannot write"), std::string::npos);
}

TEST_F(WriteFile, a_full_or_read_only_disk_is_an_error_that_leaves_the_old_file_whole) {
    if (mount("claybox-test", folder_.c_str(), "tmpfs", 0, "size=64k") != 0)
        GTEST_SKIP() << "no small file system: " << std::strerror(errno);
    struct Unmount {
        const fs::path& folder;
        ~Unmount() { umount2(folder.c_str(), MNT_DETACH); }
    } unmount{folder_};
    put("pot.stl", "old");
    const std::string large(100'000, 'x');
    EXPECT_FALSE(write_file_atomically(folder_ / "pot.stl", large, error_));
    EXPECT_NE(error_.find("No space left"), std::string::npos) << error_;
    EXPECT_EQ(content("pot.stl"), "old");
    const auto write = [&](FileWriter& file, std::string&) {
        file.append(large);
        return true;
    };
    fs::path path;
    EXPECT_FALSE(write_new_file(folder_, "new-", ".stl", write, path, error_));
    EXPECT_NE(error_.find("No space left"), std::string::npos) << error_;
    EXPECT_EQ(count(), 1) << "neither an empty nor a torn file remains";
    ASSERT_EQ(mount("claybox-test", folder_.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=64k"), 0);
    EXPECT_FALSE(write_file_atomically(folder_ / "pot.stl", "new", error_));
    EXPECT_NE(error_.find("expected a folder that you may write to"), std::string::npos) << error_;
    EXPECT_FALSE(write_new_file(folder_, "new-", ".stl", write, path, error_));
    EXPECT_NE(error_.find("Read-only"), std::string::npos) << error_;
    EXPECT_EQ(content("pot.stl"), "old");
}

TEST_F(WriteFile, reading_refuses_pipes_folders_and_large_files) {
    std::string text;
    put("a", "12345");
    EXPECT_TRUE(read_file(folder_ / "a", 5, text, error_)) << error_;
    EXPECT_EQ(text, "12345");
    EXPECT_FALSE(read_file(folder_ / "a", 4, text, error_));
    EXPECT_NE(error_.find("too large"), std::string::npos) << error_;
    ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
    EXPECT_FALSE(read_file(folder_ / "pipe", 5, text, error_)) << "opening it would block";
    EXPECT_FALSE(read_file(folder_, 5, text, error_));
    EXPECT_FALSE(read_file(folder_ / "absent", 5, text, error_));
    EXPECT_NE(error_.find("cannot be read"), std::string::npos) << error_;
}

}  // namespace
}  // namespace claybox::test
