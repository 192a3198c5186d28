#include "app/bridge/view/materials.hpp"

#include "app/bridge/view/palette.hpp"
#include "engine/assets/text_lines.hpp"
#include "engine/files/assets.hpp"
#include "engine/files/path_text.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace claybox::app {
namespace {

using engine::Surface;

constexpr const char* kMaterialFile = "materials/materials.txt";
constexpr unsigned kNeutral = 0x8C8C8C;
constexpr float kMaxMaterialNumber = 1000;
constexpr std::size_t kMaxMaterialProblems = 20;  // a damaged file would have one per line

/// In the order of Material.
constexpr const char* kMaterialNames[] = {
    "body",       "clay",      "hand",        "hand_active",    "glass",
    "frame",      "corner",    "plinth",      "floor",          "table",
    "wheel_head", "bat",       "slurry",      "desk_case",      "desk_plate",
    "desk_well",  "button",    "button_cool", "button_pressed", "light_off",
    "light_on",   "toggle_on", "shelf",       "glazed_blue",    "glazed_cream"};
static_assert(std::size(kMaterialNames) == kMaterials);

/// In the order of SceneColour.
constexpr const char* kColourNames[] = {
    "witness",   "separating", "colliding", "candidate", "accent",  "dimension", "bounds", "grid",   "paper",
    "collision", "glow",       "body_1",    "body_2",    "body_3",  "body_4",    "body_5", "body_6", "body_7",
    "body_8",    "level_1",    "level_2",   "level_3",   "level_4", "level_5",   "level_6"};
static_assert(std::size(kColourNames) == static_cast<std::size_t>(SceneColour::end));

/// In the order of Surface.
constexpr const char* kSurfaceNames[] = {"matte", "clay", "glass", "wood", "plinth", "floor", "emissive"};
static_assert(std::size(kSurfaceNames) == static_cast<std::size_t>(Surface::emissive) + 1);

/// Index of a name, or the size of the list.
std::size_t index_of(std::span<const char* const> names, std::string_view name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

class MaterialReader {
  public:
    explicit MaterialReader(Materials& out) : out_(out) {
        engine::MaterialData neutral;
        neutral.albedo = srgb(kNeutral);
        out_.material.fill(neutral);
        // Opaque walls would hide the scene.
        out_.material[static_cast<std::size_t>(Material::glass)].surface = Surface::glass;
        out_.colour.fill({neutral.albedo, neutral.albedo});
    }

    void read(std::string_view text, const std::string& file, std::vector<std::string>& problems) {
        const auto report = [&](const std::string& problem) {
            if (problems.size() < kMaxMaterialProblems) problems.push_back(problem);
        };
        engine::LineReader lines(text);
        std::string_view line;
        while (lines.next(line)) {
            std::string_view rest = line.substr(0, line.find('#'));
            const std::string_view kind = engine::take_token(rest);
            if (kind.empty()) continue;
            bool good = false;
            if (kind == "material")
                good = read_material(rest);
            else if (kind == "colour")
                good = read_colour(rest);
            else
                error_ = "found " + engine::in_quotes(kind) + ", expected material or colour";
            if (good && !engine::trimmed(rest).empty()) {
                good = false;
                error_ = "found " + engine::in_quotes(engine::trimmed(rest)) + " after the last value";
            }
            if (!good) report(file + ":" + std::to_string(lines.number()) + ": " + error_);
        }
        const std::string missing = missing_names();
        if (!missing.empty()) report(file + ": expected lines for " + missing);
    }

  private:
    bool fail(std::string what) {
        error_ = std::move(what);
        return false;
    }
    bool read_rgb(std::string_view& rest, glm::vec3& out) {
        const std::string_view word = engine::take_token(rest);
        unsigned hex = 0;
        const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), hex, 16);
        if (word.size() != 6 || code != std::errc{} || end != word.data() + word.size())
            return fail("found " + engine::in_quotes(word) + ", expected a colour of six hexadecimal digits");
        out = srgb(hex);
        return true;
    }
    bool read_number(std::string_view& rest, float& out) {
        const std::string_view word = engine::take_token(rest);
        std::string unused;
        float value = 0;
        if (!engine::parse_coordinate(word, value, unused) || !(value >= 0 && value <= kMaxMaterialNumber))
            return fail("found " + engine::in_quotes(word) + ", expected a number from 0 to 1000");
        out = value;
        return true;
    }
    /// Marks a name as seen. Returns false if it is unknown or has a line already.
    bool take_name(std::string_view name, std::span<const char* const> names, std::span<bool> seen,
                   std::size_t& index) {
        index = index_of(names, name);
        if (index == names.size()) return fail(engine::in_quotes(name) + " is unknown");
        if (seen[index]) return fail(engine::in_quotes(name) + " has two lines, expected one");
        seen[index] = true;
        return true;
    }
    /// NAME SURFACE COLOUR SPEC GLOSS, then pairs of a word and a number.
    bool read_material(std::string_view& rest) {
        std::size_t index = 0;
        if (!take_name(engine::take_token(rest), kMaterialNames, has_material_, index)) return false;
        engine::MaterialData m;
        const std::string_view surface = engine::take_token(rest);
        const std::size_t kind = index_of(kSurfaceNames, surface);
        if (kind == std::size(kSurfaceNames))
            return fail("found " + engine::in_quotes(surface) + ", expected a surface such as matte");
        m.surface = static_cast<Surface>(kind);
        if (!read_rgb(rest, m.albedo) || !read_number(rest, m.spec) || !read_number(rest, m.gloss))
            return false;
        while (!engine::trimmed(rest).empty()) {
            const std::string_view word = engine::take_token(rest);
            float* const value = word == "emission"  ? &m.emission
                                 : word == "wetness" ? &m.wetness
                                 : word == "grid"    ? &m.grid
                                                     : nullptr;
            if (value == nullptr)
                return fail("found " + engine::in_quotes(word) + ", expected emission, wetness or grid");
            if (!read_number(rest, *value)) return false;
        }
        out_.material[index] = m;
        return true;
    }
    /// NAME LIGHT [DARK]
    bool read_colour(std::string_view& rest) {
        std::size_t index = 0;
        if (!take_name(engine::take_token(rest), kColourNames, has_colour_, index)) return false;
        glm::vec3 light, dark;
        if (!read_rgb(rest, light)) return false;
        dark = light;
        if (!engine::trimmed(rest).empty() && !read_rgb(rest, dark)) return false;
        out_.colour[index] = {light, dark};
        return true;
    }
    std::string missing_names() const {
        std::string out;
        const auto add = [&](std::span<const char* const> names, std::span<const bool> seen) {
            for (std::size_t i = 0; i < names.size(); ++i)
                if (!seen[i]) out += (out.empty() ? "" : ", ") + std::string(names[i]);
        };
        add(kMaterialNames, has_material_);
        add(kColourNames, has_colour_);
        return out;
    }

    Materials& out_;
    std::array<bool, std::size(kMaterialNames)> has_material_{};
    std::array<bool, std::size(kColourNames)> has_colour_{};
    std::string error_;
};

}  // namespace

Materials parse_materials(std::string_view text, const std::string& file,
                          std::vector<std::string>& problems) {
    Materials out;
    MaterialReader(out).read(text, file, problems);
    return out;
}

const Materials& materials() {
    static const Materials kLoaded = [] {
        std::string text, error;
        std::vector<std::string> problems;
        const bool found = engine::read_asset(kMaterialFile, text, error);
        const Materials out =
            parse_materials(text, engine::text_of(engine::asset_folder() / kMaterialFile), problems);
        if (!found) problems = {error};
        for (const std::string& problem : problems) engine::report_asset_problem(problem);
        return out;
    }();
    return kLoaded;
}

}  // namespace claybox::app
