#include "bench/papers/findings.hpp"

namespace claybox::bench {

const char* to_string(Judgement judgement) {
    switch (judgement) {
        case Judgement::holds:
            return "holds";
        case Judgement::differs:
            return "differs";
        case Judgement::machine:
            return "shown";
        case Judgement::doubtful:
            return "doubtful";
        case Judgement::refused:
            return "refused";
    }
    return "";
}

Claim judged(std::string what, std::string published, std::string measured, bool holds, std::string note) {
    return {std::move(what), std::move(published), std::move(measured),
            holds ? Judgement::holds : Judgement::differs, std::move(note)};
}

Claim shown(std::string what, std::string published, std::string measured, std::string note) {
    return {std::move(what), std::move(published), std::move(measured), Judgement::machine, std::move(note)};
}

}  // namespace claybox::bench
