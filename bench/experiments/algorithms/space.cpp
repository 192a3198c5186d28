// The experiment `space`: the tables and curves of Zachmann's thesis about octree and grid (5.4.4, 5.5.2).
// References per level, memory, and the times of the variants. The usual cage of the thesis: 100 bodies of 1
// m in a cube of 10 m.

#include "bench/experiments/algorithms/space_exact.hpp"
#include "bench/experiments/experiment.hpp"
#include "bench/experiments/shared/measure.hpp"
#include "bench/experiments/shared/tables.hpp"
#include "collision/broadphase/broad_phase.hpp"
#include "collision/broadphase/octree/octree_index.hpp"
#include "collision/core/random.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace claybox::bench {

using namespace collision;

const Experiment& describe_space();

namespace {

constexpr const char* kRows[] = {"levels", "memory", "octree", "grid", "tries", "exact"};
constexpr double kCage = 10;
constexpr std::uint32_t kBodies = 100;

struct Frame {
    std::vector<Aabb> boxes;
    std::vector<OrientedBox> oriented;  ///< the cubes themselves

    WorldBounds bounds() const {
        WorldBounds out(boxes);
        out.oriented = oriented;
        return out;
    }
};

/// Frames of rotating unit cubes that turn back at the walls.
struct FrameSequence {
    std::vector<Frame> frames;
    std::vector<std::uint32_t> slots;
};

struct Flight {
    Vec3d at, step, axis;
    double angle = 0;

    void add_to(Frame& frame) const {
        const Matrix34f m = to_matrix(Pose{axis_angle(axis, angle), at});
        const Aabb cube{{-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}};
        frame.boxes.push_back(transform_aabb(m, cube));
        frame.oriented.push_back(orient(m, cube));
    }
    void advance() {
        angle += 0.05;
        at += step;
        for (std::size_t i = 0; i < 3; ++i)
            if (std::abs(at[i]) > kCage / 2 - 0.87)
                step[i] = at[i] > 0 ? -std::abs(step[i]) : std::abs(step[i]);
    }
};

FrameSequence record_frames(std::size_t frames, std::uint64_t seed) {
    FrameSequence recording;
    Random random(seed);
    std::vector<Flight> bodies(kBodies);
    const auto place = [&] { return random.uniform(-4.1, 4.1); };
    for (std::uint32_t slot = 0; slot < kBodies; ++slot) {
        recording.slots.push_back(slot);
        bodies[slot] = {{place(), place(), place()},
                        0.05 * random.unit_vector(),
                        random.unit_vector(),
                        random.uniform(0, 3)};
    }
    for (std::size_t frame = 0; frame < frames; ++frame) {
        recording.frames.emplace_back();
        for (Flight& body : bodies) {
            body.add_to(recording.frames.back());
            body.advance();
        }
    }
    return recording;
}

VoxelBox voxels_of(const Aabb& box, unsigned depth) {
    const auto voxel = [&](float x) {
        const double v = std::floor((static_cast<double>(x) / kCage + 0.5) * (1 << depth));
        return static_cast<std::int32_t>(std::clamp(v, 0.0, (1 << depth) - 1.0));
    };
    VoxelBox out;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        out.low[axis] = voxel(box.min[axis]);
        out.high[axis] = voxel(box.max[axis]);
    }
    return out;
}

/// Plays the frames; calls after(index) after each frame but the first.
template <class After>
void play(const FrameSequence& recording, OctreeIndex& index, After&& after) {
    const unsigned depth = index.options().depth;
    index.reserve_slots(kBodies);
    for (std::size_t frame = 0; frame < recording.frames.size(); ++frame)
        for (std::uint32_t slot = 0; slot < kBodies; ++slot) {
            const VoxelBox box = voxels_of(recording.frames[frame].boxes[slot], depth);
            frame == 0 ? index.enter(slot, box) : void(index.move(slot, box));
            if (slot + 1 == kBodies && frame > 0) after(index);
        }
}

std::unique_ptr<BroadPhase> make_phase(const char* id,
                                       const std::vector<std::pair<const char*, double>>& settings) {
    const BroadPhaseDescriptor& descriptor = *find_broad_phase(id);
    ParameterValues values = default_values(descriptor.parameters);
    for (const auto& [name, value] : settings) {
        const std::size_t index = find_parameter(descriptor.parameters, name);
        CLAYBOX_ASSERT(index < descriptor.parameters.size());
        values[index] = value;
    }
    return descriptor.create(values);
}

/// A broad phase with settings, and its results.
struct Subject {
    std::string name;
    std::unique_ptr<BroadPhase> phase;
    BoundKinds states = 0;           ///< BroadPhaseDescriptor::states
    std::vector<double> block_ns{};  ///< ns per frame, per block of frames
    double update_ns = 0;            ///< of all frames, without the search for pairs
    std::uint64_t changes = 0;       ///< references added and removed
    bool wrong = false;

