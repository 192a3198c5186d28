"""Memory that is exhausted in a frame: the scene starts again in the same window and the pot is offered; a second time, soon
after the first, ends the program with one line and status 2, and the pot stays."""
import pathlib
import signal
import sys

from driver import Sandbox, centre, expect, main


def body(program, folder):
    saved = pathlib.Path(folder) / 'claybox' / 'autosave'  # XDG_STATE_HOME is the folder
    faults = {'LD_PRELOAD': sys.argv[2], 'CLAYBOX_FAIL': 'new:signal'}
    errors = pathlib.Path(folder) / 'errors'
    with errors.open('w') as stream:
        sandbox = Sandbox(program, folder, '--scene', 'potter', '--set', 'polygons=3000', '--no-hint', environment=faults,
                          stderr=stream)
    mouth = sandbox.widget(lambda w: w['kind'] == 'label' and w['label'].startswith('Mouth'), 'the label of the mouth')
    height = sandbox.widget(lambda w: w['kind'] == 'label' and w['label'].startswith('Height'), 'the label of the height')
    sandbox.drag_until(centre(mouth)[0], centre(height)[1], 8,
                       lambda s: s['figures']['polygons_moved'] > 0 and list(saved.glob('*.ply')), 'a dent that is saved')

    sandbox.process.send_signal(signal.SIGUSR1)
    sandbox.state(lambda s: any(w['kind'] == 'offer' for w in s['widgets']) and
                  any(w['kind'] == 'message' and 'memory was exhausted' in w['label'] for w in s['widgets']),
                  'the message and the offer in the same window')
    expect(not errors.read_text(), f'expected nothing on standard error, got {errors.read_text()}')

    sandbox.process.send_signal(signal.SIGUSR1)
    expect(sandbox.wait() == 2, 'expected status 2 after the second time')
    lines = errors.read_text().splitlines()
    expect(len(lines) == 1 and 'memory is exhausted' in lines[0], f'expected one line, got {lines}')
    expect(len(list(saved.glob('*.ply'))) == 1, 'expected the pot of before')

    again = Sandbox(program, folder, '--scene', 'cage', '--no-hint')
    again.widget(lambda w: w['kind'] == 'offer', 'the offer of the next program')
    again.click(again.labelled('Continue it', 'button'))
    again.state(lambda s: s['scene'] == 'potter', 'the potter')
    expect(again.close() == 0, 'closing returned an error status')


main(body)
