"""First steps at the potter's wheel: the hint, and a drag between the labels of the pot. The run is recorded, and its
replay has the same hash in every frame."""
import os
import subprocess

from driver import PATIENCE, Sandbox, centre, expect, main


def body(program, folder):
    recording = os.path.join(folder, 'pot.jsonl')
    sandbox = Sandbox(program, folder, '--scene', 'potter', '--set', 'polygons=1000', '--record', recording)
    hint = sandbox.widget(lambda w: w['kind'] == 'hint', 'the first-run hint')
    expect('drag' in hint['label'], f'the hint does not mention dragging: {hint["label"]}')
    mouth = sandbox.widget(lambda w: w['kind'] == 'label' and w['label'].startswith('Mouth'), 'the label of the mouth')
    height = sandbox.widget(lambda w: w['kind'] == 'label' and w['label'].startswith('Height'), 'the label of the height')
    x, y = centre(mouth)[0], centre(height)[1]
    before = sandbox.read()['figures']
    expect(before['polygons_moved'] == 0, 'the pot was dented before anyone touched it')
    after = sandbox.drag_until(x, y, 8, lambda s: s['figures']['polygons_moved'] > 0, 'a dent')
    expect(any(e['word'] == 'Dented' for e in after['events']) or after['figures']['strokes'] > 0, 'no event reports the dent')
    sandbox.state(lambda s: not any(w['kind'] == 'hint' for w in s['widgets']), 'the hint to disappear')
    expect(sandbox.close() == 0, 'closing returned an error status')
    replay = subprocess.run([program, 'replay', recording, '--headless'], capture_output=True, text=True, timeout=60 * PATIENCE)
    expect(replay.returncode == 0, f'the replay differs: {replay.stdout}{replay.stderr}')


main(body)
