#include "app/session/session.hpp"

#include "app/scenes/hands/hand_bodies.hpp"
#include "engine/hand/hand_selector.hpp"

#include <charconv>
#include <chrono>
#include <cmath>
#include <utility>

namespace claybox::app {

using collision::Done;
using collision::Error;
using collision::Status;

namespace {

Error refused(std::string message) {
    return Error{std::move(message), {}, 0};
}

/// The entry with this id, or the one after `current` if `id` is "next"; null for an unknown id.
template <class Descriptor>
const Descriptor* choose(std::span<const Descriptor* const> table, const Descriptor* current,
                         std::string_view id) {
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (id == "next" ? table[i] == current : id == table[i]->id) {
            return id == "next" ? table[(i + 1) % table.size()] : table[i];
        }
    }
    return id == "next" && !table.empty() ? table[0] : nullptr;
}

/// Applies the word `on`, the word `off` or "toggle" to `value`; false for any other text.
bool choose_switch(std::string_view text, std::string_view on, std::string_view off, bool& value) {
    if (text == "toggle") {
        value = !value;
    } else if (text == on || text == off) {
        value = text == on;
    } else {
        return false;
    }
    return true;
}

Status switch_parallel(const std::string& text, collision::WorldSettings& settings) {
    constexpr std::string_view kToggle = "toggle ";
    const bool toggles = text.starts_with(kToggle);
    const auto mode = collision::parallel_mode(toggles ? text.substr(kToggle.size()) : text);
    if (!mode)
        return refused("parallel: '" + text + "', expected serial, switches joined by '+', or toggle NAME");
    const auto bits = static_cast<unsigned>(*mode), now = static_cast<unsigned>(settings.parallel);
    settings.parallel = static_cast<collision::ParallelMode>(toggles ? now ^ bits : bits);
    return Done{};
}

Status set_workers(const std::string& text, collision::WorldSettings& settings) {
    unsigned count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc{} || end != text.data() + text.size() || count < 1 || count > kMaxWorkers)
        return refused("workers: '" + text + "' is not a number from 1 to " + std::to_string(kMaxWorkers));
    settings.workers = count;
    return Done{};
}

Status switch_continuous(const std::string& text, collision::WorldSettings& settings) {
    if (choose_switch(text, "on", "off", settings.continuous)) return Done{};
    const auto* chosen = choose(collision::continuous_algorithms(), settings.continuous_algorithm, text);
    if (chosen == nullptr)
        return refused("continuous: '" + text + "' is not a continuous algorithm, on, off or toggle");
    settings.continuous = true;
    settings.continuous_algorithm = chosen;
    settings.continuous_parameters = collision::default_values(chosen->parameters);
    return Done{};
}

/// Executes the commands with a "name=value" text.
Status set_values(const Command& command, collision::WorldSettings& settings) {
    switch (command.kind) {
        case Command::Kind::pair_parameter:
            return set_by_name(settings.pair_algorithm->parameters, command.text, settings.pair_parameters);
        case Command::Kind::continuous_parameter:
            if (settings.continuous_algorithm == nullptr) return refused("there is no continuous algorithm");
            return set_by_name(settings.continuous_algorithm->parameters, command.text,
                               settings.continuous_parameters);
        case Command::Kind::broad_parameter:
            return set_by_name(settings.broad_phase->parameters, command.text, settings.broad_parameters);
        case Command::Kind::bound_parameter:
            return set_by_name(collision::bound_parameters(), command.text, settings.bound_parameters);
        case Command::Kind::module_parameter: {
            collision::ParameterValues values = module_values(settings);
            const Status set = set_by_name(module_parameters(), command.text, values);
            set_module_values(values, settings);
            return set;
        }
        default:
            return refused("this command is for the application, not the session");
    }
}

Status switch_settings(const Command& command, collision::WorldSettings& settings) {
    switch (command.kind) {
        case Command::Kind::pair_algorithm: {
            const auto* chosen = choose(collision::pair_algorithms(), settings.pair_algorithm, command.text);
            if (chosen == nullptr) return refused("'" + command.text + "' is not a pair algorithm");
            settings.pair_algorithm = chosen;
            settings.pair_parameters = collision::default_values(chosen->parameters);
            return Done{};
        }
        case Command::Kind::broad_phase: {
            const auto* chosen = choose(collision::broad_phases(), settings.broad_phase, command.text);
            if (chosen == nullptr) return refused("'" + command.text + "' is not a broad phase");
            settings.broad_phase = chosen;
            settings.broad_parameters = collision::default_values(chosen->parameters);
            return Done{};
        }
        case Command::Kind::continuous:
            return switch_continuous(command.text, settings);
        case Command::Kind::concurrent:
            if (choose_switch(command.text, "on", "off", settings.concurrent)) return Done{};
            return refused("concurrent: '" + command.text + "' is not on, off or toggle");
        case Command::Kind::exactness: {
            bool exact = settings.exactness == collision::Exactness::exact;
            if (!choose_switch(command.text, "exact", "fast", exact)) {
                return refused("exactness: '" + command.text + "' is not exact, fast or toggle");
            }
            settings.exactness = exact ? collision::Exactness::exact : collision::Exactness::fast;
            return Done{};
        }
        case Command::Kind::parallel:
            return switch_parallel(command.text, settings);
        case Command::Kind::workers:
            return set_workers(command.text, settings);
        default:
            return set_values(command, settings);
    }
}

