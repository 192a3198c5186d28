#include "app/cli/mesh_import.hpp"
#include "app/cli/output.hpp"
#include "app/cli/subcommands.hpp"
#include "app/session/strict_json.hpp"
#include "collision/geometry/classification.hpp"

#include <algorithm>
#include <cstdio>

namespace claybox::app {

using namespace collision;

namespace {

constexpr std::size_t kMaxListed = 100'000;  // a hundred thousand defects say it; the counts are complete
constexpr std::size_t kMaxPrinted = 20;

nlohmann::ordered_json describe(const Classification& c) {
    nlohmann::ordered_json out;
    out["vertices"] = c.vertices;
    out["edges"] = c.edges;
    out["polygons"] = c.polygons;
    out["triangles"] = c.triangles;
    out["closed"] = c.closed;
    out["manifold"] = c.manifold;
    out["oriented"] = c.oriented;
    out["planar_polygons"] = c.planar_polygons;
    out["convex_polygons"] = c.convex_polygons;
    out["convex"] = c.convex;
    out["components"] = c.components;
    out["genus"] = c.genus ? nlohmann::ordered_json(*c.genus) : nlohmann::ordered_json(nullptr);
    out["degenerate_polygons"] = c.degenerate_polygons;
    out["boundary_edges"] = c.boundary_edges;
    out["nonmanifold_edges"] = c.nonmanifold_edges;
    // Around a border or a branching edge there is no one fan to speak of.
    const bool fans_defined = c.closed && c.manifold;
    out["vertex_fans_ok"] =
        fans_defined ? nlohmann::ordered_json(c.vertex_fans_ok) : nlohmann::ordered_json(nullptr);
    auto defects = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < std::min(c.defects.size(), kMaxListed); ++i) {
        defects.push_back({{"kind", to_string(c.defects[i].kind)}, {"where", describe_place(c.defects[i])}});
    }
    out["defect_count"] = c.defects.size();
    out["defects_listed"] = defects.size();
    out["defects"] = std::move(defects);
    return out;
}

std::string row(const std::string& name, const std::string& value) {
    return "  " + name + std::string(name.size() < 18 ? 18 - name.size() : 1, ' ') + value + '\n';
}

std::string table(const Classification& c) {
    const auto yes = [](bool b) { return std::string(b ? "yes" : "no"); };
    std::string out = row("Vertices", std::to_string(c.vertices)) + row("Edges", std::to_string(c.edges)) +
                      row("Polygons", std::to_string(c.polygons)) +
                      row("Triangles", std::to_string(c.triangles)) +
                      row("Components", std::to_string(c.components)) +
                      row("Genus", c.genus ? std::to_string(*c.genus) : "not defined");
    out += row("Closed", yes(c.closed)) + row("Manifold", yes(c.manifold)) +
           row("Oriented", yes(c.oriented)) + row("Planar polygons", yes(c.planar_polygons)) +
           row("Convex polygons", yes(c.convex_polygons)) + row("Convex", yes(c.convex));
    out += row("Defects", std::to_string(c.defects.size()));
    for (std::size_t i = 0; i < std::min(c.defects.size(), kMaxPrinted); ++i) {
        out +=
            "    " + std::string(to_string(c.defects[i].kind)) + ": " + describe_place(c.defects[i]) + '\n';
    }
    if (c.defects.size() > kMaxPrinted) {
        out += "    and " + std::to_string(c.defects.size() - kMaxPrinted) + " more; --json lists them\n";
    }
    return out;
}

}  // namespace

int inspect_command(const InspectArguments& arguments) {
    Result<PolygonList> polygons = import_polygons(arguments.file);
    if (!polygons) return report_error(polygons.error());
    const Result<Polyhedron> polyhedron = build_polyhedron(polygons.value());
    if (!polyhedron) return report_error(Error{polyhedron.error().message, arguments.file, 0});
    const Classification c = classify(polyhedron.value());
    print(arguments.json ? to_line(describe(c)) : arguments.file + '\n' + table(c));
    return finish_output(kExitDone);
}

}  // namespace claybox::app
