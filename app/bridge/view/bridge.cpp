#include "app/bridge/view/bridge.hpp"

#include "app/bridge/view/mesh_data.hpp"
#include "app/bridge/view/palette.hpp"
#include "app/bridge/view/structure_lines.hpp"
#include "app/bridge/view/to_glm.hpp"
#include "app/scenes/shared/decor.hpp"

#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>

namespace claybox::app {
namespace {

constexpr std::size_t kMaxBoxes = 4000, kMaxMovedBoxes = 500;

glm::mat4 local_matrix(const collision::Pose& pose) {
    const glm::quat rotation(static_cast<float>(pose.rotation.w), static_cast<float>(pose.rotation.x),
                             static_cast<float>(pose.rotation.y), static_cast<float>(pose.rotation.z));
    glm::mat4 m = glm::mat4_cast(rotation);
    m[3] = glm::vec4(static_cast<float>(pose.translation.x), static_cast<float>(pose.translation.y),
                     static_cast<float>(pose.translation.z), 1);
    return m;
}

void add_box(const collision::Aabb& box, const glm::vec4& colour, engine::RenderList& list) {
    const glm::vec3 low = to_glm(box.min), high = to_glm(box.max);
    const auto corner = [&](unsigned i) {
        return glm::vec3(i & 1u ? high.x : low.x, i & 2u ? high.y : low.y, i & 4u ? high.z : low.z);
    };
    for (unsigned i = 0; i < 8; ++i)
        for (const unsigned bit : {1u, 2u, 4u})
            if (!(i & bit))
                list.lines.push_back({corner(i), corner(i | bit), colour, 1.0f, glm::vec4(0), 0.25f});
}

StructureLook look_of(const ViewSetup& setup) {
    return {clip_matrix(setup.camera, setup.width, setup.height, setup.scale),
            static_cast<float>(setup.height) / setup.scale, setup.dark};
}

/// Opacity of a hidden line: pointers and proofs shine through, dimensions and decoration do not.
float hidden_alpha(Ink ink) {
    switch (ink) {
        case Ink::witness:
            return 0.55f;
        case Ink::accent:
            return 0.25f;
        case Ink::dimension:
        case Ink::grid:
            return 0;
        default:
            return 0.35f;
    }
}

engine::LightData light_of(const ViewLight& light, bool dark) {
    engine::LightData out;
    out.towards = to_glm(light.towards);
    out.shadow_centre = to_glm(light.shadow_centre);
    out.shadow_half_width = light.shadow_half_width;
    out.fade_start = light.fade_start;
    out.fade_end = light.fade_end;
    out.occlusion = light.occlusion;
    out.dark_theme = dark;
    return out;
}

}  // namespace

void Bridge::forget() {
    for (const auto& [id, mesh] : uploaded_) renderer_.destroy_mesh(mesh.handle);
    uploaded_.clear();
    boxes_.clear();
    clear();
}

void Bridge::clear() {
    meshes_.clear();
    view_.clear();
    list_.clear();
    labels_.clear();
    discs_.clear();
    structure_ = {};
}

void Bridge::upload() {
    for (auto& [id, mesh] : uploaded_) mesh.used = false;
    for (const ViewMesh& mesh : meshes_) {
        const auto [entry, fresh] = uploaded_.try_emplace(mesh.id);
        Uploaded& mine = entry->second;
        mine.used = true;
        const bool same_topology = !fresh && mine.topology == mesh.topology && mine.wire == mesh.wire &&
                                   mine.walls == (mesh.thickness != nullptr);
        if (same_topology && mine.version == mesh.version && mine.thickness_version == mesh.thickness_version)
            continue;
        if (same_topology && mesh.run_versions && mesh.normals && mesh.cavity) {
            upload_runs(mesh, mine);
            if (mesh.thickness) upload_thickness(mesh, mine);
            continue;
        }
        make_mesh_data(mesh, scratch_);
        if (fresh)
            mine.handle = renderer_.create_mesh(scratch_);
        else
            renderer_.update_mesh(mine.handle, scratch_);
        mine.version = mesh.version;
        mine.topology = mesh.topology;
        mine.thickness_version = mesh.thickness_version;
        mine.wire = mesh.wire;
        mine.walls = mesh.thickness != nullptr;
    }
    for (auto it = uploaded_.begin(); it != uploaded_.end();) {
        if (it->second.used) {
            ++it;
            continue;
        }
        renderer_.destroy_mesh(it->second.handle);
        it = uploaded_.erase(it);
    }
}

/// Uploads the vertices of all runs that are newer than the uploaded version.
void Bridge::upload_runs(const ViewMesh& mesh, Uploaded& mine) {
    visit_changed_runs(mesh, mine.version, [&](std::size_t first, std::size_t end) {
        copy_vertices(mesh, first, end, scratch_);
        renderer_.update_vertices(mine.handle, first, scratch_);
    });
    mine.version = mesh.version;
}

/// The same for runs with newer thicknesses.
void Bridge::upload_thickness(const ViewMesh& mesh, Uploaded& mine) {
    ViewMesh walls = mesh;
    walls.run_versions = mesh.thickness_runs;
    walls.version = mesh.thickness_version;
    Uploaded as_of = mine;
    as_of.version = mine.thickness_version;
    upload_runs(walls, as_of);
    mine.thickness_version = mesh.thickness_version;
}

void Bridge::add_scene(const ViewLight& light, const ViewSetup& setup) {
    list_.camera = setup.camera;
    list_.light = light_of(light, setup.dark);
    add_instances(setup);
    add_crowds(setup.dark);
    add_marks(view_, setup);
}

void Bridge::keep(std::vector<ViewMesh> meshes) {
    meshes_ = std::move(meshes);
    upload();
    meshes_.clear();
}

void Bridge::show(const SceneView& view, const ViewLight& light, const ViewSetup& setup) {
    view_ = view;
    list_.clear();
    labels_.clear();
    discs_.clear();
    add_scene(light, setup);
}

void Bridge::build(Session& session, const ViewOptions& options, const ViewSetup& setup) {
    clear();
    session.scene().meshes(meshes_);
    ViewOptions seen = options;
    if (!seen.eye) seen.eye = eye_of(setup.camera);
    session.scene().view(seen, view_);
    upload();
    add_scene(session.scene().light(), setup);
    add_selection(setup);
    if (options.broad_phase && (inside_.loads || inside_.moved))
        boxes_.take(session.frame(), view_, meshes_);
    else
        boxes_.clear();
    if (inside_.moved) add_moved_boxes(setup);
    if (options.broad_phase)
        add_structure(session, options.broad_phase_level, setup);
    else
        session.world().request_view({});
    add_labels(view_.labels, setup);
}

void Bridge::build(const SceneView& view, std::span<const ViewMesh> meshes, const ViewLight& light,
                   const ViewOptions& options, const ViewSetup& setup) {
    clear();
    meshes_.assign(meshes.begin(), meshes.end());
    view_ = view;
    if (!options.labels) std::erase_if(view_.labels, [](const ViewLabel& l) { return !l.engraved; });
    upload();
    add_scene(light, setup);
    add_selection(setup);
    add_labels(view_.labels, setup);
}

void Bridge::add_instances(const ViewSetup& setup) {
    list_.instances.reserve(view_.drawables.size());
    for (const Drawable& d : view_.drawables) {
        const auto mesh = uploaded_.find(d.mesh);
        if (mesh == uploaded_.end()) continue;
        engine::Instance& instance = list_.instances.emplace_back();
        instance.mesh = mesh->second.handle;
        instance.world_from_local = local_matrix(d.pose);
        if (!(d.scale == collision::Vec3f{1, 1, 1}))
            instance.world_from_local = glm::scale(instance.world_from_local, to_glm(d.scale));
        instance.material = material_of(d, setup.dark);
        instance.casts_shadow = d.casts_shadow;
        instance.pick = d.pick;
        instance.opacity = d.opacity;
        list_.add_occluder(glm::vec3(instance.world_from_local[3]), d.occluder_radius);
        for (const ViewOccluder& o : d.occluders)
            if (o.radius > 0)
                list_.add_occluder(glm::vec3(instance.world_from_local * glm::vec4(to_glm(o.p), 1)),
                                   o.radius);
        if (d.material != Material::light_on) continue;
        engine::Halo halo;
        halo.p = glm::vec3(instance.world_from_local[3]);
        halo.colour = glow_rgb(setup.dark);
        list_.halos.push_back(halo);
    }
}

void Bridge::add_crowds(bool dark) {
    if (view_.crowds.empty()) return;
    crowd_materials_.clear();
    for (const Drawable& look : view_.looks) crowd_materials_.push_back(material_of(look, dark));
    for (const ViewCrowd& crowd : view_.crowds) {
        const auto mesh = uploaded_.find(crowd.mesh);
        if (mesh == uploaded_.end() || crowd.positions.empty()) continue;
        engine::InstanceRun run;
        run.mesh = mesh->second.handle;
        run.materials = crowd_materials_;
        run.positions = {&crowd.positions[0].x, 3 * crowd.positions.size()};
        run.rotations = {crowd.rotations[0].data(), 4 * crowd.rotations.size()};
        run.material = crowd.shades;
        run.radius = crowd.radius;
        run.first_pick = crowd.first_pick;
        list_.runs.push_back(run);
        if (crowd.before.size() == crowd.positions.size()) add_ways(crowd, dark);
    }
}

void Bridge::add_ways(const ViewCrowd& crowd, bool dark) {
    const glm::vec4 colour(ink_rgb(crowd.way_ink, dark), crowd.way_opacity);
    const float hidden = hidden_alpha(crowd.way_ink);
    list_.lines.reserve(list_.lines.size() + crowd.positions.size());
    for (std::size_t i = 0; i < crowd.positions.size(); ++i)
        list_.lines.push_back(
            {to_glm(crowd.before[i]), to_glm(crowd.positions[i]), colour, 1.2f, glm::vec4(0), hidden});
}

void Bridge::add_marks(const SceneView& view, const ViewSetup& setup) {
    const glm::vec3 paper = paper_rgb(setup.dark);
    for (const ViewLine& line : view.lines) {
        engine::Line out{to_glm(line.from), to_glm(line.to),
                         glm::vec4(ink_rgb(line.ink, setup.dark), line.opacity)};
        out.width = line.width;
        out.hidden_alpha = hidden_alpha(line.ink);
        if (line.casing) out.casing = glm::vec4(paper, 0.75f * line.opacity);
        list_.lines.push_back(out);
    }
    for (const ViewPlane& plane : view.planes) {
        const glm::vec3 at = to_glm(plane.corner), u = to_glm(plane.sides[0]), v = to_glm(plane.sides[1]);
        list_.quads.push_back(
            {{at, at + u, at + u + v, at + v}, glm::vec4(ink_rgb(plane.ink, setup.dark), plane.opacity)});
    }
    for (const ViewPoint& point : view.points)
        list_.discs.push_back({to_glm(point.p), glm::vec4(ink_rgb(point.ink, setup.dark), 1), point.radius,
                               glm::vec4(paper, 1)});
}

void Bridge::add_labels(std::span<const ViewLabel> labels, const ViewSetup& setup) {
    const glm::mat4 clip = clip_matrix(setup.camera, setup.width, setup.height, setup.scale);
    for (const ViewLabel& label : labels) {
        ScreenLabel out;
        out.text = label.text;
        out.ink = label.ink;
        out.engraved = label.engraved;
        glm::vec3 place = to_glm(label.p);
        if (label.engraved) {
            engine::EngravedText text;
            text.text = label.text;
            text.world_from_text = local_matrix(label.pose);
            text.height = label.height;
            if (label.ink == Ink::accent) text.colour = glm::vec4(ink_rgb(Ink::accent, setup.dark), 1);
            text.from_left = label.from_left;
            // Letters are about 0.7 of their height wide: report the centre of the text.
            const float middle =
                label.from_left ? 0.35f * label.height * static_cast<float>(label.text.size()) : 0;
            place = glm::vec3(text.world_from_text * glm::vec4(middle, 0, 0, 1));
            list_.texts.push_back(std::move(text));
        }
        if (project(clip, setup.width, setup.height, place, out.x, out.y)) labels_.push_back(std::move(out));
    }
    if (!labels_.empty() && discs_.empty()) add_discs(setup, clip);
}

/// What chips should not cover: bodies, and the spheres that the scene names.
void Bridge::add_discs(const ViewSetup& setup, const glm::mat4& clip_from_world) {
    constexpr float kOfOccluder = 1.1f;  // radius of a body relative to its occluder, approximately
    const engine::CameraData& camera = setup.camera;
    const glm::vec3 right = glm::normalize(glm::cross(camera.target - camera.position, camera.up));
    const glm::mat4 rows = glm::transpose(clip_from_world);
    // Pixels of a metre to the right, one metre in front of the camera.
    const float pixels =
        0.5f * static_cast<float>(setup.width) * glm::abs(glm::dot(glm::vec3(rows[0]), right));
    const auto add = [&](const glm::vec3& centre, float radius, bool colliding) {
        ScreenDisc disc;
        disc.colliding = colliding;
        if (!project(clip_from_world, setup.width, setup.height, centre, disc.x, disc.y)) return;
        disc.radius = pixels * radius / glm::dot(rows[3], glm::vec4(centre, 1));
        discs_.push_back(disc);
    };
    for (const Drawable& d : view_.drawables) {
        if (d.material != Material::body || d.occluder_radius <= 0) continue;
        add(to_glm(collision::cast<float>(d.pose.translation)), kOfOccluder * d.occluder_radius, d.colliding);
    }
    for (const ViewOccluder& sphere : view_.keep_clear) add(to_glm(sphere.p), sphere.radius, false);
}

void Bridge::add_structure(Session& session, std::uint32_t level, const ViewSetup& setup) {
    const collision::ViewRequest request{kMaxBoxes, level};
    session.world().request_view(request);
    const collision::StructureView view = session.world().view();
    // While paused no pass answers, and the boxes of the last pass would get the wrong level names.
    structure_.waits = session.broad_phase_switch_pending() || view.request() != request;
    if (structure_.waits) return;
    structure_ = {view.levels(), view.boxes().size(), view.total(), false};
    const StructureLook look = look_of(setup);
    // Intervals and boxes of groups say nothing about the number of bodies in a place.
    if (!inside_.loads) return add_structure_lines(view.boxes(), look, list_.lines);
    std::vector<collision::ViewBox> loaded(view.boxes().begin(), view.boxes().end());
    for (collision::ViewBox& box : loaded) {
        const std::uint32_t bodies = boxes_.load_of(box.box);
        structure_.most_loaded = std::max(structure_.most_loaded, bodies);
        box.level = load_class(bodies);
    }
    StructureLook by_load = look;
    by_load.loads = true;
    add_structure_lines(loaded, by_load, list_.lines);
}

/// The boxes of the bodies that the broad phase must look at again in this frame.
void Bridge::add_moved_boxes(const ViewSetup& setup) {
    std::vector<collision::Aabb> moved;
    for (const FrameBoxes::Entry& e : boxes_.entries())
        if (e.moved && moved.size() < kMaxMovedBoxes) moved.push_back(e.box);
    add_box_corners(moved, look_of(setup), list_.lines);
}

collision::Matrix34f placement_of(const Drawable& drawable, const collision::Pose& pose) {
    collision::Matrix34f m = collision::to_matrix(pose);
    for (std::size_t row = 0; row < 3; ++row) {
        m.m[row * 4] *= drawable.scale.x;
        m.m[row * 4 + 1] *= drawable.scale.y;
        m.m[row * 4 + 2] *= drawable.scale.z;
    }
    return m;
}

collision::Matrix34f placement_of(const Drawable& drawable) {
    return placement_of(drawable, drawable.pose);
}

Drawable drawable_of(const SceneView& view, const ViewCrowd& crowd, std::size_t body) {
    const std::array<float, 4>& q = crowd.rotations[body];
    Drawable d;
    if (body < crowd.shades.size() && crowd.shades[body] < view.looks.size())
        d = view.looks[crowd.shades[body]];
    d.mesh = crowd.mesh;
    if (!crowd.poses.empty())
        d.pose = crowd.poses[body];
    else
        d.pose = {{static_cast<double>(q[0]), static_cast<double>(q[1]), static_cast<double>(q[2]),
                   static_cast<double>(q[3])},
                  collision::cast<double>(crowd.positions[body])};
    d.pick = crowd.first_pick + static_cast<std::uint32_t>(body);
    return d;
}

std::uint32_t Bridge::next_pick(std::uint32_t from, bool back) const {
    std::uint32_t best = collision::kNoIndex, least = collision::kNoIndex;
    const auto offer = [&](std::uint32_t pick) {
        if (pick == collision::kNoIndex) return;
        // Unsigned numbers wrap, so behind the last one the first one is near, and `from` itself is far.
        const std::uint32_t way = (back ? from - pick : pick - from) - 1;
        if (best != collision::kNoIndex && way >= least) return;
        best = pick;
        least = way;
    };
    for (const Drawable& d : view_.drawables) offer(d.pick);
    for (const ViewCrowd& crowd : view_.crowds)
        for (std::size_t i = 0; crowd.first_pick != collision::kNoIndex && i < crowd.positions.size(); ++i)
            offer(crowd.first_pick + static_cast<std::uint32_t>(i));
    return best;
}

std::optional<Drawable> Bridge::find(std::uint32_t pick) const {
    if (pick == collision::kNoIndex) return std::nullopt;
    for (const ViewCrowd& crowd : view_.crowds)
        if (crowd.first_pick != collision::kNoIndex && pick - crowd.first_pick < crowd.positions.size())
            return drawable_of(view_, crowd, pick - crowd.first_pick);
    const auto it = std::find_if(view_.drawables.begin(), view_.drawables.end(),
                                 [&](const Drawable& d) { return d.pick == pick; });
    if (it == view_.drawables.end()) return std::nullopt;
    return *it;
}

void Bridge::add_selection(const ViewSetup& setup) {
    for (const std::uint32_t pick : {setup.selected, setup.partner}) {
        const std::optional<Drawable> d = find(pick);
        if (!d) continue;
        const auto mesh =
            std::find_if(meshes_.begin(), meshes_.end(), [&](const ViewMesh& m) { return m.id == d->mesh; });
        if (mesh == meshes_.end()) continue;
        const glm::mat4 world = glm::scale(local_matrix(d->pose), to_glm(d->scale));
        const float strength = setup.steps ? 0.3f : 1.0f, width = setup.steps ? 1.0f : 1.5f;
        const glm::vec4 colour(ink_rgb(Ink::accent, setup.dark),
                               strength * (pick == setup.selected ? 1.0f : 0.6f));
        // A selection is drawn as its edges; a fine mesh gets its box instead.
        if (mesh->topology->edges.size() > 4000) {
            collision::Aabb box;
            for (const collision::Vec3f& p : *mesh->positions) {
                const glm::vec3 w(world * glm::vec4(to_glm(p), 1));
                box.add(collision::Vec3f{w.x, w.y, w.z});
            }
            add_box(box, colour, list_);
            continue;
        }
        for (const collision::Edge& e : mesh->topology->edges) {
            const glm::vec3 from(world * glm::vec4(to_glm((*mesh->positions)[e.vertices[0]]), 1));
            const glm::vec3 to(world * glm::vec4(to_glm((*mesh->positions)[e.vertices[1]]), 1));
            list_.lines.push_back({from, to, colour, width, glm::vec4(0), 0.12f});
        }
    }
}

}  // namespace claybox::app
