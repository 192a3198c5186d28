#include "bench/contestants/libraries.hpp"

namespace claybox::bench {

const std::vector<Library>& libraries() {
    static const std::vector<Library> all = [] {
        std::vector<Library> out = {{"Bullet", "libbullet-dev", false, {}},
                                    {"libccd", "libccd-dev", false, {}},
                                    {"FCL", "libfcl-dev", false, {}}};
#ifdef CLAYBOX_HAS_BULLET
        out[0].built_in = true;
        out[0].entries = bullet_entries();
#endif
#ifdef CLAYBOX_HAS_LIBCCD
        out[1].built_in = true;
        out[1].entries = libccd_entries();
#endif
#ifdef CLAYBOX_HAS_FCL
        out[2].built_in = true;
        out[2].entries = fcl_entries();
#endif
        return out;
    }();
    return all;
}

}  // namespace claybox::bench
