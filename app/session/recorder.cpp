#include "app/session/recording_json.hpp"
#include "collision/version.hpp"

namespace claybox::app {

using namespace collision;
using Json = nlohmann::ordered_json;

namespace {

bool same_settings(const WorldSettings& a, const WorldSettings& b) {
    return settings_to_json(a) == settings_to_json(b);
}

}  // namespace

Result<std::unique_ptr<Recorder>> Recorder::start(const std::filesystem::path& target, Session& session) {
    CLAYBOX_ASSERT(session.frame() == 0);
    if (!session.options().meshes.empty())
        return Error{"cannot be recorded: recordings do not contain mesh files", target.string(), 0};
    std::unique_ptr<Recorder> out(new Recorder);
    std::string problem;
    if (!out->file_.open(target, problem)) return Error{problem, {}, 0};
    out->settings_ = session.settings();
    out->parameters_ = session.options().scene_parameters;
    const SceneDescriptor& scene = session.descriptor();
    const Json head{{"claybox_recording", 1},
                    {"version", CLAYBOX_VERSION},
                    {"scene", scene.id},
                    {"seed", session.options().seed},
                    {"parameters", values_to_json(scene.parameters, out->parameters_)},
                    {"settings", settings_to_json(out->settings_)}};
    out->file_.append(head.dump() + '\n');
    return out;
}

void Recorder::before_step(const Session& session, const StepInput& input) {
    Json line{{"frame", ++frames_}};
    if (rebuilt_) line["rebuilt"] = true;
    rebuilt_ = false;
    if (const WorldSettings now = session.settings(); !same_settings(now, settings_)) {
        settings_ = now;
        line["settings"] = settings_to_json(now);
    }
    if (const ParameterValues& now = session.options().scene_parameters; now != parameters_) {
        parameters_ = now;
        line["parameters"] = values_to_json(session.descriptor().parameters, now);
    }
    Json written = input_to_json(input);
    std::string hands = written.contains("hands") ? written["hands"].dump() : std::string();
    if (!hands.empty() && hands == hands_) written["hands"] = kSameHands;
    hands_ = std::move(hands);
    line.update(written);
    line_ = line.dump();
}

/// Appends the passes since the last call to a JSON object, in place of its closing brace.
void Recorder::write_passes(Session& session, std::string& line) {
    const PassStats stats = session.world().stats();
    Json took = Json::array(), accuracies = Json::array();
    bool reduced = false;
    for (const PassBoundary& at : session.world().take_pass_boundaries()) {
        took.push_back(at.frame);
        accuracies.push_back(static_cast<unsigned>(at.accuracy));
        reduced = reduced || at.accuracy != Accuracy::full;
    }
    Json passes{{"took", std::move(took)}};
    if (reduced) passes["accuracy"] = std::move(accuracies);
    passes["polled"] = session.world().polled_pass();
    passes["pass"] = stats.pass;
    passes["hash"] = hash_text(stats.state_hash);
    line.back() = ',';
    line += passes.dump().substr(1);
}

void Recorder::after_step(Session& session) {
    write_passes(session, line_);
    line_ += '\n';
    file_.append(line_);
}

Status Recorder::finish(Session& session) {
    session.world().wait_idle();
    Json end{{"end", true}, {"frames", frames_}};
    std::string line = end.dump();
    write_passes(session, line);
    file_.append(line + '\n');
    if (std::string problem; !file_.commit(problem)) return Error{problem, {}, 0};
    return Done{};
}

}  // namespace claybox::app
