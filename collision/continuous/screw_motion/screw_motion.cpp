// Source: Buss, Collision Detection with Relative Screw Motion, 2004. docs/explanation/screw-motion.md
//   explains the steps.
// Idea: relative to A, every point of B moves along a flow line of one screw motion. Project both bodies
//   along the flow to a screen: points can meet only if they have the same place on the screen, and the
//   difference of their times to the screen is the time of their collision. Faces that look away from the
//   motion are discarded. Edges are drawn as rows of pixels; vertices inside faces and crossing edges are
//   candidates.
// Ours: parts are drawn only if their boxes on the screen and their times say that they may meet. If only few
//   pairs may meet, they are the candidates, and nothing is drawn. A's curves are drawn wider by the error of
//   drawing, so no candidate is lost between pixels, and each candidate's time is solved for the given
//   motion. A motion that is not one screw is cut into pieces that nearly are. A test at t = 0 finds bodies
//   that overlap already, which the paper presumes to be apart.
// Preconditions: none; any polygons. Discarding needs a closed, consistently oriented surface of one
//   component; other surfaces are kept whole and may be hit from both sides.
// Approximate for screws and meshes: double arithmetic, and deviations of curves are measured, not proven.
//   Times are right to about 1e-9. A self-intersecting surface may hide a contact behind a face that looks
//   inward.
// Complexity: n log n for n edges, plus the pairs of parts whose boxes meet, or of features on one pixel.
//   Independent of the extent of the screen. Memory: the worker's, kept between queries. Cache: that of the
//   test at the start, or the placements at the last time when the bodies were apart.

#include "collision/continuous/screw_motion/screw_query.hpp"

#include <algorithm>

