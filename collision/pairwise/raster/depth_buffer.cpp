// Source: Zachmann, Exact and Fast Collision Detection (thesis, 1994), section 3.7.1, which proposes it.
// Idea: look along one axis at the intersection of both bodies' boxes, and draw the bodies into a picture of
//   depths. A pixel is a line of sight. The bodies collide in it if the depth ranges of A and B have a common
//   depth. Two-valued: nearest and farthest depth of each body. Five passes: one depth and one colour, for
//   simpler hardware. Layers: all depths, sorted.
// Preconditions: closed bodies with a volume. The first two variants are for convex bodies; other bodies are
//   drawn in layers.
// Approximate: only lines through pixel centres are tested. Corners are rounded to 1/16 of a pixel, depths to
//   2^-24 of the height of both bodies. A false positive requires a gap below 1/16 of a pixel's diagonal plus
//   four depth steps. A false negative requires a common part without any pixel's centre line, so one that
//   contains no ball as wide as that diagonal. Pixels shrink with the common box.
// Corrected: testing B's depths against A's range misses an A inside B, so the test is symmetric. The five
//   passes as printed leave the colour of B in pixels that show B alone or B in front of A: pass 3 draws only
//   over A, pass 4 keeps A's depth and pass 5 erases by depth. The printed depth measure returns the whole of
//   A if B barely penetrates; the default is the shortest separating translation along the axis.
// Complexity: O(n + pixels); polygons beside the common box are skipped in runs. No cache.

#include "collision/pairwise/query_buffer.hpp"
#include "collision/pairwise/raster/depth_passes.hpp"
#include "collision/pairwise/raster/raster_software.hpp"
#include "collision/pairwise/registry.hpp"

#include <algorithm>
#include <vector>

namespace claybox::collision {

namespace {

constexpr const char* kVariantNames[] = {"auto", "two_valued", "five_pass", "layers"};
constexpr const char* kAxisNames[] = {"thinnest", "x", "y", "z"};
constexpr const char* kDeviceNames[] = {"software", "gpu"};
constexpr const char* kDepthNames[] = {"way_out", "thesis"};
constexpr const char* kThesis = "Zachmann, thesis, 3.7.1";

enum ParameterIndex : std::size_t { kVariant, kResolution, kAxis, kLayers, kDevice, kDepthMeasure };

constexpr Parameter kParameters[] = {
    {"variant", "Picture", ParameterKind::choice, 0, 0, 3, "", "ours: the fastest that the bodies allow",
     "The data kept per pixel. Non-convex bodies are always drawn in layers; auto uses two values for "
     "convex bodies.",
     false, kVariantNames},
    {"resolution", "Pixels per side", ParameterKind::integer, 128, 4, 512, "",
     "ours: see docs/explanation/mesh.md",
     "Size of the picture, which shows the intersection of both bodies' boxes; rounded up to a multiple of "
     "4.",
     true},
    {"axis", "Line of sight", ParameterKind::choice, 0, 0, 3, "", "ours: contacts are flattest along it",
     "The world axis along which depths are measured; by default the thinnest side of the common box.", false,
     kAxisNames},
    {"layers", "Layers", ParameterKind::integer, 16, 2, kMaxRasterLayers, "",
     "ours: twice the maximum of two tori", "Number of depths per pixel of a layered picture.", false},
    {"device", "Drawn by", ParameterKind::choice, 0, 0, 1, "", "ours: available everywhere",
     "gpu: the graphics card of the window, if the query runs on the window's thread; otherwise the software "
     "renderer, with identical pictures.",
     false, kDeviceNames},
    {"depth", "Depth measure", ParameterKind::choice, 0, 0, 1, "", kThesis,
     "way_out: the shorter translation along the line of sight after which no pixel shares a depth. thesis: "
     "the largest distance between a surface inside the other body and that body's ends.",
     false, kDepthNames}};

constexpr const char* kCounters[] = {"triangles drawn", "pixels of both", "pixels in collision",
                                     "full pixels", "drawn by the device"};

DrawnBody drawn(const PairBody& body) {
    const ConvexHull* hull = body.deformed() ? nullptr : body.shape->hull();
    return {body.geometry, hull, &body.world_from_body};
}

/// Reports the view, the passes and the pixels to a trace.
class PictureTracer final : public PixelListener {
  public:
    PictureTracer(Trace* trace, const PictureView& view) : trace_(trace), view_(view) {}

