// The experiment `box_tree`: thresholds against edge_polygon, the gain of single parts, parameters and
// variants (Zachmann, thesis, 3.6.5). Two equal bodies approach and separate. Of four queries per encounter
// one just touches, one is just separated and two are farther apart.

#include "bench/experiments/experiment.hpp"
#include "bench/experiments/shared/measure.hpp"
#include "collision/core/random.hpp"
#include "collision/geometry/primitives/primitives.hpp"
#include "collision/pairwise/box_tree/body.hpp"
#include "collision/pairwise/registry.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace claybox::bench {

using namespace collision;

const Experiment& describe_box_tree();

namespace {

constexpr const char* kRows[] = {"crossover", "parts", "parameters", "variants", "pointers"};

struct Kind {
    const char* name;
    Primitive primitive;
    double paper_threshold;                ///< polygons above which the paper's box-trees win
    std::array<double, 4> paper_speed_up;  ///< at 50, 100, 500 and 1000 polygons
};
constexpr Kind kKinds[] = {
    {"sphere", Primitive::uv_sphere, 300, {0.47, 0.36, 1.18, 2.25}},
    // The paper prints 200: probably a misprint.
    {"torus", Primitive::torus, 60, {0.9, 1.58, 4.6, 200}},
    {"tetra-flake", Primitive::tetra_flake, 300, {0.4, 0.5, 1.6, 2.1}},
};
constexpr std::uint32_t kPaperCounts[] = {50, 100, 500, 1000};

struct Workload {
    int encounters = 40;
    int repeats = 7;
    std::vector<std::uint32_t> counts{20, 50, 100, 200, 300, 500, 1000, 2000, 5000, 10000, 20000};
    std::uint32_t large = 5000;
};

struct Setting {
    const char* id;
    double value;
};

/// An algorithm with parameters, the data that it prepared for one shape, and its results.
struct Subject {
    std::string name;
    const PairAlgorithm* algorithm = nullptr;
    ParameterValues parameters;
    std::shared_ptr<const Prepared> prepared;
    std::vector<double> seconds;  ///< per repeat
    std::uint64_t colliding = 0;
    std::array<std::uint64_t, kMaxCounters> counters{};
};

Subject subject(std::string name, const char* id, std::initializer_list<Setting> settings = {}) {
    Subject out;
    out.name = std::move(name);
    out.algorithm = find_pair_algorithm(id);
    out.parameters = default_values(out.algorithm->parameters);
    for (const Setting& s : settings) {
        const std::size_t index = find_parameter(out.algorithm->parameters, s.id);
        CLAYBOX_ASSERT(index < out.algorithm->parameters.size());
        out.parameters[index] = s.value;
    }
    return out;
}

struct Stream {
    ShapePtr shape;
    std::vector<std::array<Matrix34f, 2>> poses;
};

PairResult query(const Subject& s, const Stream& stream, const std::array<Matrix34f, 2>& pair_poses,
                 Scratch& scratch) {
    PairQuery q = make_pair_query(*stream.shape, pair_poses[0], *stream.shape, pair_poses[1], scratch);
    q.a.prepared = q.b.prepared = s.prepared.get();
    q.parameters = s.parameters;
    PairCache cache;
    return run_query(*s.algorithm, q, cache);
}

void prepare(Subject& s, const Stream& stream) {
    s.prepared =
        s.algorithm->prepare ? s.algorithm->prepare(*stream.shape, stream.shape->geometry()) : nullptr;
}

/// Poses of two bodies of radius 1 m on random lines of approach.
Stream bouncing(const Kind& kind, std::uint32_t polygons, const Workload& effort, std::uint64_t seed) {
    Stream out;
    out.shape = make_primitive_shape(kind.primitive, polygons, 1, 1).value();
    Subject referee = subject("", "edge_polygon");
    prepare(referee, out);
    Random random(mix64(seed ^ polygons));
    Scratch scratch;
    for (int i = 0; i < effort.encounters; ++i) {
        const Matrix34f a = to_matrix(Pose{random_rotation(random, 0, 3), {}});
        const Quat turn = random_rotation(random, 0, 3);
        const Vec3d away = random.unit_vector();
        const auto at = [&](double distance) { return to_matrix(Pose{turn, distance * away}); };
        double low = 0, high = 2.1;
        for (int step = 0; step < 16; ++step) {
            const double middle = (low + high) / 2;
            const bool hit = query(referee, out, {a, at(middle)}, scratch).verdict == Verdict::colliding;
            (hit ? low : high) = middle;
        }
        for (const double distance : {0.99 * low, 1.01 * high, high + 0.3, high + 0.9})
            out.poses.push_back({a, at(distance)});
    }
    return out;
}

/// Plays the stream to all subjects in turn in every repeat: other load on the machine slows all equally.
void measure(std::vector<Subject>& subjects, const Stream& stream, int repeats) {
    using Clock = std::chrono::steady_clock;
    for (Subject& s : subjects) prepare(s, stream);
    Scratch scratch(1 << 20);
    for (int repeat = -1; repeat < repeats; ++repeat) {  // the first one is a warm-up
        for (Subject& s : subjects) {
            s.colliding = 0;
            s.counters = {};
            const auto start = Clock::now();
            for (const auto& pair_poses : stream.poses) {
                const PairResult r = query(s, stream, pair_poses, scratch);
                s.colliding += r.verdict == Verdict::colliding ? 1 : 0;
                for (std::size_t i = 0; i < kMaxCounters; ++i) s.counters[i] += r.counters[i];
            }
            if (repeat >= 0) s.seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
        }
    }
}

/// Median ratio of times of the same repeat.
double median_ratio(const Subject& numerator, const Subject& denominator) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < numerator.seconds.size(); ++i)
        ratios.push_back(numerator.seconds[i] / denominator.seconds[i]);
    return median(ratios);
}

