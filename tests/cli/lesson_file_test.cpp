#include "app/cli/files/lesson_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <unistd.h>

namespace claybox::app {
namespace {

std::filesystem::path write(const std::string& lines) {
    const std::filesystem::path file =
        std::filesystem::path(testing::TempDir()) / ("claybox-" + std::to_string(getpid()) + ".lesson");
    std::ofstream(file) << "claybox_lesson = 1\n" << lines;
    return file;
}

std::string error_of(const std::string& lines) {
    const auto lesson = read_lesson(write(lines));
    return lesson.ok() ? "" : lesson.error().text();
}

const std::string kLeast = "title = T\nsay = S.\n";

TEST(LessonFile, every_line_is_read) {
    const auto read = read_lesson(
        write("title = A pair\nscene = cage\nbodies = 12\npair = gjk\nseed = 7\npause = 30\nselect = 4 6\n"
              "camera = 0 1 2  0 0.5 0\nopen = Algorithm, Broad phase\nview = boxes, steps\nsay = One.\nsay "
              "= Two.\n"
              "try = Three.\n"));
    ASSERT_TRUE(read.ok()) << read.error().text();
    const Lesson& lesson = read.value();
    EXPECT_EQ(lesson.title, "A pair");
    EXPECT_EQ(lesson.options.scene, "cage");
    EXPECT_EQ(lesson.options.seed, 7u);
    EXPECT_STREQ(lesson.options.settings.pair_algorithm->id, "gjk");
    EXPECT_EQ(lesson.options.scene_parameters[0], 12);
    EXPECT_EQ(lesson.pause_at, 30u);
    EXPECT_EQ(lesson.first, 4u);
    EXPECT_EQ(lesson.second, 6u);
    ASSERT_TRUE(lesson.camera);
    EXPECT_EQ((*lesson.camera)[0].z, 2.0f);
    EXPECT_EQ((*lesson.camera)[1].y, 0.5f);
    EXPECT_EQ(lesson.open, (std::vector<std::string>{"Algorithm", "Broad phase"}));
    EXPECT_EQ(lesson.show, std::vector<std::string>{"boxes"});
    EXPECT_TRUE(lesson.steps);
    EXPECT_EQ(lesson.say, (std::vector<std::string>{"One.", "Two."}));
    EXPECT_EQ(lesson.tries, std::vector<std::string>{"Three."});
}

TEST(LessonFile, an_error_names_file_line_and_what_was_expected) {
    const auto names = [](const std::string& lines, const char* line, const char* expected) {
        const std::string error = error_of(kLeast + lines);
        EXPECT_NE(error.find(std::string(".lesson:") + line), std::string::npos) << error;
        EXPECT_NE(error.find(expected), std::string::npos) << error;
    };
    names("camera = 1 2 3\n", "4", "six numbers");
    names("camera = 1 2 3 1 9 3\n", "4", "not above each other");
    names("camera = 1 2 nan 4 5 6\n", "4", "six numbers");
    names("select = 1 1\n", "4", "two bodies");
    names("select = -1\n", "4", "number of a body");
    names("open = Algoritm\n", "4", "titles of cards");
    names("view = theme\n", "4", "switches");
    names("pause = 0\n", "4", "1 to 100000");
    names("seed = x\n", "4", "whole number");
    names("title = again\n", "4", "twice");
    names("say = 2\nsay = 3\nsay = 4\nsay = 5\nsay = 6\n", "8", "at most 5");
    names("say = " + std::string(201, 'x') + "\n", "4", "at most 200 bytes");
    names("nonsense = 1\n", "4", "nonsense");
}

TEST(LessonFile, title_and_text_are_required_and_the_head_is_its_own) {
    EXPECT_NE(error_of("title = T\n").find("'say'"), std::string::npos);
    EXPECT_NE(error_of("say = S.\n").find("'title'"), std::string::npos);
    const std::filesystem::path file = write("");
    std::ofstream(file) << "claybox_scene = 1\n";
    const auto read = read_lesson(file);
    ASSERT_FALSE(read.ok());
    EXPECT_NE(read.error().text().find("not a lesson file"), std::string::npos) << read.error().text();
}

}  // namespace
}  // namespace claybox::app