namespace claybox::collision {

const ContinuousAlgorithm& describe_screw_motion();

namespace {

constexpr const char* kNearChoices[] = {"ignore", "solve", "report"};
constexpr const char* kPathChoices[] = {"given", "one_screw"};
constexpr const char* kSearchChoices[] = {"sweep", "hash", "time_sorted"};
constexpr const char* kPrecisionChoices[] = {"double", "single"};

constexpr Parameter kParameters[] = {
    {"pixels", "Pixels per short edge", ParameterKind::real, 12, 1, 200, "", "Buss 9.1: 6, 12 or 24",
     "The level of detail: finer pixels cost more and, without exact times, are more accurate.", true},
    {"time_resolution", "Time resolution", ParameterKind::real, 0.05, 0.001, 1, "",
     "ours: a few parts an edge",
     "Curves are drawn in parts whose time deviates by less than this part of the motion.", true},
    {"threshold", "Least properness", ParameterKind::real, -0.1, -1, 1, "", "Buss 9: -0.1",
     "Contacts of features that face each other less are dropped."},
    {"refine", "Exact times", ParameterKind::toggle, 1, 0, 1, "", "ours: costs little",
     "Solves for the time of each candidate instead of reading it from pixels."},
    {"near_pixels", "Neighbouring pixels", ParameterKind::choice, 1, 0, 2, "", "Buss 10",
     "Ignores them, solves for contacts there, or reports approaches within a pixel.", false, kNearChoices},
    {"path", "Path", ParameterKind::choice, 0, 0, 1, "", "Buss 4: one_screw",
     "The given motions, or one screw motion between the relative placements at start and end.", false,
     kPathChoices},
    {"cull", "Discard faces that look away", ParameterKind::toggle, 1, 0, 1, "", "Buss 4.2",
     "Halves the work; needs closed surfaces, others keep all faces."},
    {"search", "Search", ParameterKind::choice, 0, 0, 2, "", "Buss 9 and 10",
     "Sorts pixels by column and sweeps, uses a hash table, or also sorts by time.", false, kSearchChoices},
    {"precision", "Precision of the screen", ParameterKind::choice, 0, 0, 1, "", "Buss 9.1, footnote 6",
     "Projects in double or in single precision.", false, kPrecisionChoices},
    {"start_test", "Test at the start", ParameterKind::toggle, 1, 0, 1, "", "ours",
     "Decides exactly whether the bodies overlap before they move; the paper presumes that they do not."},
    {"last_good", "Last good placement", ParameterKind::toggle, 0, 0, 1, "", "Buss 10",
     "Bodies that overlap at the start are tested from the last placement where they were apart."},
    {"hierarchy", "Leave out far parts", ParameterKind::toggle, 1, 0, 1, "", "Buss 10",
     "Bounding spheres and boxes on the screen first: parts that cannot meet are not drawn. If few pairs of "
     "parts may meet, nothing is drawn and all of them are solved."},
};
constexpr const char* kCounters[] = {"pieces", "edges",  "pixel runs", "comparisons",
                                     "pairs",  "solved", "doppelled",  "from last good"};

double value_of(const ParameterValues& values, ScrewParameter p) {
    return values[static_cast<std::size_t>(p)];
}
bool is_on(const ParameterValues& values, ScrewParameter p) {
    return value_of(values, p) != 0;
}

/// What the cache holds if the last good placement is wanted.
struct LastGood {
    Matrix34f a, b;
    bool valid = false;
};

std::uint32_t clamped(std::size_t count) {
    return static_cast<std::uint32_t>(std::min<std::size_t>(count, 0xffffffffu));
}

PairQuery start_query(const PairQuery& pair, bool convex) {
    PairQuery query = pair;
    query.parameters = ParameterValues::unset();
    query.wants = kWantSolid;
    query.hits = nullptr;
    query.margin = 0;
    query.part = 0, query.part_count = 1;
    for (PairBody* body : {&query.a, &query.b}) {
        const auto* mesh = static_cast<const ScrewMesh*>(body->prepared);
        body->prepared = convex ? mesh->start_convex.get() : mesh->start_mesh.get();
    }
    return query;
}

const PairAlgorithm& start_algorithm(bool convex) {
    static const PairAlgorithm* const best = find_pair_algorithm("best");
    static const PairAlgorithm* const mesh = find_pair_algorithm("mesh_bvh");
    return convex ? *best : *mesh;
}

bool both_convex(const PairQuery& pair) {
    return pair.a.shape->hull() != nullptr && pair.b.shape->hull() != nullptr && !pair.a.deformed() &&
           !pair.b.deformed();
}

/// What the exact test means by an answer.
Meaning meaning_apart(const PairQuery& pair, bool convex) {
    const Meaning meaning = start_algorithm(convex).meaning;
    const bool polygons =
        pair.a.shape->classification().polygons != 0 && pair.b.shape->classification().polygons != 0;
    return polygons ? Meaning::solid : meaning;
}

/// A place of an overlap at the start: where surfaces cross, else a vertex of the body inside.
Vec3d overlap_place(const PairQuery& pair, PairCache& cache) {
    PairQuery query = start_query(pair, false);
    Hit room[1];
    HitSink sink{room};
    query.wants = kWantAllHits;
    query.hits = &sink;
    (void)run_query(start_algorithm(false), query, cache);
    if (!sink.hits().empty()) return cast<double>(sink.hits()[0].point_w);
    const ScrewBody a = screw_body(pair.a), b = screw_body(pair.b);
    const ScrewBody& inner = world_sphere(a).radius < world_sphere(b).radius ? a : b;
    return inner.mesh->positions.empty() ? Vec3d{}
                                         : inner.world_from_body(cast<double>(inner.mesh->positions[0]));
}

void write_counters(const ScrewCounts& counts, bool from_last_good, ContinuousResult& result) {
    result.iterations = clamped(counts.contacts.solved);
    result.counters = {clamped(counts.pieces),
                       clamped(counts.edges),
                       clamped(counts.runs),
                       clamped(counts.comparisons),
                       clamped(counts.contacts.candidates),
                       clamped(counts.contacts.solved),
                       clamped(counts.doppelled),
                       from_last_good ? 1u : 0u};
}

void write_hits(const ContinuousQuery& query, const ScrewMemory& memory, double threshold,
                ContinuousResult& result) {
    if (query.hits == nullptr) return;
    for (const ScrewHit& hit : memory.hits) {
        if (hit.properness < threshold) continue;
        if (query.hits->push({hit.time, hit.point_w, hit.normal_w, hit.a, hit.b, hit.properness})) continue;
        result.status = QueryStatus::hits_full;
        return;
    }
}

void write_first(const ScrewHit& hit, ContinuousResult& result) {
    result.verdict = Verdict::colliding;
    result.time_low = result.time_high = hit.time;
    result.point_w = hit.point_w;
    result.normal_w = hit.normal_w;
    result.feature_a = hit.a, result.feature_b = hit.b;
}

void write_trace(const ScrewMemory& memory, Trace& trace) {
    int number = 0;
    for (const ScrewPiece& piece : memory.pieces) {
        trace.begin_iteration(number++);
        trace.value("angle", piece.angle);
        trace.value("pitch", piece.pitch);
        trace.value("error estimate", screw_error_estimate(piece.angle));
        const Vec3d origin = piece.frame_from_world.back({});
        const Vec3d up = piece.frame_from_world.turn_back({0, 1, 0});
        trace.segment(origin - up, origin + up, "axis");
    }
    for (const ScrewHit& hit : memory.hits) {
        trace.point(hit.point_w, to_string(hit.type));
        trace.segment(hit.point_w, hit.point_w + 0.2 * hit.normal_w, "normal");
        trace.value("time", hit.time);
        trace.value("properness", hit.properness);
    }
}

/// A motion from the last placements where the bodies were apart to those at the end of the query, relative
/// to A. False if there is none.
bool path_from_last_good(const ContinuousQuery& query, const LastGood& good, RelativePath& path) {
    if (!good.valid) return false;
    const RigidMap end_a = to_map(placement_at(query.pair.a.world_from_body, query.motion_a, 1));
    const RigidMap end_b = to_map(placement_at(query.pair.b.world_from_body, query.motion_b, 1));
    path = RelativePath::of_screw(screw_in_world(to_map(good.a), end_a, to_map(good.b), end_b));
    return true;
}

class Run {
  public:
    Run(const ContinuousQuery& query, PairCache& cache, ContinuousResult& result, Trace* trace)
        : query_(query),
          values_(query.pair.parameters),
          cache_(cache),
          result_(result),
          trace_(trace),
          memory_(query.pair.scratch->workspace<ScrewMemory>()) {}

