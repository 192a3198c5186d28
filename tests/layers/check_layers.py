#!/usr/bin/env python3
"""Checks the sources against the rules of docs/architecture.md: who may include whom, forbidden headers, file and
function lengths, and that every listed algorithm, broad phase and scene has a file and every file a line.

check_layers.py ROOT     prints one line per fault; exit status 1 when there is one
check_layers.py --self-test   plants one fault of each kind in a scratch tree and expects each to be found
"""
import pathlib
import re
import sys
import tempfile

MAX_FILE = 600
MAX_FUNCTION = 40
MAX_KERNEL = 120  # a function whose preceding comment or first lines say "Long because"

COLLISION = {
    'core': set(), 'simd': {'core'}, 'jobs': {'core'},
    'geometry': {'core', 'simd', 'jobs'},
    'exact': {'core', 'simd', 'jobs', 'geometry'},
    'parts': {'core', 'simd', 'jobs', 'geometry', 'exact'},
    'pairwise': {'core', 'simd', 'jobs', 'geometry', 'exact', 'parts'},
    'continuous': {'core', 'simd', 'jobs', 'geometry', 'exact', 'parts', 'pairwise'},
    'broadphase': {'core', 'simd', 'jobs', 'geometry'},
    'module': {'core', 'simd', 'jobs', 'geometry', 'exact', 'parts', 'pairwise', 'continuous', 'broadphase'},
}
APP = {  # app layer -> other app layers and engine layers it may see ('collision' always)
    'potter': set(), 'buttons': set(),
    'scenes': {'app/potter', 'app/buttons'},
    'session': {'app/scenes', 'app/potter', 'app/buttons', 'engine/hand'},
    'devices': {'engine/hand', 'engine/input'},
    'cli': {'app/session', 'app/scenes', 'app/devices', 'engine/assets', 'engine/hand', 'engine/input', 'engine/platform/paths.hpp',
            'bench/experiments/experiment.hpp'},
    'bridge': {'app', 'engine'}, 'panels': {'app', 'engine'},
}
BENCH = {'streams': set(), 'contestants': {'streams'}, 'experiments': {'streams', 'contestants'}}  # and collision
GL = {'engine/gl', 'engine/render', 'engine/ui', 'engine/platform', 'engine/xr'}
FORBIDDEN = [  # (header pattern, folders that may have it, what to say)
    (r'glad/|GLFW/|EGL/|GL/', GL, 'OpenGL, EGL and GLFW only in ' + ', '.join(sorted(GL))),
    (r'openxr/', {'engine/xr', 'engine/hand'}, 'OpenXR only in engine/xr and hand sources'),
    (r'imgui|backends/imgui', {'engine/ui', 'app/panels'}, 'Dear ImGui only in engine/ui and app/panels'),
    (r'(thread|mutex|shared_mutex|atomic|condition_variable|latch|barrier|semaphore|stop_token|future)$',
     {'collision/jobs', 'collision/module', 'app/background'}, 'threads only in collision/jobs and collision/module'),
    (r'AL/', {'engine/audio'}, 'OpenAL only in engine/audio'),
    (r'Bullet|LinearMath/|bt[A-Z]|ccd/|fcl/|CGAL/|ode/|embree', {'bench/contestants'}, 'other collision libraries only in bench/contestants'),
    (r'hwy/|immintrin|xmmintrin|emmintrin|arm_neon', {'collision/simd'}, 'vector instructions only in collision/simd'),
]


def layer_of(path):
    return '/'.join(path.split('/')[:2])


