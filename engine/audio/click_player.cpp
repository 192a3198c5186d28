#include "engine/audio/click_player.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#ifdef CLAYBOX_HAS_OPENAL
#include <AL/al.h>
#include <AL/alc.h>
#endif

namespace claybox::engine {

#ifdef CLAYBOX_HAS_OPENAL

namespace {

constexpr int kRate = 44100;
constexpr std::size_t kVoices = 8;  // simultaneous clicks; one more replaces the oldest

/// False on a Linux machine without any sound: there, the libraries below OpenAL would fill the error stream
/// with complaints.
bool may_have_sound() {
#ifdef __linux__
    for (const char* chosen : {"ALSOFT_DRIVERS", "PULSE_SERVER", "PIPEWIRE_REMOTE"})
        if (std::getenv(chosen) != nullptr) return true;
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    std::error_code none;
    for (const char* socket : {"pulse/native", "pipewire-0"})
        if (runtime != nullptr && std::filesystem::exists(std::filesystem::path(runtime) / socket, none))
            return true;
    return std::filesystem::exists("/dev/snd/timer", none);
#else
    return true;
#endif
}

}  // namespace

struct ClickPlayer::Device {
    ALCdevice* device = nullptr;
    ALCcontext* context = nullptr;
    std::array<ALuint, 2> buffer{};
    std::array<ALuint, kVoices> source{};
    std::size_t next = 0;

    Device() = default;
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    ~Device() {
        if (context) {
            alDeleteSources(static_cast<ALsizei>(source.size()), source.data());
            alDeleteBuffers(static_cast<ALsizei>(buffer.size()), buffer.data());
            alcMakeContextCurrent(nullptr);
            alcDestroyContext(context);
        }
        if (device) alcCloseDevice(device);
    }
    /// Creates the buffers of both clicks and the voices; false when OpenAL refuses one.
    bool load() {
        alGenBuffers(static_cast<ALsizei>(buffer.size()), buffer.data());
        alGenSources(static_cast<ALsizei>(source.size()), source.data());
        for (std::size_t i = 0; i < buffer.size(); ++i) {
            const std::vector<std::int16_t> samples = make_click(static_cast<KeyClick>(i), kRate);
            alBufferData(buffer[i], AL_FORMAT_MONO16, samples.data(),
                         static_cast<ALsizei>(samples.size() * sizeof(samples[0])), kRate);
        }
        return alGetError() == AL_NO_ERROR;
    }
};

bool ClickPlayer::open(std::string& why) {
    if (!may_have_sound()) {
        why = "no sound: this machine has no sound device";
        return false;
    }
    auto made = std::make_unique<Device>();
    made->device = alcOpenDevice(nullptr);
    if (made->device) made->context = alcCreateContext(made->device, nullptr);
    if (!made->context || !alcMakeContextCurrent(made->context)) {
        why = "no sound: OpenAL found no device";
        return false;
    }
    if (!made->load()) {
        why = "no sound: OpenAL refused the samples";
        return false;
    }
    device_ = std::move(made);
    return true;
}

void ClickPlayer::play(KeyClick click) {
    if (!device_) return;
    const ALuint voice = device_->source[device_->next++ % kVoices];
    alSourceStop(voice);
    alSourcei(voice, AL_BUFFER, static_cast<ALint>(device_->buffer[static_cast<std::size_t>(click)]));
    alSourcePlay(voice);
    if (alGetError() == AL_NO_ERROR) ++played_;
}

#else

struct ClickPlayer::Device {};

bool ClickPlayer::open(std::string& why) {
    why = "no sound: this build has no OpenAL";
    return false;
}

void ClickPlayer::play(KeyClick) {}

#endif

ClickPlayer::ClickPlayer() = default;
ClickPlayer::~ClickPlayer() = default;

}  // namespace claybox::engine
