"""kill -9 in the middle of a stroke: the next start offers the pot, brings it back, and a regular end leaves nothing."""
import os
import pathlib
import signal

from driver import Sandbox, centre, expect, main


def body(program, folder):
    saved = pathlib.Path(folder) / 'claybox' / 'autosave'  # XDG_STATE_HOME is the folder
    sandbox = Sandbox(program, folder, '--scene', 'potter', '--set', 'polygons=3000', '--no-hint')
    mouth = sandbox.widget(lambda w: w['kind'] == 'label' and w['label'].startswith('Mouth'), 'the label of the mouth')
    height = sandbox.widget(lambda w: w['kind'] == 'label' and w['label'].startswith('Height'), 'the label of the height')
    sandbox.drag_until(centre(mouth)[0], centre(height)[1], 8,
                       lambda s: s['figures']['polygons_moved'] > 0 and list(saved.glob('*.ply')), 'a dent that is saved')
    os.kill(sandbox.process.pid, signal.SIGKILL)
    sandbox.process.wait()
    expect(len(list(saved.glob('*.ply'))) == 1, 'expected one file after the kill')

    again = Sandbox(program, folder, '--scene', 'cage', '--no-hint')
    again.widget(lambda w: w['kind'] == 'offer', 'the offer to continue')
    again.click(again.labelled('Continue it', 'button'))
    state = again.state(lambda s: s['scene'] == 'potter', 'the potter')
    expect(2000 < state['figures']['polygons'] < 4000, f'expected the pot of 3000 polygons: {state["figures"]}')
    again.state(lambda s: not any(w['kind'] == 'offer' for w in s['widgets']), 'the offer to disappear')
    again.state(lambda s: len(list(saved.glob('*.ply'))) == 1, 'the pot under its new name')
    expect(again.close() == 0, 'closing returned an error status')
    expect(not list(saved.iterdir()), f'a regular end left {list(saved.iterdir())}')


main(body)
