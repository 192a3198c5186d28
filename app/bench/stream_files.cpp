#include "app/bench/stream_files.hpp"

#include "app/cli/log.hpp"
#include "app/cli/name_lookup.hpp"
#include "app/cli/output.hpp"
#include "app/session/pair_line.hpp"
#include "app/session/shape_file.hpp"
#include "app/session/strict_json.hpp"
#include "bench/papers/shared/named_streams.hpp"
#include "engine/files/path_text.hpp"
#include "engine/files/write_file.hpp"

#include <algorithm>

namespace claybox::app {

using namespace collision;
using Json = nlohmann::ordered_json;

namespace {

std::string mesh_name(std::uint32_t shape) {
    return "shape-" + std::to_string(shape) + ".obj";
}

/// One query as a line; `frame` of its batch.
Json line_of(const streams::JudgedQuery& q, std::size_t number, std::uint32_t frame, bool convex) {
    return {{"id", number},
            {"frame", frame},
            {"pair", q.pair},
            {"fresh", q.fresh},
            {"kind", streams::to_string(q.kind)},
            {convex ? "expected" : "expected_surface",
             to_string(q.collides ? Verdict::colliding : Verdict::separated)},
            {"a", {{"mesh", mesh_name(q.shape_a)}}},
            {"b", {{"mesh", mesh_name(q.shape_b)}}},
            {"matrix_a", matrix_to_json(q.world_from_a)},
            {"matrix_b", matrix_to_json(q.world_from_b)}};
}

Status write_stream(const bench::NamedStream& named, const streams::JudgedStream& stream,
                    const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return Error{"cannot create the folder " + engine::text_of(folder) + ": " + error.message(), {}, 0};
    std::string problem;
    for (std::uint32_t i = 0; i < stream.shapes.size(); ++i)
        if (!write_shape(folder / mesh_name(i), *stream.shapes[i], problem)) return Error{problem, {}, 0};
    engine::FileWriter writer;
    if (!writer.open(folder / "queries.jsonl", problem)) return Error{problem, {}, 0};
    for (const streams::QueryBatch& batch : stream.batches)
        for (std::uint32_t i = batch.first; i < batch.first + batch.count; ++i)
            writer.append(to_line(line_of(stream.queries[i], i, batch.frame, named.convex)));
    if (!writer.commit(problem)) return Error{problem, {}, 0};
    return Done{};
}

bool is_wanted(const BenchArguments& arguments, const bench::NamedStream& named) {
    return arguments.rows.empty() ||
           std::any_of(arguments.rows.begin(), arguments.rows.end(), [&](const std::string& row) {
               return normalised_name(row) == normalised_name(named.name);
           });
}

Status check_streams(const BenchArguments& arguments) {
    if (arguments.out.empty()) return Error{"bench streams: expected --out FOLDER", {}, 0};
    const bool other = !arguments.algorithms.empty() || !arguments.json.empty() ||
                       !arguments.markdown.empty() || arguments.minutes > 0 || !arguments.shard.empty() ||
                       !arguments.compare.empty() || arguments.quick;
    if (other) return Error{"bench streams: expected only --out, --rows and --seed", {}, 0};
    std::string names;
    for (const bench::NamedStream& named : bench::named_streams())
        names += (names.empty() ? "" : ", ") + std::string(named.name);
    for (const std::string& row : arguments.rows) {
        const auto all = bench::named_streams();
        if (std::none_of(all.begin(), all.end(), [&](const bench::NamedStream& named) {
                return normalised_name(row) == normalised_name(named.name);
            }))
            return Error{
                std::string("--rows ").append(row).append(": expected one or more of ").append(names), {}, 0};
    }
    return Done{};
}

}  // namespace

int streams_command(const BenchArguments& arguments) {
    if (const Status checked = check_streams(arguments); !checked) return report_error(checked.error());
    const std::filesystem::path folder = engine::path_of(arguments.out);
    for (const bench::NamedStream& named : bench::named_streams()) {
        if (!is_wanted(arguments, named)) continue;
        const auto stream = named.record(arguments.seed);
        if (!stream) return report_error(stream.error());
        if (const Status written = write_stream(named, stream.value(), folder / named.name); !written)
            return report_error(written.error());
        print(engine::text_of(folder / named.name / "queries.jsonl") + ": " + named.title + ", " +
              std::to_string(stream.value().queries.size()) + " queries\n");
    }
    return finish_output(kExitDone);
}

}  // namespace claybox::app
