#pragma once

#include <string_view>

namespace claybox::app {

/// How well `pattern` finds `text`, or -1 if it does not. Every word of the pattern must occur: its letters
/// stand together or begin words of the text in this order, so "bp" finds "Broad phase" and not "bumps". The
/// case of ASCII letters does not matter. An empty pattern finds everything with 0.
int match_score(std::string_view pattern, std::string_view text);

/// Whether `text` contains every word of the pattern, letter by letter. For long texts.
bool contains_words(std::string_view pattern, std::string_view text);

}  // namespace claybox::app
