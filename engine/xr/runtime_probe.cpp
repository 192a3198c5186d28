#include "engine/xr/runtime_probe.hpp"

#include "engine/xr/runtime.hpp"

namespace claybox::engine {

XrProbe probe_xr_runtime() {
    XrProbe probe;
    XrRuntime runtime;
    probe.runtime = runtime.open(probe.sentence);
    probe.headset = probe.runtime && runtime.find_headset(probe.sentence);
    if (probe.headset) probe.sentence = runtime.name() + " has a headset";
    return probe;
}

}  // namespace claybox::engine
