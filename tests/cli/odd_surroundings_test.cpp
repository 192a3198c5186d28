// Text files from other systems, names of files in other scripts, and a locale with decimal commas: nothing
// may read or write another number there.

#include "app/cli/commands/query_line.hpp"
#include "app/cli/files/lesson_file.hpp"
#include "app/cli/files/scene_file.hpp"
#include "app/cli/files/settings_file.hpp"
#include "app/session/recording.hpp"
#include "engine/assets/mesh_file.hpp"
#include "engine/files/path_text.hpp"
#include "engine/input/mapping/device_map.hpp"
#include "engine/input/sources/track.hpp"
#include "tests/cli/support.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <fstream>
#include <iterator>
#include <locale>

namespace claybox::test {
namespace {

using namespace app;

std::string content_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// As an editor of another system saves it: with a byte order mark and CR LF.
std::string as_saved_elsewhere(const std::string& text) {
    std::string out = "\xEF\xBB\xBF";
    for (const char c : text) {
        if (c == '\n') out += '\r';
        out += c;
    }
    return out;
}

const std::string kScene = "claybox_scene = 1\nscene = cage\nbodies = 6\nseed = 7\n";
const std::string kTetrahedron =
    "v 0.5 0 0\nv 0 1.25 0\nv 0 0 1\nv 0 0 0\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n";
const std::string kOff = "OFF\n4 4 0\n0.5 0 0\n0 1.25 0\n0 0 1\n0 0 0\n3 0 1 2\n3 0 3 1\n3 0 2 3\n3 1 3 2\n";
const std::string kPly =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement "
    "face "
    "4\nproperty list uchar int vertex_indices\nend_header\n0.5 0 0\n0 1.25 0\n0 0 1\n0 0 0\n3 0 1 2\n3 0 3 "
    "1\n3 0 "
    "2 3\n3 1 3 2\n";
const std::string kStl =
    "solid one\nfacet normal 0 0 1\nouter loop\nvertex 0.5 0 0\nvertex 0 1.25 0\nvertex 0 0 "
    "1\nendloop\nendfacet\n"
    "endsolid one\n";
const std::string kMap =
    "# of a test\nbutton undo = keyboard.ctrl+z | gamepad.x\nvalue turn = gamepad.left_y invert\n";
const std::string kQuery =
    R"({"id":1,"a":{"kind":"vertices","points":[[0,0,0],[1.5,0,0],[0,1,0],[0,0,1]]},"b":{"kind":"vertices",)"
    R"("points":[[0,0,0],[2,0,0],[0,2,0],[0,0,2]]},"matrix_a":[1,0,0,0.25,0,1,0,0,0,0,1,0],)"
    R"("matrix_b":[1,0,0,0,0,1,0,0,0,0,1,0]})"
    "\n";

class OddSurroundings : public testing::Test {
  protected:
    /// What the reader of `name` makes of the text, as text; or the error.
    std::string read(const std::string& name, const std::string& text) {
        const std::filesystem::path file = folder_.write(name, text);
        const std::string ending = file.extension().string();
        if (ending == ".scene") {
            SessionOptions options;
            const collision::Status read = read_scene_file(file, options);
            return read ? scene_file_text(options) : read.error().text();
        }
        if (ending == ".lesson") {
            const auto lesson = read_lesson(file);
            if (!lesson) return lesson.error().text();
            std::string out = lesson.value().title;
            for (const std::string& line : lesson.value().say) out += "|" + line;
            return out;
        }
        if (ending == ".rec") {
            const auto recording = read_recording(file);
            return recording ? std::to_string(recording.value().frames.size()) : recording.error().text();
        }
        if (ending == ".track") {
            engine::TrackSource track;
            std::string error;
            return track.load(text, name, error) ? std::to_string(track.seconds()) : error;
        }
        if (ending == ".map") return read_map(text);
        if (ending == ".json") {
            const auto settings = read_settings_text(text);
            return settings ? settings_text(settings.value()) : settings.error().text();
        }
        if (ending == ".jsonl") {
            const Outcome outcome = run_here({"query", file.string()});
            return outcome.out + outcome.err;
        }
        engine::FileMesh mesh;
        engine::FileError error;
        if (!engine::read_mesh(file, mesh, error)) return error.message;
        std::string out;
        for (const float c : mesh.positions) out += std::to_string(static_cast<int>(c * 1000)) + " ";
        for (const std::uint32_t i : mesh.indices) out += std::to_string(i) + " ";
        return out;
    }
    static std::string read_map(const std::string& text) {
        std::vector<engine::MapLine> lines;
        std::size_t line = 0;
        std::string error;
        if (!engine::parse_map(text, lines, line, error)) return error;
        std::string out;
        for (const engine::MapLine& entry : lines) out += entry.mapping + "|";
        return out;
    }
    static std::vector<std::pair<std::string, std::string>> texts() {
        const std::filesystem::path data = std::filesystem::path(CLAYBOX_TEST_DATA) / "fuzz/text_file";
        const auto sample = [&](const char* name) { return content_of(data / name).substr(1); };
        return {{"a.scene", kScene},
                {"a.lesson", sample("01_pairs.lesson")},
                {"a.rec", sample("cage.rec")},
                {"a.track", sample("devices.track")},
                {"a.map", kMap},
                {"a.json", settings_text({})},
                {"a.jsonl", kQuery},
                {"a.obj", kTetrahedron},
                {"a.off", kOff},
                {"a.ply", kPly},
                {"a.stl", kStl}};
    }

