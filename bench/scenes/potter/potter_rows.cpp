#include "bench/scenes/potter/potter_rows.hpp"

#include "bench/experiments/shared/pattern.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::bench {

using app::ClayFaces;
using collision::Error;
using collision::Result;

namespace {

constexpr const char* kPartNames[] = {"touched", "hand", "still", "others"};
constexpr const char* kToolNames[] = {"whole_hand", "index_finger", "fingertips", "one_fingertip"};
constexpr double kMinPolygons = 500, kMaxPolygons = 1000000;
constexpr std::uint32_t kThesisPolygons = 9944;

std::vector<PotterRow> default_rows(bool quick) {
    using enum PotterPart;
    using enum PotterTool;
    if (quick)
        return {{touched, 2000, whole_hand, ClayFaces::quadrangles},
                {touched, 8000, whole_hand, ClayFaces::quadrangles},
                {hand, 2000, one_fingertip, ClayFaces::triangles},
                {still, 2000, whole_hand, ClayFaces::triangles},
                {others, 2000, whole_hand, ClayFaces::triangles}};
    std::vector<PotterRow> out;
    for (const PotterPart part : {touched, hand})
        for (const ClayFaces faces : {ClayFaces::quadrangles, ClayFaces::triangles})
            for (const PotterTool tool : {whole_hand, index_finger, one_fingertip})
                for (const std::uint32_t polygons : {10000u, 100000u, 1000000u})
                    out.push_back({part, polygons, tool, faces});
    for (const PotterTool tool : {whole_hand, index_finger})
        out.push_back({hand, kThesisPolygons, tool, ClayFaces::quadrangles});
    for (const PotterPart part : {still, others})
        for (const std::uint32_t polygons : {10000u, 100000u, 1000000u})
            out.push_back({part, polygons, whole_hand, ClayFaces::triangles});
    return out;
}

/// Whether a word of a pattern matches `name`; "*" and omitted words match everything.
bool matches(const std::vector<std::string>& words, const std::vector<std::string>& name) {
    if (words.size() > name.size()) return false;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] != "*" && words[i] != name[i]) return false;
    return true;
}

/// The default row that differs only in its number of polygons gets the number of the pattern.
bool make_row(const std::vector<std::string>& words, PotterRow& out) {
    double polygons = 0;
    if (words.size() < 2 || !parse_whole(words[1], kMinPolygons, kMaxPolygons, polygons)) return false;
    std::vector<std::string> other = words;
    other[1] = std::string(1, '*');
    for (const PotterRow& row : default_rows(false)) {
        if (!matches(other, split(row.name()))) continue;
        out = row;
        out.polygons = static_cast<std::uint32_t>(polygons);
        return true;
    }
    return false;
}

}  // namespace

std::string PotterRow::name() const {
    std::string out = kPartNames[static_cast<std::size_t>(part)];
    out += '/' + std::to_string(polygons);
    if (part == PotterPart::still || part == PotterPart::others) return out;
    return out + '/' + kToolNames[static_cast<std::size_t>(tool)] + '/' +
           app::kClayFacesIds[static_cast<std::size_t>(faces)];
}

double PotterRow::hand_scale() const {
    return part == PotterPart::touched ? std::sqrt(10000.0 / polygons) : 1;
}

Result<std::vector<PotterRow>> potter_rows(const std::vector<std::string>& patterns, bool quick) {
    const std::vector<PotterRow> defaults = default_rows(quick);
    if (patterns.empty()) return defaults;
    std::vector<PotterRow> out;
    const auto add = [&](const PotterRow& row) {
        if (std::find(out.begin(), out.end(), row) == out.end()) out.push_back(row);
    };
    for (const std::string& pattern : patterns) {
        const std::vector<std::string> words = split(pattern);
        bool known = false;
        for (const PotterRow& row : defaults) {
            if (!matches(words, split(row.name()))) continue;
            known = true;
            add(row);
        }
        PotterRow row;
        if (!known && make_row(words, row))
            add(row);
        else if (!known)
            return Error{"--rows " + pattern + ": expected " + kPotterRows, {}, 0};
    }
    return out;
}

}  // namespace claybox::bench