template <class... Values>
std::string text(const char* format, Values... values) {
    char out[240];
    std::snprintf(out, sizeof out, format, values...);
    return out;
}

class Run {
  public:
    Run(const ExperimentOptions& options, const Workload& effort) : options_(options), effort_(effort) {}

    void crossover();
    void parts();
    void parameters();
    void variants();
    void pointers();
    ExperimentReport report;

  private:
    /// Measures the subjects and stores the results. Different answers are a failure.
    void run(std::vector<Subject>& subjects, const Stream& stream, const std::string& row);
    Stream stream(const Kind& kind, std::uint32_t polygons) {
        return bouncing(kind, polygons, effort_, options_.seed);
    }
    void sweep(const Kind& kind, const char* id, std::span<const int> values,
               std::initializer_list<Setting> fixed);
    void append(const std::string& line) { report.markdown += line + "\n"; }
    double us_per_query(const Subject& s, const Stream& stream) const {
        return median(s.seconds) / static_cast<double>(stream.poses.size()) * 1e6;
    }

    const ExperimentOptions& options_;
    const Workload& effort_;
};

void Run::run(std::vector<Subject>& subjects, const Stream& stream, const std::string& row) {
    if (options_.progress) options_.progress(row);
    measure(subjects, stream, effort_.repeats);
    const auto names = find_pair_algorithm("box_tree")->counters;
    for (const Subject& s : subjects) {
        Measurement m;
        m.name = "box_tree/" + row + "/" + s.name;
        m.ns = us_per_query(s, stream) * 1e3;
        m.queries = stream.poses.size() * s.seconds.size();
        m.spread = spread_of(s.seconds);
        m.counters = {{"colliding", static_cast<double>(s.colliding)},
                      {"polygons", static_cast<double>(stream.shape->topology().polygon_count())}};
        if (std::string_view(s.algorithm->id) == "box_tree")
            for (std::size_t i = 0; i < names.size(); ++i)
                m.counters.emplace_back(
                    names[i], static_cast<double>(s.counters[i]) / static_cast<double>(stream.poses.size()));
        report.measurements.push_back(std::move(m));
        if (s.colliding != subjects[0].colliding && report.failure.empty())
            report.failure = row + ": " + s.name + " and " + subjects[0].name + " disagree";
    }
}

/// Where the curve last rises above 1, interpolated on logarithmic axes; 0 if it does not.
double threshold(const std::vector<std::pair<double, double>>& curve) {
    for (std::size_t i = curve.size(); i-- > 1;) {
        const auto [n0, r0] = curve[i - 1];
        const auto [n1, r1] = curve[i];
        if (!(r0 < 1 && r1 >= 1)) continue;
        const double share = -std::log(r0) / (std::log(r1) - std::log(r0));
        return std::exp(std::log(n0) + share * (std::log(n1) - std::log(n0)));
    }
    return 0;
}

