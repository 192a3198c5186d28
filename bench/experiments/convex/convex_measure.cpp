#include "bench/experiments/convex/convex_measure.hpp"

namespace claybox::bench {

using namespace collision;
using streams::JudgedStream;

Result<JudgedStream> record_row(const ConvexRow& row, const ConvexEffort& effort) {
    // At the density of the other shapes, rods rarely overlap.
    const bool rod = row.primitive == Primitive::rod_hull;
    streams::CageSettings settings;
    settings.primitive = row.primitive;
    settings.vertices = row.vertices;
    settings.bodies = effort.bodies;
    settings.filled = rod ? 0.4 : 0.1;
    settings.filled_by_balls = true;
    settings.step = row.step / 100;
    settings.turn = row.turn;
    settings.seed = effort.seed;
    auto stream = streams::record_cage(settings, effort.frames);
    if (!stream) return stream.error();
    if (stream.value().queries.empty())
        return Error{row.name() + ": no boxes overlap in this motion, expected candidate pairs", {}, 0};
    return streams::judge(stream.value(), static_cast<double>(settings.radius));
}

ConvexRowResult measure_row(const ConvexRow& row, const JudgedStream& stream,
                            const std::vector<Entry>& entries, const ConvexEffort& effort) {
    ConvexRowResult out;
    static_cast<StreamResult&>(out) = measure(stream, entries, effort);
    out.row = row;
    return out;
}

}  // namespace claybox::bench
