#pragma once
// What `claybox query` answers to one line, as text: shared by the command and by programs that feed it lines
// of their own.

#include "app/cli/query_line.hpp"
#include "app/cli/subcommands.hpp"

#include <map>
#include <memory>

namespace claybox::app {

/// An algorithm with the parameters that --set gave it.
struct AskedAlgorithm {
    const collision::PairAlgorithm* algorithm = nullptr;
    collision::ParameterValues parameters;
};

/// A shape with what algorithms prepared of it.
struct PreparedShape {
    collision::ShapePtr shape;
    std::map<const collision::PairAlgorithm*, std::shared_ptr<const collision::Prepared>> prepared;

    const collision::Prepared* prepare(const collision::PairAlgorithm& algorithm);
};

/// Meshes by name, read once; a mesh that cannot be read is remembered as its error.
class MeshCache {
  public:
    /// Meshes lie in `folder` or in meshes/ below it.
    explicit MeshCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

    collision::Result<PreparedShape*> find(const std::string& name);

  private:
    collision::Result<PreparedShape> load(const std::string& name) const;

    std::filesystem::path folder_;
    std::map<std::string, collision::Result<PreparedShape>> shapes_;
};

/// What a line asks, ready to be answered by one algorithm after the other.
struct Question {
    nlohmann::json id;
    std::uint64_t line = 0;
    bool solids_only = false;  ///< a vertices line is about solids
    PreparedShape *a = nullptr, *b = nullptr;
    collision::Matrix34f matrix_a, matrix_b;
    PreparedShape own_a, own_b;  ///< hulls of this line
};

/// Answers lines one after the other. Not for several threads.
class QueryAnswers {
  public:
    QueryAnswers(const QueryArguments& arguments, std::filesystem::path mesh_folder)
        : arguments_(arguments), meshes_(std::move(mesh_folder)) {}

    /// Once, before the first line: which algorithms are asked and with what parameters.
    collision::Status configure();
    /// Appends the answers to `text`, one JSON object a line, or the one line that says what is wrong with
    /// it; then the result is false.
    bool answer(const std::string& text, std::uint64_t number, std::string& out);
    /// Appends what is said in the place of a line that cannot even be read.
    static void refuse(std::uint64_t line, const std::string& message, std::string& out);

  private:
    collision::Status assign_all();
    collision::Status understand(const std::string& text, Question& question);
    collision::Result<PreparedShape*> shape_of(const QuerySide& side, PreparedShape& own);
    bool ask(Question& question, std::string& out);
    collision::PairQuery make_query(const AskedAlgorithm& asked, Question& question);
    collision::PairResult timed(const AskedAlgorithm& asked, const collision::PairQuery& query, double& ns);
    nlohmann::ordered_json describe(const Question& question, const AskedAlgorithm& asked,
                                    const collision::PairResult& result, double ns) const;

    QueryArguments arguments_;
    MeshCache meshes_;
    std::vector<AskedAlgorithm> asked_;
    collision::Exactness exactness_ = collision::Exactness::exact;
    bool all_ = false;
    collision::Scratch scratch_;
    std::vector<std::byte> pool_;
};

}  // namespace claybox::app
