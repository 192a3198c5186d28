#include "app/bench/papers_command.hpp"

#include "app/bench/papers_run.hpp"
#include "app/bench/run_context.hpp"
#include "app/cli/name_lookup.hpp"
#include "app/cli/output.hpp"
#include "bench/papers/paper_row.hpp"
#include "bench/papers/report/svg_plot.hpp"
#include "engine/files/path_text.hpp"
#include "engine/files/write_file.hpp"

#include <algorithm>

namespace claybox::app {

using namespace collision;

namespace {

constexpr const char* kDefaultFolder = "claybox-papers";
constexpr const char* kPlots = "papers";

Status write_text(const std::filesystem::path& file, const std::string& text) {
    std::string problem;
    if (!engine::write_file_atomically(file, text, problem)) return Error{problem, {}, 0};
    return Done{};
}

/// papers.html, papers.md, and the plots of the latter.
Status write_report(const std::filesystem::path& folder, const bench::Report& report) {
    if (const Status html = write_text(folder / "papers.html", bench::report_html(report)); !html)
        return html;
    if (const Status text = write_text(folder / "papers.md", bench::report_markdown(report, kPlots)); !text)
        return text;
    std::error_code error;
    std::filesystem::create_directories(folder / kPlots, error);
    for (const bench::ReportEntry& entry : report.entries)
        for (std::size_t i = 0; i < entry.findings.plots.size(); ++i) {
            const std::string name = entry.id + '-' + std::to_string(i + 1) + ".svg";
            if (const Status plot =
                    write_text(folder / kPlots / name, bench::svg_of(entry.findings.plots[i]));
                !plot)
                return plot;
        }
    return Done{};
}

Status check_rows(const std::vector<std::string>& rows) {
    const std::vector<PapersSection> sections = papers_sections();
    for (const std::string& row : rows) {
        const auto known = [&](const PapersSection& s) {
            return normalised_name(s.id) == normalised_name(row);
        };
        if (std::none_of(sections.begin(), sections.end(), known))
            return Error{
                "--rows " + row + ": expected ids of rows such as CW-X1; 'claybox bench list' lists them",
                {},
                0};
    }
    return Done{};
}

/// First wrong answer of an exact algorithm; empty if there is none.
std::string first_failure(const bench::Report& report) {
    for (const bench::ReportEntry& entry : report.entries)
        if (!entry.findings.failure.empty()) return entry.id + ": " + entry.findings.failure;
    return {};
}

Result<PapersPlan> plan_of(const BenchArguments& arguments) {
    if (!arguments.algorithms.empty() || !arguments.json.empty() || !arguments.markdown.empty() ||
        arguments.minutes > 0)
        return Error{
            "bench papers: expected no --algorithms, --json, --markdown or --minutes; --out names the folder",
            {},
            0};
    if (const Status rows = check_rows(arguments.rows); !rows) return rows.error();
    const auto shard = parse_shard(arguments.shard.empty() ? "1/1" : arguments.shard);
    if (!shard) return shard.error();
    PapersPlan plan;
    plan.folder = arguments.out.empty() ? kDefaultFolder : engine::path_of(arguments.out);
    plan.conditions = {arguments.quick, is_release_build(), arguments.seed};
    plan.only = arguments.rows;
    plan.shard = shard.value();
    std::error_code error;
    std::filesystem::create_directories(plan.folder, error);
    if (error)
        return Error{
            "--out " + engine::text_of(plan.folder) + ": cannot create the folder: " + error.message(),
            {},
            0};
    return plan;
}

/// The plan's findings, compared with an earlier folder if one is given.
Result<bench::Report> report_of(const PapersPlan& plan, const std::string& earlier) {
    auto report = collect_report(plan);
    if (!report || earlier.empty()) return report;
    PapersPlan before = plan;
    before.folder = engine::path_of(earlier);
    const auto old = collect_report(before);
    if (!old) return Error{"--compare " + earlier + ": " + old.error().text(), {}, 0};
    report.value().slower = bench::compare(report.value(), old.value());
    return report;
}

}  // namespace

int papers_command(const BenchArguments& arguments, const bench::ExperimentOptions& options) {
    const auto plan = plan_of(arguments);
    if (!plan) return report_error(plan.error());
    const auto end = run_sections(plan.value(), options);
    if (!end) return report_error(end.error());
    if (end.value() == PapersEnd::interrupted) return finish_output(kExitInterrupted);
    const auto report = report_of(plan.value(), arguments.compare);
    if (!report) return report_error(report.error());
    if (const Status written = write_report(plan.value().folder, report.value()); !written)
        return report_error(written.error());
    const std::filesystem::path& folder = plan.value().folder;
    print(std::to_string(report.value().entries.size()) + " rows: " +
          engine::text_of(folder / "papers.html") + ", " + engine::text_of(folder / "papers.md") + '\n');
    for (const std::string& id : report.value().missing) print("missing: " + id + '\n');
    for (const std::string& sentence : report.value().slower) print("slower: " + sentence + '\n');
    if (const std::string failure = first_failure(report.value()); !failure.empty()) {
        report_error(failure);
        return finish_output(kExitCheckFailed);
    }
    return finish_output(report.value().slower.empty() ? kExitDone : kExitCheckFailed);
}

int paper_row_command(const BenchArguments& arguments, const bench::ExperimentOptions& options) {
    const bench::PaperRow& row = *bench::find_paper_row(arguments.name);
    if (!arguments.rows.empty() || !arguments.algorithms.empty() || arguments.minutes > 0)
        return report_error(std::string("bench ") + row.id +
                            ": expected no --rows, --algorithms or --minutes");
    auto findings = row.run(options);
    if (!findings) return report_error(findings.error());
    StoredEntry stored;
    stored.entry = {row.id, row.source, row.title, row.setup, std::move(findings.value())};
    stored.conditions = {options.quick, is_release_build(), options.seed};
    stored.context = run_context();
    if (!arguments.json.empty())
        if (const Status written = write_json(engine::path_of(arguments.json), to_json(stored)); !written)
            return report_error(written.error());
    const std::string text = bench::entry_markdown(stored.entry);
    if (!arguments.markdown.empty() && arguments.markdown != "-") {
        if (const Status written = write_text(engine::path_of(arguments.markdown), text); !written)
            return report_error(written.error());
    } else if (!arguments.markdown.empty() || arguments.json.empty()) {
        print(text);
    }
    if (stored.entry.findings.failure.empty()) return finish_output(kExitDone);
    report_error(stored.entry.findings.failure);
    return finish_output(kExitCheckFailed);
}

}  // namespace claybox::app
