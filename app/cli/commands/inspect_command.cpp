#include "app/cli/files/input_file.hpp"
#include "app/cli/files/mesh_import.hpp"
#include "app/cli/log.hpp"
#include "app/cli/output.hpp"
#include "app/cli/subcommands.hpp"
#include "app/session/strict_json.hpp"
#include "collision/geometry/polygons/star_kernel.hpp"

#include <algorithm>
#include <cstdio>

namespace claybox::app {

using namespace collision;

namespace {

constexpr std::size_t kMaxListed = 100'000;  // defects in JSON; the counts are always complete
constexpr std::size_t kMaxPrinted = 20;      // defects as text

nlohmann::ordered_json describe(const Classification& c, bool star_shaped) {
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
    out["star_shaped"] = star_shaped;
    out["components"] = c.components;
    out["genus"] = c.genus ? nlohmann::ordered_json(*c.genus) : nlohmann::ordered_json(nullptr);
    out["degenerate_polygons"] = c.degenerate_polygons;
    out["boundary_edges"] = c.boundary_edges;
    out["nonmanifold_edges"] = c.nonmanifold_edges;
    out["keyhole_polygons"] = c.keyhole_polygons;
    out["largest_bend"] = c.largest_bend;
    // Vertices at a border or a branching edge have no single fan.
    const bool fans_defined = c.closed && c.manifold;
    out["vertex_fans_ok"] =
        fans_defined ? nlohmann::ordered_json(c.vertex_fans_ok) : nlohmann::ordered_json(nullptr);
    auto defects = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < std::min(c.defects.size(), kMaxListed); ++i) {
        auto suspects = nlohmann::ordered_json::array();
        for (const std::uint32_t p : c.defects[i].suspects) {
            if (p != kNoIndex) suspects.push_back(p);
        }
        defects.push_back({{"kind", to_string(c.defects[i].kind)},
                           {"where", describe_location(c.defects[i])},
                           {"suspects", std::move(suspects)}});
    }
    out["defect_count"] = c.defects.size();
    out["defects_listed"] = defects.size();
    out["defects"] = std::move(defects);
    return out;
}

std::string row(const std::string& name, const std::string& value) {
    return "  " + name + std::string(name.size() < 18 ? 18 - name.size() : 1, ' ') + value + '\n';
}

std::string in_metres(double v) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g m", v);
    return text;
}

std::string table(const Classification& c, bool star_shaped) {
    const auto yes = [](bool b) { return std::string(b ? "yes" : "no"); };
    std::string out = row("Vertices", std::to_string(c.vertices)) + row("Edges", std::to_string(c.edges)) +
                      row("Polygons", std::to_string(c.polygons)) +
                      row("Triangles", std::to_string(c.triangles)) +
                      row("Components", std::to_string(c.components)) +
                      row("Genus", c.genus ? std::to_string(*c.genus) : "not defined");
    out += row("Closed", yes(c.closed)) + row("Manifold", yes(c.manifold)) +
           row("Oriented", yes(c.oriented)) + row("Planar polygons", yes(c.planar_polygons)) +
           row("Convex polygons", yes(c.convex_polygons)) + row("Convex", yes(c.convex)) +
           row("Star-shaped", yes(star_shaped));
    if (c.keyhole_polygons > 0) out += row("With holes", std::to_string(c.keyhole_polygons) + " polygons");
    if (!c.planar_polygons) out += row("Largest bend", in_metres(c.largest_bend));
    out += row("Defects", std::to_string(c.defects.size()));
    for (std::size_t i = 0; i < std::min(c.defects.size(), kMaxPrinted); ++i) {
        const std::string suspects = describe_suspects(c.defects[i]);
        out += "    " + std::string(to_string(c.defects[i].kind)) + ": " + describe_location(c.defects[i]) +
               (suspects.empty() ? "" : "; suspects: " + suspects) + '\n';
    }
    if (c.defects.size() > kMaxPrinted) {
        out += "    and " + std::to_string(c.defects.size() - kMaxPrinted) + " more; --json lists them\n";
    }
    return out;
}

}  // namespace

int inspect_command(const InspectArguments& arguments) {
    Result<PolygonList> polygons = import_polygons(input_file(arguments.file));
    if (!polygons) return report_error(polygons.error());
    const Result<Polyhedron> polyhedron = build_polyhedron(polygons.value());
    if (!polyhedron) return report_error(Error{polyhedron.error().message, arguments.file, 0});
    const Classification c = classify(polyhedron.value());
    const bool star_shaped = is_star_shaped(polyhedron.value(), c);
    print(arguments.json ? to_line(describe(c, star_shaped))
                         : printable_line(arguments.file) + '\n' + table(c, star_shaped));
    return finish_output(kExitDone);
}

}  // namespace claybox::app
