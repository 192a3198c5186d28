#include "app/session/compare/saved_pair.hpp"

#include "app/session/pair_line.hpp"
#include "app/session/recording_json.hpp"
#include "app/session/shape_file.hpp"
#include "engine/files/path_text.hpp"
#include "engine/files/write_file.hpp"

namespace claybox::app {
namespace {

using Json = nlohmann::ordered_json;

Json head_of(const PairSubject& subject, const SavedPairNotes& notes, const Truth& truth) {
    Json out{{"id", subject.name_a + " and " + subject.name_b}};
    if (!notes.scene.empty()) out["scene"] = notes.scene;
    out["frame"] = subject.frame;
    const auto put = [&](const char* field, collision::Verdict verdict) {
        if (verdict != collision::Verdict::undecided) out[field] = collision::to_string(verdict);
    };
    put("expected", truth.solid);
    put("expected_surface", truth.surface);
    Json answers = Json::object();
    for (const AlgorithmAnswer& answer : notes.answers)
        if (!answer.along_motion && answer.standing != Standing::no_answer)
            answers[answer.id] = collision::to_string(answer.verdict);
    if (!answers.empty()) out["answers"] = std::move(answers);
    out["matrix_a"] = matrix_to_json(subject.world_from_a);
    out["matrix_b"] = matrix_to_json(subject.world_from_b);
    return out;
}

/// The answers were about this subject at this moment.
bool a_surface_differs(std::span<const AlgorithmAnswer> answers) {
    for (const AlgorithmAnswer& answer : answers)
        if (answer.standing == Standing::disagrees && answer.meaning == collision::Meaning::surface)
            return true;
    return false;
}

bool write_files(const PairSubject& subject, const SavedPairNotes& notes, engine::FileWriter& file,
                 std::string& error) {
    collision::Scratch scratch;
    const Truth truth = find_truth(subject, scratch);
    const Json head = head_of(subject, notes, truth);
    const bool convex = subject.a->hull() != nullptr && subject.b->hull() != nullptr;
    std::string text;
    if (convex) {
        Json line = head;
        line["a"] = hull_to_json(*subject.a);
        line["b"] = hull_to_json(*subject.b);
        text += line.dump() + "\n";
    }
    if (!convex || a_surface_differs(notes.answers)) {
        const std::filesystem::path stem = file.target().parent_path() / file.target().stem();
        std::filesystem::path a = stem, b = stem;
        a += "-a.obj";
        b += "-b.obj";
        Json line = head;
        line["a"] = {{"mesh", engine::text_of(a.filename())}};
        line["b"] = {{"mesh", engine::text_of(b.filename())}};
        text += line.dump() + "\n";
        if (!write_shape(a, *subject.a, error) || !write_shape(b, *subject.b, error)) return false;
    }
    file.append(text);
    return true;
}

}  // namespace

bool save_pair(const PairSubject& subject, const SavedPairNotes& notes, const std::filesystem::path& folder,
               std::filesystem::path& file, std::string& error) {
    const auto write = [&](engine::FileWriter& line, std::string& problem) {
        return write_files(subject, notes, line, problem);
    };
    return engine::write_new_file(folder, "claybox-pair-", ".jsonl", write, file, error);
}

}  // namespace claybox::app
