#include "collision/continuous/screw_motion/collision_screen.hpp"

#include "collision/continuous/screw_motion/screw_query.hpp"

#include <algorithm>

namespace claybox::collision {

namespace {

/// Collects the polylines of one body.
class Curves : public CurveSink {
  public:
    Curves(bool of_b, std::vector<CollisionScreen::Curve>& out) : of_b_(of_b), out_(out) {}
    void piece(std::uint32_t edge, const ScreenPoint& from, const ScreenPoint& to) override {
        const bool joins = edge == last_ && !out_.empty() && out_.back().points.back().r == from.r &&
                           out_.back().points.back().h == from.h;
        if (!joins) {
            out_.emplace_back();
            out_.back().of_b = of_b_;
            out_.back().edge = edge;
            out_.back().points.push_back({from.r, from.h, from.t});
        }
        out_.back().points.push_back({to.r, to.h, to.t});
        last_ = edge;
    }
    /// Replaces indices of parts by those of the topology.
    void name(const SideScreen& side, std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            const SubEdge& e = side.edges[out_[i].edge];
            out_[i].is_virtual = e.is_virtual();
            out_[i].doppelled = e.shift != 0;
            out_[i].edge = e.is_virtual() ? kNoIndex : side.mesh->edges[e.edge].source;
        }
    }

  private:
    bool of_b_;
    std::vector<CollisionScreen::Curve>& out_;
    std::uint32_t last_ = kNoIndex;
};

void add_pixels(const SideScreen& side, CollisionScreen& out, std::int32_t& last_column) {
    for (const PixelRun& run : side.runs) {
        out.runs.push_back({run.row, run.h_min, run.h_max, side.is_b, side.edges[run.edge].is_virtual()});
        if (out.runs.size() == 1) out.first_column = run.h_min, last_column = run.h_max;
        out.first_column = std::min(out.first_column, run.h_min);
        last_column = std::max(last_column, run.h_max);
    }
    for (const VertexPixel& v : side.vertices)
        out.vertices.push_back({{v.at.r, v.at.h, v.at.t}, v.vertex, side.is_b});
}

const ScrewPiece* choose(const ScrewMemory& memory, double time) {
    const ScrewPiece* chosen = nullptr;
    for (const ScrewPiece& piece : memory.pieces)
        if (chosen == nullptr || piece.start <= time) chosen = &piece;
    return chosen;
}

void add_marks(const RelativePath& path, const ScrewPiece& piece, const ScrewMemory& memory,
               CollisionScreen& out) {
    for (const ScrewHit& hit : memory.hits) {
        if (hit.time < piece.start || hit.time > piece.start + piece.duration) continue;
        // A stays: where the contact is on A at rest.
        const Vec3d at = piece.frame_from_world(path.map_of_a(hit.time).back(hit.point_w));
        const ScreenPoint p = project_point(piece, at, 0);
        out.marks.push_back({p.r, p.h, {hit.time, hit.point_w, hit.normal_w, hit.a, hit.b, hit.properness}});
    }
}

}  // namespace

CollisionScreen draw_collision_screen(const ContinuousQuery& query, double time) {
    CollisionScreen out;
    std::shared_ptr<const Prepared> own[2];
    ContinuousQuery prepared = query;
    for (PairBody* body : {&prepared.pair.a, &prepared.pair.b}) {
        if (body->prepared != nullptr) continue;
        auto& mine = own[body == &prepared.pair.b];
        mine = prepare_screw_mesh(*body->shape, *body->geometry);
        body->prepared = mine.get();
    }
    ScrewOptions options = screw_options(query.pair.parameters.is_unset() ? default_values(screw_parameters())
                                                                          : query.pair.parameters);
    const ScrewBody a = screw_body(prepared.pair.a), b = screw_body(prepared.pair.b);
    RelativePath path(query.pair.a, query.motion_a, query.pair.b, query.motion_b);
    if (options.single_screw) path = RelativePath::single_screw(path);
    auto& memory = query.pair.scratch->workspace<ScrewMemory>();
    if (search_screw_motion(path, options, a, b, query.pair.stop, memory) != SearchEnd::done) return out;
    const ScrewHit* first = first_contact(memory.hits);
    const ScrewPiece* chosen =
        choose(memory, time < 0 && first != nullptr ? first->time : std::max(0.0, time));
    if (chosen == nullptr || memory.counts.pieces == 0) return out;
    const ScrewPiece piece = *chosen;
    out.piece = static_cast<std::uint32_t>(chosen - memory.pieces.data());
    out.piece_count = static_cast<std::uint32_t>(memory.pieces.size());
    out.angle = piece.angle, out.pitch = piece.pitch;
    out.error_estimate = screw_error_estimate(piece.angle);
    out.start = piece.start, out.duration = piece.duration;
    add_marks(path, piece, memory, out);

    options.hierarchy = false, options.whole_screen = true;
    options.near_pixels = NearPixels::ignore;  // the picture shows the curves at their true width
    ScreenSettings settings;
    if (!set_up_screen(piece, options, a, b, pixel_size(a, b, options.pixels), memory, settings)) return out;
    Curves curves_b(true, out.curves), curves_a(false, out.curves);
    draw_screen(piece, settings, memory, &curves_a, &curves_b);
    std::size_t count_b = 0;
    while (count_b < out.curves.size() && out.curves[count_b].of_b) ++count_b;
    curves_b.name(memory.b, 0, count_b);
    curves_a.name(memory.a, count_b, out.curves.size());
    out.pixel = settings.pixel, out.rows = settings.rows, out.r_low = settings.r_low;
    std::int32_t last_column = 0;
    add_pixels(memory.a, out, last_column), add_pixels(memory.b, out, last_column);
    out.columns = out.runs.empty() ? 0 : last_column - out.first_column + 1;
    return out;
}

}  // namespace claybox::collision
