// Lessons: a scene, a view of it, and a panel with what to see and to try.

#include "app/bridge/sandbox/sandbox.hpp"
#include "app/panels/program.hpp"
#include "engine/files/path_text.hpp"

namespace claybox::app {

void Sandbox::start_lesson(std::size_t number) {
    if (number >= lessons_.size()) return;
    replace_session(lessons_[number].options, [this, number] { show_lesson(number); });
}

/// Shows the lesson's scene, which was built, as the lesson says. The user's theme, sound and headset stay.
void Sandbox::show_lesson(std::size_t number) {
    const Lesson& lesson = lessons_[number];
    collision::ParameterValues values = program_values(state_);
    values[program_choice::witness] = values[program_choice::labels] = 1;
    values[program_choice::boxes] = values[program_choice::structure] = 0;
    values[program_choice::time] = static_cast<double>(time_choice(1));
    for (const std::string& id : lesson.show) values[collision::find_parameter(program_parameters(), id)] = 1;
    set_program_values(values, state_);
    ViewCamera camera = session_->scene().camera();
    if (lesson.camera) {
        camera.position = (*lesson.camera)[0];
        camera.target = (*lesson.camera)[1];
    }
    state_.fly = false;
    camera_.frame(camera);
    state_.trace = {};
    state_.trace.on = lesson.steps;
    state_.arrange_cards = lesson.open;
    state_.hint = false;
    state_.paused = false;
    state_.lesson = number;
    state_.lesson_folded = false;
    lesson_pause_ = lesson.pause_at;
    selected_ = lesson.first.value_or(collision::kNoIndex);
    partner_ = lesson.second.value_or(collision::kNoIndex);
}

void Sandbox::pause_for_lesson() {
    if (lesson_pause_ == 0 || session_->frame() < lesson_pause_) return;
    lesson_pause_ = 0;
    if (state_.lesson) state_.paused = true;
}

/// Adds a lesson of the user to the others and starts it.
void Sandbox::open_lesson(const std::string& file) {
    auto lesson = read_lesson(engine::path_of(file));
    if (!lesson) return show_file_error(lesson.error());
    lessons_.push_back(std::move(lesson).value());
    start_lesson(lessons_.size() - 1);
}

}  // namespace claybox::app
