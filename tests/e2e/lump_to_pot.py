"""A lump becomes a pot with the mouse alone, as a hobby potter does it who reads nothing but the window: from the first frame
of the program to an STL that is watertight. No switch chooses a scene or a setting. With a second argument, saves the session
as a recording: this is how assets/recordings/lump_to_pot.rec was made."""
import os
import pathlib
import shutil
import sys
import time

from driver import Sandbox, centre, expect, main, tool

LUMP = 74  # height of the hollowed lump, mm
PIXELS_PER_MM, RIM_X, RIM_Y = 1.93, 500, 377  # the near rim of the hollowed lump at 1280x800
FAR_RIM = -30  # from the near rim to the inner edge of the far one, pixels
TURN = 60  # frames of one turn of the wheel


def choose(sandbox, label, kind):
    """Clicks a control when the pointer and the button had time to be seen."""
    sandbox.move(*centre(sandbox.labelled(label, kind)))
    sandbox.frames(3)
    tool('mousedown', 1)
    sandbox.frames(3)
    tool('mouseup', 1)
    sandbox.frames(3)


def choose_effect(sandbox, name):
    choose(sandbox, name, 'picture')
    sandbox.widget(lambda w: (w['label'], w['kind'], w['value']) == (name, 'picture', 'on'), f'the choice of {name}')


def figure(sandbox, name):
    return sandbox.state(lambda s: s['figures'], 'the figures')['figures'][name]


def hold(sandbox, y, frames):
    """Holds the mouse button on the clay, y pixels from the top, while the wheel turns."""
    sandbox.move(RIM_X, y)
    sandbox.frames(12)
    tool('mousedown', 1)
    sandbox.frames(frames)
    tool('mouseup', 1)
    sandbox.frames(14)


def rim(sandbox):
    return RIM_Y - (figure(sandbox, 'height') - LUMP) * PIXELS_PER_MM


def read_hint(sandbox, words):
    """Reads what the hint says, and dismisses it."""
    hint = sandbox.widget(lambda w: w['kind'] == 'hint', 'the hint')['label']
    for word in words:
        expect(word in hint, f'the hint does not say "{word}": {hint}')
    choose(sandbox, 'Dismiss hint', 'button')


def take_a_lump(sandbox):
    read_hint(sandbox, ['Watch the bodies'])
    choose(sandbox, 'Potter', 'cell')
    sandbox.state(lambda s: s['scene'] == 'potter' and s['frame'] > 2, 'the potter')
    read_hint(sandbox, ['Clay', 'Lump', 'Start shape', 'Hollow'])
    choose(sandbox, 'Clay', 'fold')
    choose(sandbox, 'Start shape', 'combo')
    choose(sandbox, 'Lump', 'item')
    sandbox.widget(lambda w: (w['label'], w['value']) == ('Start shape', 'Lump'), 'the lump')
    sandbox.state(lambda s: not s['building'], 'the end of building')
    choose(sandbox, 'Hollow', 'button')
    sandbox.state(lambda s: s['figures']['volume_after'] < 0.5 * s['figures']['volume_before'], 'the opening')


def raise_wall(sandbox):
    choose_effect(sandbox, 'Add')
    for _ in range(6):
        hold(sandbox, rim(sandbox) - 3, TURN + 6)
    raised = figure(sandbox, 'height')
    expect(raised > LUMP + 8, f'the wall was not raised: {raised} mm')
    choose_effect(sandbox, 'Smooth')
    hold(sandbox, rim(sandbox) + 8, TURN)


def undo_slip(sandbox):
    volume = figure(sandbox, 'volume_after')
    choose_effect(sandbox, 'Push')
    hold(sandbox, 450, 20)
    expect(figure(sandbox, 'volume_after') < 0.995 * volume, 'the slip left no dent')
    # A finger that lifts off for a moment has made two strokes: the potter presses Undo until the dent is gone.
    strokes = figure(sandbox, 'strokes')
    for press in range(1, 4):
        choose(sandbox, 'Undo', 'button')
        sandbox.state(lambda s: s['figures']['strokes'] <= strokes - press, f'undo {press}')
        sandbox.frames(6)
        if abs(figure(sandbox, 'volume_after') / volume - 1) < 1e-3:
            return
    expect(False, 'three times Undo did not bring back the pot without the slip')


def trim_rim(sandbox):
    """The label shows the height of the cut before the finger cuts."""
    before = figure(sandbox, 'height')
    choose_effect(sandbox, 'Trim')
    y = rim(sandbox) + 8
    sandbox.move(RIM_X, y)
    sandbox.frames(14)
    label = sandbox.widget(lambda w: w['kind'] == 'label' and w['label'].startswith('Cut at'), 'the height of the cut')['label']
    shown = float(label.split()[2])
    hold(sandbox, y, 30)
    trimmed = sandbox.state(lambda s: s['figures']['height'] < before - 1, 'the trimmed rim')['figures']['height']
    expect(abs(trimmed - shown) < 1.5, f'the picture showed a cut at {shown} mm, but the pot is {trimmed} mm high')
    expect(trimmed > LUMP, f'the trim cut more than the rim: {trimmed} mm are left')
    choose_effect(sandbox, 'Smooth')
    for y in (6, -6, FAR_RIM, FAR_RIM - 4):
        hold(sandbox, rim(sandbox) + y, TURN + 6)


def save(sandbox):
    choose(sandbox, 'STL', 'button')
    message = sandbox.widget(lambda w: w['kind'] == 'message' and 'Saved' in w['label'], 'the message about the STL')['label']
    expect('watertight' in message and 'not watertight' not in message, message)
    return message


def body(program, folder):
    start = time.time()
    program = os.path.abspath(program)
    os.chdir(folder)  # the STL goes there
    recording = pathlib.Path(folder) / 'session.rec'
    sandbox = Sandbox(program, folder, '--record', str(recording), size=(1280, 800))
    for step in (take_a_lump, raise_wall, undo_slip, trim_rim):
        step(sandbox)
        print(f'{time.time() - start:.0f} s: {step.__name__}, {figure(sandbox, "height"):.1f} mm', flush=True)
    message = save(sandbox)
    print(f'{message}; {time.time() - start:.0f} s from the first frame to the file')
    expect(sandbox.close() == 0, 'closing returned an error status')
    if len(sys.argv) > 2:
        shutil.copy(pathlib.Path(folder) / 'session-2.rec', sys.argv[2])  # the potter is the second scene


main(body)
