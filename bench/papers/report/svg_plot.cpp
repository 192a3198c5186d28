#include "bench/papers/report/svg_plot.hpp"

#include "bench/experiments/shared/tables.hpp"

#include <algorithm>
#include <cmath>

namespace claybox::bench {

namespace {

constexpr double kWidth = 640, kHeight = 360;  ///< without the legend
constexpr double kLeft = 72, kRight = 16, kTop = 40, kBottom = 52;
constexpr std::size_t kMostMarkers = 40;  ///< curves with more points are lines only
// Okabe and Ito's colours, which colour-blind readers tell apart.
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                    "#e69f00", "#56b4e9", "#888888"};
constexpr const char* kDashes[] = {"", "7 4", "2 3", "9 3 2 3"};

std::string number(double value) {
    return format_number("%.6g", value);
}

/// One axis: its range and its mapping to the picture.
struct Axis {
    bool log = false;
    double low = 0, high = 1;
    double from = 0, to = 1;  ///< pixels

    double scaled(double v) const { return log ? std::log10(v) : v; }
    double at(double v) const {
        return from + (to - from) * (scaled(v) - scaled(low)) / (scaled(high) - scaled(low));
    }
    bool shows(double v) const { return std::isfinite(v) && (!log || v > 0); }
};

Axis axis_of(const Plot& plot, bool x, double from, double to) {
    Axis out;
    out.log = x ? plot.log_x : plot.log_y;
    out.from = from;
    out.to = to;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const Curve& curve : plot.curves)
        for (const auto& p : curve.points) {
            const double v = x ? p.first : p.second;
            if (!out.shows(p.first) && x) continue;
            if (!std::isfinite(v) || (out.log && v <= 0)) continue;
            low = std::min(low, v);
            high = std::max(high, v);
        }
    if (low > high) {
        low = out.log ? 1 : 0;
        high = out.log ? 10 : 1;
    }
    if (out.log) {
        const double room = x ? 1 : 1.25;
        out.low = low / room;
        out.high = high > low ? high * room : 2 * low;
        return out;
    }
    if (!x && low > 0 && low < 0.5 * high) low = 0;  // heights are compared from zero where that costs little
    const double room = x ? 0 : 0.06 * (high - low);
    out.low = low == 0 || x ? low : low - room;
    out.high = high > low ? high + room : low + 1;
    return out;
}

/// Round numbers along an axis.
std::vector<double> ticks_of(const Axis& axis) {
    std::vector<double> out;
    if (axis.log) {
        const bool few = axis.high / axis.low < 30;
        for (double decade = std::pow(10, std::floor(std::log10(axis.low))); decade <= axis.high;
             decade *= 10)
            for (const double step : {1.0, 2.0, 5.0})
                if ((step == 1 || few) && decade * step >= axis.low * 0.999 &&
                    decade * step <= axis.high * 1.001)
                    out.push_back(decade * step);
        return out;
    }
    const double raw = (axis.high - axis.low) / 5, unit = std::pow(10, std::floor(std::log10(raw)));
    const double step = raw / unit < 1.5   ? unit
                        : raw / unit < 3.5 ? 2 * unit
                        : raw / unit < 7.5 ? 5 * unit
                                           : 10 * unit;
    for (double v = std::ceil(axis.low / step) * step; v <= axis.high + 1e-9 * step; v += step)
        out.push_back(std::abs(v) < 1e-9 * step ? 0 : v);
    return out;
}

std::string text_at(double x, double y, const std::string& text, const char* anchor, const char* kind) {
    return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\" class=\"" +
           kind + "\">" + escaped(text) + "</text>\n";
}

std::string line_of(double x0, double y0, double x1, double y1, const char* kind) {
    return "<line x1=\"" + number(x0) + "\" y1=\"" + number(y0) + "\" x2=\"" + number(x1) + "\" y2=\"" +
           number(y1) + "\" class=\"" + kind + "\"/>\n";
}

std::string frame_of(const Plot& plot, const Axis& x, const Axis& y) {
    std::string out;
    for (const double v : ticks_of(x)) {
        out += line_of(x.at(v), y.from, x.at(v), y.to, "grid");
        out += text_at(x.at(v), y.from + 16, format_number("%g", v), "middle", "tick");
    }
    for (const double v : ticks_of(y)) {
        out += line_of(x.from, y.at(v), x.to, y.at(v), "grid");
        out += text_at(x.from - 6, y.at(v) + 4, format_number("%g", v), "end", "tick");
    }
    out += line_of(x.from, y.from, x.to, y.from, "axis") + line_of(x.from, y.from, x.from, y.to, "axis");
    out += text_at((x.from + x.to) / 2, kHeight - 14, plot.x, "middle", "label");
    const double middle = (y.from + y.to) / 2;
    out += "<text x=\"16\" y=\"" + number(middle) +
           "\" text-anchor=\"middle\" class=\"label\" transform=\"rotate(-90 16 " + number(middle) + ")\">" +
           escaped(plot.y) + "</text>\n";
    return out + text_at(kLeft, 18, plot.title, "start", "title");
}

