#include "bench/experiments/mesh/mesh_rows.hpp"

#include "bench/experiments/shared/pattern.hpp"

#include <algorithm>

namespace claybox::bench {

using namespace collision;

namespace {

constexpr const char* kPartNames[] = {"contact", "moving", "slow", "threshold", "deform"};
constexpr const char* kShapeNames[] = {"torus", "flake", "sphere", "file"};
constexpr double kMinTriangles = 50, kMaxTriangles = 1000000;

std::vector<MeshRow> rigid_rows(MeshPart part, bool quick) {
    using enum MeshShape;
    if (quick) return {{part, torus, 1000, 0, {}}, {part, flake, 864, 0, {}}};
    return {{part, torus, 1000, 0, {}},
            {part, torus, 10000, 0, {}},
            {part, torus, 100000, 0, {}},
            {part, flake, 5184, 0, {}},
            {part, flake, 31104, 0, {}}};
}

/// The numbers of polygons of the thesis' table, and some between.
std::vector<MeshRow> threshold_rows(bool quick) {
    if (quick) return {{MeshPart::threshold, MeshShape::torus, 100, 0, {}}};
    std::vector<MeshRow> out;
    for (const MeshShape shape : {MeshShape::sphere, MeshShape::torus, MeshShape::flake})
        for (const std::uint32_t polygons : {50u, 100u, 200u, 300u, 500u, 1000u})
            out.push_back({MeshPart::threshold, shape, polygons, 0, {}});
    return out;
}

MeshRow deform_row(std::uint32_t triangles, std::uint32_t moved) {
    return {MeshPart::deform, MeshShape::sphere, triangles, moved, {}};
}

std::vector<MeshRow> default_rows(const std::vector<std::string>& files, bool quick) {
    std::vector<MeshRow> out = rigid_rows(MeshPart::contact, quick);
    for (const std::string& file : files) out.push_back({MeshPart::contact, MeshShape::file, 0, 0, file});
    for (const MeshPart part : {MeshPart::moving, MeshPart::slow})
        for (MeshRow& row : rigid_rows(part, quick)) out.push_back(std::move(row));
    for (MeshRow& row : threshold_rows(quick)) out.push_back(std::move(row));
    const std::uint32_t most = quick ? 10000 : 1000000;
    for (std::uint32_t triangles = 10000; triangles <= most; triangles *= 10)
        out.push_back(deform_row(triangles, default_moved(triangles)));
    if (!quick) {  // the smallest and the largest mesh with the default of the other one
        out.push_back(deform_row(10000, default_moved(most)));
        out.push_back(deform_row(most, default_moved(10000)));
    }
    return out;
}

/// Whether a word of a pattern matches `name`; "*" and omitted words match everything.
bool covers(const std::vector<std::string>& words, std::size_t at, const std::string& name) {
    return at >= words.size() || words[at] == "*" || words[at] == name;
}

bool matches(const std::vector<std::string>& words, const MeshRow& row) {
    const std::vector<std::string> name = split(row.name());
    if (words.size() > name.size()) return false;
    for (std::size_t i = 0; i < name.size(); ++i)
        if (!covers(words, i, name[i])) return false;
    return true;
}

/// A row that is not a default row; false if the words are invalid.
bool make_row(const std::vector<std::string>& words, const std::vector<std::string>& files, MeshRow& out) {
    double triangles = 0, moved = 0;
    if (words[0] == kPartNames[static_cast<std::size_t>(MeshPart::deform)]) {
        if (words.size() < 2 || words.size() > 3 ||
            !parse_whole(words[1], kMinTriangles, kMaxTriangles, triangles))
            return false;
        out = deform_row(static_cast<std::uint32_t>(triangles),
                         default_moved(static_cast<std::uint32_t>(triangles)));
        if (words.size() == 2) return true;
        if (!parse_whole(words[2], 1, kMaxTriangles, moved)) return false;
        out.moved = static_cast<std::uint32_t>(moved);
        return true;
    }
    if (words.size() != 3) return false;
    const auto part = std::find(std::begin(kPartNames), std::end(kPartNames), words[0]);
    const auto shape = std::find(std::begin(kShapeNames), std::end(kShapeNames), words[1]);
    if (part == std::end(kPartNames) || shape == std::end(kShapeNames)) return false;
    out.part = static_cast<MeshPart>(part - std::begin(kPartNames));
    out.shape = static_cast<MeshShape>(shape - std::begin(kShapeNames));
    if (out.part == MeshPart::deform || (out.shape == MeshShape::file && out.part != MeshPart::contact))
        return false;
    if (out.shape == MeshShape::file) {
        out.file = words[2];
        return std::find(files.begin(), files.end(), words[2]) != files.end();
    }
    out.triangles = parse_whole(words[2], kMinTriangles, kMaxTriangles, triangles)
                        ? static_cast<std::uint32_t>(triangles)
                        : 0;
    return out.triangles > 0;
}

}  // namespace

std::uint32_t default_moved(std::uint32_t triangles) {
    return std::max(1u, triangles / 400);  // a closed mesh has about half as many vertices as triangles
}

std::string MeshRow::name() const {
    const std::string first = std::string(kPartNames[static_cast<std::size_t>(part)]) + '/';
    if (part == MeshPart::deform) return first + std::to_string(triangles) + '/' + std::to_string(moved);
    return first + kShapeNames[static_cast<std::size_t>(shape)] + '/' +
           (shape == MeshShape::file ? file : std::to_string(triangles));
}

Result<std::vector<MeshRow>> mesh_rows(const std::vector<std::string>& patterns,
                                       const std::vector<std::string>& files, bool quick) {
    if (patterns.empty()) return default_rows(quick ? std::vector<std::string>() : files, quick);
    const std::vector<MeshRow> defaults = default_rows(files, quick);
    std::vector<MeshRow> out;
    const auto add = [&](const MeshRow& row) {
        if (std::find(out.begin(), out.end(), row) == out.end()) out.push_back(row);
    };
    for (const std::string& pattern : patterns) {
        const std::vector<std::string> words = split(pattern);
        bool known = false;
        for (const MeshRow& row : defaults) {
            if (!matches(words, row)) continue;
            known = true;
            add(row);
        }
        MeshRow row;
        if (!known && make_row(words, files, row))
            add(row);
        else if (!known)
            return Error{"--rows " + pattern + ": expected " + kMeshRows, {}, 0};
    }
    return out;
}

}  // namespace claybox::bench
