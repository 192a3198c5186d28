#include "app/session/recording_json.hpp"
#include "collision/version.hpp"
#include "engine/files/path_text.hpp"

#include <new>
#include <utility>

namespace claybox::app {

using namespace collision;
using Json = nlohmann::ordered_json;

void ChangeWatch::start(const Session& session) {
    settings_ = session.settings();
    parameters_ = session.options().scene_parameters;
    rebuilt_ = false;
}

RecordedFrame ChangeWatch::next(const Session& session, const StepInput& input) {
    RecordedFrame frame;
    frame.input = input;
    frame.rebuilt = std::exchange(rebuilt_, false);
    if (const WorldSettings now = session.settings(); now != settings_) frame.settings = settings_ = now;
    if (const ParameterValues& now = session.options().scene_parameters; now != parameters_)
        frame.parameters = parameters_ = now;
    return frame;
}

PassNotes take_passes(Session& session) {
    const PassStats stats = session.world().stats();
    return {session.world().take_pass_boundaries(), session.world().polled_pass(), stats.pass,
            stats.state_hash};
}

namespace {

/// Appends passes to a JSON object, in place of its closing brace.
void write_passes(const PassNotes& notes, std::string& line) {
    Json took = Json::array(), accuracies = Json::array();
    bool reduced = false;
    for (const PassBoundary& at : notes.took) {
        took.push_back(at.frame);
        accuracies.push_back(static_cast<unsigned>(at.accuracy));
        reduced = reduced || at.accuracy != Accuracy::full;
    }
    Json passes{{"took", std::move(took)}};
    if (reduced) passes["accuracy"] = std::move(accuracies);
    passes["polled"] = notes.polled;
    passes["pass"] = notes.pass;
    passes["hash"] = hash_text(notes.hash);
    line.back() = ',';
    line += passes.dump().substr(1);
}

}  // namespace

Result<std::unique_ptr<Recorder>> Recorder::start(const std::filesystem::path& target, Session& session) {
    CLAYBOX_ASSERT(session.frame() == 0);
    if (!session.options().meshes.empty())
        return Error{"cannot be recorded: recordings do not contain mesh files", engine::text_of(target), 0};
    std::unique_ptr<Recorder> out(new Recorder);
    std::string problem;
    if (!out->file_.open(target, problem)) return Error{problem, {}, 0};
    out->watch_.start(session);
    const SceneDescriptor& scene = session.descriptor();
    Json head{{"claybox_recording", 1},
              {"version", CLAYBOX_VERSION},
              {"scene", scene.id},
              {"seed", session.options().seed},
              {"parameters", values_to_json(scene.parameters, out->watch_.parameters())},
              {"settings", settings_to_json(out->watch_.settings())}};
    if (session.options().bodies) head["bodies"] = bodies_to_json(*session.options().bodies);
    out->file_.append(head.dump() + '\n');
    return out;
}

void Recorder::before_step(const Session& session, const StepInput& input) {
    const RecordedFrame frame = watch_.next(session, input);
    stepping_ = true;
    Json line{{"frame", frames_ + 1}};
    if (frame.rebuilt) line["rebuilt"] = true;
    if (frame.settings) line["settings"] = settings_to_json(*frame.settings);
    if (frame.parameters)
        line["parameters"] = values_to_json(session.descriptor().parameters, *frame.parameters);
    Json written = input_to_json(input);
    std::string hands = written.contains("hands") ? written["hands"].dump() : std::string();
    if (!hands.empty() && hands == hands_) written["hands"] = kSameHands;
    hands_ = std::move(hands);
    line.update(written);
    line_ = line.dump();
}

void Recorder::after_step(const PassNotes& passes) {
    write_passes(passes, line_);
    line_ += '\n';
    file_.append(line_);
    last_ = {{}, passes.polled, passes.pass, passes.hash};
    ++frames_;
    stepping_ = false;
}

Status Recorder::finish(Session& session) {
    try {
        if (!stepping_) {
            session.world().wait_idle();
            last_ = take_passes(session);
        }
    } catch (const std::bad_alloc&) {  // of a concurrent pass after the last frame
    }
    Json end{{"end", true}, {"frames", frames_}};
    std::string line = end.dump();
    write_passes(last_, line);
    file_.append(line + '\n');
    if (std::string problem; !file_.commit(problem)) return Error{problem, {}, 0};
    return Done{};
}

}  // namespace claybox::app
