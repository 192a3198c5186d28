#pragma once

#include "app/cli/cli.hpp"

namespace claybox::app {

/// `claybox bench`: lists or runs experiments. Returns the exit status.
int bench_command(const BenchArguments& arguments);

}  // namespace claybox::app
