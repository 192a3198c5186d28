#pragma once

#include "app/cli/cli.hpp"
#include "bench/experiments/experiment.hpp"

namespace claybox::app {

/// `claybox bench papers`: runs all rows that have no findings yet and writes the report. Returns the exit
/// status.
int papers_command(const BenchArguments& arguments, const bench::ExperimentOptions& options);

/// `claybox bench CW-X1`: one row, printed or written like an experiment.
int paper_row_command(const BenchArguments& arguments, const bench::ExperimentOptions& options);

}  // namespace claybox::app
