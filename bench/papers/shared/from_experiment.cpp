#include "bench/papers/shared/from_experiment.hpp"

#include "bench/papers/shared/timing.hpp"

#include <algorithm>
#include <sstream>

namespace claybox::bench {

using namespace collision;

namespace {

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
    return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

/// The cells of "| a | b |".
std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> out;
    std::stringstream words(line.substr(1));
    for (std::string cell; std::getline(words, cell, '|');) out.push_back(trimmed(cell));
    if (!out.empty() && out.back().empty()) out.pop_back();
    return out;
}

/// The line below the head of a table, "|---|---:|": its columns that are aligned left.
std::size_t words_of(const std::string& line) {
    std::size_t out = 0;
    for (const std::string& cell : cells_of(line)) {
        if (cell.ends_with(':')) break;
        ++out;
    }
    return out;
}

bool is_rule(const std::string& line) {
    return line.starts_with("|-") && line.find_first_not_of("|-: ") == std::string::npos;
}

}  // namespace

std::vector<FindingsTable> tables_of(const std::string& markdown) {
    std::vector<FindingsTable> out;
    std::stringstream lines(markdown);
    std::string title, before;
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("#")) title = trimmed(line.substr(line.find_first_not_of('#')));
        if (is_rule(line) && before.starts_with("|")) {
            out.push_back({title, words_of(line), cells_of(before), {}});
            inside = true;
        } else if (inside && line.starts_with("|")) {
            out.back().rows.push_back(cells_of(line));
            out.back().rows.back().resize(out.back().head.size());
        } else if (!line.starts_with("|")) {
            inside = false;
        }
        before = line;
    }
    return out;
}

Result<Measured> Measured::run(const char* experiment, const std::vector<std::string>& rows,
                               const ExperimentOptions& options, const std::vector<std::string>& algorithms) {
    ExperimentOptions own = options;
    own.rows = rows;
    own.algorithms = algorithms;
    const Experiment* const found = find_experiment(experiment);
    CLAYBOX_ASSERT(found != nullptr);
    const auto report = found->run(own);
    if (!report) return report.error();
    Measured out;
    out.experiment_ = experiment;
    out.measurements_ = report.value().measurements;
    out.findings.tables = tables_of(report.value().markdown);
    out.findings.failure = report.value().failure;
    for (const Measurement& m : out.measurements_)
        if (m.ns > 0) out.findings.values.push_back({m.name, m.ns, "ns", m.spread});
    return out;
}

const Measurement& Measured::find(const std::string& name) const {
    const auto at = std::find_if(measurements_.begin(), measurements_.end(),
                                 [&](const Measurement& m) { return m.name == experiment_ + '/' + name; });
    CLAYBOX_ASSERT(at != measurements_.end());
    static const Measurement none;
    return at == measurements_.end() ? none : *at;
}

double Measured::counter(const std::string& name, const std::string& counter) const {
    for (const auto& [key, value] : find(name).counters)
        if (key == counter) return value;
    CLAYBOX_ASSERT(false);
    return 0;
}

bool Measured::usable(const std::vector<std::string>& names) const {
    return std::all_of(names.begin(), names.end(),
                       [&](const std::string& name) { return find(name).spread <= kWidestSpread; });
}

Claim unless_refused(bool usable, Claim claim) {
    if (!usable) claim.judgement = Judgement::refused;
    return claim;
}

}  // namespace claybox::bench
