#include "app/cli/files/scene_file.hpp"

#include "app/cli/name_lookup.hpp"
#include "app/cli/switches.hpp"
#include "engine/files/byte_order_mark.hpp"
#include "engine/files/path_text.hpp"
#include "engine/files/read_file.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

namespace claybox::app {

using namespace collision;

namespace {

constexpr const char* kHead = "claybox_scene";
constexpr std::string_view kBlanks = " \t\r";

/// Names of lines that are not parameters.
constexpr std::string_view kSwitches[] = {"scene",   "seed",      "pair",       "broad", "continuous",
                                          "workers", "exactness", "concurrent", "solid", "parallel",
                                          "mesh",    "body",      "ignore"};

struct Line {
    std::uint64_t number = 0;
    std::string name, value;
};

std::string trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(kBlanks) + 1 - first));
}

/// A "#" begins a comment at the start of a line or after a blank: names of files may contain it.
std::string_view without_comment(std::string_view line) {
    for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1))
        if (at == 0 || kBlanks.find(line[at - 1]) != std::string_view::npos) return line.substr(0, at);
    return line;
}

/// Scene first, then the algorithms, then their parameters, whatever the order in the file.
int rank(const Line& line) {
    if (line.name == "scene") return 0;
    for (const char* name : {"pair", "broad", "continuous"})
        if (line.name == name) return 1;
    return 2;
}

Result<std::vector<Line>> split_lines(const std::string& text, const SceneFileKind& kind) {
    std::vector<Line> out;
    std::uint64_t number = 0;
    for (std::string_view rest = engine::without_byte_order_mark(text); !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        ++number;
        line = without_comment(line);
        if (trimmed(line).empty()) continue;
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos)
            return Error{"'" + trimmed(line) + "': expected NAME = VALUE", {}, number};
        out.push_back({number, trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1))});
        const Line& read = out.back();
        if (read.name.empty() || read.value.empty())
            return Error{"'" + trimmed(line) + "': expected NAME = VALUE", {}, number};
        const auto first =
            std::find_if(out.begin(), out.end(), [&](const Line& l) { return l.name == read.name; });
        const bool repeats =
            read.name == "mesh" || read.name == "body" || (kind.repeats && kind.repeats(read.name));
        if (first->number != number && !repeats)
            return Error{
                read.name + " appears twice, first in line " + std::to_string(first->number), {}, number};
    }
    if (out.empty() || out.front().name != kind.head || out.front().value != "1")
        return Error{
            std::string("not a ") + kind.title + " file, expected '" + kind.head + " = 1' as the first line",
            {},
            out.empty() ? 1 : out.front().number};
    out.erase(out.begin());
    std::stable_sort(out.begin(), out.end(), [](const Line& a, const Line& b) { return rank(a) < rank(b); });
    return out;
}

template <class Number>
Status take_number(const Line& line, std::optional<Number>& out) {
    Number value{};
    const char* const end = line.value.data() + line.value.size();
    const auto read = std::from_chars(line.value.data(), end, value);
    if (read.ec != std::errc{} || read.ptr != end)
        return Error{line.name + ": '" + line.value + "' is not a whole number, 0 or larger", {}, 0};
    out = value;
    return Done{};
}

Status take_toggle(const Line& line, bool& out) {
    if (line.value != "on" && line.value != "off")
        return Error{line.name + ": '" + line.value + "' is not on or off", {}, 0};
    out = line.value == "on";
    return Done{};
}

/// The line as a switch.
Status read_line(const Line& line, const std::filesystem::path& folder, Switches& out) {
    const std::pair<const char*, std::optional<std::string>*> texts[] = {
        {"scene", &out.scene},           {"pair", &out.pair},         {"broad", &out.broad},
        {"continuous", &out.continuous}, {"parallel", &out.parallel}, {"exactness", &out.exactness},
        {"ignore", &out.ignore}};
    for (const auto& [name, target] : texts)
        if (line.name == name) {
            *target = line.value;
            return Done{};
        }
    if (line.name == "seed") return take_number(line, out.seed);
    if (line.name == "workers") return take_number(line, out.workers);
    if (line.name == "concurrent") return take_toggle(line, out.concurrent);
    if (line.name == "solid") return take_toggle(line, out.solid);
    if (line.name == "body")
        out.bodies.push_back(line.value);
    else if (line.name == "mesh")
        out.meshes.push_back(engine::text_of(folder / engine::path_of(line.value)));
    else
        out.assignments.push_back(line.name + '=' + line.value);
    return Done{};
}

/// Messages about switches begin with the switch, which a line of a file does not have.
Error without_switch(Error error) {
    for (const char* prefix : {"--set ", "--"})
        if (error.message.starts_with(prefix)) error.message.erase(0, std::string_view(prefix).size());
    return error;
}

Status apply_line(const Line& line, const std::filesystem::path& folder, SessionOptions& options) {
    Switches one;
    if (const Status read = read_line(line, folder, one); !read) return read;
    if (one.scene && is_scene_file(engine::path_of(*one.scene)))
        return Error{"scene: '" + line.value + "' is a file, expected the name of a scene", {}, 0};
    const Status applied = apply_part(one, options);
    return applied ? applied : Status(without_switch(applied.error()));
}

std::string value_text(const Parameter& p, double value) {
    if (p.kind == ParameterKind::choice) return p.choices[static_cast<std::size_t>(value)];
    if (p.kind == ParameterKind::toggle) return value != 0 ? "on" : "off";
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
    return {buffer, end.ptr};
}