    double median() const {
        std::vector<double> sorted = block_ns;
        std::sort(sorted.begin(), sorted.end());
        return sorted[sorted.size() / 2];
    }
};

/// Plays each block of frames to all subjects in turn. After each block their pairs are compared with
/// all_pairs.
void measure_subjects(const FrameSequence& recording, std::vector<Subject>& subjects) {
    constexpr std::size_t kBlock = 25;
    const auto executor = make_serial_executor();
    const auto reference = make_phase("all_pairs", {});
    std::vector<PairKey> all, expected, found;
    for (std::uint32_t slot = 0; slot < kBodies; ++slot) {
        reference->insert(slot);
        for (Subject& s : subjects) s.phase->insert(slot);
    }
    for (Subject& s : subjects) s.phase->update(recording.slots, recording.frames[0].bounds(), *executor);
    for (std::size_t block = 0; block < recording.frames.size() / kBlock; ++block) {
        const std::size_t first = block * kBlock;
        const WorldBounds last = recording.frames[first + kBlock - 1].bounds();
        reference->update(recording.slots, last, *executor);
        reference->find_pairs(recording.slots, last, *executor, all);
        for (Subject& s : subjects) {
            double elapsed = 0;
            for (std::size_t i = 0; i < kBlock; ++i) {
                const WorldBounds bounds = recording.frames[first + i].bounds();
                const double start = now_ns();
                s.phase->update(recording.slots, bounds, *executor);
                const double updated = now_ns();
                s.phase->find_pairs(recording.slots, bounds, *executor, found);
                elapsed += now_ns() - start;
                s.update_ns += updated - start;
                s.changes += s.phase->counts().cells_changed;
            }
            s.block_ns.push_back(elapsed / kBlock);
            expected = all;
            filter_pairs(last, s.states, expected);
            s.wrong |= found != expected;
        }
    }
}

class Run {
  public:
    Run(const ExperimentOptions& options, std::size_t frames)
        : recording_(record_frames(frames, options.seed)) {}

    /// Z-5.4.4-X1.
    void levels() {
        constexpr double kPaper[4][4] = {
            {100, 0, 0, 0}, {0, 100, 0, 0}, {0, 0.6, 99.4, 0}, {0, 0.03, 3.5, 96.4}};
        append("### References by level\n\nPercent; thesis in brackets.\n\n");
        append(table_head({"depth", "1", "2", "3", "4", "5", "references"}, 0));
        for (unsigned depth = 2; depth <= 5; ++depth) {
            OctreeIndex index(options_of(depth, 10));
            std::array<double, 8> at{};
            double all = 0;
            play(recording_, index, [&](const OctreeIndex& now) {
                now.for_each_occupied([&](const Octant& octant, std::span<const std::uint32_t> references) {
                    at[level_of(octant.node)] += static_cast<double>(references.size());
                    all += static_cast<double>(references.size());
                    return true;
                });
            });
            std::vector<std::string> cells{std::to_string(depth)};
            Measurement m = measurement("levels/depth-" + std::to_string(depth) + "/octree");
            for (unsigned level = 1; level <= 5; ++level) {
                const double percent = 100 * at[level] / all;
                const double paper = level < 2 ? 0 : kPaper[depth - 2][level - 2];
                cells.push_back(
                    level > depth ? "" : format_number("%.2f", percent) + format_number(" (%g)", paper));
                m.counters.emplace_back("percent_" + std::to_string(level), percent);
            }
            cells.push_back(format_number("%.0f", all / frames_played()));
            append(table_row(cells));
            report.measurements.push_back(std::move(m));
        }
    }

