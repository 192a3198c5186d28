#pragma once

#include <filesystem>

namespace claybox::engine {

/// The folder of the running program; empty if the system does not reveal it.
std::filesystem::path program_folder();
/// The user's configuration folder for Claybox (XDG_CONFIG_HOME, APPDATA, ~/Library ...); created if missing.
/// Empty when there is none.
std::filesystem::path config_folder();
/// The user's folder for the program's own state, such as autosaved work (XDG_STATE_HOME, LOCALAPPDATA,
/// ~/Library ...). It may not exist yet. Empty when there is none.
std::filesystem::path state_folder();

/// Seconds since an arbitrary start, monotonic.
double now_seconds();
/// CPU seconds of the calling thread; waiting does not count.
double thread_seconds();

}  // namespace claybox::engine
