#include "bench/experiments/mesh/mesh_measure.hpp"

#include "bench/streams/mesh_stream.hpp"

#include <bit>
#include <cmath>

namespace claybox::bench {

using namespace collision;
using streams::DentFrame;
using streams::DentStream;

namespace {

/// Frames of slow motion per step of normal motion.
constexpr std::uint32_t kSlowParts = 10;

/// The level count whose 4 * 6^levels triangles come closest.
std::uint32_t flake_levels(std::uint32_t triangles) {
    return static_cast<std::uint32_t>(std::lround(std::log(triangles / 4.0) / std::log(6.0)));
}

struct DentTimes {
    std::vector<float> build, update, query, frame;
};

/// Builds the structure and plays the frames once, at least three of them, within `ns` nanoseconds. Counts
/// wrong answers. Returns the remaining nanoseconds.
double play(const DentStream& stream, double ns, DentResult& result, DentTimes& times) {
    const auto contestant = result.entry->make();
    contestant->set_parts(stream.parts);
    const double start = now_ns();
    contestant->build(stream.mesh);
    times.build.push_back(static_cast<float>(now_ns() - start));
    for (std::size_t i = 0; i < stream.frames.size() && (i < 3 || ns > 0); ++i) {
        const DentFrame& frame = stream.frames[i];
        contestant->load(frame);
        const double before = now_ns();
        contestant->update();
        const double between = now_ns();
        const std::uint32_t colliding_parts = contestant->query();
        const double after = now_ns();
        result.answered += streams::kHandParts;
        result.wrong += static_cast<std::uint64_t>(std::popcount(colliding_parts ^ frame.colliding_parts));
        if (i == 0) continue;  // memory grows in the first frame
        times.update.push_back(static_cast<float>(between - before));
        times.query.push_back(static_cast<float>(after - between));
        times.frame.push_back(static_cast<float>(after - before));
        ns -= after - before;
    }
    return ns;
}

}  // namespace

Result<ShapePtr> make_mesh(const MeshRow& row) {
    const Primitive primitive = row.shape == MeshShape::torus   ? Primitive::torus
                                : row.shape == MeshShape::flake ? Primitive::tetra_flake
                                                                : Primitive::uv_sphere;
    if (row.part == MeshPart::threshold) return make_primitive_shape(primitive, row.triangles, 1, 1);
    if (row.shape == MeshShape::flake) return streams::tetra_flake_of(flake_levels(row.triangles));
    const auto quads = make_primitive_shape(primitive, row.triangles / 2, 1, 1);
    if (!quads) return quads.error();
    return streams::as_triangles(*quads.value());
}

Result<streams::JudgedStream> record_mesh_row(const MeshRow& row, const ShapePtr& mesh,
                                              const MeshEffort& effort) {
    if (row.part != MeshPart::contact)
        return streams::record_moving(mesh, effort.bodies, effort.frames,
                                      row.part == MeshPart::slow ? kSlowParts : 1, effort.seed);
    return streams::record_contacts(mesh, mesh, effort.contacts, effort.seed);
}

Result<DentRowResult> measure_dents(const MeshRow& row, const std::vector<DeformingEntry>& entries,
                                    const MeshEffort& effort) {
    const auto stream = streams::record_dents(row.triangles, row.moved, effort.dents, effort.seed);
    if (!stream) return stream.error();
    DentRowResult out;
    out.row = row;
    out.triangles = stream.value().mesh->topology().triangles.size();
    for (const DentFrame& frame : stream.value().frames)
        out.colliding += static_cast<std::uint64_t>(std::popcount(frame.colliding_parts));
    std::vector<DentTimes> times(entries.size());
    for (const DeformingEntry& entry : entries) out.results.push_back({&entry, 0, 0, 0, 0, 0, 0, 0, 0});
    std::vector<double> left(entries.size(), 1e9 * effort.dent_seconds);
    for (std::uint32_t repeat = 0; repeat < effort.dent_repeats; ++repeat)
        for (std::size_t i = 0; i < entries.size(); ++i)
            if (left[i] > 0) left[i] = play(stream.value(), left[i], out.results[i], times[i]);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        DentResult& r = out.results[i];
        r.frames = times[i].frame.size();
        r.build_ms = 1e-6 * median(times[i].build);
        r.update_ms = 1e-6 * median(times[i].update);
        r.query_ms = 1e-6 * median(times[i].query);
        r.spread = spread_of({times[i].frame.begin(), times[i].frame.end()});
        r.frame_ms = 1e-6 * median(times[i].frame);
    }
    return out;
}

}  // namespace claybox::bench