bool in_range(const collision::Parameter& p, double value) {
    double low = p.min, high = p.max;
    if (p.kind == collision::ParameterKind::choice) low = 0, high = static_cast<double>(p.choices.size()) - 1;
    if (p.kind == collision::ParameterKind::toggle) low = 0, high = 1;
    const bool whole = p.kind == collision::ParameterKind::real || value == std::trunc(value);
    return value >= low && value <= high && whole;
}

bool is_for_session(Command::Kind kind) {
    return kind < Command::Kind::scene;  // the others are for the application
}

}  // namespace

Status set_by_name(std::span<const collision::Parameter> table, const std::string& text,
                   collision::ParameterValues& values) {
    const std::size_t equals = text.find('=');
    const std::size_t index = collision::find_parameter(table, std::string_view(text).substr(0, equals));
    if (equals == std::string::npos || index == table.size())
        return refused("'" + text + "' is not name=value of a parameter");
    const auto value = collision::parse_parameter(table[index], std::string_view(text).substr(equals + 1));
    if (!value.ok()) return value.error();
    values[index] = value.value();
    return Done{};
}

collision::Result<BuiltScene> build_scene(const SessionOptions& options) {
    BuiltScene out{options, find_scene(options.scene), nullptr, nullptr};
    if (out.descriptor == nullptr) return refused("'" + options.scene + "' is not a scene");
    for (std::size_t i = 0; i < out.descriptor->parameters.size(); ++i) {
        const collision::Parameter& parameter = out.descriptor->parameters[i];
        if (!in_range(parameter, options.scene_parameters[i])) {
            return refused(std::string("parameter ") + parameter.id + " is out of its range");
        }
    }
    out.world = std::make_unique<collision::World>(options.settings);
    out.scene = out.descriptor->make();
    out.scene->set_meshes(out.options.meshes);
    if (out.options.bodies) out.scene->set_bodies(*out.options.bodies);
    const Status built = out.scene->build(*out.world, options.scene_parameters, options.seed);
    if (!built.ok()) return built.error();
    return out;
}

Session::Session(BuiltScene built, std::uint64_t before)
    : options_(std::move(built.options)),
      descriptor_(built.descriptor),
      world_(std::move(built.world)),
      scene_(std::move(built.scene)),
      frame_(before),
      builds_(1) {}

collision::Result<std::unique_ptr<Session>> Session::create(const SessionOptions& options,
                                                            std::uint64_t before) {
    auto built = build_scene(options);
    if (!built.ok()) return built.error();
    return std::make_unique<Session>(std::move(built).value(), before);
}

SessionOptions Session::rebuild_options() const {
    SessionOptions out = options_;
    out.settings = world_->settings();
    return out;
}

collision::Result<SessionOptions> Session::options_with(std::size_t parameter, double value) const {
    if (parameter >= descriptor_->parameters.size()) return refused("the scene has no such parameter");
    const collision::Parameter& chosen = descriptor_->parameters[parameter];
    if (!in_range(chosen, value)) {
        return refused(std::string("parameter ") + chosen.id + " is out of its range");
    }
    SessionOptions out = rebuild_options();
    out.scene_parameters[parameter] = value;
    if (!builds_anew(parameter)) return out;
    out.bodies.reset();
    if (descriptor_->place_mesh != nullptr) {  // the user wants another shape
        out.meshes.clear();
        out.mesh_files.clear();
    }
    return out;
}

void Session::install(BuiltScene built, bool keep) {
    CLAYBOX_ASSERT(built.descriptor == descriptor_);
    if (const collision::WorldSettings now = world_->settings(); now != built.options.settings)
        built.world->set_settings(now);
    collision::ParameterValues values = built.options.scene_parameters;
    for (std::size_t i = 0; i < descriptor_->parameters.size(); ++i)
        if (!builds_anew(i)) values[i] = options_.scene_parameters[i];
    if (values != built.options.scene_parameters) built.scene->set_parameters(values);
    if (options_.meshes.size() > built.options.meshes.size() && descriptor_->edits == EditSupport::all) {
        built.options.meshes = options_.meshes;  // add_mesh() was called between
        built.options.mesh_files = options_.mesh_files;
        built.scene->set_meshes(built.options.meshes);
    }
    if (keep) built.scene->keep_work(*scene_, *built.world);
    scene_ = std::move(built.scene);  // first, because the old scene may refer to the old world and meshes
    world_ = std::move(built.world);
    built.options.settings = options_.settings;
    built.options.scene_parameters = values;
    options_ = std::move(built.options);
    ++builds_;
    switched_in_ = 0;
}

Status Session::rebuild() {
    auto built = build_scene(rebuild_options());
    if (!built.ok()) return built.error();
    install(std::move(built).value(), false);
    return Done{};
}

