#include "engine/xr/runtime_probe.hpp"

#include "engine/xr/instance.hpp"

namespace claybox::engine {

XrProbe probe_xr_runtime() {
    XrProbe probe;
    Instance instance;
    probe.runtime = instance.open(probe.sentence);
    probe.headset = probe.runtime && instance.find_headset(probe.sentence);
    if (probe.headset) probe.sentence = instance.runtime_name() + " has a headset";
    return probe;
}

}  // namespace claybox::engine