    Folder folder_{"odd"};
};

TEST_F(OddSurroundings, a_byte_order_mark_and_cr_lf_change_no_text_file) {
    for (const auto& [name, text] : texts()) {
        const std::string plain = read(name, text);
        EXPECT_GT(plain.size(), 0u) << name;
        EXPECT_EQ(plain.find("expected"), std::string::npos) << name << ": " << plain;
        EXPECT_EQ(read(name, as_saved_elsewhere(text)), plain) << name;
    }
}

TEST_F(OddSurroundings, names_with_spaces_and_other_scripts_are_files_like_others) {
    const std::string record = folder_.file("Töpfe und 壺 1.rec"),
                      report = folder_.file("Bericht für α.json");
    const Outcome run = run_here(
        {"run", "--headless", "--frames", "3", "--set", "bodies=4", "--record", record, "--json", report});
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_NE(content_of(engine::path_of(report)).find("\"frames\""), std::string::npos);
    // As other programs see them.
    EXPECT_EQ(folder_.names(), (std::vector<std::string>{"Bericht für α.json", "Töpfe und 壺 1.rec"}));
    const Outcome replay = run_here({"replay", record});
    EXPECT_EQ(replay.status, 0) << replay.err;
    const std::string mesh = folder_.write("ein Stück ß.obj", kTetrahedron);
    EXPECT_EQ(run_here({"inspect", mesh}).status, 0);
    const Outcome missing = run_here({"inspect", folder_.file("fehlt ü.obj")});
    EXPECT_EQ(missing.status, 2);
    EXPECT_NE(missing.err.find("fehlt ü.obj"), std::string::npos) << missing.err;
}

TEST_F(OddSurroundings, the_program_takes_names_in_other_scripts_as_arguments_and_in_files) {
    const std::string mesh = folder_.write("壺 Ä.obj", kTetrahedron);
    const Outcome inspected = run_program({"inspect", mesh});
    EXPECT_EQ(inspected.status, 0) << inspected.err;
    EXPECT_NE(inspected.out.find("壺 Ä.obj"), std::string::npos) << inspected.out;

    const std::string scene =
        folder_.write("Szene ψ.scene", "claybox_scene = 1\nscene = cage\nmesh = 壺 Ä.obj\n");
    const Outcome run = run_program({"run", "--headless", "--frames", "2", "--scene", scene, "--hash"});
    EXPECT_EQ(run.status, 0) << run.err;

    const std::string matrix = "[1,0,0,0,0,1,0,0,0,0,1,0]", named = R"({"mesh":"壺 Ä.obj"})";
    const std::string queries =
        folder_.write("Fragen λ.jsonl", R"({"id":1,"a":)" + named + R"(,"b":)" + named + R"(,"matrix_a":)" +
                                            matrix + R"(,"matrix_b":)" + matrix + "}\n");
    const Outcome answered = run_program({"query", queries});
    EXPECT_EQ(answered.status, 0) << answered.err;
    EXPECT_NE(answered.out.find("\"collide\":true"), std::string::npos) << answered.out;
}

/// Decimal commas and grouped thousands, also where the system has no such locale.
class CommaNumbers : public std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

class CommaLocale {
  public:
    CommaLocale() : before_(std::locale::global(std::locale(std::locale::classic(), new CommaNumbers))) {
        for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"})
            if (std::setlocale(LC_NUMERIC, name) != nullptr) break;
    }
    ~CommaLocale() {
        std::setlocale(LC_NUMERIC, "C");
        std::locale::global(before_);
    }
    CommaLocale(const CommaLocale&) = delete;
    CommaLocale& operator=(const CommaLocale&) = delete;

  private:
    std::locale before_;
};

TEST_F(OddSurroundings, a_locale_with_decimal_commas_changes_no_number) {
    const auto everything = [&] {
        std::vector<std::string> out;
        for (const auto& [name, text] : texts()) out.push_back(read(name, text));
        out.push_back(run_here({"run", "--headless", "--frames", "3", "--set", "bodies=1200", "--hash"}).out);
        out.push_back(run_here({"inspect", folder_.write("b.obj", kTetrahedron), "--json"}).out);
        out.push_back(run_here({"list", "pair", "--json"}).out);
        engine::FileMesh mesh;
        engine::FileError error;
        EXPECT_TRUE(engine::read_mesh(folder_.write("c.obj", kTetrahedron), mesh, error));
        for (const char* name : {"d.obj", "d.ply", "d.stl", "d.glb"}) {
            std::string problem;
            EXPECT_TRUE(engine::write_mesh(folder_.file(name), engine::view_of(mesh, mesh.indices), problem))
                << problem;
            out.push_back(content_of(folder_.file(name)));
        }
        return out;
    };
    const std::vector<std::string> classic = everything();
    const CommaLocale comma;
    const std::vector<std::string> other = everything();
    ASSERT_EQ(other.size(), classic.size());
    for (std::size_t i = 0; i < classic.size(); ++i) EXPECT_EQ(other[i], classic[i]) << i;
}

}  // namespace
}  // namespace claybox::test
