// Source: Zachmann, Exact and Fast Collision Detection (thesis, 1994), section 3.7.1, which proposes it.
// Idea: look along one axis at what both bodies' boxes have in common and draw the bodies into a picture that
//   keeps depths instead of colours. A pixel is a line of sight; the bodies meet in it when the depths
//   between which A lies and those between which B lies have one in common. Two-valued: nearest and farthest
//   depth of each body. Five passes: one depth and one colour, for hardware without more. Layers: all depths,
//   sorted.
// Preconditions: closed bodies with a volume. The first two variants are for convex bodies; others are drawn
// in layers. Approximate: only lines through pixel centres are seen, corners are rounded to sixteenths of a
// pixel and
//   depths to 2^-24 of the height of both. A false collision needs bodies nearer than a sixteenth of a
//   pixel's diagonal and four depth steps; a missed one, a common part without any pixel's centre line, so
//   none that holds a ball as wide as that diagonal. Pixels shrink with the common box.
// Corrected: B's depths between A's do not show an A within B, so the test is symmetric. The five passes as
//   printed leave the colour of B in pixels that show B alone or B before A: pass 3 draws only over A, pass 4
//   keeps A's depth and pass 5 erases by depth. The printed measure of depth gives the whole of A where B
//   barely enters; the default is the shortest way out along the axis instead.
// Complexity: O(n + pixels); polygons beside the common box are passed over in runs. Caches nothing.

#include "collision/parts/depth_buffer.hpp"

#include "collision/pairwise/registry.hpp"
#include "collision/parts/query_room.hpp"
#include "collision/parts/raster_software.hpp"

#include <algorithm>

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
     "What a pixel keeps. Bodies that are not convex are drawn in layers whatever is chosen; auto takes two "
     "values for convex ones.",
     false, kVariantNames},
    {"resolution", "Pixels a side", ParameterKind::integer, 128, 4, 512, "", "ours: see docs/mesh.md",
     "Of the picture, which shows what the boxes of both bodies have in common; rounded up to a multiple of "
     "4.",
     true},
    {"axis", "Line of sight", ParameterKind::choice, 0, 0, 3, "", "ours: contacts are flattest along it",
     "The axis of the world along which depths are measured; by itself the thinnest side of the common box.",
     false, kAxisNames},
    {"layers", "Layers", ParameterKind::integer, 16, 2, kMostRasterLayers, "",
     "ours: twice what two tori show at most", "How many depths a pixel of a layered picture keeps.", false},
    {"device", "Drawn by", ParameterKind::choice, 0, 0, 1, "", "ours: exists everywhere",
     "gpu: the graphics card of the window, where the query runs on the window's thread; the software twin, "
     "whose pictures are the same, elsewhere.",
     false, kDeviceNames},
    {"depth", "Depth measure", ParameterKind::choice, 0, 0, 1, "", kThesis,
     "way_out: the shorter way along the line of sight until no pixel shares a depth. thesis: the greatest "
     "difference between a surface within the other body and that body's ends.",
     false, kDepthNames}};

constexpr const char* kCounters[] = {"triangles drawn", "pixels of both", "pixels in collision",
                                     "full pixels", "drawn by the device"};

DrawnBody drawn(const PairBody& body) {
    const ConvexHull* hull = body.deformed() ? nullptr : body.shape->hull();
    return {body.geometry, hull, &body.world_from_body};
}

/// Shows the view, the passes and the pixels.
class Show final : public PixelListener {
  public:
    Show(Trace* trace, const PictureView& view) : trace_(trace), view_(view) {}

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
    void pass(std::uint32_t triangles) {
        if (begin()) trace_->value("triangles drawn", triangles);
    }
    PixelListener* pixels() { return begin() ? this : nullptr; }
    void pixel(std::uint32_t index, std::int32_t low, std::int32_t high) override {
        if (shown_++ >= kMostShown) return;
        const Vec3d from = point(index, low);
        if (low == high) return trace_->point(from, "common point");
        trace_->segment(from, point(index, high), "common stretch");
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
    static constexpr std::uint32_t kMostShown = 4096;  // more lines than these hide each other
    Trace* trace_;
    const PictureView& view_;
    int iteration_ = 0;
    std::uint32_t shown_ = 0;
};

/// One query's picture making.
struct Painter {
    const PairQuery& query;
    const PictureView& view;
    Show& show;
    std::uint32_t triangles = 0;
    bool by_device = false;

