// The tables and curves of Zachmann's thesis about octree and grid, run again (sections 5.4.4 and 5.5.2):
// where the references stand, what lies in memory, and in which order the variants come. The usual cage of
// the thesis: 100 bodies of 1 m in a cube of 10 m.

#include "bench/experiments/experiment.hpp"
#include "bench/experiments/space_exact.hpp"
#include "bench/experiments/tables.hpp"
#include "collision/broadphase/broad_phase.hpp"
#include "collision/broadphase/octree_index.hpp"
#include "collision/core/random.hpp"

#include <algorithm>
#include <array>
#include <chrono>
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

/// Turning unit cubes that fly and turn back at the walls.
struct Film {
    std::vector<Frame> frames;
    std::vector<std::uint32_t> slots;
};

struct Flight {
    Vec3d at, step, axis;
    double angle = 0;

    void show(Frame& frame) const {
        const Matrix34f m = to_matrix(Pose{axis_angle(axis, angle), at});
        const Aabb cube{{-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}};
        frame.boxes.push_back(transform_aabb(m, cube));
        frame.oriented.push_back(orient(m, cube));
    }
    void go() {
        angle += 0.05;
        at += step;
        for (std::size_t i = 0; i < 3; ++i)
            if (std::abs(at[i]) > kCage / 2 - 0.87)
                step[i] = at[i] > 0 ? -std::abs(step[i]) : std::abs(step[i]);
    }
};