def include_fault(path, header):
    """What is wrong with a project include of `header` in `path`, or None."""
    top, here = path.split('/')[0], path.split('/')[1]
    to_top, to = header.split('/')[0], header.split('/')[1] if '/' in header else ''
    if to_top not in ('collision', 'engine', 'app', 'bench') or to.endswith('.hpp'):
        return None
    if top == 'bench':
        seen = to_top == 'collision' or (to_top == 'bench' and (to == here or to in BENCH.get(here, set())))
        return None if seen else f'bench/{here} must not include {to_top}/{to}'
    if top == 'collision':
        if to_top != 'collision':
            return f'collision must not include {to_top}'
        if here.endswith('.hpp') or to == here or to in COLLISION.get(here, set()):
            return algorithm_fault(path, header)
        return f'collision/{here} must not include collision/{to}'
    if top == 'engine' and to_top != 'engine':
        return f'engine must not include {to_top}'
    if top == 'app' and to_top in ('app', 'engine', 'bench') and here in APP and header.split('/')[:2] != ['app', here]:
        allowed = APP[here]
        if not ({to_top, f'{to_top}/{to}', header} & allowed):
            return f'app/{here} must not include {to_top}/{to}'
    return None


def algorithm_fault(path, header):
    """One algorithm file never includes another: of their folder only the interface headers are seen."""
    folder = '/'.join(path.split('/')[:2])
    if folder not in ('collision/pairwise', 'collision/continuous', 'collision/broadphase'):
        return None
    shared = {'query.hpp', 'registry.hpp', 'broad_phase.hpp', 'structure_view.hpp', 'world_bounds.hpp', 'grid_cells.hpp', 'grid_slots.hpp', 'list.def',
              'solid_ladder.hpp', 'half_space_claims.hpp', 'solid_measure.hpp', 'complete_solid.hpp',
              'hit_receiver.hpp', 'edge_polygon_search.hpp', 'surface_measure.hpp', 'prepared_bvh.hpp'}
    stem = pathlib.PurePath(path).stem
    own = header.startswith(folder + '/') and pathlib.PurePath(header).stem.startswith(stem)
    if header.startswith(folder + '/') and header.split('/')[-1] not in shared and not own:
        return f'an algorithm must not include another: {header}'
    return None


def function_lengths(lines):
    """(name line, length, has reason) of each function body, by brace depth; namespaces and classes are looked into."""
    depth_stack, start, head = [], None, ''
    out = []
    text_before = ''
    for number, raw in enumerate(lines, 1):
        line = re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])\'', '""', raw)
        line = re.sub(r'//.*', '', line)
        for ch in line:
            if ch == '{':
                opener = text_before.strip()
                is_scope = re.search(r'\b(namespace|class|struct|enum|union|extern)\b[^;()]*$', opener) or opener.endswith('=')
                is_function = not is_scope and ')' in opener and not any(k == 'f' for k, _, _ in depth_stack)
                kind = 'f' if is_function else 's'
                depth_stack.append((kind, number, head_line(lines, number)))
                text_before = ''
            elif ch == '}':
                if depth_stack:
                    kind, begin, name = depth_stack.pop()
                    if kind == 'f':
                        near = '\n'.join(lines[max(0, begin - 12):begin + 3])
                        out.append((begin, number - begin + 1, 'Long because' in near))
                text_before = ''
            elif ch == ';':
                text_before = ''
            else:
                text_before += ch
        text_before += ' '
    return out


def head_line(lines, number):
    return lines[number - 1].strip()


def check_file(path, text):
    lines = text.splitlines()
    if len(lines) > MAX_FILE:
        yield f'{path}:{MAX_FILE}: {len(lines)} lines, the limit is {MAX_FILE}'
    folder = layer_of(path)
    for number, line in enumerate(lines, 1):
        m = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if not m:
            continue
        fault = include_fault(path, m.group(2)) if m.group(1) == '"' else None
        if fault:
            yield f'{path}:{number}: {fault}'
        for pattern, allowed, words in FORBIDDEN:
            if re.match(pattern, m.group(2)) and folder not in allowed:
                yield f'{path}:{number}: {words}'
    for begin, length, reason in function_lengths(lines):
        limit = MAX_KERNEL if reason else MAX_FUNCTION
        if length > limit:
            yield (f'{path}:{begin}: a function of {length} lines, the limit is {limit}'
                   + ('' if reason else f' ({MAX_KERNEL} with a comment "Long because ...")'))


