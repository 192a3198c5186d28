#include "app/session/line_source.hpp"
#include "app/session/recording_json.hpp"
#include "app/session/strict_json.hpp"
#include "engine/files/path_text.hpp"

namespace claybox::app {

using namespace collision;
using nlohmann::json;

namespace {

/// Parses the lines of a file into a Recording.
class Reader {
  public:
    Status open(const std::string& file) { return lines_.open(file); }
    Status read();
    std::uint64_t line() const { return lines_.number(); }
    Recording take() { return std::move(out_); }

  private:
    Status head(const json& line);
    Status frame(const json& line);
    Status passes(const json& line, RecordedFrame& frame);
    Status end(const json& line);

    LineSource lines_;
    Recording out_;
    const SceneDescriptor* scene_ = nullptr;
    bool ended_ = false;
    std::uint64_t last_taken_ = 0;
};

Error recording_error(const std::string& message) {
    return Error{message, {}, 0};
}

Status Reader::head(const json& line) {
    std::uint64_t format = 0;
    if (!get_count(line, "claybox_recording", format) || format != 1) {
        return recording_error("not a recording, expected {\"claybox_recording\":1,...}");
    }
    const bool complete = get_text(line, "version", out_.version) &&
                          get_text(line, "scene", out_.options.scene) &&
                          get_count(line, "seed", out_.options.seed) && line.contains("settings") &&
                          line.contains("parameters");
    if (!complete)
        return recording_error("incomplete head, expected version, scene, seed, parameters and settings");
    scene_ = find_scene(out_.options.scene);
    if (scene_ == nullptr) return recording_error("the scene '" + out_.options.scene + "' is not built in");
    const auto values = values_from_json(scene_->parameters, line["parameters"]);
    if (!values) return values.error();
    const auto settings = settings_from_json(line["settings"]);
    if (!settings) return settings.error();
    if (const auto bodies = line.find("bodies"); bodies != line.end()) {
        auto read = bodies_from_json(*bodies);
        if (!read) return read.error();
        out_.options.bodies = std::move(read).value();
    }
    out_.options.scene_parameters = values.value();
    out_.options.settings = settings.value();
    return Done{};
}

/// Adds each pass to the frame whose list it took. A pass may be recorded lines later, when it had finished.
Status Reader::passes(const json& line, RecordedFrame& frame) {
    std::string hash;
    const auto took = line.find("took");
    const bool complete = took != line.end() && took->is_array() && get_count(line, "polled", frame.polled) &&
                          get_count(line, "pass", frame.pass) && get_text(line, "hash", hash) &&
                          hash_from_text(hash, frame.hash);
    if (!complete)
        return recording_error("expected \"took\", \"polled\", \"pass\" and a \"hash\" of 16 hex digits");
    const auto accuracy = line.find("accuracy");
    const bool reduced = accuracy != line.end();
    if (reduced && !(accuracy->is_array() && accuracy->size() == took->size()))
        return recording_error("\"accuracy\" must have as many entries as \"took\"");
    for (std::size_t i = 0; i < took->size(); ++i) {
        const json& at = (*took)[i];
        if (!at.is_number_unsigned() || at.get<std::uint64_t>() < last_taken_ ||
            at.get<std::uint64_t>() > out_.frames.size()) {
            return recording_error("\"took\" has a frame that is out of order");
        }
        last_taken_ = at.get<std::uint64_t>();
        const json step = reduced ? (*accuracy)[i] : json(0u);
        if (!step.is_number_unsigned() || step.get<std::uint64_t>() >= kAccuracies)
            return recording_error("\"accuracy\" has an unknown step");
        if (last_taken_ > 0)
            out_.frames[last_taken_ - 1].passes.push_back(static_cast<Accuracy>(step.get<unsigned>()));
    }
    return Done{};
}

Status Reader::frame(const json& line) {
    std::uint64_t number = 0;
    if (!get_count(line, "frame", number) || number != out_.frames.size() + 1) {
        return recording_error("expected frame " + std::to_string(out_.frames.size() + 1));
    }
    RecordedFrame& frame = out_.frames.emplace_back();
    const StepInput* previous = number > 1 ? &out_.frames[number - 2].input : nullptr;
    if (const Status input = input_from_json(line, *scene_, frame.input, previous); !input) return input;
    if (line.contains("rebuilt") && !get_bool(line, "rebuilt", frame.rebuilt))
        return recording_error("\"rebuilt\" must be true or false");
    if (line.contains("settings")) {
        const auto settings = settings_from_json(line["settings"]);
        if (!settings) return settings.error();
        frame.settings = settings.value();
    }
    if (line.contains("parameters")) {
        const auto values = values_from_json(scene_->parameters, line["parameters"]);
        if (!values) return values.error();
        frame.parameters = values.value();
    }
    RecordedFrame read;
    if (const Status passed = passes(line, read); !passed) return passed;
    frame.polled = read.polled;
    frame.pass = read.pass;
    frame.hash = read.hash;
    return Done{};
}

/// The end line holds passes that finished after the last frame; its hash is the final one of the run.
Status Reader::end(const json& line) {
    std::uint64_t frames = 0;
    if (!get_count(line, "frames", frames) || frames != out_.frames.size()) {
        return recording_error("the end must name the " + std::to_string(out_.frames.size()) +
                               " frames before it");
    }
    RecordedFrame rest;
    if (const Status passed = passes(line, rest); !passed) return passed;
    ended_ = true;
    if (out_.frames.empty()) return Done{};
    out_.frames.back().pass = rest.pass;
    out_.frames.back().hash = rest.hash;
    return Done{};
}

Status Reader::read() {
    std::string text;
    for (;;) {
        switch (lines_.next(text)) {
            case LineSource::Kind::line:
                break;
            case LineSource::Kind::too_long:
                return recording_error("the line is too long");
            case LineSource::Kind::failed:
                return recording_error("read error");
            case LineSource::Kind::end:
                return ended_ ? Status(Done{})
                              : Status(recording_error(
                                    "incomplete recording, expected {\"end\":true,...} as the last line"));
        }
        const Result<json> parsed = parse_strict_json(text);
        if (!parsed) return parsed.error();
        const json& line = parsed.value();
        if (!line.is_object()) return recording_error("expected a JSON object");
        if (ended_) return recording_error("found a line after the end");
        const Status read = scene_ == nullptr ? head(line) : line.contains("end") ? end(line) : frame(line);
        if (!read) return read;
    }
}

}  // namespace

Result<Recording> read_recording(const std::filesystem::path& file) {
    Reader reader;
    if (const Status opened = reader.open(engine::text_of(file)); !opened) return opened.error();
    const Status read = reader.read();
    if (!read) return Error{read.error().message, engine::text_of(file), reader.line()};
    return reader.take();
}

}  // namespace claybox::app
