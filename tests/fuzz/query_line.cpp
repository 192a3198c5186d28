// Sends arbitrary bytes as lines to `claybox query --pair all`. Every line must have well-formed answers or
// one error with its line number, and exact algorithms of the same meaning must agree.

#include "app/cli/commands/query_answers.hpp"
#include "app/cli/commands/query_scan.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <cmath>
#include <optional>
#include <sstream>

namespace claybox::fuzz {

using namespace collision;
using nlohmann::json;

namespace {

/// The verdicts of the exact algorithms for one line, per meaning: whether the bodies collide.
struct ExactVerdicts {
    std::optional<bool> solid, surface;
};

void check_number(const json& answer, const char* field) {
    if (!answer.contains(field)) return;
    require(answer[field].is_number() && answer[field].get<double>() >= 0, "not a non-negative number",
            field);
}

void check_answer(const json& answer, ExactVerdicts& verdicts) {
    const PairAlgorithm* algorithm = find_pair_algorithm(answer.at("pair").get<std::string>());
    require(algorithm != nullptr, "an answer of an unknown algorithm");
    check_number(answer, "distance");
    check_number(answer, "depth");
    require(answer.at("meaning") == to_string(algorithm->meaning), "the meaning is not the algorithm's",
            algorithm->id);
    if (!algorithm->exact) return;
    require(answer.at("verdict") != "undecided", "undecided", algorithm->id);
    const bool collide = answer.at("collide").get<bool>();
    require(collide == (answer.at("verdict") == "colliding"), "collide contradicts the verdict",
            algorithm->id);
    std::optional<bool>& agreed = algorithm->meaning == Meaning::solid ? verdicts.solid : verdicts.surface;
    require(!agreed || *agreed == collide, "exact algorithms of the same meaning disagree", algorithm->id);
    agreed = collide;
}

void check_answers(const std::string& text, bool good, std::uint64_t number) {
    std::istringstream lines(text);
    std::size_t count = 0;
    ExactVerdicts verdicts;
    for (std::string line; std::getline(lines, line); ++count) {
        const json answer = json::parse(line, nullptr, false);
        require(answer.is_object(), "an answer that is not JSON");
        require(answer.contains("error") == !good, "the status contradicts the answer");
        if (good) {
            check_answer(answer, verdicts);
        } else {
            require(answer.at("line") == number, "an error with a wrong line number");
            require(!answer.at("error").get<std::string>().empty(), "an error without a message");
        }
    }
    require(count >= 1 && (good || count == 1), "a line without an answer");
    if (verdicts.solid && verdicts.surface && *verdicts.surface)
        require(*verdicts.solid, "the surfaces collide but the solids do not");
}

void run(std::string_view text) {
    app::QueryArguments arguments;
    arguments.pair = "all";
    app::QueryAnswers answers(arguments, CLAYBOX_FUZZ_MESHES);
    require(answers.configure().ok(), "configuration failed");
    constexpr std::uint64_t kMaxLines = 4;
    for (std::uint64_t number = 1; number <= kMaxLines && !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (app::scan_query_line(text.substr(0, end)))
            require(app::parse_query_line(text.substr(0, end)).ok(), "the quick reader takes a wrong line");
        std::string out;
        const bool good = answers.answer(std::string(text.substr(0, end)), number, out);
        check_answers(out, good, number);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

}  // namespace

}  // namespace claybox::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    claybox::fuzz::run({reinterpret_cast<const char*>(data), size});
    return 0;
}