    void run() {
        const bool remembers = is_on(values_, ScrewParameter::last_good);
        if (remembers)
            good_ = cache_.as<LastGood>(&describe_screw_motion(), query_.pair.a.geometry->content,
                                        query_.pair.b.geometry->content);
        PairCache own;
        PairCache& start_cache = remembers ? own : cache_;
        if (is_on(values_, ScrewParameter::start_test) && !test_start(start_cache)) return;
        ScrewOptions options = screw_options(values_);
        const double threshold = options.threshold;
        // A contact that a high threshold drops still counts for the verdict.
        options.threshold = std::min(threshold, -0.1);
        options.stop_at_first = query_.hits == nullptr && trace_ == nullptr;
        const bool search = !result_.at_start || query_.hits != nullptr || remembers;
        if (search && !find(options, remembers)) return;
        if (!search) memory_.hits.clear(), memory_.pieces.clear(), memory_.counts = {};
        write_hits(query_, memory_, threshold, result_);
        write_counters(memory_.counts, from_last_good_, result_);
        if (trace_ != nullptr) write_trace(memory_, *trace_);
        if (remembers) remember();
    }

  private:
    /// False if stopped.
    bool test_start(PairCache& cache) {
        const bool convex = both_convex(query_.pair);
        if (separated(screw_body(query_.pair.a), screw_body(query_.pair.b))) {
            result_.meaning = meaning_apart(query_.pair, convex);
            return true;
        }
        const PairResult start = run_query(start_algorithm(convex), start_query(query_.pair, convex), cache);
        result_.meaning = start.meaning;
        if (start.status == QueryStatus::stopped) return stopped();
        if (start.verdict != Verdict::colliding) return true;
        result_.verdict = Verdict::colliding;
        result_.time_low = result_.time_high = 0;
        result_.at_start = true;
        PairCache own;
        result_.point_w = overlap_place(query_.pair, own);
        return true;
    }
    bool stopped() {
        result_.status = QueryStatus::stopped;
        result_.verdict = Verdict::undecided;
        return false;
    }
    bool find(const ScrewOptions& options, bool remembers) {
        ScrewBody a = screw_body(query_.pair.a), b = screw_body(query_.pair.b);
        RelativePath path(query_.pair.a, query_.motion_a, query_.pair.b, query_.motion_b);
        if (options.single_screw) path = RelativePath::single_screw(path);
        if (remembers && result_.at_start && path_from_last_good(query_, good_, path)) {
            from_last_good_ = true;
            a.world_from_body = to_map(good_.a), b.world_from_body = to_map(good_.b);
        }
        const SearchEnd end = search_screw_motion(path, options, a, b, query_.pair.stop, memory_);
        if (end == SearchEnd::stopped) return stopped();
        if (end == SearchEnd::too_many_turns) return result_.at_start;  // undecided, from 0 to 1
        const ScrewHit* first = first_contact(memory_.hits);
        if (first != nullptr && (!result_.at_start || from_last_good_)) {
            const bool at_start = result_.at_start;
            write_first(*first, result_);
            if (at_start) result_.time_low = result_.time_high = 0;
        } else if (!result_.at_start) {
            result_.verdict = Verdict::separated;
            result_.time_low = result_.time_high = 1;
        }
        return true;
    }
    /// After a motion without contact, its end is good; otherwise the start, if the bodies were apart there.
    void remember() {
        auto& good = cache_.as<LastGood>(&describe_screw_motion(), query_.pair.a.geometry->content,
                                         query_.pair.b.geometry->content);
        if (result_.at_start) return;
        const bool apart = result_.verdict == Verdict::separated;
        good.valid = true;
        good.a = apart ? rounded(placement_at(query_.pair.a.world_from_body, query_.motion_a, 1))
                       : query_.pair.a.world_from_body;
        good.b = apart ? rounded(placement_at(query_.pair.b.world_from_body, query_.motion_b, 1))
                       : query_.pair.b.world_from_body;
    }
    static Matrix34f rounded(const Matrix34d& m) {
        Matrix34f out;
        for (std::size_t i = 0; i < 12; ++i) out.m[i] = static_cast<float>(m.m[i]);
        return out;
    }

