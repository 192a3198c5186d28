#pragma once
// Shared by the tests of the papers' experiments.

#include "bench/papers/paper_row.hpp"

#include <gtest/gtest.h>

#include <string>

namespace claybox::bench {

/// A quick run of a row. An error or a wrong answer fails the test, and so does an empty result.
inline Findings quick_row(const char* id) {
    ExperimentOptions options;
    options.quick = true;
    const PaperRow* const row = find_paper_row(id);
    EXPECT_NE(row, nullptr) << id;
    if (row == nullptr) return {};
    const auto found = row->run(options);
    EXPECT_TRUE(found.ok()) << id << ": " << (found.ok() ? "" : found.error().text());
    if (!found.ok()) return {};
    const Findings& f = found.value();
    EXPECT_EQ(f.failure, "") << id;
    EXPECT_FALSE(f.claims.empty()) << id;
    for (const Claim& claim : f.claims) EXPECT_NE(claim.measured, "") << id << ": " << claim.what;
    for (const Plot& plot : f.plots)
        for (const Curve& curve : plot.curves) EXPECT_FALSE(curve.points.empty()) << id << ": " << curve.name;
    return f;
}

/// Whether the claim whose statement begins with `what` holds. For claims about counts only: the seed decides
/// them, not the machine.
inline ::testing::AssertionResult holds(const Findings& findings, const std::string& what) {
    for (const Claim& claim : findings.claims) {
        if (!claim.what.starts_with(what)) continue;
        if (claim.judgement == Judgement::holds) return ::testing::AssertionSuccess();
        return ::testing::AssertionFailure()
               << claim.what << ": " << claim.measured << ", published " << claim.published;
    }
    return ::testing::AssertionFailure() << "no claim begins with: " << what;
}

/// Whether a claim begins with `what`, whatever its judgement: those that times decide.
inline bool is_stated(const Findings& findings, const std::string& what) {
    for (const Claim& claim : findings.claims)
        if (claim.what.starts_with(what)) return true;
    return false;
}

}  // namespace claybox::bench
