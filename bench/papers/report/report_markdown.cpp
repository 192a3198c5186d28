#include "bench/experiments/shared/tables.hpp"
#include "bench/papers/report/report.hpp"

#include <algorithm>

namespace claybox::bench {

namespace {

std::string claims_table(const std::vector<Claim>& claims) {
    if (claims.empty()) return {};
    std::string out = table_head({"statement", "published", "here", "verdict"}, 4);
    std::vector<std::string> notes;
    for (const Claim& c : claims) {
        std::string mark;
        if (!c.note.empty()) {
            const auto known = std::find(notes.begin(), notes.end(), c.note);
            if (known == notes.end()) notes.push_back(c.note);
            const auto index = std::find(notes.begin(), notes.end(), c.note) - notes.begin() + 1;
            mark = " (" + std::to_string(index) + ")";
        }
        out += table_row({c.what, c.published, c.measured, to_string(c.judgement) + mark});
    }
    if (!notes.empty()) out += '\n';
    for (std::size_t i = 0; i < notes.size(); ++i)
        out += "(" + std::to_string(i + 1) + ") " + notes[i] + (i + 1 < notes.size() ? "\n\n" : "\n");
    return out;
}

std::string table_text(const FindingsTable& table) {
    std::string out = table.title.empty() ? "\n" : "\n**" + table.title + "**\n\n";
    out += table_head(table.head, table.words);
    for (const auto& row : table.rows) out += table_row(row);
    return out;
}

std::string summary(const Report& report) {
    const auto counts = count_claims(report);
    std::string out = "Of the published statements, ";
    for (int j = 0; j < kJudgementCount; ++j) {
        const char* const words[] = {"hold", "differ", "are shown only", "are doubtful",
                                     "could not be judged"};
        out += (j == 0                     ? ""
                : j + 1 == kJudgementCount ? " and "
                                           : ", ") +
               std::to_string(counts[static_cast<std::size_t>(j)]) + ' ' + words[j];
    }
    return out + ".\n";
}

}  // namespace

std::array<std::size_t, kJudgementCount> count_claims(const Report& report) {
    std::array<std::size_t, kJudgementCount> out{};
    for (const ReportEntry& entry : report.entries)
        for (const Claim& claim : entry.findings.claims) ++out[static_cast<std::size_t>(claim.judgement)];
    return out;
}

std::string entry_markdown(const ReportEntry& entry) {
    std::string out =
        "## " + entry.id + ": " + entry.title + "\n\n" + entry.source + ". " + entry.setup + "\n\n";
    if (!entry.findings.failure.empty()) out += "**Wrong answer: " + entry.findings.failure + "**\n\n";
    out += claims_table(entry.findings.claims);
    for (const FindingsTable& table : entry.findings.tables) out += table_text(table);
    for (const std::string& note : entry.findings.notes) out += "\n" + note + "\n";
    return out;
}

std::string report_markdown(const Report& report, const std::string& plots) {
    std::string out = summary(report) + "\n";
    out +=
        "\"Holds\": also true here. \"Differs\": not true here; a note gives the reason if it is known. "
        "\"Shown\": depends "
        "on the machine, "
        "or the source has no number. \"Doubtful\": the printed number is probably wrong. \"Refused\": the "
        "times of this run "
        "vary by more than a quarter.\n\n";
    for (const auto& [name, text] : report.context)
        out.append("- ").append(name).append(": ").append(text).append("\n");
    for (const std::string& id : report.missing) out += "- missing: " + id + "\n";
    if (!report.slower.empty()) out += "\n**Slower than in the earlier run**\n\n";
    for (const std::string& sentence : report.slower) out += "- " + sentence + "\n";
    for (const ReportEntry& entry : report.entries) {
        out += "\n" + entry_markdown(entry);
        for (std::size_t i = 0; i < entry.findings.plots.size(); ++i)
            out += "\n![" + entry.findings.plots[i].title + "](" + plots + '/' + entry.id + '-' +
                   std::to_string(i + 1) + ".svg)\n";
    }
    return out;
}

std::vector<std::string> compare(const Report& now, const Report& before) {
    std::vector<std::string> out;
    for (const ReportEntry& entry : now.entries) {
        const auto old = std::find_if(before.entries.begin(), before.entries.end(),
                                      [&](const ReportEntry& e) { return e.id == entry.id; });
        if (old == before.entries.end()) continue;
        for (const FindingsValue& value : entry.findings.values) {
            if (value.unit != "ns" && value.unit != "us" && value.unit != "ms") continue;
            for (const FindingsValue& was : old->findings.values) {
                if (was.name != value.name || was.unit != value.unit || was.value <= 0) continue;
                const double growth = value.value / was.value - 1;
                if (growth > std::max(0.1, value.spread + was.spread))
                    out.push_back(entry.id + ", " + value.name + ": " + format_number("%.4g ", value.value) +
                                  value.unit + format_number(" instead of %.4g, ", was.value) +
                                  format_number("%.0f %% slower", 100 * growth));
            }
        }
    }
    return out;
}

}  // namespace claybox::bench