    const ContinuousQuery& query_;
    const ParameterValues& values_;
    PairCache& cache_;
    ContinuousResult& result_;
    Trace* trace_;
    ScrewMemory& memory_;
    LastGood good_;
    bool from_last_good_ = false;
};

void query_screw_motion(const ContinuousQuery& query, PairCache& cache, ContinuousResult& result,
                        Trace* trace) {
    Run(query, cache, result, trace).run();
}

}  // namespace

std::span<const Parameter> screw_parameters() {
    return kParameters;
}

ScrewOptions screw_options(const ParameterValues& values) {
    ScrewOptions o;
    o.pixels = value_of(values, ScrewParameter::pixels);
    o.time_resolution = value_of(values, ScrewParameter::time_resolution);
    o.threshold = value_of(values, ScrewParameter::threshold);
    o.refine = is_on(values, ScrewParameter::refine);
    o.near_pixels =
        static_cast<NearPixels>(values.integer(static_cast<std::size_t>(ScrewParameter::near_pixels)));
    o.single_screw = is_on(values, ScrewParameter::path);
    o.cull = is_on(values, ScrewParameter::cull);
    const int search = values.integer(static_cast<std::size_t>(ScrewParameter::search));
    o.hash_pixels = search == 1, o.time_sort = search == 2;
    o.hierarchy = is_on(values, ScrewParameter::hierarchy);
    o.single_precision = is_on(values, ScrewParameter::precision);
    return o;
}

const ContinuousAlgorithm& describe_screw_motion() {
    static const ContinuousAlgorithm algorithm = [] {
        ContinuousAlgorithm a{};
        a.id = "screw_motion";
        a.title = "Relative screw motion";
        a.source = "Buss 2004";
        a.summary =
            "Projects both bodies along their relative screw motion to a screen of pixels and finds all "
            "collisions at once.";
        a.needs = Needs::any_polygons;
        a.motions = kAnyMotion;
        // Straight edges are drawn without error, and convex surfaces do not intersect themselves.
        a.promise = Promise::tolerance;
        a.promise_otherwise = Promise::approximate;
        a.gives_all_hits = true;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.prepare = prepare_screw_mesh;
        a.update = update_screw_mesh;
        a.query = query_screw_motion;
        a.needs_prepared = true;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
