#include "app/cli/manual.hpp"

#include "app/scenes/scene.hpp"
#include "collision/broadphase/broad_phase.hpp"
#include "collision/continuous/registry.hpp"
#include "collision/pairwise/registry.hpp"
#include "collision/version.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

namespace claybox::app {

namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App* command) { return !command->get_name().empty(); });
}

bool takes_value(const CLI::Option& option) {
    return option.get_items_expected_max() > 0;
}

/// Without the limits that CLI11 appends.
std::string type_of(const CLI::Option& option) {
    const std::string all = option.get_type_name();
    return all.substr(0, all.find(':'));
}

/// Letters that man would read as commands are escaped.
std::string roff(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
    }
    return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string switch_name(const CLI::Option& option) {
    return option.get_name(false, true);
}

void describe_switch(const CLI::Option& option, std::string& out) {
    out += ".TP\n\\fB" + roff(switch_name(option)) + "\\fR";
    if (takes_value(option)) out += " \\fI" + roff(type_of(option)) + "\\fR";
    out += '\n' + roff(option.get_description()) + '\n';
}

/// "FILE ", "[NAME] ": what a command takes besides switches.
std::string positionals_of(const CLI::App& command) {
    std::string out;
    for (const CLI::Option* option : command.get_options()) {
        if (!option->get_positional()) continue;
        const std::string name = "\\fI" + roff(type_of(*option)) + "\\fR";
        out += (option->get_required() ? name : "[" + name + "]") + ' ';
    }
    return out;
}

bool has_switch(const CLI::App& app, const CLI::Option& option) {
    const auto all = app.get_options();
    return std::any_of(all.begin(), all.end(), [&](const CLI::Option* o) {
        return !o->get_positional() && switch_name(*o) == switch_name(option) &&
               o->get_description() == option.get_description();
    });
}

/// Switches that the program without a command has as well are named only.
void describe_command(const CLI::App& app, const CLI::App& command, std::string& out) {
    out += ".SS " + roff(command.get_name()) + "\n.B claybox " + roff(command.get_name()) + "\n" +
           positionals_of(command) + "[\\fISWITCHES\\fR]\n.PP\n" + roff(command.get_description()) + ".\n";
    std::string shared, own;
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_positional()) {
            out += ".TP\n\\fI" + roff(type_of(*option)) + "\\fR\n" + roff(option->get_description()) + '\n';
        } else if (option == command.get_help_ptr()) {
            continue;
        } else if (has_switch(app, *option)) {
            shared += (shared.empty() ? "" : ", ") + roff(switch_name(*option));
        } else {
            describe_switch(*option, own);
        }
    }
    out += own;
    if (!shared.empty()) out += ".PP\nAlso takes these switches of the sandbox: " + shared + ".\n";
}

constexpr const char* kEnd =
    ".SH EXIT STATUS\n"
    "0: done. 1: a check failed. 2: bad usage or bad input; one line on standard error names the file, the "
    "line and what was expected. 130: interrupted; all outputs are written.\n"
    ".SH ENVIRONMENT\n"
    ".TP\n.B CLAYBOX_ASSETS\nFolder of the assets, instead of the one beside the program.\n"
    ".TP\n.B XDG_CONFIG_HOME, XDG_STATE_HOME\nFolders of the settings and of the saved clay.\n"
    ".SH FILES\n"
    ".TP\n.I ~/.config/claybox/settings.json\nWindow, theme, panels and the last scene.\n"
    ".TP\n.I ~/.local/state/claybox/autosave\nClay that is saved while you work; a regular end deletes it.\n";

/// Values that a switch of this type can have; empty if they are not a list.
std::vector<std::string> values_of(const std::string& type) {
    std::vector<std::string> out;
    const auto add = [&](const auto& registry) {
        for (const auto* entry : registry) out.emplace_back(entry->id);
    };
    if (type == "SCENE") add(scenes());
    if (type == "PAIR") add(collision::pair_algorithms());
    if (type == "BROAD") add(collision::broad_phases());
    if (type == "CONTINUOUS") {
        add(collision::continuous_algorithms());
        out.emplace_back("off");
    }
    if (type == "EXACTNESS") out = {"exact", "fast"};
    if (type == "PARALLEL") out = {"serial", "pairs", "halves", "dual", "three", "fine"};
    if (type == "LEVEL") out = {"error", "warning", "info", "debug"};
    if (type == "WHAT") out = {"pair", "continuous", "broad", "scene", "tool", "device", "vectors"};
    return out;
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out.append(out.empty() ? "" : " ").append(word);
    return out;
}

/// Words that may follow the command, and values that may follow its switches.
struct Completion {
    std::vector<std::string> words;
    std::map<std::string, std::string> values;  ///< by switch; empty: files
};

Completion completion_of(const CLI::App& command) {
    Completion out;
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_positional()) {
            for (const std::string& value : values_of(type_of(*option))) out.words.push_back(value);
            continue;
        }
        for (const std::string& name : option->get_lnames()) {
            out.words.push_back("--" + name);
            if (takes_value(*option)) out.values["--" + name] = joined(values_of(type_of(*option)));
        }
    }
    return out;
}

/// One branch of the script: the values after the switches of a command, else its words.
std::string branch(const std::string& command, const Completion& completion) {
    std::string out = "        '" + command + "')\n            case $before in\n", others;
    for (const auto& [name, values] : completion.values) {
        if (values.empty()) {
            others.append(others.empty() ? "" : "|").append(name);
            continue;
        }
        out.append("                ").append(name).append(") words='").append(values).append("' ;;\n");
    }
    if (!others.empty()) out.append("                ").append(others).append(") words= ;;\n");
    return out + "                *) words='" + joined(completion.words) + "' ;;\n            esac ;;\n";
}

}  // namespace

std::string manual_page(const CLI::App& app) {
    std::string out = ".TH CLAYBOX 1 \"\" \"claybox " CLAYBOX_VERSION
                      "\" \"User Commands\"\n"
                      ".SH NAME\nclaybox \\- sandbox for collision detection\n.SH SYNOPSIS\n"
                      ".B claybox\n[\\fISWITCHES\\fR]\n";
    for (const CLI::App* command : commands_of(app))
        out += ".br\n.B claybox " + roff(command->get_name()) + "\n" + positionals_of(*command) +
               "[\\fISWITCHES\\fR]\n";
    out += ".SH DESCRIPTION\n" + roff(app.get_description()) +
           "\nWithout a command, a window opens with the last scene.\n.SH OPTIONS\n";
    for (const CLI::Option* option : app.get_options())
        if (!option->get_positional()) describe_switch(*option, out);
    out += ".SH COMMANDS\n";
    for (const CLI::App* command : commands_of(app)) describe_command(app, *command, out);
    return out + kEnd;
}

std::string bash_completion(const CLI::App& app) {
    Completion first = completion_of(app);
    std::string branches, names;
    for (const CLI::App* command : commands_of(app)) {
        first.words.push_back(command->get_name());
        names += (names.empty() ? "" : "|") + command->get_name();
        branches += branch(command->get_name(), completion_of(*command));
    }
    return "# Completion of claybox for bash. Made by: claybox completion\n"
           "_claybox() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= words= i\n"
           "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
           "        case ${COMP_WORDS[i]} in " +
           names +
           ") command=${COMP_WORDS[i]}; break ;; esac\n"
           "    done\n"
           "    case $command in\n" +
           branch("", first) + branches +
           "    esac\n"
           "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
           "}\n"
           "complete -o default -F _claybox claybox\n";
}

}  // namespace claybox::app
