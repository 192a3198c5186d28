// One turn of the pot as an animated GIF and as PNG files.

#include "app/bridge/pictures/turntable.hpp"

#include "tests/bridge/sandbox_fixture.hpp"

#include <stb_image.h>

#include <fstream>
#include <iterator>
#include <unistd.h>

namespace claybox::app {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<Session> make_session(const char* scene) {
    SessionOptions options;
    options.scene = scene;
    options.scene_parameters = collision::default_values(find_scene(scene)->parameters);
    if (const std::string_view id = scene; id == "potter")
        options.scene_parameters[collision::find_parameter(find_scene(scene)->parameters, "polygons")] = 2000;
    auto made = Session::create(options);
    EXPECT_TRUE(made.ok());
    return made.ok() ? std::move(made).value() : nullptr;
}

struct Pictures {
    int width = 0, height = 0, count = 0;
    std::vector<std::uint8_t> pixels;
    std::vector<std::uint8_t> at(int picture) const {
        const std::size_t size = 3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
        const auto first =
            pixels.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(picture) * size);
        return {first, first + static_cast<std::ptrdiff_t>(size)};
    }
};

Pictures read_gif(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    Pictures out;
    int channels = 0, *delays = nullptr;
    unsigned char* pixels = stbi_load_gif_from_memory(reinterpret_cast<const unsigned char*>(bytes.data()),
                                                      static_cast<int>(bytes.size()), &delays, &out.width,
                                                      &out.height, &out.count, &channels, 3);
    if (pixels == nullptr) return {};
    out.pixels.assign(pixels, pixels + 3 * out.width * out.height * out.count);
    stbi_image_free(pixels);
    stbi_image_free(delays);
    return out;
}

class TurntableTest : public SandboxTest {
  protected:
    void SetUp() override {
        SandboxTest::SetUp();
        before_ = fs::current_path();
        folder_ = fs::temp_directory_path() / ("claybox-turntable-" + std::to_string(getpid()));
        fs::remove_all(folder_);
        fs::create_directories(folder_);
        fs::current_path(folder_);
    }
    void TearDown() override {
        fs::current_path(before_);
        fs::remove_all(folder_);
        SandboxTest::TearDown();
    }
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
    }
    collision::Status write(const char* scene, const fs::path& target, int pictures, int size) {
        const auto session = make_session(scene);
        TurntableOptions options;
        options.target = target;
        options.pictures = pictures;
        options.size = size;
        auto turntable = Turntable::start(*session, options);
        if (!turntable.ok()) return turntable.error();
        EXPECT_FALSE(fs::exists(target) && !fs::is_empty(target)) << "unfinished pictures are visible";
        while (!turntable.value()->done())
            if (const collision::Status drawn = turntable.value()->advance(2); !drawn) return drawn;
        return collision::Done{};
    }
    fs::path before_, folder_;
};

TEST_F(TurntableTest, a_gif_has_all_pictures_and_they_differ) {
    const collision::Status written = write("potter", folder_ / "pot.gif", 5, 96);
    ASSERT_TRUE(written.ok()) << written.error().text();
    const Pictures back = read_gif(folder_ / "pot.gif");
    EXPECT_EQ(back.width, 96);
    EXPECT_EQ(back.height, 96);
    ASSERT_EQ(back.count, 5);
    for (int i = 1; i < back.count; ++i) EXPECT_NE(back.at(i), back.at(i - 1)) << "picture " << i;
    EXPECT_EQ(files(), 1u);
}

