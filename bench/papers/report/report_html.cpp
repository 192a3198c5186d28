#include "bench/papers/report/report.hpp"
#include "bench/papers/report/svg_plot.hpp"

namespace claybox::bench {

namespace {

constexpr const char* kStyle = R"(
:root{--ink:#26282b;--soft:#666b72;--back:#fbfaf8;--line:#d9d6d0;--card:#fff;--teal:#0f7b7b;--red:#b23a2e;--amber:#946200}
@media(prefers-color-scheme:dark){:root{--ink:#e4e3e0;--soft:#a2a6ad;--back:#17181a;--line:#3a3c40;--card:#1f2023;--teal:#4fc0bd;--red:#ef8a7c;--amber:#e0b050}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--back);margin:0 auto;max-width:1080px;padding:24px}
h1{font-size:28px;margin:0 0 4px}h2{font-size:20px;margin:36px 0 4px;border-top:1px solid var(--line);padding-top:20px}
h3{font-size:15px;margin:18px 0 6px}p{margin:6px 0}.soft{color:var(--soft)}a{color:var(--teal)}
table{border-collapse:collapse;margin:8px 0;background:var(--card);font-size:14px}
th,td{border:1px solid var(--line);padding:4px 9px;text-align:right;vertical-align:top}
th{font-weight:600;text-align:center}.w{text-align:left}.wide{overflow-x:auto}
.holds{color:var(--teal);font-weight:600}.differs,.refused,.wrong{color:var(--red);font-weight:600}.doubtful{color:var(--amber);font-weight:600}
.counts span{display:inline-block;margin:4px 18px 4px 0;font-size:17px}.note{color:var(--soft);font-size:13px}
td a{white-space:nowrap}figure{margin:10px 0}svg{max-width:100%;height:auto;border:1px solid var(--line)}
)";

std::string cell(const std::string& text, bool word, const char* tag = "td") {
    return std::string("<") + tag + (word ? " class=\"w\">" : ">") + escaped(text) + "</" + tag + ">";
}

std::string claim_row(const std::string& id, const Claim& c) {
    std::string out = "<tr>";
    if (!id.empty()) out += "<td class=\"w\"><a href=\"#" + id + "\">" + id + "</a></td>";
    out += "<td class=\"w\">" + escaped(c.what);
    if (!c.note.empty() && id.empty()) out += "<br><span class=\"note\">" + escaped(c.note) + "</span>";
    return out + "</td>" + cell(c.published, true) + cell(c.measured, true) + "<td class=\"w " +
           to_string(c.judgement) + "\">" + to_string(c.judgement) + "</td></tr>\n";
}

std::string claims_table(const ReportEntry& entry) {
    if (entry.findings.claims.empty()) return {};
    std::string out =
        "<div "
        "class=\"wide\"><table><tr><th>statement</th><th>published</th><th>here</th><th>verdict</th></tr>\n";
    for (const Claim& c : entry.findings.claims) out += claim_row({}, c);
    return out + "</table></div>\n";
}

std::string table_html(const FindingsTable& table) {
    std::string out = table.title.empty() ? "" : "<h3>" + escaped(table.title) + "</h3>\n";
    out += "<div class=\"wide\"><table><tr>";
    for (const std::string& head : table.head) out += cell(head, false, "th");
    out += "</tr>\n";
    for (const auto& row : table.rows) {
        out += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i) out += cell(row[i], i < table.words);
        out += "</tr>\n";
    }
    return out + "</table></div>\n";
}

std::string entry_html(const ReportEntry& entry) {
    std::string out = "<h2 id=\"" + entry.id + "\">" + entry.id + ": " + escaped(entry.title) +
                      "</h2>\n<p class=\"soft\">" + escaped(entry.source) + "</p><p>" + escaped(entry.setup) +
                      "</p>\n";
    if (!entry.findings.failure.empty())
        out += "<p class=\"wrong\">Wrong answer: " + escaped(entry.findings.failure) + "</p>\n";
    out += claims_table(entry);
    for (const Plot& plot : entry.findings.plots) out += "<figure>" + svg_of(plot) + "</figure>\n";
    for (const FindingsTable& table : entry.findings.tables) out += table_html(table);
    for (const std::string& note : entry.findings.notes)
        out += "<p class=\"note\">" + escaped(note) + "</p>\n";
    return out;
}

std::string overview(const Report& report) {
    const auto counts = count_claims(report);
    std::string out = "<p class=\"counts\">";
    for (int j = 0; j < kJudgementCount; ++j) {
        const char* const name = to_string(static_cast<Judgement>(j));
        out += std::string("<span class=\"") + name + "\">" +
               std::to_string(counts[static_cast<std::size_t>(j)]) + ' ' + name + "</span>";
    }
    out +=
        "</p>\n<p class=\"soft\">Holds: also true here. Differs: not true here, with the reason. Shown: "
        "depends on the "
        "machine, or the source has no number. Doubtful: the printed number is probably wrong. Refused: the "
        "times of "
        "this run vary by more than a quarter.</p>\n<table>";
    for (const auto& [name, text] : report.context)
        out += "<tr>" + cell(name, true) + cell(text, true) + "</tr>\n";
    out += "</table>\n";
    if (!report.missing.empty()) {
        out += "<p class=\"wrong\">Missing:";
        for (const std::string& id : report.missing) out += " " + id;
        out += "</p>\n";
    }
    if (!report.slower.empty()) out += "<h3>Slower than in the earlier run</h3><ul>";
    for (const std::string& sentence : report.slower) out += "<li>" + escaped(sentence) + "</li>";
    if (!report.slower.empty()) out += "</ul>\n";
    out +=
        "<h2>All statements</h2><div "
        "class=\"wide\"><table><tr><th>row</th><th>statement</th><th>published</th><th>here</th>"
        "<th>verdict</th></tr>\n";
    for (const ReportEntry& entry : report.entries)
        for (const Claim& c : entry.findings.claims) out += claim_row(entry.id, c);
    return out + "</table></div>\n";
}

}  // namespace

std::string report_html(const Report& report) {
    // Appended piece by piece: GCC 12 warns of the sum without a reason.
    std::string out =
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width\">"
        "<title>Experiments of the papers, repeated</title><style>";
    out += kStyle;
    out += "</style></head><body>\n<h1>Experiments of the papers, repeated</h1>\n";
    out += overview(report);
    for (const ReportEntry& entry : report.entries) out += entry_html(entry);
    return out + "</body></html>\n";
}

}  // namespace claybox::bench
