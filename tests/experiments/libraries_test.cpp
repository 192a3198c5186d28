// Comparison modules: those that are not built are named, with what installs and builds them.

#include "bench/contestants/contestant.hpp"

#include <gtest/gtest.h>

namespace claybox::bench {
namespace {

TEST(Libraries, each_has_contestants_or_a_reason_that_says_how_to_get_them) {
    for (const auto* libraries :
         {&convex_libraries(), &mesh_libraries(), &broad_libraries(), &continuous_libraries()}) {
        ASSERT_FALSE(libraries->empty());
        for (const Library& library : *libraries) {
            const bool found = !library.entries.empty() || !library.deforming.empty() ||
                               !library.broad.empty() || !library.continuous.empty();
            EXPECT_EQ(found, library.missing_reason.empty()) << library.name;
            if (found || !library.missing_reason.starts_with("not built")) continue;
            EXPECT_NE(library.missing_reason.find("./scripts/bench installs " + library.package),
                      std::string::npos)
                << library.missing_reason;
        }
    }
}

}  // namespace
}  // namespace claybox::bench