void Run::crossover() {
    append("### Box-trees compared with edge_polygon (Z-3.6.5-X4)\n");
    append("Microseconds per query. Ratio: edge_polygon / box_tree in the same repeat, median.\n");
    append("| bodies | polygons | edge_polygon | box_tree | ratio | thesis |\n|---|--:|--:|--:|--:|--:|");
    std::string thresholds;
    for (const Kind& kind : kKinds) {
        std::vector<std::pair<double, double>> curve;
        for (const std::uint32_t count : effort_.counts) {
            const Stream bodies = stream(kind, count);
            std::vector<Subject> subjects{subject("edge_polygon", "edge_polygon"),
                                          subject("box_tree", "box_tree")};
            run(subjects, bodies, std::string(kind.name) + "-" + std::to_string(count));
            const double ratio = median_ratio(subjects[0], subjects[1]);
            const std::uint32_t made = bodies.shape->topology().polygon_count();
            curve.emplace_back(made, ratio);
            std::string paper;
            for (std::size_t i = 0; i < 4; ++i)
                if (kPaperCounts[i] == count) paper = text("%.2f", kind.paper_speed_up[i]);
            append(text("| %s | %u | %.2f | %.2f | %.2f | %s |", kind.name, made,
                        us_per_query(subjects[0], bodies), us_per_query(subjects[1], bodies), ratio,
                        paper.c_str()));
        }
        const double found = threshold(curve);
        const std::string ours = found > 0              ? text("%.0f", found)
                                 : curve[0].second >= 1 ? text("below %.0f", curve[0].first)
                                                        : text("above %.0f", curve.back().first);
        thresholds += text("| %s | %s | %.0f |\n", kind.name, ours.c_str(), kind.paper_threshold);
    }
    append("\n| bodies | box_tree is faster above (polygons) | thesis |\n|---|--:|--:|\n" + thresholds);
}

void Run::parts() {
    append("### Gain of single parts (Z-3.6.5-X2)\n");
    append(
        "Time without a part divided by the time with it. Thesis: 1.14 for the flags, 1.5 for the collect "
        "phase.\n");
    append(
        "| bodies | polygons | outside flags | collect by object box | collect by leaf box "
        "|\n|---|--:|--:|--:|--:|");
    for (const Kind& kind : kKinds) {
        const Stream bodies = stream(kind, effort_.large);
        std::vector<Subject> s{subject("all", "box_tree"),
                               subject("no-flags", "box_tree", {{"outside_flags", 0}}),
                               subject("object-box", "box_tree", {{"collect", 1}}),
                               subject("no-collect", "box_tree", {{"collect", 2}})};
        run(s, bodies, std::string("parts-") + kind.name);
        append(text("| %s | %u | %.2f | %.2f | %.2f |", kind.name, bodies.shape->topology().polygon_count(),
                    median_ratio(s[1], s[0]), median_ratio(s[3], s[2]), median_ratio(s[3], s[0])));
    }
    append("");
}

void Run::sweep(const Kind& kind, const char* id, std::span<const int> values,
                std::initializer_list<Setting> fixed) {
    for (const std::uint32_t count : {200u, effort_.large}) {
        const Stream bodies = stream(kind, count);
        std::vector<Subject> subjects;
        for (const int value : values) {
            subjects.push_back(subject(std::string(id) + "-" + std::to_string(value), "box_tree", fixed));
            subjects.back().parameters[find_parameter(subjects.back().algorithm->parameters, id)] = value;
        }
        run(subjects, bodies, std::string(id) + "-" + kind.name + "-" + std::to_string(count));
        std::string line = text("| %s | %u |", kind.name, bodies.shape->topology().polygon_count());
        for (const Subject& s : subjects) line += text(" %.1f |", us_per_query(s, bodies));
        append(line);
    }
}