    /// Z-5.4.4-X2 and Z-5.5.2-X1.
    void memory() {
        struct Paper {
            double kilobytes, made, moved, freed;
        };
        constexpr Paper kPaper[] = {
            {8, 9.4, 78.7, 9.4}, {16, 113.7, 78.2, 113.7}, {264, 839, 55, 839}, {2264, 4821, 14, 4818}};
        append(
            "\n### Octree: memory and reallocations of body lists\n\n"
            "Memory of nodes and body lists; thesis in brackets.\n\n");
        append(table_head(
            {"depth", "hysteresis", "kB", "allocated per frame", "reallocated", "freed", "octant arrays, kB"},
            0));
        for (unsigned depth = 2; depth <= 5; ++depth)
            for (const std::uint32_t hysteresis : {5u, 10u}) {
                OctreeIndex index(options_of(depth, hysteresis));
                play(recording_, index, [](const OctreeIndex&) {});
                const auto& counts = index.object_array_counts();
                const Paper& paper = kPaper[depth - 2];
                const double kilobytes =
                    static_cast<double>(index.backbone_bytes() + index.object_array_bytes()) / 1024;
                const auto with_thesis = [&](double ours, double theirs) {
                    return format_number("%.1f", ours) + format_number(" (%g)", theirs);
                };
                const auto per_frame = [&](std::uint64_t n) {
                    return static_cast<double>(n) / frames_played();
                };
                append(table_row(
                    {std::to_string(depth), std::to_string(hysteresis),
                     with_thesis(kilobytes, paper.kilobytes), with_thesis(per_frame(counts.made), paper.made),
                     with_thesis(per_frame(counts.moved), paper.moved),
                     with_thesis(per_frame(counts.freed), paper.freed),
                     format_number("%.0f", static_cast<double>(index.octant_array_bytes()) / 1024)}));
                Measurement m = measurement("memory/depth-" + std::to_string(depth) + "-hysteresis-" +
                                            std::to_string(hysteresis) + "/octree");
                m.counters = {{"kilobytes", kilobytes},
                              {"made", per_frame(counts.made)},
                              {"moved", per_frame(counts.moved)},
                              {"freed", per_frame(counts.freed)}};
                report.measurements.push_back(std::move(m));
            }
        grid_memory();
    }

    /// Z-5.4.4-X3.
    void octree() {
        constexpr std::pair<const char*, std::array<double, 2>> kSubjects[] = {
            {"naive, plain traversal", {0, 0}}, {"naive", {0, 1}},
            {"octant arrays", {1, 1}},          {"box difference", {2, 1}},
            {"box difference, reused", {2, 2}}, {"all visited (Dai)", {3, 1}}};
        append(
            "\n### Octree: microseconds per frame\n\nUpdate and pairs. In the thesis, octant arrays are "
            "faster than naive (figures 5.13 and 5.14), and box difference is the fastest.\n\n");
        std::vector<std::string> head{"depth"};
        for (const auto& s : kSubjects) head.push_back(s.first);
        append(table_head(head, 0));
        for (unsigned depth = 2; depth <= 6; ++depth) {
            std::vector<Subject> subjects;
            for (const auto& [name, how] : kSubjects)
                subjects.push_back({name, make_phase("octree", {{"universe", kCage},
                                                                {"depth", depth},
                                                                {"variant", how[0]},
                                                                {"traversal", how[1]},
                                                                {"voxels_across", 128}})});
            add_row("octree/depth-" + std::to_string(depth), std::to_string(depth), subjects);
        }
    }

    /// Z-5.5.2-X2.
    void grid() {
        append(
            "\n### Grid: microseconds per frame\n\nUpdate and pairs. In the thesis the doubly indexed scheme "
            "took 1.5 times as long as the plain one at 32^3 cells (figure 5.20). Oriented: the grid stores "
            "the cubes instead of their boxes and finds fewer pairs (figure 5.21).\n\n");
        append(table_head({"size", "plain, no early exit", "doubly indexed, no early exit", "plain",
                           "doubly indexed", "oriented"},
                          0));
        for (const double size : {4.0, 8.0, 16.0, 32.0, 64.0}) {
            std::vector<Subject> subjects;
            for (const double exit : {0.0, 1.0})
                for (const double pointers : {0.0, 1.0})
                    subjects.push_back({std::string(pointers > 0 ? "doubly_indexed" : "plain") +
                                            (exit > 0 ? "" : "_no_exit"),
                                        make_grid(size, pointers, exit)});
            subjects.push_back({"oriented", make_oriented_grid(size), kOrientedBounds});
            add_row("grid/size-" + format_number("%.0f", size), format_number("%.0f", size), subjects);
        }
    }

    /// Z-5.4.4-X4: attempts without gain in the thesis. The largest hysteresis stands for lists that keep
    /// their memory when empty.
    void tries() {
        append(
            "\n### Octree: attempts without gain, microseconds per frame\n\nBody lists that release memory "
            "later; in the thesis neither that nor a faster malloc brought a significant gain.\n\n");
        append(table_head({"depth", "hysteresis 5", "hysteresis 10", "hysteresis 64"}, 0));
        for (unsigned depth = 3; depth <= 5; ++depth) {
            std::vector<Subject> subjects;
            for (const double hysteresis : {5.0, 10.0, 64.0})
                subjects.push_back({format_number("hysteresis_%.0f", hysteresis),
                                    make_phase("octree", {{"universe", kCage},
                                                          {"depth", depth},
                                                          {"hysteresis", hysteresis},
                                                          {"voxels_across", 128}})});
            add_row("tries/depth-" + std::to_string(depth), std::to_string(depth), subjects);
        }
    }

    ExperimentReport report;