LISTS = [('collision/pairwise', 'PAIR_ALGORITHM', 'describe_'), ('collision/continuous', 'CONTINUOUS_ALGORITHM', 'describe_'),
         ('collision/broadphase', 'BROAD_PHASE', 'describe_'), ('app/scenes', 'SCENE', 'describe_'),
         ('bench/experiments', 'EXPERIMENT', 'describe_')]


def check_lists(root):
    for folder, macro, prefix in LISTS:
        listing = root / folder / 'list.def'
        if not listing.exists():
            yield f'{folder}/list.def: missing'
            continue
        ids = re.findall(rf'^{macro}\((\w+)\)', listing.read_text(), re.M)
        for name in ids:
            if not (root / folder / f'{name}.cpp').exists():
                yield f'{folder}/list.def: {name} has no file {name}.cpp'
        for cpp in sorted((root / folder).glob('*.cpp')):
            for name in re.findall(rf'^[\w:<>& ]+&\s*{prefix}(\w+)\(\)\s*\{{', cpp.read_text(), re.M):
                if name not in ids:
                    yield f'{folder}/{cpp.name}: describes {name}, which list.def does not name'


def check(root):
    for top in ('collision', 'engine', 'app', 'bench'):
        for path in sorted((root / top).rglob('*')):
            if path.suffix in ('.cpp', '.hpp') and path.is_file():
                relative = path.relative_to(root).as_posix()
                if relative.count('/') >= 2:
                    yield from check_file(relative, path.read_text(encoding='utf-8'))
    main = root / 'app/main.cpp'
    if main.exists() and len(main.read_text().splitlines()) > 60:
        yield 'app/main.cpp: over 60 lines'
    yield from check_lists(root)


FAULTS = {
    'collision/core/a.cpp': ('#include "engine/gl/x.hpp"\n', 'must not include engine'),
    'collision/core/b.cpp': ('#include "collision/module/world.hpp"\n', 'must not include collision/module'),
    'collision/parts/c.cpp': ('#include <atomic>\n', 'threads only'),
    'collision/parts/d.cpp': ('#include <hwy/highway.h>\n', 'vector instructions'),
    'collision/pairwise/e.cpp': ('#include "collision/pairwise/gjk_core.hpp"\n', 'must not include another'),
    'engine/ui/f.cpp': ('#include "app/scenes/scene.hpp"\n', 'engine must not include app'),
    'engine/hand/g.cpp': ('#include <glad/gl.h>\n', 'OpenGL'),
    'app/scenes/h.cpp': ('#include "engine/render/renderer.hpp"\n', 'app/scenes must not include'),
    'bench/streams/m.cpp': ('#include "bench/contestants/contestant.hpp"\n', 'bench/streams must not include'),
    'bench/experiments/n.cpp': ('#include <fcl/fcl.h>\n', 'other collision libraries'),
    'app/scenes/o.cpp': ('#include "bench/experiments/experiment.hpp"\n', 'app/scenes must not include'),
    'app/cli/i.cpp': ('#include <imgui.h>\n', 'Dear ImGui only'),
    'app/cli/j.cpp': ('int f() {\n' + '    g();\n' * 45 + '}\n', 'a function of 47 lines'),
    'app/cli/k.cpp': ('\n' * 700, '700 lines'),
    'collision/broadphase/l.cpp': ('const BroadPhaseDescriptor& describe_l() {\n}\n', 'does not name'),
}


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, macro, _ in LISTS:
            (root / name).mkdir(parents=True)
            (root / name / 'list.def').write_text('')
        (root / 'app/scenes/list.def').write_text('SCENE(ghost)\n')
        for path, (text, _) in FAULTS.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        found = list(check(root))
        missing = [p for p, (_, words) in FAULTS.items() if not any(f.startswith(p) and words in f for f in found)]
        if not any('ghost has no file' in f for f in found):
            missing.append('list.def without a file')
        for m in missing:
            print('not found:', m)
        return 1 if missing else 0


if __name__ == '__main__':
    if sys.argv[1:] == ['--self-test']:
        sys.exit(self_test())
    faults = list(check(pathlib.Path(sys.argv[1])))
    print('\n'.join(faults) or 'no faults')
    sys.exit(1 if faults else 0)
