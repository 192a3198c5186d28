// The headset frame of the sandbox.

#include "app/bridge/sandbox/sandbox.hpp"

#include <algorithm>

namespace claybox::app {
namespace {

const glm::vec4 kAccent{0.784f, 0.392f, 0.235f, 1}, kPaper{0.957f, 0.945f, 0.925f, 1};
constexpr double kSignHeight = 0.011;  // capital letters of labels at kSignDistance, metres of the room
constexpr double kSignDistance = 0.6;  // farther labels are larger
constexpr int kBoardFrames = 3;        // frames between two pictures of the panels
constexpr float kFullPicture = 1000;   // pixels of an eye's height at which lines have their nominal width

glm::mat4 matrix_of(const glm::dvec3& position, const glm::dquat& rotation, double scale) {
    glm::mat4 m = glm::mat4_cast(glm::quat(rotation)) * static_cast<float>(scale);
    m[3] = glm::vec4(glm::vec3(position), 1);
    return m;
}

}  // namespace

void Sandbox::set_resolution_share(double share) {
    const bool full = share >= 1;
    renderer_.set_samples(full && !software_ ? 4 : 0);
    renderer_.set_resolution(full ? 1.0f : static_cast<float>(share));
}

/// Adds the boards of rail, cards and bar, each a part of the panels' picture.
void Sandbox::add_boards(const HeadsetView& view) {
    if (state_.hidden || view.panels == nullptr) return;
    const auto w = static_cast<float>(view.panel_width), h = static_cast<float>(view.panel_height);
    const double scale = view.place->scale();
    for (const BoardPart& part : view.boards->parts()) {
        const RoomPose pose = view.boards->pose(part);
        engine::Board board;
        board.texture = view.panels->texture();
        board.world_from_board =
            matrix_of(view.place->to_scene(pose.position), view.place->to_scene(pose.rotation), 1);
        board.width = static_cast<float>(static_cast<double>(part.x1 - part.x0) * kBoardPixel * scale);
        board.height = static_cast<float>(static_cast<double>(part.y1 - part.y0) * kBoardPixel * scale);
        board.radius = static_cast<float>(kBoardRadius * scale);
        board.uv = {part.x0 / w, 1 - part.y1 / h, part.x1 / w, 1 - part.y0 / h};
        bridge_.list().boards.push_back(board);
    }
}

/// Adds the ray that points at a board, and its end point.
void Sandbox::add_pointers(const HeadsetView& view) {
    const BoardPointer::State& pointer = *view.pointer;
    if (!pointer.on_board || pointer.poking || pointer.hand < 0) return;
    const std::optional<RoomPose>& ray = view.fingers[static_cast<std::size_t>(pointer.hand)].ray;
    if (!ray) return;
    const glm::dvec3 end = ray->position + ray->rotation * glm::dvec3(0, 0, -pointer.distance);
    engine::Line line;
    line.from = glm::vec3(view.place->to_scene(ray->position));
    line.to = glm::vec3(view.place->to_scene(end));
    line.colour = kAccent;
    bridge_.list().lines.push_back(line);
    bridge_.list().discs.push_back({line.to, kAccent, pointer.down ? 5.0f : 7.0f, kPaper});
}

/// Adds the scene's labels as signs that face the viewer; in the window they are drawn over the picture.
void Sandbox::add_signs(const HeadsetView& view) {
    const glm::dvec3 eye = view.place->to_scene(view.head.position);
    const glm::dvec3 up = view.place->to_scene(view.head.rotation) * glm::dvec3(0, 1, 0);
    const double scale = view.place->scale();
    for (const ViewLabel& label : bridge_.view().labels) {
        if (label.engraved) continue;
        const glm::dvec3 at(label.p.x, label.p.y, label.p.z);
        const glm::dvec3 back = eye - at;
        const double distance = glm::length(back);
        const glm::dvec3 right = glm::cross(up, back);
        if (!(distance > 1e-6) || !(glm::length(right) > 1e-6 * distance)) continue;
        const glm::dvec3 z = back / distance, x = glm::normalize(right);
        engine::EngravedText text;
        text.text = label.text;
        text.world_from_text = matrix_of(at, glm::quat_cast(glm::dmat3(x, glm::cross(z, x), z)), 1);
        text.height = static_cast<float>(kSignHeight * std::max(scale, distance / kSignDistance));
        bridge_.list().texts.push_back(std::move(text));
    }
}

void Sandbox::draw_eyes(const HeadsetView& view) {
    using Shadows = engine::Renderer::Shadows;
    Shadows shadows = Shadows::draw;
    engine::CameraData& camera = bridge_.list().camera;
    camera.near_plane = static_cast<float>(view.near_plane * view.place->scale());
    camera.far_plane = static_cast<float>(view.far_plane * view.place->scale());
    for (const EyeTarget& eye : view.eyes) {
        if (eye.framebuffer == 0) continue;
        camera.position = glm::vec3(view.place->to_scene(eye.position));
        camera.eye = eye.view;
        camera.eye->world_from_eye = glm::quat(view.place->to_scene(glm::dquat(eye.view.world_from_eye)));
        const float scale = std::max(0.5f, static_cast<float>(eye.height) / kFullPicture);
        renderer_.draw(bridge_.list(), {eye.width, eye.height, scale}, eye.framebuffer, eye.depth_format,
                       shadows);
        shadows = Shadows::keep;
    }
}

/// Redraws the panels in every third frame, and in every frame while a finger points at them.
void Sandbox::draw_boards(const HeadsetView& view) {
    draw_panels(ui_, model(), state_, requests_);
    compare();
    const bool wanted =
        view.panels != nullptr && !state_.hidden && (view.pointer->on_board || ++board_age_ >= kBoardFrames);
    if (!wanted) return ui_.end_without_drawing();
    board_age_ = 0;
    view.panels->bind(0, 0, 0, 0);
    ui_.end();
    view.panels->generate_mipmaps();
}

void Sandbox::headset_frame(const HeadsetView& view) {
    in_headset_ = true;
    use_build();
    update_layout(view.panel_width, view.panel_height);
    const BoardPointer::State& pointer = *view.pointer;
    ui_.point(pointer.on_board ? pointer.x : -1, pointer.on_board ? pointer.y : -1, pointer.down);
    ui_.begin(view.panel_width, view.panel_height, view.dt);
    devices_.update(ui_.input(), view.panel_width, view.panel_height, ui_.time());
    handle_devices();
    repeat_step_keys(view.dt);
    take_drops();
    lap(Stage::input);
    offer_hands(view.hands);
    step_session(view.dt);
    engine::CameraData camera;
    camera.position = glm::vec3(view.place->to_scene(view.head.position));
    camera.target = glm::vec3(
        view.place->to_scene(view.head.position + view.head.rotation * glm::dvec3(0, 0, -kSignDistance)));
    const ViewSetup setup{camera,      view.panel_width, view.panel_height, ui_.scale(),
                          state_.dark, selected_,        partner_,          state_.trace.on};
    const std::array<HandInput, 2> hands = newest_hands();  // a headset shows more frames than steps
    ViewOptions options = state_.view;
    options.newest_hands = &hands;
    build_picture(options, setup);
    inspector_.look_at(looking_);
    inspector_.inspect(*session_, bridge_, selected_, partner_, state_.trace, inspection_);
    bridge_.add_marks(inspector_.marks(), setup);
    add_boards(view);
    add_pointers(view);
    if (options.labels) add_signs(view);
    lap(Stage::view);
    draw_boards(view);
    lap(Stage::panels);
    draw_eyes(view);
    lap(Stage::draw);
    carry_out(requests_);
    continue_turntable();
    continue_film();
    watch_for_rest();
    lap(Stage::input);
}

}  // namespace claybox::app
