// Any bytes as lines of `claybox query --pair all`: every line has its answers or one error in its place, all
// of them well-formed, and exact algorithms of one meaning agree.

#include "app/cli/query_answers.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <cmath>
#include <optional>
#include <sstream>

namespace claybox::fuzz {

using namespace collision;
using nlohmann::json;

namespace {

/// What exact algorithms of the two meanings said about one line.
struct Said {
    std::optional<bool> solid, surface;
};

void check_number(const json& answer, const char* field) {
    if (!answer.contains(field)) return;
    require(answer[field].is_number() && answer[field].get<double>() >= 0, "not a length", field);
}

void check_answer(const json& answer, Said& said) {
    const PairAlgorithm* algorithm = find_pair_algorithm(answer.at("pair").get<std::string>());
    require(algorithm != nullptr, "an answer of nobody");
    check_number(answer, "distance");
    check_number(answer, "depth");
    require(answer.at("meaning") == to_string(algorithm->meaning), "another meaning", algorithm->id);
    if (!algorithm->exact) return;
    require(answer.at("verdict") != "undecided", "undecided", algorithm->id);
    const bool collide = answer.at("collide").get<bool>();
    require(collide == (answer.at("verdict") == "colliding"), "two answers in one", algorithm->id);
    std::optional<bool>& agreed = algorithm->meaning == Meaning::solid ? said.solid : said.surface;
    require(!agreed || *agreed == collide, "exact algorithms of one meaning disagree", algorithm->id);
    agreed = collide;
}

void check_answers(const std::string& text, bool good, std::uint64_t number) {
    std::istringstream lines(text);
    std::size_t count = 0;
    Said said;
    for (std::string line; std::getline(lines, line); ++count) {
        const json answer = json::parse(line, nullptr, false);
        require(answer.is_object(), "an answer that is not JSON");
        require(answer.contains("error") == !good, "status and answer differ");
        if (good) {
            check_answer(answer, said);
        } else {
            require(answer.at("line") == number, "an error in another line's place");
            require(!answer.at("error").get<std::string>().empty(), "an error without words");
        }
    }
    require(count >= 1 && (good || count == 1), "a line without an answer");
    if (said.solid && said.surface && *said.surface) require(*said.solid, "surfaces meet and solids do not");
}

void run(std::string_view text) {
    app::QueryArguments arguments;
    arguments.pair = "all";
    app::QueryAnswers answers(arguments, CLAYBOX_FUZZ_MESHES);
    require(answers.configure().ok(), "not configured");
    constexpr std::uint64_t kMostLines = 4;
    for (std::uint64_t number = 1; number <= kMostLines && !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
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
