#include "bench/scenes/potter/potter_surface.hpp"

#include "app/potter/clay_surface.hpp"
#include "app/potter/detail/detail_job.hpp"
#include "bench/experiments/shared/measure.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::bench {

using namespace collision;

namespace {

/// The surface of the clay, which also updates cavity and measures; and even_out() of the remesher.
class OwnSurface final : public SurfaceContestant {
  public:
    void build(const ShapePtr& mesh) override {
        surface_ = std::make_unique<app::ClaySurface>(mesh);
        edit_ =
            std::make_unique<app::EditMesh>(app::clay_mesh(mesh->topology(), mesh->geometry().positions, {}));
    }
    void move(std::span<const VertexChange> changes) override {
        moved_.clear();
        for (const VertexChange& c : changes) {
            moved_.push_back(c.vertex);
            surface_->set(c.vertex, c.position);
            edit_->set_position(c.vertex, c.position);
        }
    }
    void update_normals() override { surface_->commit(moved_); }
    Vec3d normal(std::uint32_t vertex) const override { return cast<double>(surface_->normals()[vertex]); }
    void smooth() override { app::even_out(*edit_, moved_, 1); }
    Vec3d position(std::uint32_t vertex) const override { return cast<double>(edit_->position(vertex)); }
    void restore() override {
        for (const std::uint32_t v : moved_) edit_->set_position(v, surface_->positions()[v]);
    }

  private:
    std::unique_ptr<app::ClaySurface> surface_;
    std::unique_ptr<app::EditMesh> edit_;
    std::vector<std::uint32_t> moved_;
};

struct Player {
    std::unique_ptr<SurfaceContestant> contestant;
    std::vector<double> normals, smooth;
    double apart = 0, moved_apart = 0;
    std::size_t compared = 0;
};

double angle_between(const Vec3d& a, const Vec3d& b) {
    return std::atan2(length(cross(a, b)), dot(a, b)) * 180 / 3.14159265358979;
}

void play_frame(std::vector<Player>& players, const streams::DentFrame& frame, double edge) {
    for (Player& player : players) {
        player.contestant->move(frame.changes);
        const double start = now_ns();
        player.contestant->update_normals();
        const double between = now_ns();
        player.contestant->smooth();
        player.smooth.push_back(now_ns() - between);
        player.normals.push_back(between - start);
        for (const VertexChange& c : frame.changes) {
            const SurfaceContestant& ours = *players.front().contestant;
            player.apart += angle_between(player.contestant->normal(c.vertex), ours.normal(c.vertex));
            player.moved_apart +=
                length(player.contestant->position(c.vertex) - ours.position(c.vertex)) / edge;
            ++player.compared;
        }
    }
    for (Player& player : players) player.contestant->restore();
}

}  // namespace

SurfaceEntry our_surface_entry() {
    return {"claybox", "Claybox", true, [] { return std::make_unique<OwnSurface>(); }};
}

Result<std::vector<SurfaceResult>> compare_surfaces(const std::vector<SurfaceEntry>& entries,
                                                    const streams::DentStream& stream, double seconds) {
    app::ClayMesh mesh = app::clay_mesh(stream.mesh->topology(), stream.mesh->geometry().positions, {});
    const auto shape = app::shape_of(mesh);
    if (!shape) return shape.error();
    std::vector<SurfaceResult> out;
    std::vector<Player> players;
    for (const SurfaceEntry& entry : entries) {
        players.push_back({entry.make(), {}, {}, 0, 0, 0});
        const double start = now_ns();
        players.back().contestant->build(shape.value());
        out.push_back({entry.id, entry.title, entry.ours, 1e-6 * (now_ns() - start), 0, 0, 0, 0, 0, 0, 0});
    }
    const auto edge = static_cast<double>(app::ClaySurface(shape.value()).mean_edge());
    const double start = now_ns();
    for (std::size_t i = 0; i < stream.frames.size(); ++i) {
        if (i >= 3 && now_ns() - start > 1e9 * seconds) break;
        play_frame(players, stream.frames[i], edge);
    }
    for (std::size_t i = 0; i < players.size(); ++i) {
        Player& player = players[i];
        out[i].frames = player.normals.size();
        if (player.compared == 0) continue;
        out[i].normals_spread = spread_of(player.normals);
        out[i].smooth_spread = spread_of(player.smooth);
        out[i].normals_ms = 1e-6 * median(std::move(player.normals));
        out[i].smooth_ms = 1e-6 * median(std::move(player.smooth));
        out[i].normals_apart = player.apart / static_cast<double>(player.compared);
        out[i].smooth_apart = player.moved_apart / static_cast<double>(player.compared);
    }
    return out;
}

}  // namespace claybox::bench
