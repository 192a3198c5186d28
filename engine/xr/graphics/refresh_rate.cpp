#include "engine/xr/graphics/refresh_rate.hpp"

#include <vector>

namespace claybox::engine {

namespace {
constexpr float kWanted = 90.5f;  // hertz; some runtimes report 90.01
}

float preferred_rate(std::span<const float> offered) {
    float best = 0;
    for (const float rate : offered) {
        if (!(rate > 0)) continue;
        const bool fits = rate <= kWanted, best_fits = best > 0 && best <= kWanted;
        if (best <= 0 || (fits && !best_fits) || (fits == best_fits && (fits ? rate > best : rate < best)))
            best = rate;
    }
    return best;
}

void request_rate(const XrRuntime& runtime, ::XrSession session, CallWatch& watch) {
    PFN_xrEnumerateDisplayRefreshRatesFB enumerate = nullptr;
    PFN_xrRequestDisplayRefreshRateFB request = nullptr;
    if (!runtime.has(XrExtension::refresh_rate) ||
        !runtime.load("xrEnumerateDisplayRefreshRatesFB", enumerate) ||
        !runtime.load("xrRequestDisplayRefreshRateFB", request))
        return;
    std::uint32_t count = 0;
    if (!watch.ok(enumerate(session, 0, &count, nullptr), "xrEnumerateDisplayRefreshRatesFB")) return;
    std::vector<float> offered(count);
    if (count == 0 ||
        !watch.ok(enumerate(session, count, &count, offered.data()), "xrEnumerateDisplayRefreshRatesFB"))
        return;
    const float rate = preferred_rate(offered);
    if (rate > 0) watch.ok(request(session, rate), "xrRequestDisplayRefreshRateFB");
}

}  // namespace claybox::engine
