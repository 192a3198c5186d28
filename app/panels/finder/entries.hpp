#pragma once
// What the finder offers: scenes, lessons and everything that the program can do.

#include "app/panels/model.hpp"
#include "engine/ui/drawing/icons.hpp"

#include <variant>

namespace claybox::app {

/// Number of an action in SceneDescriptor::actions.
struct SceneAction {
    std::uint32_t number = 0;
};
struct LessonNumber {
    std::size_t number = 0;
};
struct FilmEnding {
    const char* ending = "";
};
struct ExportEnding {
    const char* ending = "";
};

struct FinderEntry {
    enum class Kind : unsigned char { scene, lesson, command };
    Kind kind = Kind::command;
    std::string title;    ///< "Grid"
    std::string group;    ///< "Broad phase"
    std::string keys;     ///< "Ctrl+Z"; empty without a key
    std::string help;     ///< a sentence
    std::string picture;  ///< of a scene: an asset
    engine::Icon icon = engine::Icon::sliders;
    bool current = false;
    std::variant<Command, KeyAction, SceneAction, LessonNumber, FilmEnding, ExportEnding,
                 bool PanelRequests::*>
        act;
};

/// Everything that can be done now: scenes, lessons, commands.
std::vector<FinderEntry> finder_entries(const PanelModel& model, const PanelState& state);

/// Numbers of the entries that the text finds: scenes, lessons, then commands, each kind with its best first.
/// `best`: the place of the best one of all.
std::vector<std::size_t> find_entries(std::span<const FinderEntry> entries, std::string_view text,
                                      std::size_t& best);

void request(const FinderEntry& entry, PanelRequests& requests);

}  // namespace claybox::app
