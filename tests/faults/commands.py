"""Commands of claybox that write files, and how to run one of them in a folder of its own."""
import json
import os
import subprocess

OLD = b'old content\n'
ENDS = {'.png': b'IEND\xaeB`\x82', '.gif': b';'}
MATRIX = '[1,0,0,0,0,1,0,0,0,0,1,0]'
QUERY = '{"id":1,"a":{"kind":"vertices","points":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]},"b":{"kind":"vertices",' \
        '"points":[[0,0,0],[2,0,0],[0,2,0],[0,0,2]]},"matrix_a":%s,"matrix_b":%s}\n' % (MATRIX, MATRIX)

# Name: arguments, and the files that the command writes. {0} is the folder of the run.
COMMANDS = {
    'version': (['--version'], []),
    'inspect': (['inspect', 'assets/meshes/gear.stl', '--json'], []),
    'list': (['list', 'pair', '--markdown'], []),
    'query': (['query', '{0}/query.jsonl', '--pair', 'all'], []),
    'cage': (['run', '--headless', '--frames', '3', '--set', 'bodies=10', '--json', '{0}/out.json', '--record', '{0}/out.rec'],
             ['out.json', 'out.rec']),
    'workers': (['run', '--headless', '--frames', '3', '--set', 'bodies=40', '--workers', '3', '--parallel', 'pairs', '--concurrent',
                 '--hash'], []),
    'potter': (['run', '--headless', '--scene', 'potter', '--frames', '3', '--set', 'polygons=500', '--autosave', '{0}/saves', '--record',
                '{0}/out.rec'], ['out.rec']),
    # Saves the clay while it runs. Too long for every fault; killed_while_writing.py takes it.
    'autosave': (['run', '--headless', '--scene', 'potter', '--frames', '190', '--set', 'polygons=500', '--autosave', '{0}/saves',
                  '--json', '{0}/out.json', '--record', '{0}/out.rec'], ['out.json', 'out.rec']),
    'mesh': (['run', '--headless', '--frames', '2', '--mesh', 'assets/meshes/ring.obj', '--pair', 'mesh_bvh', '--hash'], []),
    # These need a display.
    'window': (['run', '--scene', 'cage', '--frames', '4', '--set', 'bodies=10', '--size', '320x240', '--record', '{0}/out.rec',
                '--screenshot', '{0}/out.png'], ['out.rec', 'out.png']),
    'window-potter': (['run', '--scene', 'potter', '--frames', '4', '--set', 'polygons=500', '--size', '320x240', '--autosave',
                       '{0}/saves'], []),
    'window-files': (['run', '--scene', 'potter', '--frames', '4', '--set', 'polygons=500', '--size', '320x240', '--report',
                      '{0}/report.json', '--record-track', '{0}/out.track', '--turntable', '{0}/turn.gif', '--turntable-pictures', '3'],
                     ['report.json', 'out.track', 'turn.gif']),
    'window-workers': (['run', '--scene', 'cage', '--frames', '4', '--set', 'bodies=40', '--size', '320x240', '--workers', '3',
                        '--parallel', 'pairs', '--concurrent'], []),
    'replay': (['replay', 'assets/recordings/cage.rec', '--frames', '3'], []),
}

WINDOWS = ['window', 'window-potter', 'window-files', 'window-workers']
SHORT = [name for name in COMMANDS if name != 'autosave']


def prepare(folder, command):
    """The input of the command, and old files where it writes."""
    (folder / 'query.jsonl').write_text(QUERY)
    (folder / 'saves').mkdir()
    for target in COMMANDS[command][1]:
        (folder / target).write_bytes(OLD)


def environment(folder, extra=None):
    """Settings and saved pots of the user stay out of it."""
    return {**os.environ, 'XDG_CONFIG_HOME': str(folder / 'config'), 'XDG_STATE_HOME': str(folder / 'state'), **(extra or {})}


def arguments(program, command, folder, frames=None):
    """`frames`: in place of the command's own number."""
    out = [program] + [a.format(folder) for a in COMMANDS[command][0]]
    if frames is not None:
        out[out.index('--frames') + 1] = str(frames)
    return out


def run(program, command, folder, extra=None, frames=None, **options):
    return subprocess.run(arguments(program, command, folder, frames), env=environment(folder, extra), capture_output=True,
                          check=False, **options)


def is_old(file):
    return file.exists() and file.read_bytes() == OLD


def is_complete(file):
    """Reports, recordings, tracks, settings, pictures."""
    content = file.read_bytes() if file.exists() else b''
    if file.suffix in ENDS:
        return content.endswith(ENDS[file.suffix])
    try:
        documents = [content] if file.suffix == '.json' else content.splitlines()
        return bool([json.loads(document) for document in documents])
    except ValueError:
        return False