    void box() {
        if (!begin()) return;
        const Box3d& b = view_.common;
        const auto corner = [&](int i) {
            return Vec3d{i & 1 ? b.max.x : b.min.x, i & 2 ? b.max.y : b.min.y, i & 4 ? b.max.z : b.min.z};
        };
        for (const int bit : {1, 2, 4})
            for (int i = 0; i < 8; ++i)
                if ((i & bit) == 0) trace_->segment(corner(i), corner(i | bit), "common box");
    }
    /// `words`: the picture so far; empty if the device shows it at the end only.
    void pass(std::uint32_t triangles, const RasterFrame& frame, std::span<const std::int32_t> words) {
        if (!begin()) return;
        trace_->value("triangles drawn", triangles);
        if (!words.empty()) show(frame, words, "picture after this pass");
    }
    /// The finished picture; later pixels() mark the common ones in it.
    void finished(const RasterFrame& frame, std::span<const std::int32_t> words) {
        if (trace_ != nullptr) picture_ = bodies_in(frame, words);
    }
    void end() {
        if (trace_ == nullptr || picture_.empty()) return;
        const auto common = std::count(picture_.begin(), picture_.end(), TracePixel::common);
        trace_->value("pixels in collision", static_cast<double>(common));
        trace_->picture(static_cast<std::uint32_t>(view_.size), picture_, "pixels in collision");
    }
    PixelListener* pixels() { return begin() ? this : nullptr; }
    void pixel(std::uint32_t index, std::int32_t low, std::int32_t high) override {
        if (index < picture_.size()) picture_[index] = TracePixel::common;
        if (traced_++ >= kMaxTraced) return;
        const Vec3d from = point(index, low);
        if (low == high) return trace_->point(from, "common point");
        trace_->segment(from, point(index, high), "common interval");
    }
    Vec3d point(std::uint32_t index, double depth) const {
        const auto size = static_cast<std::uint32_t>(view_.size);
        return view_.point_w(index % size + 0.5, index / size + 0.5, depth);
    }

  private:
    bool begin() {
        if (trace_ == nullptr) return false;
        trace_->begin_iteration(++iteration_);
        return true;
    }
    void show(const RasterFrame& frame, std::span<const std::int32_t> words, const char* label) {
        trace_->picture(static_cast<std::uint32_t>(frame.size), bodies_in(frame, words), label);
    }
    /// Which bodies each pixel shows.
    static std::vector<TracePixel> bodies_in(const RasterFrame& frame, std::span<const std::int32_t> words) {
        const std::size_t n = frame.pixels();
        const auto layers = static_cast<std::size_t>(frame.layers);
        std::vector<TracePixel> out(n, TracePixel::nothing);
        for (std::size_t i = 0; i < n; ++i) {
            unsigned bodies = 0;  // 1 is A, 2 is B
            if (frame.kind == RasterKind::two_valued) {
                bodies = (words[n + i] >= 0 ? 1u : 0u) | (words[3 * n + i] >= 0 ? 2u : 0u);
            } else if (frame.kind == RasterKind::one_valued) {
                bodies = static_cast<unsigned>(words[n + i]) & 3u;
            } else {
                for (std::size_t k = 0; k < static_cast<std::size_t>(words[i]); ++k)
                    bodies |= static_cast<unsigned>(words[n + i * layers + k] >> 2) & 3u;
            }
            out[i] = static_cast<TracePixel>(bodies);
        }
        return out;
    }
    static constexpr std::uint32_t kMaxTraced = 4096;  // more lines would hide each other
    Trace* trace_;
    const PictureView& view_;
    int iteration_ = 0;
    std::uint32_t traced_ = 0;
    std::vector<TracePixel> picture_;
};

/// Draws the pictures of one query.
struct Painter {
    const PairQuery& query;
    const PictureView& view;
    PictureTracer& tracer;
    std::uint32_t triangles = 0;
    bool by_device = false;
    const RasterDevice* software = nullptr;  ///< its unfinished picture can be read

