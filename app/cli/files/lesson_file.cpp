#include "app/cli/files/lesson_file.hpp"

#include "app/cli/files/scene_file.hpp"
#include "engine/files/assets.hpp"
#include "engine/files/folder.hpp"
#include "engine/files/path_text.hpp"
#include "engine/files/read_file.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace claybox::app {

using namespace collision;

namespace {

constexpr std::size_t kMaxSay = 5, kMaxTries = 3, kMaxText = 200;
Error expected(const std::string& name, const std::string& value, const std::string& what) {
    return {name + ": '" + value + "', expected " + what, {}, 0};
}

/// The parts between commas, without blanks around them.
std::vector<std::string> list_of(const std::string& value) {
    std::vector<std::string> out;
    std::istringstream parts(value);
    for (std::string part; std::getline(parts, part, ',');) {
        part.erase(0, part.find_first_not_of(' '));
        part.erase(part.find_last_not_of(' ') + 1);
        out.push_back(part);
    }
    return out;
}

/// Numbers between blanks; empty if the text is anything else.
template <class Number>
std::vector<Number> numbers_of(const std::string& value) {
    std::vector<Number> out;
    std::istringstream words(value);
    for (std::string word; words >> word;) {
        Number number{};
        const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
        if (read.ec != std::errc{} || read.ptr != word.data() + word.size()) return {};
        out.push_back(number);
    }
    return out;
}

Status add_text(const std::string& name, const std::string& value, std::size_t most,
                std::vector<std::string>& out) {
    if (value.size() > kMaxText) return expected(name, value, "at most 200 bytes");
    if (out.size() == most)
        return expected(name, value, "at most " + std::to_string(most) + " lines '" + name + "'");
    out.push_back(value);
    return Done{};
}

Status take_camera(const std::string& value, Lesson& out) {
    const std::vector<float> n = numbers_of<float>(value);
    const bool finite = std::all_of(n.begin(), n.end(), [](float x) { return std::abs(x) <= 1000; });
    if (n.size() != 6 || !finite || (n[0] == n[3] && n[2] == n[5]))
        return expected("camera", value,
                        "six numbers up to 1000: position and target in metres, not above each other");
    out.camera = {Vec3f{n[0], n[1], n[2]}, Vec3f{n[3], n[4], n[5]}};
    return Done{};
}

Status take_selection(const std::string& value, Lesson& out) {
    const std::vector<std::uint32_t> n = numbers_of<std::uint32_t>(value);
    if (n.empty() || n.size() > 2 || (n.size() == 2 && n[0] == n[1]))
        return expected("select", value, "the number of a body, or of two bodies");
    out.first = n[0];
    if (n.size() == 2) out.second = n[1];
    return Done{};
}

Status take_cards(const std::string& value, Lesson& out) {
    out.open = list_of(value);
    for (const std::string& card : out.open)
        if (std::find(std::begin(kCardTitles), std::end(kCardTitles), card) == std::end(kCardTitles))
            return expected("open", card, "titles of cards, as in 'Algorithm, Inspect'");
    return Done{};
}

Status take_toggles(const std::string& value, Lesson& out) {
    out.show = list_of(value);
    for (const std::string& id : out.show) {
        if (id == "steps") continue;
        const auto table = program_parameters();
        const std::size_t at = find_parameter(table, id);
        if (at == table.size() || table[at].kind != ParameterKind::toggle)
            return expected("view", id, "switches such as boxes, structure, witness, labels, steps");
    }
    out.steps = std::erase(out.show, "steps") > 0;
    return Done{};
}

Status take_pause(const std::string& value, Lesson& out) {
    const std::vector<std::uint64_t> n = numbers_of<std::uint64_t>(value);
    if (n.size() != 1 || n[0] == 0 || n[0] > 100000)
        return expected("pause", value, "the number of a frame, 1 to 100000");
    out.pause_at = n[0];
    return Done{};
}

std::optional<Status> take_line(const std::string& name, const std::string& value, Lesson& out) {
    if (name == "title") {
        out.title = value;
        return value.size() > 60 ? Status(expected(name, value, "at most 60 bytes")) : Status(Done{});
    }
    if (name == "say") return add_text(name, value, kMaxSay, out.say);
    if (name == "try") return add_text(name, value, kMaxTries, out.tries);
    if (name == "camera") return take_camera(value, out);
    if (name == "select") return take_selection(value, out);
    if (name == "open") return take_cards(value, out);
    if (name == "view") return take_toggles(value, out);
    if (name == "pause") return take_pause(value, out);
    return std::nullopt;
}

std::vector<Lesson> load_lessons() {
    std::vector<Lesson> out;
    std::vector<std::filesystem::path> files;
    const std::filesystem::path folder = engine::asset_folder() / "lessons";
    for (const std::filesystem::path& entry : engine::entries_of(folder))
        if (is_lesson_file(entry)) files.push_back(entry);
    std::sort(files.begin(), files.end());
    if (files.empty())
        engine::report_asset_problem(engine::text_of(folder) + ": found no lessons, expected files *.lesson");
    for (const std::filesystem::path& file : files) {
        Result<Lesson> lesson = read_lesson(file);
        if (lesson)
            out.push_back(std::move(lesson).value());
        else
            engine::report_asset_problem(lesson.error().text());
    }
    return out;
}

}  // namespace

bool is_lesson_file(const std::filesystem::path& file) {
    return file.extension() == kLessonFileEnding;
}

Result<Lesson> read_lesson(const std::filesystem::path& file) {
    std::string text, problem;
    if (!engine::read_file(file, kMaxSceneFileBytes, text, problem))
        return Error{problem, engine::text_of(file), 0};
    Lesson out;
    const SceneFileKind kind{
        "claybox_lesson", "lesson",
        [&](const std::string& name, const std::string& value) { return take_line(name, value, out); },
        [](const std::string& name) { return name == "say" || name == "try"; }};
    if (const Status read = read_scene_text(text, file, kind, out.options); !read) return read.error();
    if (out.title.empty() || out.say.empty())
        return Error{"expected a line 'title' and a line 'say'", engine::text_of(file), 0};
    return out;
}

const std::vector<Lesson>& lessons() {
    static const std::vector<Lesson> kLessons = load_lessons();
    return kLessons;
}

}  // namespace claybox::app
