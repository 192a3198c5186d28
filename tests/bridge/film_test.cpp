// Films of the last seconds.

#include "tests/bridge/sandbox_fixture.hpp"

#include <stb_image.h>

#include <fstream>

namespace claybox::app {
namespace {

namespace fs = std::filesystem;

/// Works in a folder of its own, where the program saves its files.
class Film : public SandboxTest {
  protected:
    void SetUp() override {
        SandboxTest::SetUp();
        before_ = fs::current_path();
        folder_ = fs::path(testing::TempDir()) / ("claybox-film-" + std::to_string(::getpid()));
        fs::create_directories(folder_);
        fs::current_path(folder_);
        use_window(160, 120);
    }
    void TearDown() override {
        fs::current_path(before_);
        fs::remove_all(folder_);
        SandboxTest::TearDown();
    }
    void film(const char* ending) {
        PanelRequests requests;
        requests.film_ending = ending;
        sandbox_->carry_out(requests);
    }
    fs::path before_, folder_;
};

std::size_t files_in(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST_F(Film, every_kept_frame_becomes_a_picture_and_the_scene_waits) {
    frames(12);
    const std::uint64_t frame = session().frame();
    film("/");
    frames(4);
    EXPECT_EQ(files_in(folder_), 1u) << "only the unfinished folder";
    frames(20);
    const std::size_t count = frame - sandbox_->past().oldest() + 1;
    EXPECT_EQ(files_in("claybox-film-1"), count);
    EXPECT_GT(session().frame(), frame) << "the scene goes on";
    int width = 0, height = 0, channels = 0;
    ASSERT_NE(stbi_info("claybox-film-1/frame-001.png", &width, &height, &channels), 0);
    EXPECT_EQ(width, 1280);
    EXPECT_EQ(height, 960);
}

std::string bytes_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(Film, the_same_frames_give_the_same_film_and_the_past_ends_it) {
    frames(30);
    PanelRequests back;
    back.look_at = session().frame() - 10;
    sandbox_->carry_out(back);
    frames(1);
    film(".gif");
    frames(30);
    film(".gif");
    frames(30);
    const std::string one = bytes_of("claybox-film-1.gif"), two = bytes_of("claybox-film-2.gif");
    EXPECT_GT(one.size(), 1000u);
    EXPECT_EQ(one.substr(0, 6), "GIF89a");
    EXPECT_EQ(one, two);
}

TEST_F(Film, escape_cancels_it_and_leaves_no_file) {
    frames(12);
    film("/");
    frames(3);
    ui_->inject_key(engine::key::kEscape);
    frames(3);
    EXPECT_EQ(files_in(folder_), 0u);
    film(".gif");
    frames(1);
    PanelRequests restart;
    restart.restart = true;
    sandbox_->carry_out(restart);
    frames(10);
    EXPECT_EQ(files_in(folder_), 0u) << "the frames of the film are gone";
}

TEST_F(Film, a_file_that_gets_the_name_meanwhile_is_kept) {
    frames(30);
    film(".gif");
    frames(2);
    std::ofstream("claybox-film-1.gif") << "mine";
    frames(30);
    EXPECT_EQ(bytes_of("claybox-film-1.gif"), "mine");
    EXPECT_EQ(files_in(folder_), 1u) << "an unfinished file is left";
}

/// A program named ffmpeg that takes its input, and one that fails.
TEST_F(Film, a_video_goes_through_ffmpeg_and_its_failure_is_told) {
    const std::string path = std::getenv("PATH");
    const fs::path bin = folder_ / "bin";
    fs::create_directory(bin);
    const auto program = [&](const std::string& script) {
        std::ofstream(bin / "ffmpeg") << "#!/bin/sh\n" << script;
        fs::permissions(bin / "ffmpeg", fs::perms::owner_all);
    };
    setenv("PATH", (bin.string() + ":" + path).c_str(), 1);
    program("for last; do :; done\ncat > \"$last\"\n");
    frames(5);
    const auto count = (session().frame() - sandbox_->past().oldest()) / 2 + 1;
    film(".mp4");
    frames(12);
    EXPECT_EQ(fs::file_size("claybox-film-1.mp4"), count * 1280 * 960 * 3);
    program("exit 3\n");
    film(".mp4");
    frames(12);
    EXPECT_FALSE(fs::exists("claybox-film-2.mp4"));
    setenv("PATH", bin.string().c_str(), 1);
    fs::remove(bin / "ffmpeg");
    film(".mp4");
    frames(2);
    setenv("PATH", path.c_str(), 1);
    bool told = false;
    for (const engine::WidgetRecord& r : ui_->log().records)
        told = told || r.label.find("an MP4 file needs ffmpeg") != std::string::npos;
    EXPECT_TRUE(told);
}

}  // namespace
}  // namespace claybox::app
