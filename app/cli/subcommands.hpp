#pragma once
// One function per subcommand; each returns the exit status.

#include "app/cli/cli.hpp"
#include "app/cli/switches.hpp"
#include "app/session/recording.hpp"

namespace claybox::app {

struct QueryArguments {
    std::string file;
    std::string pair;         ///< id or title, "all", or empty: the first that fits
    std::string continuous;   ///< the same for lines with a motion; if not empty, for all lines
    double tolerance = 1e-6;  ///< metres, of continuous algorithms that have one
    std::string exactness = "exact";
    bool solid = false;
    std::vector<std::string> assignments;
    std::uint64_t seed = 1;
    std::uint32_t repeat = 0;  ///< 0: not timed
    unsigned workers = 1;
};
int query_command(const QueryArguments& arguments);

struct InspectArguments {
    std::string file;
    bool json = false;
};
int inspect_command(const InspectArguments& arguments);

struct ListArguments {
    std::string what;
    bool json = false, markdown = false;
};
int list_command(const ListArguments& arguments);

int run_command(const Switches& switches, const Frontend& frontend);
/// Runs the sandbox in a window: `claybox` without a subcommand, or `run` without --headless.
int sandbox_command(const Switches& switches, const Frontend& frontend);

/// `every_algorithm`: prints a table of replays with every pair algorithm instead.
int replay_command(const std::string& file, bool every_algorithm, const Switches& switches,
                   const Frontend& frontend);

/// Exit status 1 if an exact algorithm gives another run than the recorded one. At most `limit` frames.
int compare_replays(const Recording& recording, const SessionOptions& options,
                    std::optional<std::uint64_t> limit, const std::string& file);

}  // namespace claybox::app