    /// Empty if the query was stopped, or if a graphics card cannot draw the picture.
    std::span<const std::int32_t> paint(RasterDevice& device, const RasterFrame& frame,
                                        DepthBufferVariant variant) {
        if (!device.begin(frame)) return {};
        for (const DepthPass& pass : passes_of(variant)) {
            const PairBody& body = pass.raster.body == 0 ? query.a : query.b;
            const std::uint32_t count = draw_body(drawn(body), view, pass.faces, pass.raster, device);
            triangles += count;
            tracer.pass(count, frame,
                        &device == software ? device.finish() : std::span<const std::int32_t>{});
            if (query.stop.stop_requested()) return {};
        }
        return device.finish();
    }
    std::span<const std::int32_t> paint(SoftwareRaster& twin, const RasterFrame& frame,
                                        DepthBufferVariant variant) {
        RasterDevice* const device =
            query.parameters.integer(kDevice) == 1 ? raster_device_of_this_thread() : nullptr;
        if (device != nullptr) {
            const auto words = paint(*device, frame, variant);
            by_device = !words.empty();
            if (by_device) return words;
        }
        software = &twin;
        return paint(static_cast<RasterDevice&>(twin), frame, variant);
    }
};

DepthBufferVariant choose_variant(const PairQuery& q) {
    const bool convex = drawn(q.a).hull != nullptr && drawn(q.b).hull != nullptr;
    const int chosen = q.parameters.integer(kVariant);
    if (!convex || chosen == 3) return DepthBufferVariant::layers;
    return chosen == 2 ? DepthBufferVariant::five_pass : DepthBufferVariant::two_valued;
}

RasterFrame frame_of(const PairQuery& q, DepthBufferVariant variant) {
    return {kind_of(variant), (std::clamp(q.parameters.integer(kResolution), 4, 512) + 3) / 4 * 4,
            std::clamp(q.parameters.integer(kLayers), 1, kMaxRasterLayers)};
}

void set_depth(const PairQuery& q, const PictureView& view, const DepthFinding& found, PairResult& result) {
    const bool up = found.distance_up <= found.distance_down;
    const std::int32_t distance = up ? found.distance_up : found.distance_down;
    const std::int32_t steps = q.parameters.integer(kDepthMeasure) == 1 ? found.thesis_depth : distance;
    result.depth = steps * view.pixel.z;
    result.depth_direction_w = {};
    result.depth_direction_w[static_cast<std::size_t>(view.axis)] = up ? 1 : -1;
}

/// Draws, reads and evaluates the picture. False if the query was stopped.
bool draw_and_evaluate(const PairQuery& query, const PictureView& view, PictureTracer& tracer,
                       PairResult& result) {
    const DepthBufferVariant variant = choose_variant(query);
    const RasterFrame frame = frame_of(query, variant);
    RasterFrame depths = frame;  // five passes keep no depths: redrawn if the depth is requested
    depths.kind = RasterKind::two_valued;
    QueryBuffer storage(*query.scratch, std::max(frame.words(), depths.words()) * sizeof(std::int32_t) + 64);
    SoftwareRaster twin(storage.take<std::int32_t>(std::max(frame.words(), depths.words())));
    Painter painter{query, view, tracer};
    const auto words = painter.paint(twin, frame, variant);
    if (words.empty()) return false;
    tracer.finished(frame, words);
    DepthFinding found = read_picture(variant, frame, words, tracer.pixels());
    tracer.end();
    result.verdict = found.colliding > 0 ? Verdict::colliding : Verdict::separated;
    if (result.verdict == Verdict::colliding) {
        result.certificate.kind = CertificateKind::common_point;
        result.certificate.point_w =
            tracer.point(found.deepest_pixel, 0.5 * found.stretch_begin + 0.5 * found.stretch_end);
    }
    result.iterations = painter.triangles;
    result.counters = {painter.triangles, found.shared, found.colliding, found.full,
                       painter.by_device ? 1u : 0u};
    if ((query.wants & kWantDepth) == 0 || result.verdict != Verdict::colliding) return true;
    if (variant == DepthBufferVariant::five_pass) {
        const auto both = painter.paint(twin, depths, DepthBufferVariant::two_valued);
        if (both.empty()) return false;
        found = read_picture(DepthBufferVariant::two_valued, depths, both, nullptr);
    }
    set_depth(query, view, found, result);
    return true;
}

/// The method needs a volume: a flat body is visible from its wide side only.
bool fits(const Shape& a, const Shape& b) {
    const auto solid = [](const Shape& s) { return s.hull() == nullptr || s.hull()->dimension == 3; };
    return solid(a) && solid(b);
}

void query_depth_buffer(const PairQuery& query, PairCache&, PairResult& result, Trace* trace) {
    PictureView view;
    PictureTracer tracer(trace, view);
    result.verdict = Verdict::separated;
    const int axis = query.parameters.integer(kAxis) - 1;
    const int size = frame_of(query, DepthBufferVariant::two_valued).size;
    if (!make_view(drawn_box(drawn(query.a)), drawn_box(drawn(query.b)), axis, size, view)) return;
    tracer.box();
    if (draw_and_evaluate(query, view, tracer, result)) return;
    result.verdict = Verdict::undecided;
    result.status = QueryStatus::stopped;
}

}  // namespace

const PairAlgorithm& describe_depth_buffer() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{"depth_buffer", "Depth buffer",
                        "Zachmann, Exact and Fast Collision Detection, 1994, 3.7.1",
                        "Draws both bodies into a depth picture and compares the depths in each pixel."};
        a.needs = Needs::closed;
        a.gives = kWantDepth;
        a.meaning = Meaning::solid;
        a.exact = false;
        a.bias = Bias::none;
        a.parameters = kParameters;
        a.counters = kCounters;
        a.fits = fits;
        a.query = query_depth_buffer;
        return a;
    }();
    return algorithm;
}

}  // namespace claybox::collision