  private:
    static OctreeOptions options_of(unsigned depth, std::uint32_t hysteresis) {
        OctreeOptions options;
        options.depth = depth;
        options.hysteresis = hysteresis;
        return options;
    }
    static std::unique_ptr<BroadPhase> make_grid(double size, double pointers, double exit) {
        return make_phase("grid", {{"cell_size", kCage / size},
                                   {"cells_per_body", 100000},
                                   {"pointers", pointers},
                                   {"exit_when_same", exit}});
    }
    static std::unique_ptr<BroadPhase> make_oriented_grid(double size) {
        return make_phase("grid_oriented", {{"cell_size", kCage / size}, {"cells_per_body", 100000}});
    }
    double frames_played() const { return static_cast<double>(recording_.frames.size() - 1); }
    void append(const std::string& line) { report.markdown += line; }
    static Measurement measurement(const std::string& name) {
        Measurement m;
        m.name = "space/" + name;
        m.queries = 1;
        return m;
    }

    void grid_memory() {
        constexpr const char* kPaper[] = {"16/24", "16/40", "168/744", "1808/6232", "14752/-"};
        append("\n### Grid: memory, kB\n\nThe thesis stores all n^3 cells; Claybox hashes them.\n\n");
        append(table_head({"size", "plain", "doubly indexed", "thesis"}, 0));
        const auto executor = make_serial_executor();
        for (std::size_t i = 0; i < std::size(kPaper); ++i) {
            const double size = 4 << i;
            std::vector<std::string> cells{format_number("%.0f", size)};
            for (const double pointers : {0.0, 1.0}) {
                const auto phase = make_grid(size, pointers, 1);
                for (const std::uint32_t slot : recording_.slots) phase->insert(slot);
                for (const auto& frame : recording_.frames)
                    phase->update(recording_.slots, frame.boxes, *executor);
                const double kilobytes = static_cast<double>(phase->memory_bytes()) / 1024;
                cells.push_back(format_number("%.0f", kilobytes));
                Measurement m = measurement("memory/size-" + cells[0] + "/" +
                                            (pointers > 0 ? "doubly_indexed" : "plain"));
                m.counters = {{"kilobytes", kilobytes}};
                report.measurements.push_back(std::move(m));
            }
            cells.push_back(kPaper[i]);
            append(table_row(cells));
        }
    }

    void add_row(const std::string& row, const std::string& label, std::vector<Subject>& subjects) {
        measure_subjects(recording_, subjects);
        std::vector<std::string> cells{label};
        for (const Subject& s : subjects) {
            cells.push_back(format_us(s.median()));
            if (s.wrong) report.failure = row + ": " + s.name + ": pairs differ from all_pairs";
            Measurement m = measurement(row + "/" + s.name);
            m.ns = s.median();
            m.queries = s.block_ns.size();
            m.spread = spread_of(s.block_ns);
            const double frames = static_cast<double>(recording_.frames.size());
            m.counters = {{"update_ns", s.update_ns / frames},
                          {"references_changed", static_cast<double>(s.changes) / frames}};
            report.measurements.push_back(std::move(m));
        }
        append(table_row(cells));
    }

    FrameSequence recording_;
};

Result<ExperimentReport> run_space(const ExperimentOptions& options) {
    for (const std::string& row : options.rows)
        if (std::find(std::begin(kRows), std::end(kRows), row) == std::end(kRows))
            return Error{
                "--rows " + row + ": expected one or more of levels, memory, octree, grid, tries, exact",
                {},
                0};
    if (!options.algorithms.empty())
        return Error{"--algorithms " + options.algorithms[0] +
                         ": this experiment has a fixed set of contestants, expected no --algorithms",
                     {},
                     0};
    Run run(options, options.quick ? 25 : 1000);
    const auto wanted = [&](const char* row) {
        return options.rows.empty() ||
               std::find(options.rows.begin(), options.rows.end(), row) != options.rows.end();
    };
    if (wanted("levels")) run.levels();
    if (wanted("memory")) run.memory();
    if (wanted("octree")) run.octree();
    if (wanted("grid")) run.grid();
    if (wanted("tries")) run.tries();
    if (wanted("exact")) measure_space_exact(options, run.report);
    run.report.markdown += build_warning();
    run.report.context = {{"stream",
                           "100 cubes of 1 m in a cage of 10 m, 0.05 m and 0.05 rad per frame; their "
                           "axis-aligned boxes, and the cubes themselves"}};
    return run.report;
}

}  // namespace

const Experiment& describe_space() {
    static const Experiment experiment{"space", "Octree and grid: references, memory and variants",
                                       "levels, memory, octree, grid, tries or exact", run_space};
    return experiment;
}

}  // namespace claybox::bench
