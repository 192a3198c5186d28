#pragma once
// Answers of `claybox query` to single lines, as text. Used by the command and by the fuzz tests.

#include "app/cli/commands/query_line.hpp"
#include "app/cli/commands/query_shapes.hpp"
#include "app/cli/subcommands.hpp"
#include "collision/continuous/registry.hpp"

#include <algorithm>
#include <chrono>

namespace claybox::app {

/// An algorithm and its parameters after --set.
struct ChosenAlgorithm {
    const collision::PairAlgorithm* algorithm = nullptr;
    collision::ParameterValues parameters;
};

/// The same for a continuous algorithm.
struct ChosenContinuous {
    const collision::ContinuousAlgorithm* algorithm = nullptr;
    collision::ParameterValues parameters;
};

/// The query of one line, ready for any number of algorithms.
struct Question {
    nlohmann::json id;
    std::uint64_t line = 0;
    bool solids_only = false;  ///< a line with vertices is about solids
    PreparedShape *a = nullptr, *b = nullptr;
    collision::Matrix34f matrix_a, matrix_b;
    collision::Motion motion_a, motion_b;
    bool has_motion = false;
};

/// Answers one line after another. Not thread-safe.
class QueryAnswers {
  public:
    QueryAnswers(const QueryArguments& arguments, std::filesystem::path mesh_folder)
        : arguments_(arguments), meshes_(std::move(mesh_folder)) {}

    /// Chooses algorithms and parameters. Call it once, before the first line.
    collision::Status configure();
    /// Appends the answers to the query in `text`, one JSON object per line. For a bad query it appends one
    /// line with the error and returns false.
    bool answer(const std::string& text, std::uint64_t number, std::string& out);
    /// Appends the error for a line that cannot be read.
    static void refuse(std::uint64_t line, const std::string& message, std::string& out);

  private:
    collision::Status assign_all();
    collision::Status parse(const std::string& text, Question& question);
    collision::Result<PreparedShape*> shape_of(const QuerySide& side);
    bool answer(Question& question, std::string& out);
    collision::Status choose_continuous();
    bool answer_motion(Question& question, std::string& out);
    collision::ContinuousQuery make_query(const ChosenContinuous& chosen, Question& question);
    template <class Run>
    auto timed(const Run& run, double& ns) const;
    collision::PairQuery make_query(const ChosenAlgorithm& chosen, Question& question);
    void describe(const Question& question, const ChosenAlgorithm& chosen,
                  const collision::PairResult& result, double ns, std::string& out) const;

    QueryArguments arguments_;
    MeshCache meshes_;
    HullCache hulls_;
    std::vector<ChosenAlgorithm> algorithms_;
    std::vector<ChosenContinuous> continuous_;
    collision::Exactness exactness_ = collision::Exactness::exact;
    bool all_ = false, all_continuous_ = false;
    collision::Scratch scratch_;
    std::vector<std::byte> pool_;
};

/// The answer in place of a question that has none.
std::string refusal(const Question& question, const std::string& algorithm, const std::string& message);

/// Runs a query. With --repeat, `ns` is the median time.
template <class Run>
auto QueryAnswers::timed(const Run& run, double& ns) const {
    std::vector<double> times;
    auto result = run();
    for (std::uint32_t i = 0; i < arguments_.repeat; ++i) {
        const auto start = std::chrono::steady_clock::now();
        result = run();
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
        times.push_back(took.count());
    }
    if (!times.empty()) {
        const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
        std::nth_element(times.begin(), middle, times.end());
        ns = *middle;
    }
    return result;
}

}  // namespace claybox::app
