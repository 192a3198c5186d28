// Runs a fuzz target without libFuzzer: every file in the given folders, then mutations of them with a fixed
// seed. Supports -runs=N (total number of inputs), -seed=N and -max_len=N like libFuzzer and ignores other
// switches. Writes an input that ends the process to fuzz-finding-<target> in the working folder.

#include "collision/core/random.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using Input = std::vector<std::uint8_t>;

Input g_current;
std::string g_finding_file;

void save_finding(int signal) {
    const int file = open(g_finding_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file >= 0 && write(file, g_current.data(), g_current.size()) >= 0) close(file);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void run_one(Input input) {
    g_current = std::move(input);
    LLVMFuzzerTestOneInput(g_current.data(), g_current.size());
}

std::vector<Input> read_corpus(const std::vector<std::filesystem::path>& folders) {
    std::vector<std::filesystem::path> files;
    for (const auto& folder : folders)
        for (const auto& entry : std::filesystem::directory_iterator(folder))
            if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<Input> out;
    for (const auto& file : files) {
        std::ifstream in(file, std::ios::binary);
        out.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    return out;
}

std::ptrdiff_t random_position(claybox::collision::Random& random, const Input& input) {
    return static_cast<std::ptrdiff_t>(random.below(input.size() + 1));
}

/// Applies one small random change; some changes insert a piece of `other`.
void mutate(Input& input, const Input& other, claybox::collision::Random& random) {
    const auto at = random_position(random, input);
    const bool inside = static_cast<std::size_t>(at) < input.size();
    switch (random.below(5)) {
        case 0:
            if (inside)
                input[static_cast<std::size_t>(at)] ^= static_cast<std::uint8_t>(1u << random.below(8));
            break;
        case 1:
            if (inside) input[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(random.below(256));
            break;
        case 2:
            input.insert(input.begin() + at, static_cast<std::uint8_t>(random.below(256)));
            break;
        case 3: {
            const auto end = std::min<std::ptrdiff_t>(at + 1 + static_cast<std::ptrdiff_t>(random.below(8)),
                                                      static_cast<std::ptrdiff_t>(input.size()));
            input.erase(input.begin() + at, input.begin() + end);
            break;
        }
        default: {
            const auto from = random_position(random, other);
            const auto rest = static_cast<std::ptrdiff_t>(other.size()) - from;
            const auto length = std::min<std::ptrdiff_t>(rest, static_cast<std::ptrdiff_t>(random.below(64)));
            input.insert(input.begin() + at, other.begin() + from, other.begin() + from + length);
        }
    }
}

std::uint64_t number_after(const std::string& argument, const std::string& name, std::uint64_t fallback) {
    return argument.rfind(name, 0) == 0 ? std::stoull(argument.substr(name.size())) : fallback;
}

}  // namespace

int main(int argc, char** argv) {
    std::uint64_t runs = 0, seed = 1, max_length = 4096;
    std::vector<std::filesystem::path> folders;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        runs = number_after(argument, "-runs=", runs);
        seed = number_after(argument, "-seed=", seed);
        max_length = number_after(argument, "-max_len=", max_length);
        if (argument[0] != '-') folders.emplace_back(argument);
    }
    g_finding_file = "fuzz-finding-" + std::filesystem::path(argv[0]).filename().string();
    for (const int signal : {SIGABRT, SIGSEGV, SIGFPE}) std::signal(signal, save_finding);
    const std::vector<Input> corpus = read_corpus(folders);
    for (const Input& input : corpus) run_one(input);
    claybox::collision::Random random(seed);
    for (std::uint64_t run = corpus.size(); run < runs && !corpus.empty(); ++run) {
        Input input = corpus[random.below(corpus.size())];
        const std::uint64_t changes = 1 + random.below(6);
        for (std::uint64_t i = 0; i < changes; ++i)
            mutate(input, corpus[random.below(corpus.size())], random);
        if (input.size() > max_length) input.resize(max_length);
        run_one(std::move(input));
    }
    std::printf("%zu corpus files, %llu inputs in total\n", corpus.size(),
                static_cast<unsigned long long>(std::max<std::uint64_t>(runs, corpus.size())));
    return corpus.empty() ? 1 : 0;
}