void Run::parameters() {
    constexpr int kDepths[] = {4, 6, 8, 10, 12, 16, 24}, kMins[] = {1, 4, 16, 40, 90, 200};
    append("### Maximum depth, at least one polygon per box (Z-3.6.5-X3), microseconds per query\n");
    append("| bodies | polygons | 4 | 6 | 8 | 10 | 12 | 16 | 24 |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (const Kind& kind : kKinds) sweep(kind, "d_max", kDepths, {{"min", 1}});
    append("\n### Minimum number of polygons of a box that is split (Z-3.6.5-X3), microseconds per query\n");
    append("| bodies | polygons | 1 | 4 | 16 | 40 | 90 | 200 |\n|---|--:|--:|--:|--:|--:|--:|--:|");
    for (const Kind& kind : kKinds) sweep(kind, "min", kMins, {});
    append("");
}

void Run::variants() {
    append("### Variants proposed by the thesis (3.6.4, future work), time relative to the default\n");
    append(
        "| bodies | aligned boxes | separate trees | combined tree | middle cuts | no empty leaves | "
        "no convex leaves | double |\n|---|--:|--:|--:|--:|--:|--:|--:|");
    for (const Kind& kind : kKinds) {
        const Stream bodies = stream(kind, effort_.large);
        std::vector<Subject> s{subject("default", "box_tree"),
                               subject("aligned", "box_tree", {{"boxes", 1}}),
                               subject("separate", "box_tree", {{"trees", 1}}),
                               subject("combined", "box_tree", {{"trees", 2}}),
                               subject("middle", "box_tree", {{"cuts", 1}}),
                               subject("no-empty-leaves", "box_tree", {{"empty_leaves", 0}}),
                               subject("no-convex-leaves", "box_tree", {{"convex_leaves", 0}}),
                               subject("double", "box_tree", {{"precision", 1}})};
        run(s, bodies, std::string("variants-") + kind.name);
        std::string line = text("| %s, %u |", kind.name, bodies.shape->topology().polygon_count());
        for (std::size_t i = 1; i < s.size(); ++i) line += text(" %.2f |", median_ratio(s[i], s[0]));
        append(line);
    }
    append("");
}

void Run::pointers() {
    append("### Leaf pointers (Z-3.6.3-leaf; thesis: 1.2 to 16) and build time (Z-3.6.3-cplx)\n");
    append(
        "| bodies | polygons | pointers per polygon | pointers per edge | depth | build, ms "
        "|\n|---|--:|--:|--:|--:|--:|");
    for (const Kind& kind : kKinds) {
        for (const std::uint32_t count : {100u, 1000u, 10u * effort_.large / 5}) {
            const ShapePtr shape = make_primitive_shape(kind.primitive, count, 1, 1).value();
            const auto start = std::chrono::steady_clock::now();
            const auto trees = make_body_trees(shape->geometry(), {});
            const double ms =
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
            const std::uint32_t made = shape->topology().polygon_count();
            const double per_polygon = trees->pointers_per_polygon(shape->geometry()),
                         per_edge = trees->pointers_per_edge();
            append(text("| %s | %u | %.2f | %.2f | %d | %.2f |", kind.name, made, per_polygon, per_edge,
                        trees->faces.depth, ms));
            Measurement m;
            m.name = std::string("box_tree/build-") + kind.name + "-" + std::to_string(count) + "/box_tree";
            m.ns = ms * 1e6;
            m.queries = 1;
            m.counters = {{"pointers_per_polygon", per_polygon}, {"pointers_per_edge", per_edge}};
            report.measurements.push_back(std::move(m));
        }
    }
    append("");
}

Result<ExperimentReport> run_box_tree(const ExperimentOptions& options) {
    for (const std::string& row : options.rows)
        if (std::find(std::begin(kRows), std::end(kRows), row) == std::end(kRows))
            return Error{"--rows " + row +
                             ": expected one or more of crossover, parts, parameters, variants, pointers",
                         {},
                         0};
    if (!options.algorithms.empty())
        return Error{"--algorithms " + options.algorithms[0] +
                         ": this experiment has a fixed set of contestants, expected no --algorithms",
                     {},
                     0};
    Workload effort;
    if (options.quick) effort = {4, 2, {20, 100, 300}, 300};
    Run run(options, effort);
    const auto wanted = [&](const char* row) {
        return options.rows.empty() ||
               std::find(options.rows.begin(), options.rows.end(), row) != options.rows.end();
    };
    if (wanted("crossover")) run.crossover();
    if (wanted("parts")) run.parts();
    if (wanted("parameters")) run.parameters();
    if (wanted("variants")) run.variants();
    if (wanted("pointers")) run.pointers();
    run.report.context = {
        {"stream",
         "two bodies of radius 1 m; of four queries one collides by 1 %, one is separated by 1 %, "
         "two are 0.3 m and 0.9 m farther apart"}};
    return run.report;
}

}  // namespace

const Experiment& describe_box_tree() {
    static const Experiment experiment{"box_tree", "Box-trees: thresholds, parts, parameters and variants",
                                       "crossover, parts, parameters, variants or pointers", run_box_tree};
    return experiment;
}

}  // namespace claybox::bench
