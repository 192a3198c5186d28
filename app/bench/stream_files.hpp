#pragma once

#include "app/cli/cli.hpp"

namespace claybox::app {

/// `claybox bench streams --out DIR`: writes each recorded stream into a folder of its own, as mesh files and
/// lines for `claybox query` with the exact answers. Returns the exit status.
int streams_command(const BenchArguments& arguments);

}  // namespace claybox::app
