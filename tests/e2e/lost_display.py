"""The X server ends under a running window. The program ends with one line and status 2, its recording is complete, and the pot
stays for the next window."""
import os
import pathlib
import subprocess

from driver import PATIENCE, Sandbox, centre, expect, main


def start_server():
    """Its own X server, on a free display, which DISPLAY names from now on."""
    read, write = os.pipe()
    server = subprocess.Popen(['Xvfb', '-displayfd', str(write), '-screen', '0', '1280x800x24', '-noreset'], pass_fds=[write],
                              stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as numbers:
        os.environ['DISPLAY'] = ':' + numbers.readline().strip()
    return server


def body(program, folder):
    recording, messages = pathlib.Path(folder, 'pot.jsonl'), pathlib.Path(folder, 'messages')
    server = start_server()
    try:
        with open(messages, 'w', encoding='utf-8') as stderr:
            sandbox = Sandbox(program, folder, '--scene', 'potter', '--set', 'polygons=1000', '--record', str(recording),
                              stderr=stderr)
        label = sandbox.widget(lambda w: w['kind'] == 'label' and w['label'].startswith('Mouth'), 'the label of the mouth')
        height = sandbox.widget(lambda w: w['kind'] == 'label' and w['label'].startswith('Height'), 'the label of the height')
        sandbox.drag_until(centre(label)[0], centre(height)[1], 8, lambda s: s['figures']['polygons_moved'] > 0, 'a dent')
        saves = pathlib.Path(folder, 'claybox', 'autosave')
        sandbox.state(lambda s: list(saves.glob('*.ply')), 'the autosaved pot')
    finally:
        server.kill()
        server.wait()
    expect(sandbox.wait() == 2, 'expected status 2')
    lines = messages.read_text(encoding='utf-8').splitlines()
    expect(len(lines) == 1 and 'connection to the display is broken' in lines[0], f'expected one line, found {lines}')
    left = [str(f) for f in pathlib.Path(folder).rglob('*.new*')]
    expect(not left, f'temporary files are left: {left}')
    pots = list(saves.glob('*.ply'))
    expect(len(pots) == 1, f'expected one saved pot, found {pots}')
    expect(subprocess.run([program, 'inspect', str(pots[0])], capture_output=True).returncode == 0, 'the saved pot cannot be read')
    replay = subprocess.run([program, 'replay', str(recording), '--headless'], capture_output=True, text=True,
                            timeout=60 * PATIENCE)
    expect(replay.returncode == 0, f'the recording is not complete: {replay.stdout}{replay.stderr}')


main(body)
