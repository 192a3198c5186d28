#include "bench/scenes/potter/potter_report.hpp"

#include "bench/experiments/shared/measure.hpp"
#include "bench/experiments/shared/tables.hpp"

#include <algorithm>

namespace claybox::bench {

namespace {

constexpr std::uint32_t kSmall = 10000, kLarge = 1000000, kThesis = 9944;
constexpr double kMaxRatio = 1.5, kMaxLarge = 2e6, kMaxSmall = 0.3e6, kMaxBytes = 400;

const char* title_of(PotterTool tool) {
    constexpr const char* kTitles[] = {"whole hand", "index finger", "fingertips", "one fingertip"};
    return kTitles[static_cast<std::size_t>(tool)];
}
const char* title_of(app::ClayFaces faces) {
    return app::kClayFacesIds[static_cast<std::size_t>(faces)];
}

std::string number(double value) {
    return format_number("%.0f", value);
}
std::string percent(double part) {
    return number(100 * part);
}

const PotterResult* find(const PotterRun& run, PotterRow row) {
    const auto it =
        std::find_if(run.rows.begin(), run.rows.end(), [&](const PotterResult& r) { return r.row == row; });
    return it == run.rows.end() ? nullptr : &*it;
}

std::string frame_table(const PotterRun& run, PotterPart part) {
    std::string out = table_head({"polygons", "tool", "faces", "parts", "vertices moved", "polygons touched",
                                  "hand and clay", "normals", "structure", "collision", "picture", "upload",
                                  "**whole**", "5 %", "95 %", "bytes a polygon"},
                                 3);
    bool any = false;
    for (const PotterResult& r : run.rows) {
        if (r.row.part != part || r.frames == 0) continue;
        any = true;
        out += table_row({std::to_string(r.row.polygons), title_of(r.row.tool), title_of(r.row.faces),
                          number(r.parts), number(r.vertices), number(r.polygons), format_us(r.ns.hand),
                          format_us(r.ns.normals), format_us(r.ns.structure), format_us(r.ns.collision),
                          format_us(r.ns.picture), format_us(r.ns.upload),
                          "**" + format_us(r.ns.whole) + "**", format_us(r.p5), format_us(r.p95),
                          r.bytes_a_polygon > 0 ? number(r.bytes_a_polygon) : ""});
    }
    return any ? out : "";
}

/// The large clay against the small one, with the same tool.
std::string ratio_table(const PotterRun& run) {
    std::string out =
        table_head({"rows", "tool", "faces", "vertices moved", "whole frame", "frame per moved vertex"}, 3);
    bool any = false;
    for (const PotterResult& large : run.rows) {
        if (large.row.polygons != kLarge) continue;
        PotterRow row = large.row;
        row.polygons = kSmall;
        const PotterResult* const small = find(run, row);
        if (small == nullptr || !(small->vertices > 0) || !(large.vertices > 0)) continue;
        any = true;
        const double moved = large.vertices / small->vertices, whole = large.ns.whole / small->ns.whole;
        out += table_row({row.part == PotterPart::touched ? "same polygons under the hand" : "same hand",
                          title_of(row.tool), title_of(row.faces), format_number("%.2f", moved),
                          format_number("%.2f", whole), format_number("%.2f", whole / moved)});
    }
    return any ? "\n### A million polygons against ten thousand (ratios)\n\n" + out : "";
}

std::string thesis_table(const PotterRun& run) {
    std::string out = table_head({"tool", "thesis, plain", "thesis, relaxed and still pot", "here"}, 1);
    bool any = false;
    for (const auto& [tool, plain, still] : {std::tuple{PotterTool::whole_hand, "3 to 4", "5 to 7"},
                                             std::tuple{PotterTool::index_finger, "8 to 10", "10 to 12"}}) {
        const PotterResult* const r =
            find(run, {PotterPart::hand, kThesis, tool, app::ClayFaces::quadrangles});
        if (r == nullptr || !(r->ns.whole > 0)) continue;
        any = true;
        out += table_row({title_of(tool), plain, still, number(1e9 / r->ns.whole)});
    }
    if (!any) return "";
    return "\n### Frames per second with 9944 polygons\n\n" + out +
           "\nThe thesis' frames include drawing. With concurrent collision detection its application and "
           "drawing alone ran at 13 to 15 frames per second.\n";
}

std::string still_table(const PotterRun& run) {
    if (run.still.empty()) return "";
    std::string out =
        "\n### A still pot against a turning pot\n\nTime of the module per frame (structure and collision), "
        "µs, while the whole hand presses.\n\n" +
        table_head(
            {"polygons", "turning", "still", "saved", "box of world coordinates: turning", "still", "saved"},
            0);
    const auto saved = [](double turning, double still) {
        return turning > 0 ? format_number("%.0f %%", 100 * (1 - still / turning)) : "";
    };
    for (const StillResult& r : run.still)
        out += table_row({std::to_string(r.polygons), format_us(r.turning), format_us(r.still),
                          saved(r.turning, r.still), format_us(r.tight_turning), format_us(r.tight_still),
                          saved(r.tight_turning, r.tight_still)});
    return out;
}

std::string others_table(const PotterRun& run) {
    if (run.others.empty()) return "";
    std::string out =
        "\n### The same deforming clay in other libraries\n\nMilliseconds. A query asks which of "
        "the 16 parts of the hand touch the clay. The libraries take turns, frame by frame; spreads are "
        "interquartile ranges divided by medians. Slow libraries play only the first frames; the column "
        "*against ours* compares the same frames.\n\n" +
        table_head({"polygons", "library", "vertices moved", "build", "update", "query", "update and query",
                    "spread, %", "against ours", "answers", "different"},
                   2);
    for (const OthersResult& row : run.others) {
        for (const OtherResult& r : row.results) {
            out += table_row({std::to_string(row.polygons), r.title, number(row.vertices),
                              format_number("%.1f", r.build_ms), format_number("%.3f", r.update_ms),
                              format_number("%.3f", r.query_ms), format_number("%.3f", r.frame_ms),
                              percent(r.spread),
                              r.against_ours > 0 ? format_number("%.1f", r.against_ours) : "",
                              std::to_string(r.answers), std::to_string(r.different)});
        }
    }
    for (const std::string& missing : run.missing_libraries) out += "\nNot compared: " + missing + '\n';
    return out;
}

std::string surface_table(const PotterRun& run) {
    if (run.others.empty()) return "";
    std::string out =
        "\n### Normals and smoothing of the changed clay in other libraries\n\nMilliseconds per frame, for "
        "the "
        "vertices that the hand has moved and the triangles around them. Smoothing is one round of "
        "tangential "
        "relaxation. Ours also updates cavity, volume and bounds with the normals, and moves a vertex only "
        "if "
        "that improves its triangles. The libraries weight normals and means differently, so the results are "
        "apart.\n\n" +
        table_head(
            {"polygons", "library", "vertices moved", "build", "normals", "spread, %", "against ours",
             "smoothing", "spread, %", "against ours", "normals apart, degrees", "smoothed apart, edges"},
            2);
    for (const OthersResult& row : run.others) {
        const auto ours = std::find_if(row.surfaces.begin(), row.surfaces.end(),
                                       [](const SurfaceResult& r) { return r.ours; });
        for (const SurfaceResult& r : row.surfaces) {
            const auto against = [&](double theirs, double own) {
                return own > 0 ? format_number("%.1f", theirs / own) : std::string();
            };
            out += table_row({std::to_string(row.polygons), r.title, number(row.vertices),
                              format_number("%.1f", r.build_ms), format_number("%.3f", r.normals_ms),
                              percent(r.normals_spread), against(r.normals_ms, ours->normals_ms),
                              format_number("%.3f", r.smooth_ms), percent(r.smooth_spread),
                              against(r.smooth_ms, ours->smooth_ms), format_number("%.2f", r.normals_apart),
                              format_number("%.3f", r.smooth_apart)});
        }
    }
    return out;
}

std::string verdict(const char* aim, const char* format, double value, double limit) {
    return table_row({aim, format_number(format, value), value <= limit ? "yes" : "**no**"});
}

std::string aims_table(const PotterRun& run) {
    std::string out = table_head({"aim", "measured", "met"}, 1);
    std::size_t count = 0;
    const PotterRow large{PotterPart::touched, kLarge, PotterTool::whole_hand, app::ClayFaces::quadrangles};
    PotterRow small = large, real = large;
    small.polygons = kSmall;
    real.part = PotterPart::hand;
    const PotterResult *l = find(run, large), *s = find(run, small), *r = find(run, real);
    if (l != nullptr && s != nullptr && s->ns.whole > 0)
        ++count, out += verdict("same polygons under the hand: 1,000,000 against 10,000 at most 1.5", "%.2f",
                                l->ns.whole / s->ns.whole, kMaxRatio);
    if (l != nullptr)
        ++count, out += verdict("whole hand, 1,000,000 polygons, below 2 ms", "%.3f ms", 1e-6 * l->ns.whole,
                                1e-6 * kMaxLarge);
    if (r != nullptr)
        ++count, out += verdict("the same with a hand of real size, below 2 ms", "%.3f ms",
                                1e-6 * r->ns.whole, 1e-6 * kMaxLarge);
    if (s != nullptr)
        ++count, out += verdict("whole hand, 10,000 polygons, below 0.3 ms", "%.3f ms", 1e-6 * s->ns.whole,
                                1e-6 * kMaxSmall);
    if (r != nullptr && r->bytes_a_polygon > 0)
        ++count, out += verdict("memory below 400 bytes a polygon", "%.0f", r->bytes_a_polygon, kMaxBytes);
    return count > 0 ? "\n### Aims\n\n" + out : "";
}

Measurement measurement_of(const PotterResult& r) {
    Measurement m;
    m.name = "potter/" + r.row.name();
    m.ns = r.ns.whole;
    m.queries = r.frames;
    m.counters = {{"p5", r.p5},
                  {"p95", r.p95},
                  {"wall", r.ns.wall},
                  {"vertices", r.vertices},
                  {"polygons", r.polygons},
                  {"parts", r.parts},
                  {"hand", r.ns.hand},
                  {"normals", r.ns.normals},
                  {"structure", r.ns.structure},
                  {"collision", r.ns.collision},
                  {"picture", r.ns.picture},
                  {"upload", r.ns.upload},
                  {"upload_bytes", r.upload_bytes},
                  {"bytes_a_polygon", r.bytes_a_polygon}};
    return m;
}

void add_measurements(const PotterRun& run, std::vector<Measurement>& out) {
    for (const PotterResult& r : run.rows) out.push_back(measurement_of(r));
    for (const StillResult& r : run.still) {
        const std::string name = "potter/still/" + std::to_string(r.polygons);
        out.push_back({name + "/turning", r.turning, 1, {{"tight", r.tight_turning}}});
        out.push_back({name + "/still", r.still, 1, {{"tight", r.tight_still}}});
    }
    for (const OthersResult& row : run.others)
        for (const SurfaceResult& r : row.surfaces)
            out.push_back({"potter/others/" + std::to_string(row.polygons) + "/surface_" + r.id,
                           1e6 * (r.normals_ms + r.smooth_ms),
                           r.frames,
                           {{"normals", 1e6 * r.normals_ms},
                            {"smoothing", 1e6 * r.smooth_ms},
                            {"normals_spread", r.normals_spread},
                            {"smoothing_spread", r.smooth_spread},
                            {"normals_apart", r.normals_apart},
                            {"smooth_apart", r.smooth_apart}}});
    for (const OthersResult& row : run.others)
        for (const OtherResult& r : row.results)
            out.push_back({"potter/others/" + std::to_string(row.polygons) + '/' + r.id,
                           1e6 * r.frame_ms,
                           r.frames,
                           {{"update", 1e6 * r.update_ms},
                            {"query", 1e6 * r.query_ms},
                            {"against_ours", r.against_ours},
                            {"different", static_cast<double>(r.different)}},
                           r.spread});
}

}  // namespace

PotterResult summarise(const PotterPlayer& player) {
    PotterResult out;
    out.row = player.row();
    const std::vector<PotterFrame> frames = touching_frames(player);
    out.frames = frames.size();
    out.bytes_a_polygon = static_cast<double>(player.bytes_all_told) /
                          player.session().scene().export_mesh().topology->polygon_count();
    if (frames.empty()) return out;
    const auto middle = [&](auto&& value) {
        std::vector<double> all;
        for (const PotterFrame& frame : frames) all.push_back(static_cast<double>(value(frame)));
        return median(std::move(all));
    };
    out.ns.hand = middle([](const PotterFrame& f) { return f.ns.hand; });
    out.ns.normals = middle([](const PotterFrame& f) { return f.ns.normals; });
    out.ns.structure = middle([](const PotterFrame& f) { return f.ns.structure; });
    out.ns.collision = middle([](const PotterFrame& f) { return f.ns.collision; });
    out.ns.picture = middle([](const PotterFrame& f) { return f.ns.picture; });
    out.ns.upload = middle([](const PotterFrame& f) { return f.ns.upload; });
    out.vertices = middle([](const PotterFrame& f) { return f.vertices; });
    out.polygons = middle([](const PotterFrame& f) { return f.polygons; });
    out.parts = middle([](const PotterFrame& f) { return f.parts; });
    out.upload_bytes = middle([](const PotterFrame& f) { return f.upload_bytes; });
    std::vector<double> whole;
    for (const PotterFrame& frame : frames) whole.push_back(frame.ns.whole);
    std::sort(whole.begin(), whole.end());
    out.ns.whole = whole[whole.size() / 2];
    out.p5 = whole[whole.size() / 20];
    out.p95 = whole[std::min(whole.size() - 1, whole.size() * 95 / 100)];
    out.ns.wall = middle([](const PotterFrame& f) { return f.ns.wall; });
    return out;
}

ExperimentReport report_potter(const PotterRun& run) {
    ExperimentReport report;
    add_measurements(run, report.measurements);
    report.context = {{"seed", std::to_string(run.seed)}, {"frames", std::to_string(run.frames)}};
    std::string missing;
    for (const std::string& library : run.missing_libraries)
        missing += (missing.empty() ? "" : "; ") + library;
    if (!missing.empty()) report.context.emplace_back("not compared", missing);
    const std::string touched = frame_table(run, PotterPart::touched),
                      hand = frame_table(run, PotterPart::hand);
    std::string& text = report.markdown;
    text = build_warning() + aims_table(run);
    if (!touched.empty())
        text +=
            "\n### The same polygons under the hand\n\nHand and radius shrink as the polygons do. Times in "
            "µs, medians over the frames in which clay moves.\n\n" +
            touched;
    if (!hand.empty())
        text += "\n### A hand of real size\n\nFiner clay has more polygons under the hand. Times in µs.\n\n" +
                hand;
    text += ratio_table(run) + thesis_table(run) + still_table(run) + others_table(run) + surface_table(run);
    return report;
}

}  // namespace claybox::bench
