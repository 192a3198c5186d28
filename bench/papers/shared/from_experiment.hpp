#pragma once
// Findings from an experiment of bench/experiments that measures the same thing.

#include "bench/experiments/experiment.hpp"
#include "bench/papers/findings.hpp"

namespace claybox::bench {

/// An experiment's report, with its values by name.
class Measured {
  public:
    /// Runs the rows of an experiment. Its tables, failure and values are in findings().
    static collision::Result<Measured> run(const char* experiment, const std::vector<std::string>& rows,
                                           const ExperimentOptions& options,
                                           const std::vector<std::string>& algorithms = {});

    /// Of the measurement `name`, without the experiment's id. An unknown name fails an assertion.
    double ns(const std::string& name) const { return find(name).ns; }
    double counter(const std::string& name, const std::string& counter) const;
    /// Whether the times of these measurements vary little enough.
    bool usable(const std::vector<std::string>& names) const;
    /// ns of `slow` divided by ns of `fast`, as text and as a number.
    double ratio(const std::string& slow, const std::string& fast) const { return ns(slow) / ns(fast); }

    Findings findings;

  private:
    const Measurement& find(const std::string& name) const;
    std::string experiment_;
    std::vector<Measurement> measurements_;
};

/// The tables of a Markdown text, each with the title above it.
std::vector<FindingsTable> tables_of(const std::string& markdown);

/// The claim, refused if the times vary too much.
Claim unless_refused(bool usable, Claim claim);

}  // namespace claybox::bench