SessionOptions default_options(const std::string& scene) {
    SessionOptions out;
    out.scene = scene;
    out.scene_parameters = default_values(find_scene(scene)->parameters);
    return out;
}

/// A setting that differs from its default. Those of `is_parameter` follow --set on the command line.
struct Change {
    std::string name, value;
    bool is_parameter = false;
};

/// "depth", or "broad.depth" if a switch or a parameter of an earlier table has that name, too.
std::string unique_name(std::span<const ParameterTable> tables, std::size_t table, const Parameter& p) {
    bool taken =
        std::find(std::begin(kSwitches), std::end(kSwitches), std::string_view(p.id)) != std::end(kSwitches);
    for (std::size_t i = 0; i < table; ++i)
        taken = taken || find_parameter(tables[i].table, p.id) < tables[i].table.size();
    return (taken ? std::string(tables[table].group) + '.' : "") + p.id;
}

/// The files of all meshes; none if one of them is not known or its name does not fit into a line.
std::vector<std::string> writable_meshes(const SessionOptions& options) {
    return has_writable_meshes(options) ? options.mesh_files : std::vector<std::string>();
}

/// In quotes for a shell, where needed.
std::string quoted(const std::string& text) {
    if (text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-_./:=,") ==
        std::string::npos)
        return text;
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
    return out + "'";
}

std::vector<Change> changes(const SessionOptions& options) {
    std::vector<Change> out{{"scene", options.scene}};
    const WorldSettings& s = options.settings;
    const SessionOptions plain = default_options(options.scene);
    const WorldSettings& d = plain.settings;
    if (options.seed != plain.seed) out.push_back({"seed", std::to_string(options.seed)});
    if (s.pair_algorithm != d.pair_algorithm) out.push_back({"pair", s.pair_algorithm->id});
    if (s.broad_phase != d.broad_phase) out.push_back({"broad", s.broad_phase->id});
    if (!s.continuous)
        out.push_back({"continuous", "off"});
    else if (s.continuous_algorithm != d.continuous_algorithm)
        out.push_back({"continuous", s.continuous_algorithm->id});
    if (s.parallel != d.parallel) out.push_back({"parallel", to_string(s.parallel)});
    if (s.workers != d.workers) out.push_back({"workers", std::to_string(s.workers)});
    if (s.exactness != d.exactness) out.push_back({"exactness", to_string(s.exactness)});
    if (s.concurrent) out.push_back({"concurrent", "on"});
    if (s.solid) out.push_back({"solid", "on"});
    if (!s.ignored_groups.empty()) out.push_back({"ignore", to_text(s.ignored_groups)});
    for (const std::string& file : writable_meshes(options)) out.push_back({"mesh", file});
    if (options.bodies && options.bodies->empty()) out.push_back({"body", "none"});
    if (options.bodies)
        for (const PlacedBody& body : *options.bodies) out.push_back({"body", to_text(body)});
    SessionOptions copy = options;
    const std::vector<ParameterTable> tables = parameter_tables(copy);
    for (std::size_t i = 0; i < tables.size(); ++i)
        for (std::size_t k = 0; k < tables[i].table.size(); ++k) {
            const Parameter& p = tables[i].table[k];
            const double value = (*tables[i].values)[k];
            if (value != p.default_value)
                out.push_back({unique_name(tables, i, p), value_text(p, value), true});
        }
    return out;
}

}  // namespace

bool has_writable_meshes(const SessionOptions& options) {
    return options.mesh_files.size() == options.meshes.size() &&
           std::none_of(options.mesh_files.begin(), options.mesh_files.end(), [](const std::string& file) {
               return file.empty() || file.find('\n') != std::string::npos || trimmed(file) != file ||
                      without_comment(file) != file;
           });
}

bool is_scene_file(const std::filesystem::path& file) {
    return file.extension() == kSceneFileEnding;
}

Status read_scene_text(const std::string& text, const std::filesystem::path& file, const SceneFileKind& kind,
                       SessionOptions& options) {
    // The text of an error in a mesh file names that file.
    const auto at = [&](const Error& error, std::uint64_t line) {
        return Error{error.file.empty() ? error.message : error.text(), engine::text_of(file), line};
    };
    const Result<std::vector<Line>> lines = split_lines(text, kind);
    if (!lines) return at(lines.error(), lines.error().line);
    SessionOptions read = default_options(options.scene);
    for (const Line& line : lines.value()) {
        const std::optional<Status> other =
            kind.other ? kind.other(line.name, line.value) : std::optional<Status>();
        const Status applied = other ? *other : apply_line(line, file.parent_path(), read);
        if (!applied) return at(applied.error(), line.number);
    }
    place_meshes(read);
    options = std::move(read);
    return Done{};
}

Status read_scene_file(const std::filesystem::path& file, SessionOptions& options) {
    std::string text, problem;
    if (!engine::read_file(file, kMaxSceneFileBytes, text, problem))
        return Error{problem, engine::text_of(file), 0};
    return read_scene_text(text, file, {kHead, "scene", {}, {}}, options);
}

std::string scene_file_text(const SessionOptions& options) {
    std::string out = std::string(kHead) + " = 1\n";
    for (const Change& c : changes(options)) out += c.name + " = " + c.value + '\n';
    return out;
}

std::string scene_command(const SessionOptions& options) {
    std::string out = "claybox run";
    for (const Change& c : changes(options)) {
        if (c.is_parameter)
            out += " --set " + quoted(c.name + '=' + c.value);
        else if (c.name == "concurrent" || c.name == "solid")
            out += " --" + c.name;
        else
            out += " --" + c.name + ' ' + quoted(c.value);
    }
    return out;
}

}  // namespace claybox::app
