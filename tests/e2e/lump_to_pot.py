"""A lump becomes a pot with the mouse alone, as a hobby potter would do it: open it, raise the wall, smooth, undo a slip,
trim, export an STL that is watertight. With a second argument, saves the session as a recording: this is how
assets/recordings/lump_to_pot.rec was made."""
import os
import pathlib
import shutil
import sys
import time

from driver import Sandbox, centre, expect, main, tool

LUMP = 74  # height of the hollowed lump, mm
PIXELS_PER_MM, RIM_X, RIM_Y = 1.93, 500, 377  # the near rim of the hollowed lump at 1280x800
SLOW = 1.2  # seconds: a slow renderer must see the pointer and the button


def choose(sandbox, label, kind):
    """Clicks a control. The scene is paused meanwhile, which keeps the recording short."""
    sandbox.move(*centre(sandbox.labelled(label, kind)))
    time.sleep(SLOW)
    tool('mousedown', 1)
    time.sleep(SLOW)
    tool('mouseup', 1)
    time.sleep(SLOW)


def choose_effect(sandbox, name):
    for _ in range(3):
        choose(sandbox, name, 'picture')
        if sandbox.labelled(name, 'picture')['value'] == 'on':
            return
    expect(False, f'the picture {name} cannot be chosen')


def act(sandbox, button, wanted, what):
    """Clicks a button and lets the scene go on until it has worked."""
    choose(sandbox, button, 'button')
    sandbox.key('space')
    sandbox.state(wanted, what)
    sandbox.key('space')
    time.sleep(SLOW)


def figure(sandbox, name):
    return sandbox.state(lambda s: s['figures'], 'the figures')['figures'][name]


def hold(sandbox, y, frames):
    """Holds the mouse button while the wheel turns."""
    sandbox.move(RIM_X, y)
    sandbox.key('space')
    sandbox.frames(8)
    tool('mousedown', 1)
    sandbox.frames(frames)
    tool('mouseup', 1)
    sandbox.frames(12)
    sandbox.key('space')
    time.sleep(SLOW)


def rim(sandbox):
    return RIM_Y - (figure(sandbox, 'height') - LUMP) * PIXELS_PER_MM


def body(program, folder):
    start = time.time()
    program = os.path.abspath(program)
    os.chdir(folder)  # the STL goes there
    recording = pathlib.Path(folder) / 'lump_to_pot.rec'
    sandbox = Sandbox(program, folder, '--scene', 'potter', '--set', 'shape=lump', '--set', 'polygons=12000',
                      '--set', 'speed=100', '--set', 'strength=90', '--no-hint', '--record', str(recording),
                      size=(1280, 800))
    sandbox.key('space')
    time.sleep(SLOW)
    act(sandbox, 'Hollow', lambda s: s['figures']['volume_after'] < 0.5 * s['figures']['volume_before'], 'the opening')
    choose_effect(sandbox, 'Add')
    for _ in range(3):
        hold(sandbox, rim(sandbox), 66)
    raised = figure(sandbox, 'height')
    expect(raised > LUMP + 6, f'the wall was not raised: {raised} mm')
    choose_effect(sandbox, 'Smooth')
    hold(sandbox, rim(sandbox) + 12, 60)
    hold(sandbox, rim(sandbox) + 60, 60)
    volume = figure(sandbox, 'volume_after')
    choose_effect(sandbox, 'Push')
    hold(sandbox, 450, 20)  # a slip
    expect(figure(sandbox, 'volume_after') < 0.995 * volume, 'the slip left no dent')
    act(sandbox, 'Undo', lambda s: abs(s['figures']['volume_after'] / volume - 1) < 1e-3, 'the pot without the slip')
    before = figure(sandbox, 'height')
    choose_effect(sandbox, 'Trim')
    hold(sandbox, rim(sandbox) + 14, 40)
    expect(figure(sandbox, 'height') < before - 1, 'the rim was not trimmed')
    trimmed = figure(sandbox, 'height')
    expect(trimmed > LUMP, f'the trim cut more than the rim: {trimmed} mm are left')
    choose_effect(sandbox, 'Smooth')
    hold(sandbox, rim(sandbox) + 6, 60)
    choose(sandbox, 'STL', 'button')
    message = sandbox.widget(lambda w: w['kind'] == 'message' and 'Saved' in w['label'], 'the message about the STL')['label']
    expect('watertight' in message and 'not watertight' not in message, message)
    print(f'{message}; {time.time() - start:.0f} s from the lump to the file')
    expect(sandbox.close() == 0, 'closing returned an error status')
    if len(sys.argv) > 2:
        shutil.copy(recording, sys.argv[2])


main(body)