std::string marker_of(std::size_t index, double x, double y, const std::string& colour) {
    const std::string fill = " fill=\"" + colour + "\"/>\n";
    switch (index % 4) {
        case 0:
            return "<circle cx=\"" + number(x) + "\" cy=\"" + number(y) + "\" r=\"3.5\"" + fill;
        case 1:
            return "<rect x=\"" + number(x - 3.2) + "\" y=\"" + number(y - 3.2) +
                   "\" width=\"6.4\" height=\"6.4\"" + fill;
        case 2:
            return "<path d=\"M" + number(x) + ' ' + number(y - 4.5) + "l4.2 7.5h-8.4z\"" + fill;
        default:
            return "<path d=\"M" + number(x) + ' ' + number(y - 4.6) + "l4.6 4.6l-4.6 4.6l-4.6 -4.6z\"" +
                   fill;
    }
}

std::string curve_of(const Curve& curve, std::size_t index, const Axis& x, const Axis& y) {
    const std::string colour = kColours[index % std::size(kColours)];
    std::string path, markers;
    const bool dots = curve.points.size() <= kMostMarkers;
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
        const auto& [px, py] = curve.points[i];
        if (!x.shows(px) || !y.shows(py)) continue;
        const double at_x = x.at(px), at_y = y.at(py);
        const bool begins = path.empty() || std::binary_search(curve.breaks.begin(), curve.breaks.end(), i);
        path += (begins ? "M" : "L") + number(at_x) + ' ' + number(at_y);
        if (dots) markers += marker_of(index, at_x, at_y, colour);
    }
    if (path.empty()) return {};
    return "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + colour +
           "\" stroke-width=\"1.8\" stroke-dasharray=\"" + kDashes[index % std::size(kDashes)] + "\"/>\n" +
           markers;
}

/// Width of the column of names at the right; 0 for a single curve.
double legend_width(const Plot& plot) {
    if (plot.curves.size() < 2) return 0;
    std::size_t longest = 0;
    for (const Curve& curve : plot.curves) longest = std::max(longest, curve.name.size());
    return 38 + 6.4 * static_cast<double>(longest);
}

/// Names of the curves, below each other from `x` on.
std::string legend_of(const Plot& plot, double x) {
    std::string out;
    for (std::size_t i = 0; i < plot.curves.size(); ++i) {
        const double y = kTop + 14 + 18.0 * static_cast<double>(i);
        const std::string colour = kColours[i % std::size(kColours)];
        out += "<line x1=\"" + number(x) + "\" y1=\"" + number(y - 4) + "\" x2=\"" + number(x + 22) +
               "\" y2=\"" + number(y - 4) + "\" stroke=\"" + colour +
               "\" stroke-width=\"1.8\" stroke-dasharray=\"" + kDashes[i % std::size(kDashes)] + "\"/>\n" +
               marker_of(i, x + 11, y - 4, colour);
        out += text_at(x + 28, y, plot.curves[i].name, "start", "tick");
    }
    return out;
}

}  // namespace

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '&':
                out += "&amp;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

std::string svg_of(const Plot& plot) {
    const Axis x = axis_of(plot, true, kLeft, kWidth - kRight),
               y = axis_of(plot, false, kHeight - kBottom, kTop);
    const double width = kWidth + legend_width(plot);
    std::string out =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(width) + ' ' + number(kHeight) +
        "\" width=\"" + number(width) + "\" height=\"" + number(kHeight) + "\" role=\"img\" aria-label=\"" +
        escaped(plot.title) +
        "\">\n<style>text{font:12px system-ui,sans-serif;fill:#333}.title{font-weight:600;font-size:14px}"
        ".tick{font-size:11px}.grid{stroke:#8884;stroke-width:.6}.axis{stroke:#666}"
        ".back{fill:#fff}"
        "@media(prefers-color-scheme:dark){text{fill:#ddd}.back{fill:#1b1c1e}}</style>\n"
        "<rect class=\"back\" width=\"100%\" height=\"100%\"/>\n";
    out += frame_of(plot, x, y);
    for (std::size_t i = 0; i < plot.curves.size(); ++i) out += curve_of(plot.curves[i], i, x, y);
    if (plot.curves.size() > 1) out += legend_of(plot, kWidth);
    return out + "</svg>\n";
}

}  // namespace claybox::bench
