// The compatibility promise (docs/reference/compatibility.md): commands, switches, exit statuses, and JSON
// fields with their types stay. They are listed in tests/data/interface.txt, one a line. A new one is added
// with CLAYBOX_UPDATE_GOLDENS=1; one that goes needs a new major version, and its line is removed by hand.
#include "app/scenes/scene.hpp"
#include "tests/cli/support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace claybox::test {
namespace {

using nlohmann::json;
using Lines = std::set<std::string>;
/// The types that each field has: "run cage.stage_ms.broad", "list pair[].id".
using Fields = std::map<std::string, std::set<std::string>>;

void add_fields(const json& value, const std::string& path, Fields& out) {
    out[path].insert(value.type_name());
    if (value.is_array())
        for (const json& element : value) add_fields(element, path + "[]", out);
    if (value.is_object())
        for (const auto& [key, field] : value.items())
            add_fields(field, std::string(path).append(".").append(key), out);
}

/// One line for each field, with all its types: a type more breaks a promise, as a type less does.
void add_lines(const Fields& fields, Lines& out) {
    for (const auto& [path, types] : fields) {
        std::string line = "json " + path;
        for (const std::string& type : types) line += (type == *types.begin() ? " " : "|") + type;
        out.insert(line);
    }
}

/// Several answers to the same `path` share their fields.
void add_answers(const std::vector<std::string>& arguments, const std::string& path, Fields& out) {
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

constexpr const char* kLists[] = {"pair", "continuous", "broad", "scene", "tool", "device", "vectors"};
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

Fields all_fields(const Folder& folder) {
    Fields out;
    for (const app::SceneDescriptor* scene : app::scenes())
        add_answers({"run", "--headless", "--frames", "3", "--scene", scene->id, "--json", "-"},
                    std::string("run ") + scene->id, out);
    const std::string query_file = folder.file("queries.jsonl");
    const std::string defective = folder.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    add_answers({"query", query_file, "--repeat", "1", "--pair", "all"}, "query", out);
    add_answers({"query", query_file, "--continuous", "all"}, "query", out);
    add_answers({"inspect", "assets/meshes/ring.obj", "--json"}, "inspect", out);
    add_answers({"inspect", defective, "--json"}, "inspect", out);
    for (const char* what : kLists) add_answers({"list", what, "--json"}, std::string("list ") + what, out);
    return out;
}

/// The commands in `claybox --help`.
std::vector<std::string> commands() {
    std::vector<std::string> out;
    bool found = false;
    for (const std::string& line : lines_of(run_here({"--help"}).out)) {
        if (found && line.starts_with("  ") && line[2] != ' ')
            out.push_back(line.substr(2, line.find(' ', 2) - 2));
        found = found || line == "Subcommands:";
    }
    return out;
}

void add_switches(Lines& out) {
    for (const std::string& name : switches_of("")) out.insert("switch " + name);
    for (const std::string& command : commands()) {
        out.insert("command " + command);
        for (const std::string& name : switches_of(command))
            out.insert(std::string("switch ").append(command).append(" ").append(name));
    }
}

/// Every id below a list, with those of its parameters and their choices: "id pair best".
void add_ids(const json& value, std::string path, Lines& out) {
    if (value.is_object() && value.contains("id")) {
        path += " " + value.at("id").get<std::string>();
        out.insert("id " + path);
    }
    if (value.is_object() && value.contains("choices"))
        for (const json& choice : value.at("choices"))
            if (choice.is_string()) out.insert("id " + path + " " + choice.get<std::string>());
    if (value.is_structured())
        for (const json& child : value) add_ids(child, path, out);
}

/// Commands of every status except 130, the one after Ctrl-C, which front_end_test.cpp checks.
void add_statuses(const Folder& folder, Lines& out) {
    const std::map<std::string, std::string> files{{"RECORDING", "assets/recordings/cage.rec"},
                                                   {"QUERIES", folder.file("queries.jsonl")},
                                                   {"GOOD", folder.file("good.jsonl")},
                                                   {"MESH", "assets/meshes/ring.obj"}};
    for (const char* words : {"--version",
                              "--help",
                              "run --help",
                              "run --headless --frames 1",
                              "replay RECORDING --frames 3",
                              "replay RECORDING --frames 3 --seed 77",
                              "replay RECORDING --frames 3 --every-algorithm --seed 77",
                              "query GOOD",
                              "query QUERIES",
                              "inspect MESH",
                              "list pair",
                              "list scene --json",
                              "list broad --markdown",
                              "manual",
                              "completion",
                              "--bogus",
                              "nonsense",
                              "run --bogus",
                              "run --headless --scene nonsense",
                              "run --headless --frames -1",
                              "run --headless --set nonsense=1",
                              "run --headless --mesh absent.obj",
                              "run --hash",
                              "replay",
                              "replay absent.rec",
                              "query",
                              "query absent.jsonl",
                              "query GOOD --pair nonsense",
                              "inspect",
                              "inspect absent.obj",
                              "bench nonsense",
                              "list",
                              "list nonsense"}) {
        std::vector<std::string> arguments;
        std::istringstream in(words);
        for (std::string word; in >> word;) {
            const auto file = files.find(word);
            arguments.push_back(file == files.end() ? word : file->second);
        }
        out.insert("exit " + std::to_string(run_here(arguments).status) + " " + words);
    }
}

Lines current_interface() {
    const Folder folder("interface");
    folder.write("queries.jsonl", queries());
    folder.write("good.jsonl", lines_of(queries()).front() + "\n");
    Lines out;
    add_switches(out);
    add_statuses(folder, out);
    add_lines(all_fields(folder), out);
    for (const std::string what : kLists)  // which vector instructions there are depends on the processor
        if (what != "vectors") add_ids(json::parse(run_here({"list", what, "--json"}).out), what, out);
    return out;
}

Lines lines_in(const std::filesystem::path& file) {
    Lines out;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) out.insert(line);
    return out;
}

/// Old lines stay, so an update never hides that something is gone.
void add_to_file(const Lines& current, const std::filesystem::path& file) {
    Lines all = lines_in(file);
    all.insert(current.begin(), current.end());
    std::ofstream out(file);
    for (const std::string& line : all) out << line << '\n';
}

TEST(Interface, commands_switches_statuses_and_json_fields_stay) {
    const std::filesystem::path file = std::filesystem::path(CLAYBOX_TEST_DATA) / "interface.txt";
    const Lines current = current_interface();
    EXPECT_GT(current.size(), 400u);
    if (std::getenv("CLAYBOX_UPDATE_GOLDENS") != nullptr) add_to_file(current, file);
    const Lines promised = lines_in(file);
    for (const std::string& line : promised)
        EXPECT_TRUE(current.contains(line))
            << line << " is promised and missing: that needs a new major version";
    for (const std::string& line : current)
        EXPECT_TRUE(promised.contains(line))
            << line << " is new: run this test with CLAYBOX_UPDATE_GOLDENS=1, which adds it to " << file;
}

}  // namespace
}  // namespace claybox::test
