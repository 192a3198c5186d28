#pragma once
// What a library's module shows: one function with C linkage, claybox_entries. A module is built with the
// program that loads it and refers to nothing in it but this header's inline code.

#include "bench/contestants/contestant.hpp"

extern "C" void claybox_entries(std::vector<claybox::bench::Entry>& out);

namespace claybox::bench {

/// A class derived from Contestant as an entry.
template <class T>
Entry entry(const char* id, const char* title, bool our_support = false) {
    return {id, title, nullptr, [] { return std::make_unique<T>(); }, our_support};
}

}  // namespace claybox::bench
