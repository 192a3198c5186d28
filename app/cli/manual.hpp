#pragma once
// What an installed program brings for its shell, made from the declared commands and switches: a page for
// `man` and the completion for bash.

#include <string>

namespace CLI {
class App;
}

namespace claybox::app {

/// The page claybox(1), in the language of man(7).
std::string manual_page(const CLI::App& app);

/// A script for bash: completes commands, switches, names of scenes and algorithms, and files.
std::string bash_completion(const CLI::App& app);

}  // namespace claybox::app