Film film_of(std::size_t frames, std::uint64_t seed) {
    Film film;
    Random random(seed);
    std::vector<Flight> bodies(kBodies);
    const auto place = [&] { return random.uniform(-4.1, 4.1); };
    for (std::uint32_t slot = 0; slot < kBodies; ++slot) {
        film.slots.push_back(slot);
        bodies[slot] = {{place(), place(), place()},
                        0.05 * random.unit_vector(),
                        random.unit_vector(),
                        random.uniform(0, 3)};
    }
    for (std::size_t frame = 0; frame < frames; ++frame) {
        film.frames.emplace_back();
        for (Flight& body : bodies) {
            body.show(film.frames.back());
            body.go();
        }
    }
    return film;
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

/// Plays the film; calls after(index) behind each frame but the first.
template <class After>
void play(const Film& film, OctreeIndex& index, After&& after) {
    const unsigned depth = index.options().depth;
    index.reserve_slots(kBodies);
    for (std::size_t frame = 0; frame < film.frames.size(); ++frame)
        for (std::uint32_t slot = 0; slot < kBodies; ++slot) {
            const VoxelBox box = voxels_of(film.frames[frame].boxes[slot], depth);
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

/// A structure in one setting, and what it took.
struct Subject {
    std::string name;
    std::unique_ptr<BroadPhase> phase;
    BoundKinds states = 0;           ///< BroadPhaseDescriptor::states
    std::vector<double> block_ns{};  ///< a frame, by block of frames
    bool wrong = false;

    double median() const {
        std::vector<double> sorted = block_ns;
        std::sort(sorted.begin(), sorted.end());
        return sorted[sorted.size() / 2];
    }
};

/// All play each block of frames in turn; their pairs are compared with those of all pairs after each block.
void race(const Film& film, std::vector<Subject>& subjects) {
    constexpr std::size_t kBlock = 25;
    const auto executor = make_serial_executor();
    const auto judge = make_phase("all_pairs", {});
    std::vector<PairKey> all, expected, found;
    for (std::uint32_t slot = 0; slot < kBodies; ++slot) {
        judge->insert(slot);
        for (Subject& s : subjects) s.phase->insert(slot);
    }
    for (Subject& s : subjects) s.phase->update(film.slots, film.frames[0].bounds(), *executor);
    for (std::size_t block = 0; block < film.frames.size() / kBlock; ++block) {
        const std::size_t first = block * kBlock;
        const WorldBounds last = film.frames[first + kBlock - 1].bounds();
        judge->update(film.slots, last, *executor);
        judge->find_pairs(film.slots, last, *executor, all);
        for (Subject& s : subjects) {
            const auto start = std::chrono::steady_clock::now();
            for (std::size_t i = 0; i < kBlock; ++i) {
                const WorldBounds bounds = film.frames[first + i].bounds();
                s.phase->update(film.slots, bounds, *executor);
                s.phase->find_pairs(film.slots, bounds, *executor, found);
            }
            const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
            s.block_ns.push_back(taken.count() / kBlock);
            expected = all;
            filter_pairs(last, s.states, expected);
            s.wrong |= found != expected;
        }
    }
}

class Run {
  public:
    Run(const ExperimentOptions& options, std::size_t frames) : film_(film_of(frames, options.seed)) {}

    /// Z-5.4.4-X1.
    void levels() {
        constexpr double kPaper[4][4] = {
            {100, 0, 0, 0}, {0, 100, 0, 0}, {0, 0.6, 99.4, 0}, {0, 0.03, 3.5, 96.4}};
        say("### References by level\n\nPercent, the thesis in brackets.\n\n");
        say(head_of({"depth", "1", "2", "3", "4", "5", "references"}, 0));
        for (unsigned depth = 2; depth <= 5; ++depth) {
            OctreeIndex index(options_of(depth, 10));
            std::array<double, 8> at{};
            double all = 0;
            play(film_, index, [&](const OctreeIndex& now) {
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
                cells.push_back(level > depth ? "" : in_digits("%.2f", percent) + in_digits(" (%g)", paper));
                m.counters.emplace_back("percent_" + std::to_string(level), percent);
            }
            cells.push_back(in_digits("%.0f", all / frames_played()));
            say(line_of(cells));
            report.measurements.push_back(std::move(m));
        }
    }

    /// Z-5.4.4-X2, and Z-5.5.2-X1 below it.
    void memory() {
        struct Paper {
            double kilobytes, made, moved, freed;
        };
        constexpr Paper kPaper[] = {
            {8, 9.4, 78.7, 9.4}, {16, 113.7, 78.2, 113.7}, {264, 839, 55, 839}, {2264, 4821, 14, 4818}};
        say("\n### Octree: memory, and lists that change theirs\n\n"
            "Nodes and lists of bodies; the thesis in brackets.\n\n");
        say(head_of({"depth", "hysteresis", "kB", "made a frame", "moved", "freed", "lists of octants, kB"},
                    0));
        for (unsigned depth = 2; depth <= 5; ++depth)
            for (const std::uint32_t hysteresis : {5u, 10u}) {
                OctreeIndex index(options_of(depth, hysteresis));
                play(film_, index, [](const OctreeIndex&) {});
                const auto& counts = index.object_array_counts();
                const Paper& paper = kPaper[depth - 2];
                const double kilobytes =
                    static_cast<double>(index.backbone_bytes() + index.object_array_bytes()) / 1024;
                const auto beside = [&](double ours, double theirs) {
                    return in_digits("%.1f", ours) + in_digits(" (%g)", theirs);
                };
                const auto a_frame = [&](std::uint64_t n) {
                    return static_cast<double>(n) / frames_played();
                };
                say(line_of({std::to_string(depth), std::to_string(hysteresis),
                             beside(kilobytes, paper.kilobytes), beside(a_frame(counts.made), paper.made),
                             beside(a_frame(counts.moved), paper.moved),
                             beside(a_frame(counts.freed), paper.freed),
                             in_digits("%.0f", static_cast<double>(index.octant_array_bytes()) / 1024)}));
                Measurement m = measurement("memory/depth-" + std::to_string(depth) + "-hysteresis-" +
                                            std::to_string(hysteresis) + "/octree");
                m.counters = {{"kilobytes", kilobytes},
                              {"made", a_frame(counts.made)},
                              {"moved", a_frame(counts.moved)},
                              {"freed", a_frame(counts.freed)}};
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
        say("\n### Octree: microseconds a frame\n\nUpdate and pairs. In the thesis, too, octant arrays are "
            "faster "
            "than naive (figures 5.13 and 5.14), and the box difference is the fastest.\n\n");
        std::vector<std::string> head{"depth"};
        for (const auto& s : kSubjects) head.push_back(s.first);
        say(head_of(head, 0));
        for (unsigned depth = 2; depth <= 6; ++depth) {
            std::vector<Subject> subjects;
            for (const auto& [name, how] : kSubjects)
                subjects.push_back({name, make_phase("octree", {{"universe", kCage},
                                                                {"depth", depth},
                                                                {"variant", how[0]},
                                                                {"traversal", how[1]},
                                                                {"voxels_across", 128}})});
            tell("octree/depth-" + std::to_string(depth), std::to_string(depth), subjects);
        }
    }

    /// Z-5.5.2-X2.
    void grid() {
        say("\n### Grid: microseconds a frame\n\nUpdate and pairs. In the thesis the doubly indexed scheme "
            "took "
            "1.5 times the plain one at 32^3 cells (figure 5.20). Oriented: the cubes themselves are "
            "entered, "
            "and their pairs found, which are fewer (figure 5.21).\n\n");
        say(head_of(
            {"size", "plain, no exit", "doubly indexed, no exit", "plain", "doubly indexed", "oriented"}, 0));
        for (const double size : {4.0, 8.0, 16.0, 32.0, 64.0}) {
            std::vector<Subject> subjects;
            for (const double exit : {0.0, 1.0})
                for (const double pointers : {0.0, 1.0})
                    subjects.push_back({std::string(pointers > 0 ? "doubly_indexed" : "plain") +
                                            (exit > 0 ? "" : "_no_exit"),
                                        make_grid(size, pointers, exit)});
            subjects.push_back({"oriented", make_oriented_grid(size), kOrientedBounds});
            tell("grid/size-" + in_digits("%.0f", size), in_digits("%.0f", size), subjects);
        }
    }

    /// Z-5.4.4-X4: what the thesis tried without gain. Lists that keep their memory when they are empty are
    /// those of the largest hysteresis, which give little back.
    void tries() {
        say("\n### Octree: tried without gain, microseconds a frame\n\nLists of bodies that give memory "
            "back later and later; in the thesis, neither that nor another malloc gained anything worth "
            "while.\n\n");
        say(head_of({"depth", "hysteresis 5", "hysteresis 10", "hysteresis 64"}, 0));
        for (unsigned depth = 3; depth <= 5; ++depth) {
            std::vector<Subject> subjects;
            for (const double hysteresis : {5.0, 10.0, 64.0})
                subjects.push_back({in_digits("hysteresis_%.0f", hysteresis),
                                    make_phase("octree", {{"universe", kCage},
                                                          {"depth", depth},
                                                          {"hysteresis", hysteresis},
                                                          {"voxels_across", 128}})});
            tell("tries/depth-" + std::to_string(depth), std::to_string(depth), subjects);
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
    double frames_played() const { return static_cast<double>(film_.frames.size() - 1); }
    void say(const std::string& line) { report.markdown += line; }
    static Measurement measurement(const std::string& name) {
        Measurement m;
        m.name = "space/" + name;
        m.queries = 1;
        return m;
    }

    void grid_memory() {
        constexpr const char* kPaper[] = {"16/24", "16/40", "168/744", "1808/6232", "14752/-"};
        say("\n### Grid: memory in kB\n\nThe thesis stores all n^3 cells, ours are hashed.\n\n");
        say(head_of({"size", "plain", "doubly indexed", "the thesis"}, 0));
        const auto executor = make_serial_executor();
        for (std::size_t i = 0; i < std::size(kPaper); ++i) {
            const double size = 4 << i;
            std::vector<std::string> cells{in_digits("%.0f", size)};
            for (const double pointers : {0.0, 1.0}) {
                const auto phase = make_grid(size, pointers, 1);
                for (const std::uint32_t slot : film_.slots) phase->insert(slot);
                for (const auto& frame : film_.frames) phase->update(film_.slots, frame.boxes, *executor);
                const double kilobytes = static_cast<double>(phase->memory_bytes()) / 1024;
                cells.push_back(in_digits("%.0f", kilobytes));
                Measurement m = measurement("memory/size-" + cells[0] + "/" +
                                            (pointers > 0 ? "doubly_indexed" : "plain"));
                m.counters = {{"kilobytes", kilobytes}};
                report.measurements.push_back(std::move(m));
            }
            cells.push_back(kPaper[i]);
            say(line_of(cells));
        }
    }

    void tell(const std::string& row, const std::string& label, std::vector<Subject>& subjects) {
        race(film_, subjects);
        std::vector<std::string> cells{label};
        for (const Subject& s : subjects) {
            cells.push_back(in_us(s.median()));
            if (s.wrong) report.failure = row + ": " + s.name + " found other pairs than all_pairs";
            Measurement m = measurement(row + "/" + s.name);
            m.ns = s.median();
            m.queries = s.block_ns.size();
            report.measurements.push_back(std::move(m));
        }
        say(line_of(cells));
    }

    Film film_;
};

Result<ExperimentReport> run_space(const ExperimentOptions& options) {
    for (const std::string& row : options.rows)
        if (std::find(std::begin(kRows), std::end(kRows), row) == std::end(kRows))
            return Error{
                "--rows " + row + ": expected some of levels, memory, octree, grid, tries, exact", {}, 0};
    if (!options.algorithms.empty())
        return Error{"--algorithms " + options.algorithms[0] + ": this experiment compares its own", {}, 0};
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
    run.report.markdown += warning_of_build();
    run.report.context = {{"stream",
                           "100 cubes of 1 m in a cage of 10 m, 0.05 m and 0.05 rad a frame, boxes along the "
                           "axes around them, and the cubes"}};
    return run.report;
}

}  // namespace

const Experiment& describe_space() {
    static const Experiment experiment{"space", "Octree and grid: references, memory and variants",
                                       "levels, memory, octree, grid, tries or exact", run_space};
    return experiment;
}

}  // namespace claybox::bench