const FrameReport& Session::step(StepInput input) {
    const auto start = std::chrono::steady_clock::now();
    input.frame = ++frame_;
    output_.clear();
    scene_->step(*world_, input, output_);
    std::vector<Command> commands;
    commands.swap(output_.commands);
    for (Command& command : commands) {
        // Failed commands and commands for the application stay for the owner.
        if (!is_for_session(command.kind) || !apply(command).ok())
            output_.commands.push_back(std::move(command));
    }
    report_.frame = frame_;
    report_.pass = world_->stats();
    report_.state_hash = report_.pass.state_hash;
    report_.step_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report_;
}

std::vector<Figure> Session::figures(const collision::PassStats& pass) const {
    std::vector<Figure> out = scene_->figures();
    for (Figure& figure : out)
        if (std::string_view(figure.id) == "contacts") figure.value = static_cast<double>(pass.colliding);
    return out;
}

Status Session::apply(const Command& command) {
    if (command.kind == Command::Kind::set_parameter) {
        collision::ParameterValues values = options_.scene_parameters;
        if (const Status read = set_by_name(descriptor_->parameters, command.text, values); !read)
            return read;
        for (std::size_t i = 0; i < descriptor_->parameters.size(); ++i)
            if (values[i] != options_.scene_parameters[i]) return set_parameter(i, values[i]);
        return Done{};
    }
    collision::WorldSettings settings = world_->settings();
    const Status switched = switch_settings(command, settings);
    if (switched.ok()) set_settings(settings);
    return switched;
}

Status Session::set_parameter(std::size_t index, double value) {
    const auto options = options_with(index, value);
    if (!options.ok()) return options.error();
    if (!builds_anew(index)) {
        options_.scene_parameters = options.value().scene_parameters;
        scene_->set_parameters(options_.scene_parameters);
        return Done{};
    }
    auto built = build_scene(options.value());
    if (!built.ok()) return built.error();
    install(std::move(built).value(), true);
    return Done{};
}

void Session::add_mesh(collision::ShapePtr mesh, std::string file) {
    options_.mesh_files.resize(options_.meshes.size());
    options_.mesh_files.push_back(std::move(file));
    options_.meshes.push_back(std::move(mesh));
    scene_->set_meshes(options_.meshes);
}

void Session::set_settings(const collision::WorldSettings& settings) {
    const collision::WorldSettings before = world_->settings();
    if (before.broad_phase != settings.broad_phase || before.assert_pairs != settings.assert_pairs)
        switched_in_ = frame_ + 1;
    world_->set_settings(settings);
    options_.settings = settings;
}

HandInput to_hand_input(const engine::HandState& state) {
    static_assert(kHandParts == engine::kHandPartCount && kIndexTip == engine::kIndexTipPart);
    // A lost hand has faded out before another source takes over.
    static_assert(HandBodies::kFadeSeconds <= engine::kHandFade);
    HandInput input;
    input.present = state.present;
    for (std::size_t i = 0; i < state.part.size(); ++i) {
        const engine::HandPart& part = state.part[i];
        input.part[i].translation = {part.position.x, part.position.y, part.position.z};
        input.part[i].rotation = {part.rotation.w, part.rotation.x, part.rotation.y, part.rotation.z};
        input.radius[i] = part.radius;
        input.length[i] = part.length;
    }
    input.pinch = state.pinch;
    input.grip = state.grip;
    input.scale = state.scale;
    return input;
}

engine::HandPose to_hand_pose(const HandKey& key) {
    engine::HandPose pose;
    const collision::Vec3d& t = key.wrist.translation;
    const collision::Quat& q = key.wrist.rotation;
    pose.wrist = {t.x, t.y, t.z};
    pose.rotation = glm::dquat(q.w, q.x, q.y, q.z);
    pose.curl = key.curl;
    return pose;
}

std::optional<HandKey> script_key(const Scene& scene, std::uint64_t frame) {
    const std::span<const HandKey> script = scene.script();
    if (script.empty() || frame < script.front().frame) return std::nullopt;
    std::size_t next = 1;
    while (next < script.size() && script[next].frame <= frame) ++next;
    const HandKey& from = script[next - 1];
    if (next == script.size()) return from;
    const HandKey& to = script[next];
    const double t = static_cast<double>(frame - from.frame) / static_cast<double>(to.frame - from.frame);
    HandKey now = from;
    now.wrist.translation = from.wrist.translation + (to.wrist.translation - from.wrist.translation) * t;
    now.wrist.rotation = collision::slerp(from.wrist.rotation, to.wrist.rotation, t);
    for (std::size_t f = 0; f < now.curl.size(); ++f) {
        now.curl[f] = from.curl[f] + (to.curl[f] - from.curl[f]) * static_cast<float>(t);
    }
    return now;
}

HandInput scripted_hand(const Scene& scene, std::uint64_t frame) {
    const std::optional<HandKey> key = script_key(scene, frame);
    return key ? to_hand_input(engine::pose_hand(to_hand_pose(*key))) : HandInput{};
}

}  // namespace claybox::app
