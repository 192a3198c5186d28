#include "engine/ui/style/theme.hpp"

namespace claybox::engine {

const Theme& theme_of(bool dark) {
    static constexpr Theme kLight{false,
                                  colour(0xFAF8F5),
                                  colour(0xF1EDE6),
                                  colour(0xECE7DF),
                                  colour(0xD6D0C6),
                                  colour(0x2B2D33),
                                  colour(0x5C6068),
                                  colour(0xC8643C),
                                  colour(0xFFFFFF),
                                  colour(0x2A8C82),
                                  colour(0xD9A441),
                                  colour(0xB8323F),
                                  colour(0x6A4FA3),
                                  colour(0x2B2D33, 0.06f)};
    static constexpr Theme kDark{true,
                                 colour(0x2A2C32),
                                 colour(0x30333A),
                                 colour(0x383B43),
                                 colour(0x44474F),
                                 colour(0xF0ECE5),
                                 colour(0xAEB2BA),
                                 colour(0xDB7A52),
                                 colour(0x1D1F24),
                                 colour(0x4FB5AA),
                                 colour(0xE0B357),
                                 colour(0xE2606B),
                                 colour(0xB79CF0),
                                 colour(0xF0ECE5, 0.07f)};
    return dark ? kDark : kLight;
}

}  // namespace claybox::engine
