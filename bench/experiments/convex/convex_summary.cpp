// Compares the results of this run with those of the papers.

#include "bench/experiments/convex/convex_report.hpp"

#include <algorithm>

namespace claybox::bench {

namespace {

constexpr const char* kSeparatingVector = "separating_vector";
constexpr std::uint32_t kPaperVertices = 500;  // Chung and Wang, figure 4(i)
constexpr std::uint32_t kPaperSteps = 3;

bool papers_motion(const ConvexRow& row) {
    return row.step == 5 && row.turn == 10;
}

const ConvexRowResult* find_row(const ConvexRun& run, const ConvexRow& wanted) {
    for (const ConvexRowResult& row : run.rows)
        if (row.row == wanted) return &row;
    return nullptr;
}

std::uint64_t count_of(const Histogram& h) {
    std::uint64_t out = 0;
    for (const auto& [k, n] : h) out += n;
    return out;
}

std::uint64_t count_up_to(const Histogram& h, std::uint32_t max) {
    std::uint64_t out = 0;
    for (const auto& [k, n] : h) out += k <= max ? n : 0;
    return out;
}

std::string percent(std::uint64_t part, std::uint64_t all) {
    return all == 0 ? "-"
                    : format_number("%.1f %%", 100.0 * static_cast<double>(part) / static_cast<double>(all));
}

/// Growth of the time from 20 to 2000 vertices, in the papers' motion.
std::string growth(const ConvexRun& run) {
    std::string out;
    for (const ConvexRowResult& few : run.rows) {
        if (!papers_motion(few.row) || few.row.vertices != 20) continue;
        ConvexRow wanted = few.row;
        wanted.vertices = 2000;
        const ConvexRowResult* many = find_row(run, wanted);
        const PlayResult* a = find_result(few, "best");
        const PlayResult* b = many == nullptr ? nullptr : find_result(*many, "best");
        if (a == nullptr || b == nullptr) continue;
        out += "- `best` from 20 to 2000 vertices (" + few.row.shape() +
               ", 5 %, 10 degrees): " + format_number("%.2f", b->all_ns / a->all_ns) +
               " times the time (target: at most 2)\n";
    }
    return out;
}

/// CW-X5 and CW-X6: separating vector compared with closest features, by speed of motion.
std::string compare_with_v_clip(const ConvexRun& run) {
    std::vector<std::string> motions, shapes;
    std::map<std::pair<std::string, std::string>, std::string> ratios;
    for (const ConvexRowResult& row : run.rows) {
        const PlayResult* sv = find_result(row, kSeparatingVector);
        const PlayResult* features = find_result(row, "v_clip");
        if (sv == nullptr || features == nullptr) continue;
        const std::string motion =
            format_number("%g %%, ", row.row.step) + format_number("%g degrees", row.row.turn);
        const std::string shape = row.row.shape() + ' ' + std::to_string(row.row.vertices);
        if (std::find(motions.begin(), motions.end(), motion) == motions.end()) motions.push_back(motion);
        if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) shapes.push_back(shape);
        ratios[{shape, motion}] = format_number("%.2f", features->all_ns / sv->all_ns);
    }
    if (ratios.empty()) return {};
    std::string out =
        "\n### `separating_vector` compared with `v_clip`, times faster\n\n"
        "Paper, with its own closest-features algorithm and three mixed shapes: about 28 times at 20 % and "
        "500 vertices (checklist row CW-X5).\n\n"
        "| motion per frame |";
    for (const std::string& motion : motions) out += ' ' + motion + " |";
    out += "\n|---|";
    for (std::size_t i = 0; i < motions.size(); ++i) out += "---:|";
    for (const std::string& shape : shapes) {
        out += "\n| " + shape + " |";
        for (const std::string& motion : motions) out += ' ' + ratios[{shape, motion}] + " |";
    }
    return out + '\n';
}

/// CW-X1 and CW-X2: steps per query.
std::string steps(const ConvexRun& run) {
    std::string out;
    for (const ConvexRowResult& row : run.rows) {
        const PlayResult* sv = find_result(row, kSeparatingVector);
        if (!papers_motion(row.row) || row.row.vertices != kPaperVertices || sv == nullptr) continue;
        const auto& [separated, colliding] = sv->iterations;
        const std::uint64_t early = count_up_to(separated, kPaperSteps),
                            early_all = early + count_up_to(colliding, kPaperSteps),
                            all = count_of(separated) + count_of(colliding);
        out += "- `separating_vector`, " + row.row.shape() +
               ", 500 vertices: " + percent(early, count_of(separated)) +
               " of the separated pairs decided within 3 steps (checklist row CW-X1, paper: "
               "> 95 %), " +
               percent(early_all, all) + " of all pairs (checklist row CW-X2, paper: > 80 %)\n";
    }
    return out;
}

/// CW-X4: the largest number of steps.
std::string largest_steps(const ConvexRun& run) {
    std::string out;
    for (const ConvexRowResult& row : run.largest) {
        const PlayResult* sv = row.results.empty() ? nullptr : &row.results.front();
        if (sv == nullptr || sv->answered == 0) continue;
        std::uint32_t max = 0;
        for (const Histogram& h : sv->iterations)
            if (!h.empty()) max = std::max(max, h.rbegin()->first);
        const std::string shape = row.row.shape();
        const char* const paper = shape == "ellipsoid" ? "~22" : shape == "plate" ? "40" : "55";
        out += "- `separating_vector`, largest number of steps in " + std::to_string(sv->answered) +
               " queries, " + shape + ", " + std::to_string(row.row.vertices) +
               " vertices: " + std::to_string(max) + " (checklist row CW-X4, paper: " + paper + ")\n";
    }
    return out;
}

/// "0: 60.1 %, 1: 20.0 %, ... 7 to 10: 1.0 %, more: 0.3 %, largest 22".
std::string format_histogram(const Histogram& h) {
    constexpr std::uint32_t kSingle = 6, kLast = 10;
    const std::uint64_t all = count_of(h);
    if (all == 0) return "none";
    std::string out;
    for (const auto& [k, n] : h)
        if (k <= kSingle) out += std::to_string(k) + ": " + percent(n, all) + ", ";
    const std::uint64_t some = count_up_to(h, kSingle), most = count_up_to(h, kLast);
    out += std::to_string(kSingle + 1) + " to " + std::to_string(kLast) + ": " + percent(most - some, all);
    return out + ", more: " + percent(all - most, all) + ", largest " + std::to_string(h.rbegin()->first);
}

/// LP-4.3-iters: iterations of the interior point method with warm start.
std::string interior_point_iterations(const ConvexRun& run) {
    Histogram sums[2];
    std::string rows;
    for (const ConvexRowResult& row : run.rows) {
        const PlayResult* r = find_result(row, "interior_point");
        if (r == nullptr || !papers_motion(row.row)) continue;
        rows += (rows.empty() ? "" : ", ") + row.row.shape() + ' ' + std::to_string(row.row.vertices);
        for (std::size_t side = 0; side < 2; ++side)
            for (const auto& [k, n] : r->iterations[side]) sums[side][k] += n;
    }
    if (rows.empty()) return {};
    return "- `interior_point`, iterations (checklist row LP-4.3-iters; " + rows + "): separated pairs " +
           format_histogram(sums[0]) + " (paper: 1 to 3); colliding pairs " + format_histogram(sums[1]) +
           " (paper: 2 to 5)\n";
}

}  // namespace

std::string summarise_convex(const ConvexRun& run) {
    return growth(run) + steps(run) + largest_steps(run) + interior_point_iterations(run) +
           compare_with_v_clip(run);
}

}  // namespace claybox::bench
