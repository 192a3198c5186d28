// The compatibility promise (docs/reference/compatibility.md): commands, switches and JSON fields stay. They
// are listed in tests/data/interface.txt, one a line. A new one is added with CLAYBOX_UPDATE_GOLDENS=1; one
// that goes needs a new major version.
#include "tests/cli/support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

namespace claybox::test {
namespace {

using nlohmann::json;
using Lines = std::set<std::string>;

/// "run.stage_ms.broad": the paths of all fields. Elements of an array share one path.
void add_fields(const json& value, const std::string& path, Lines& out) {
    if (value.is_array())
        for (const json& element : value) add_fields(element, path, out);
    if (!value.is_object()) return;
    for (const auto& [key, field] : value.items()) {
        out.insert("json " + path + "." + key);
        add_fields(field, path + "." + key, out);
    }
}

void add_answers(const std::vector<std::string>& arguments, const std::string& path, Lines& out) {
    const Outcome outcome = run_here(arguments);
    ASSERT_FALSE(outcome.out.empty()) << outcome.err;
    if (arguments[0] != "query") return add_fields(json::parse(outcome.out), path, out);
    for (const std::string& line : lines_of(outcome.out)) add_fields(json::parse(line), path, out);
}

std::string tetrahedron(double x) {
    const auto point = [x](double dx, double y, double z) { return json{x + dx, y, z}; };
    return json{{"kind", "vertices"},
                {"points", {point(0, 0, 0), point(1, 0, 0), point(0, 1, 0), point(0, 0, 1)}}}
        .dump();
}

const std::string kMatrix = "[1,0,0,0,0,1,0,0,0,0,1,0]";

/// A separated pair, a colliding one, a motion and a bad line.
std::string queries() {
    const auto line = [](const std::string& id, double x, const std::string& place) {
        return "{\"id\":\"" + id + "\",\"a\":" + tetrahedron(0) + ",\"b\":" + tetrahedron(x) + place + "}\n";
    };
    const std::string still = ",\"matrix_a\":" + kMatrix + ",\"matrix_b\":" + kMatrix;
    const std::string moving = ",\"matrix_a0\":" + kMatrix + ",\"matrix_a1\":" + kMatrix +
                               ",\"matrix_b0\":" + kMatrix + ",\"matrix_b1\":[1,0,0,-3,0,1,0,0,0,0,1,0]";
    return line("apart", 3, still) + line("deep", 0.25, still) + line("moving", 3, moving) +
           "{\"id\":\"bad\"}\n";
}

Lines current_interface() {
    Lines out;
    for (const char* command : {"", "run", "replay", "query", "inspect", "bench", "list"})
        for (const std::string& name : switches_of(command))
            out.insert(std::string("switch ") + command + (*command == '\0' ? "" : " ") + name);
    const Folder folder("interface");
    for (const char* scene : {"cage", "potter", "buttons", "bullets"})
        add_answers({"run", "--headless", "--frames", "3", "--scene", scene, "--json", "-"},
                    std::string("run ") + scene, out);
    const std::string file = folder.write("queries.jsonl", queries());
    add_answers({"query", file, "--repeat", "1", "--pair", "all"}, "query", out);
    add_answers({"query", file, "--continuous", "all"}, "query", out);
    add_answers({"inspect", "assets/meshes/ring.obj", "--json"}, "inspect", out);
    for (const char* what : {"pair", "continuous", "broad", "scene", "tool", "device", "vectors"})
        add_answers({"list", what, "--json"}, std::string("list ") + what, out);
    return out;
}

TEST(Interface, commands_switches_and_json_fields_stay) {
    const std::filesystem::path file = std::filesystem::path(CLAYBOX_TEST_DATA) / "interface.txt";
    const Lines current = current_interface();
    EXPECT_GT(current.size(), 200u);
    if (std::getenv("CLAYBOX_UPDATE_GOLDENS") != nullptr) {
        std::ofstream out(file);
        for (const std::string& line : current) out << line << '\n';
    }
    Lines promised;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) promised.insert(line);
    for (const std::string& line : promised)
        EXPECT_TRUE(current.contains(line))
            << line << " is promised and missing: that needs a new major version";
    for (const std::string& line : current)
        EXPECT_TRUE(promised.contains(line))
            << line << " is new: run this test with CLAYBOX_UPDATE_GOLDENS=1, which adds it to " << file;
}

}  // namespace
}  // namespace claybox::test
