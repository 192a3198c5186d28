#include "app/panels/finder/match.hpp"

#include <algorithm>
#include <vector>

namespace claybox::app {
namespace {

constexpr int kTogether = 4, kWordStart = 6, kTextStart = 5;

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool starts_word(std::string_view text, std::size_t at) {
    constexpr std::string_view kGaps = " _-.:,(+/";
    return at == 0 || kGaps.find(text[at - 1]) != std::string_view::npos;
}

/// The best score over all places of the letters; -1 if there are none. Letter by letter: `best[j]` is that
/// of the letters so far if the last one stands at j.
int word_score(std::string_view word, std::string_view text) {
    std::vector<int> best(text.size(), -1), next(text.size(), -1);
    for (std::size_t i = 0; i < word.size(); ++i) {
        int before = -1;  // the best of all places that are not the one in front of j
        for (std::size_t j = 0; j < text.size(); ++j) {
            const bool start = starts_word(text, j);
            const int together = i > 0 && j > 0 && best[j - 1] >= 0 ? best[j - 1] + kTogether : -1;
            const int from = i == 0 ? 0 : std::max(together, start ? before : -1);
            const bool fits = from >= 0 && lower(text[j]) == lower(word[i]);
            next[j] = fits ? from + (start ? kWordStart : 0) + (j == 0 ? kTextStart : 0) : -1;
            if (i > 0 && j > 0) before = std::max(before, best[j - 1]);
        }
        best.swap(next);
    }
    return best.empty() ? -1 : *std::max_element(best.begin(), best.end());
}

bool contains(std::string_view word, std::string_view text) {
    return std::search(text.begin(), text.end(), word.begin(), word.end(),
                       [](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

/// Takes the next word from the pattern; empty at its end.
std::string_view take_word(std::string_view& pattern) {
    pattern.remove_prefix(std::min(pattern.find_first_not_of(' '), pattern.size()));
    const std::string_view word = pattern.substr(0, pattern.find(' '));
    pattern.remove_prefix(word.size());
    return word;
}

}  // namespace

int match_score(std::string_view pattern, std::string_view text) {
    int score = 0;
    for (std::string_view word = take_word(pattern); !word.empty(); word = take_word(pattern)) {
        const int part = word_score(word, text);
        if (part < 0) return -1;
        score += part;
    }
    return score;
}

bool contains_words(std::string_view pattern, std::string_view text) {
    for (std::string_view word = take_word(pattern); !word.empty(); word = take_word(pattern))
        if (!contains(word, text)) return false;
    return true;
}

}  // namespace claybox::app
