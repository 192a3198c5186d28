#include "app/bench/findings_json.hpp"

#include "app/session/strict_json.hpp"
#include "engine/files/path_text.hpp"

#include <cmath>
#include <fstream>
#include <sstream>

namespace claybox::app {

using namespace collision;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kFormat = "claybox findings 1";
constexpr std::size_t kMostBytes = std::size_t{32} << 20;

Json to_json(const bench::Findings& f) {
    Json out{{"claims", Json::array()}, {"tables", Json::array()}, {"plots", Json::array()},
             {"values", Json::array()}, {"notes", f.notes},        {"failure", f.failure}};
    for (const bench::Claim& c : f.claims)
        out["claims"].push_back({{"what", c.what},
                                 {"published", c.published},
                                 {"measured", c.measured},
                                 {"judgement", bench::to_string(c.judgement)},
                                 {"note", c.note}});
    for (const bench::FindingsTable& t : f.tables)
        out["tables"].push_back({{"title", t.title}, {"words", t.words}, {"head", t.head}, {"rows", t.rows}});
    for (const bench::Plot& p : f.plots) {
        Json curves = Json::array();
        for (const bench::Curve& c : p.curves)
            curves.push_back({{"name", c.name}, {"points", c.points}, {"breaks", c.breaks}});
        out["plots"].push_back({{"title", p.title},
                                {"x", p.x},
                                {"y", p.y},
                                {"log_x", p.log_x},
                                {"log_y", p.log_y},
                                {"curves", std::move(curves)}});
    }
    for (const bench::FindingsValue& v : f.values)
        out["values"].push_back(
            {{"name", v.name}, {"value", v.value}, {"unit", v.unit}, {"spread", v.spread}});
    return out;
}

bench::Judgement judgement_of(const std::string& name) {
    for (int j = 0; j < bench::kJudgementCount; ++j)
        if (name == bench::to_string(static_cast<bench::Judgement>(j)))
            return static_cast<bench::Judgement>(j);
    throw std::invalid_argument("unknown judgement '" + name + "'");
}

/// Throws if a field is missing or has another type.
bench::Findings findings_of(const nlohmann::json& json) {
    bench::Findings out;
    for (const auto& c : json.at("claims"))
        out.claims.push_back({c.at("what"), c.at("published"), c.at("measured"),
                              judgement_of(c.at("judgement").get<std::string>()), c.at("note")});
    for (const auto& t : json.at("tables"))
        out.tables.push_back({t.at("title"), t.at("words").get<std::size_t>(),
                              t.at("head").get<std::vector<std::string>>(),
                              t.at("rows").get<std::vector<std::vector<std::string>>>()});
    for (const auto& p : json.at("plots")) {
        bench::Plot plot{
            p.at("title"), p.at("x"), p.at("y"), p.at("log_x").get<bool>(), p.at("log_y").get<bool>(), {}};
        for (const auto& c : p.at("curves"))
            plot.curves.push_back({c.at("name"), c.at("points").get<std::vector<std::pair<double, double>>>(),
                                   c.at("breaks").get<std::vector<std::size_t>>()});
        out.plots.push_back(std::move(plot));
    }
    for (const auto& v : json.at("values"))
        out.values.push_back(
            {v.at("name"), v.at("value").get<double>(), v.at("unit"), v.at("spread").get<double>()});
    out.notes = json.at("notes").get<std::vector<std::string>>();
    out.failure = json.at("failure").get<std::string>();
    return out;
}

StoredEntry stored_of(const nlohmann::json& json) {
    if (json.at("format") != kFormat) throw std::invalid_argument("another format");
    StoredEntry out;
    out.conditions = {json.at("quick").get<bool>(), json.at("release").get<bool>(),
                      json.at("seed").get<std::uint64_t>()};
    out.seconds = json.at("seconds").get<double>();
    for (const auto& [name, text] : json.at("context").items())
        out.context.emplace_back(name, text.get<std::string>());
    out.entry = {json.at("id"), json.at("source"), json.at("title"), json.at("setup"),
                 findings_of(json.at("findings"))};
    return out;
}

}  // namespace

Json to_json(const StoredEntry& stored) {
    Json context = Json::object();
    for (const auto& [name, text] : stored.context) context[name] = text;
    return {{"format", kFormat},
            {"id", stored.entry.id},
            {"source", stored.entry.source},
            {"title", stored.entry.title},
            {"setup", stored.entry.setup},
            {"quick", stored.conditions.quick},
            {"release", stored.conditions.release},
            {"seed", stored.conditions.seed},
            {"seconds", stored.seconds},
            {"context", std::move(context)},
            {"findings", to_json(stored.entry.findings)}};
}

Status check_numbers(const bench::Findings& findings) {
    for (const bench::Plot& plot : findings.plots)
        for (const bench::Curve& curve : plot.curves)
            for (const auto& [x, y] : curve.points)
                if (!std::isfinite(x) || !std::isfinite(y))
                    return Error{"plot '" + plot.title + "', curve '" + curve.name +
                                     "': expected finite numbers, found " + std::to_string(x) + ", " +
                                     std::to_string(y),
                                 {},
                                 0};
    for (const bench::FindingsValue& value : findings.values)
        if (!std::isfinite(value.value) || !std::isfinite(value.spread))
            return Error{"value '" + value.name + "': expected a finite number, found " +
                             std::to_string(value.value) + " with spread " + std::to_string(value.spread),
                         {},
                         0};
    return Done{};
}

Result<StoredEntry> read_stored_entry(const std::filesystem::path& file) {
    const auto fault = [&](const std::string& why) {
        return Error{"expected findings of 'claybox bench papers', found " + why, engine::text_of(file), 0};
    };
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return fault("no file");
    if (std::filesystem::file_size(file, ignored) > kMostBytes) return fault("more than 32 MB");
    std::ifstream stream(file, std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    const auto json = parse_strict_json(text.str());
    if (!json) return fault(json.error().message);
    try {
        return stored_of(json.value());
    } catch (const std::exception& problem) {
        return fault(problem.what());
    }
}

}  // namespace claybox::app