    /// Empty when the query was stopped or, for a graphics card, when it cannot make the picture.
    std::span<const std::int32_t> paint(RasterDevice& device, const RasterFrame& frame,
                                        DepthBufferVariant variant) {
        if (!device.begin(frame)) return {};
        for (const DepthPass& pass : passes_of(variant)) {
            const PairBody& body = pass.raster.body == 0 ? query.a : query.b;
            const std::uint32_t count = draw_body(drawn(body), view, pass.faces, pass.raster, device);
            triangles += count;
            show.pass(count);
            if (query.stop.stop_requested()) return {};
        }
        return device.finish();
    }
    std::span<const std::int32_t> paint(SoftwareRaster& twin, const RasterFrame& frame,
                                        DepthBufferVariant variant) {
        RasterDevice* const own =
            query.parameters.integer(kDevice) == 1 ? raster_device_of_this_thread() : nullptr;
        if (own != nullptr) {
            const auto words = paint(*own, frame, variant);
            by_device = !words.empty();
            if (by_device) return words;
        }
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
            std::clamp(q.parameters.integer(kLayers), 1, kMostRasterLayers)};
}

void set_depth(const PairQuery& q, const PictureView& view, const DepthFinding& found, PairResult& result) {
    const bool up = found.way_up <= found.way_down;
    const std::int32_t way = up ? found.way_up : found.way_down;
    const std::int32_t steps = q.parameters.integer(kDepthMeasure) == 1 ? found.thesis_depth : way;
    result.depth = steps * view.pixel.z;
    result.depth_direction_w = {};
    result.depth_direction_w[static_cast<std::size_t>(view.axis)] = up ? 1 : -1;
}

/// Draws, reads and tells. False when the query was stopped.
bool look(const PairQuery& query, const PictureView& view, Show& show, PairResult& result) {
    const DepthBufferVariant variant = choose_variant(query);
    const RasterFrame frame = frame_of(query, variant);
    RasterFrame depths = frame;  // five passes keep no depths: these are drawn when they are wanted
    depths.kind = RasterKind::two_valued;
    QueryRoom room(*query.scratch, std::max(frame.words(), depths.words()) * sizeof(std::int32_t) + 64);
    SoftwareRaster twin(room.take<std::int32_t>(std::max(frame.words(), depths.words())));
    Painter painter{query, view, show};
    const auto words = painter.paint(twin, frame, variant);
    if (words.empty()) return false;
    DepthFinding found = read_picture(variant, frame, words, show.pixels());
    result.verdict = found.colliding > 0 ? Verdict::colliding : Verdict::separated;
    if (result.verdict == Verdict::colliding) {
        result.certificate.kind = CertificateKind::common_point;
        result.certificate.point_w =
            show.point(found.deepest_pixel, 0.5 * found.stretch_begin + 0.5 * found.stretch_end);
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

/// Without a volume a body would be seen from its wide side only.
bool fits(const Shape& a, const Shape& b) {
    const auto solid = [](const Shape& s) { return s.hull() == nullptr || s.hull()->dimension == 3; };
    return solid(a) && solid(b);
}

void query_depth_buffer(const PairQuery& query, PairCache&, PairResult& result, Trace* trace) {
    PictureView view;
    Show show(trace, view);
    result.verdict = Verdict::separated;
    const int axis = query.parameters.integer(kAxis) - 1;
    const int size = frame_of(query, DepthBufferVariant::two_valued).size;
    if (!make_view(drawn_box(drawn(query.a)), drawn_box(drawn(query.b)), axis, size, view)) return;
    show.box();
    if (look(query, view, show, result)) return;
    result.verdict = Verdict::undecided;
    result.status = QueryStatus::stopped;
}

}  // namespace

const PairAlgorithm& describe_depth_buffer() {
    static const PairAlgorithm algorithm = [] {
        PairAlgorithm a{"depth_buffer", "Depth buffer",
                        "Zachmann, Exact and Fast Collision Detection, 1994, 3.7.1",
                        "Draws both bodies into a picture of depths and compares the depths in each pixel."};
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