TEST_F(TurntableTest, a_folder_gets_numbered_png_files) {
    const collision::Status written = write("potter", folder_ / "pot", 3, 80);
    ASSERT_TRUE(written.ok()) << written.error().text();
    std::vector<std::string> contents;
    for (const char* name : {"turn-001.png", "turn-002.png", "turn-003.png"}) {
        int width = 0, height = 0, channels = 0;
        unsigned char* pixels =
            stbi_load((folder_ / "pot" / name).string().c_str(), &width, &height, &channels, 3);
        ASSERT_NE(pixels, nullptr) << name;
        EXPECT_EQ(width, 80);
        EXPECT_EQ(height, 80);
        contents.emplace_back(reinterpret_cast<const char*>(pixels), 3 * 80 * 80);
        stbi_image_free(pixels);
    }
    EXPECT_NE(contents[0], contents[1]);
    EXPECT_NE(contents[1], contents[2]);
    EXPECT_EQ(files(), 1u) << "the unfinished folder is left";
    const collision::Status again = write("potter", folder_ / "pot", 3, 80);
    ASSERT_FALSE(again.ok());
    EXPECT_NE(again.error().text().find("expected a new or an empty folder"), std::string::npos);
}

TEST_F(TurntableTest, it_shows_the_pot_as_it_was_at_the_start) {
    TurntableOptions options;
    options.target = folder_ / "a.gif";
    options.pictures = 3;
    options.size = 80;
    auto session = make_session("potter");
    auto turntable = Turntable::start(*session, options);
    ASSERT_TRUE(turntable.ok());
    session.reset();  // another scene, for example
    ASSERT_TRUE(turntable.value()->advance(3).ok());
    ASSERT_TRUE(write("potter", folder_ / "b.gif", 3, 80).ok());
    EXPECT_EQ(read_gif(folder_ / "a.gif").pixels, read_gif(folder_ / "b.gif").pixels);
}

TEST_F(TurntableTest, places_and_scenes_that_do_not_fit_are_errors_that_leave_nothing) {
    for (const fs::path& target : {folder_ / "absent" / "pot.gif", folder_ / "absent" / "pot"}) {
        const collision::Status written = write("potter", target, 3, 80);
        ASSERT_FALSE(written.ok());
        EXPECT_NE(written.error().text().find("cannot write"), std::string::npos) << written.error().text();
    }
    const collision::Status cage = write("cage", folder_ / "cage.gif", 3, 80);
    ASSERT_FALSE(cage.ok());
    EXPECT_NE(cage.error().text().find("expected potter"), std::string::npos);
    EXPECT_FALSE(write("potter", folder_ / "pot.gif", 1, 80).ok());
    EXPECT_FALSE(write("potter", folder_ / "pot.gif", 3, 10).ok());
    EXPECT_EQ(files(), 0u);
}

TEST_F(TurntableTest, an_unfinished_turn_leaves_nothing) {
    const auto session = make_session("potter");
    for (const char* name : {"pot.gif", "pot"}) {
        TurntableOptions options;
        options.target = folder_ / name;
        options.pictures = 4;
        options.size = 80;
        auto turntable = Turntable::start(*session, options);
        ASSERT_TRUE(turntable.ok());
        ASSERT_TRUE(turntable.value()->advance(2).ok());
    }
    EXPECT_EQ(files(), 0u);
}

TEST_F(TurntableTest, the_button_writes_a_gif_while_the_program_runs) {
    start("potter", "polygons", 2000);
    use_window(1024, 900);
    sandbox_->state().turn_pictures = 12;
    sandbox_->state().turn_size = 96;
    frames(3);
    click("Save a turntable GIF", "button");
    EXPECT_FALSE(fs::exists(folder_ / "claybox-turn-1.gif"));
    const std::uint64_t frame = session().frame();
    for (int i = 0; i < 20 && !fs::exists(folder_ / "claybox-turn-1.gif"); ++i) frames(1);
    EXPECT_GT(session().frame(), frame + 2) << "the scene stood still";
    const Pictures back = read_gif(folder_ / "claybox-turn-1.gif");
    EXPECT_EQ(back.count, 12);
    EXPECT_EQ(back.width, 96);
    frames(1);
    EXPECT_NE(sandbox_->report().find("Saved "), std::string::npos);
}

}  // namespace
}  // namespace claybox::app
