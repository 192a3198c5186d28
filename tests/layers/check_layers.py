#!/usr/bin/env python3
"""Checks the sources against the rules of docs/explanation/architecture.md: includes between layers, forbidden headers, lengths,
folder sizes, that every list.def names the files that are there, that no two types have the same name, and that sources with compiler
options of their own do without a precompiled header.

check_layers.py ROOT          prints one line per fault; exit status 1 when there is one
check_layers.py --self-test   plants one fault of each kind in a scratch tree and expects each to be found
"""
import pathlib
import re
import sys
import tempfile

# Lengths are a signal, not a wall: what is longer gives its reason in a comment "Long because ...".
MAX_FILE = 800
MAX_CORPORA = 2_000_000  # bytes
MAX_FUNCTION = 60
MAX_FOLDER = 20
LARGE_FOLDERS = {'assets/icons': 'one file per icon', 'collision/core': 'small files, each for itself'}  # folder -> why it has more than MAX_FOLDER files

COLLISION = {
    'core': set(), 'simd': {'core'}, 'jobs': {'core'},
    'geometry': {'core', 'simd', 'jobs'},
    'exact': {'core', 'simd', 'jobs', 'geometry'},
    'pairwise': {'core', 'simd', 'jobs', 'geometry', 'exact'},
    'continuous': {'core', 'simd', 'jobs', 'geometry', 'exact', 'pairwise'},
    'broadphase': {'core', 'simd', 'jobs', 'geometry'},
    'module': {'core', 'simd', 'jobs', 'geometry', 'exact', 'pairwise', 'continuous', 'broadphase'},
    'python': {'core', 'simd', 'jobs', 'geometry', 'exact', 'pairwise', 'continuous', 'broadphase', 'module'},
}
# Families of pair algorithms: family -> other families that it may include. Every family sees the interface, which is
# the headers that lie in collision/pairwise itself. A family that is missing here sees the interface only.
CONVEX = {'support', 'gjk', 'solid'}
FAMILIES = {
    'gjk': {'support', 'solid'}, 'solid': {'support', 'gjk'}, 'best': CONVEX, 'clipping': CONVEX, 'v_clip': CONVEX,
    'dobkin_kirkpatrick': CONVEX, 'raster': {'support'}, 'linear_programming': CONVEX, 'reference': CONVEX, 'separating_plane': CONVEX,
    'separating_vector': CONVEX | {'dobkin_kirkpatrick'},
    'bvh': {'support'}, 'mesh': {'bvh'}, 'mesh_bvh': {'mesh', 'bvh'}, 'edge_polygon': {'mesh'}, 'box_tree': {'mesh'},
}
# Families of continuous algorithms: each sees the interface, itself, what is shared by them, and the shared families of pair algorithms.
CONTINUOUS_SHARED = {'linear', 'screw'}
CONTINUOUS_SEES = CONVEX | {'bvh', 'mesh'}
CONTINUOUS_ALSO = {'interframe_lp': {'linear_programming'}, 'screw_motion': {'raster', 'support'}}
# Broad phases share the headers that lie in collision/broadphase itself; scenes share app/scenes/hands and shared.
APP = {  # app layer -> other app layers and engine layers it may see ('collision' always)
    'potter': set(), 'buttons': set(),
    'scenes': {'app/potter', 'app/buttons'},
    'session': {'app/scenes', 'app/potter', 'app/buttons', 'engine/assets', 'engine/hand', 'engine/files'},
    'devices': {'app/scenes', 'engine/hand', 'engine/input', 'engine/files/assets.hpp', 'engine/files/path_text.hpp'},
    'cli': {'app/session', 'app/scenes', 'app/devices', 'engine/assets', 'engine/hand', 'engine/input', 'engine/files'},
    'bench': {'app/cli', 'app/session', 'engine/files', 'bench/experiments/experiment.hpp', 'bench/scenes/scene_experiments.hpp',
              'bench/papers', 'bench/streams'},
    'bridge': {'app', 'engine'}, 'panels': {'app', 'engine'},
}
BENCH = {  # bench layer -> other layers it may see ('collision' always)
    'streams': set(), 'contestants': {'bench/streams'}, 'experiments': {'bench/streams', 'bench/contestants'},
    'papers': {'bench/streams', 'bench/contestants', 'bench/experiments'},
    'scenes': {'bench/streams', 'bench/contestants', 'bench/experiments', 'app/session', 'app/scenes', 'app/potter'},
}
GL = {'engine/gl', 'engine/render', 'engine/ui', 'engine/platform', 'engine/xr'}
FORBIDDEN = [  # (header pattern, folders and files that may have it, what to say)
    (r'glad/|GLFW/|GLES3/|EGL/|GL/', GL, 'OpenGL, EGL and GLFW only in ' + ', '.join(sorted(GL))),
    (r'openxr/', {'engine/xr', 'engine/hand'}, 'OpenXR only in engine/xr and hand sources'),
    (r'imgui|backends/imgui', {'engine/ui', 'app/panels'}, 'Dear ImGui only in engine/ui and app/panels'),
    (r'(thread|mutex|shared_mutex|atomic|condition_variable|latch|barrier|semaphore|stop_token|future)$',
     {'collision/jobs', 'collision/module', 'collision/python', 'engine/files', 'app/session/interrupt.cpp'},  # a signal arrives on any thread
     'threads only in collision/jobs, collision/module, collision/python and engine/files'),
    (r'AL/', {'engine/audio'}, 'OpenAL only in engine/audio'),
    (r'Bullet|LinearMath/|bt[A-Z]|ccd/|fcl/|CGAL/|ode/|embree', {'bench/contestants'}, 'other collision libraries only in bench/contestants'),
    (r'hwy/|immintrin|xmmintrin|emmintrin|arm_neon', {'collision/simd'}, 'vector instructions only in collision/simd'),
]


# Decisions and hashes in these layers must not depend on the processor.
PORTABLE = {'collision/' + layer for layer in ('core', 'geometry', 'exact', 'pairwise', 'broadphase', 'continuous', 'module')}
PORTABLE |= {'app/' + layer for layer in ('scenes', 'buttons', 'potter')}
NOT_PORTABLE = r'std::(a?(sin|cos|tan)h?|atan2|pow|exp2?|expm1|log(2|10|1p)?|cbrt|hypot|fma|[tl]gamma|erfc?)\('
# Texts are UTF-8; std::filesystem takes them for another encoding on Windows.
NOT_UTF8 = r'\.(generic_)?string\(\)|\bstd::fopen\('


def layer_of(path):
    return '/'.join(path.split('/')[:2])


def include_fault(path, header):
    """What is wrong with a project include of `header` in `path`, or None."""
    top, here = path.split('/')[0], path.split('/')[1]
    to_top, to = header.split('/')[0], header.split('/')[1] if '/' in header else ''
    if to_top not in ('collision', 'engine', 'app', 'bench') or to.endswith('.hpp'):
        return None
    if top == 'bench':
        seen = to_top == 'collision' or (to_top == 'bench' and to == here) or f'{to_top}/{to}' in BENCH.get(here, set())
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
    """One algorithm never includes another: a family sees the interface, itself, and the families named for it."""
    layer = layer_of(path)
    if layer == 'collision/continuous' and header.startswith('collision/pairwise/'):
        family, other = family_of(path), family_of(header)
        seen = other == '' or other in CONTINUOUS_SEES | CONTINUOUS_ALSO.get(family, set())
        return None if seen else f'{layer}/{family} must not include a pair algorithm: {header}'
    if layer not in ('collision/pairwise', 'collision/continuous', 'collision/broadphase') or not header.startswith(layer + '/'):
        return None
    family, other = family_of(path), family_of(header)
    shared = CONTINUOUS_SHARED if layer == 'collision/continuous' else FAMILIES.get(family, set())
    if other in ('', family) or other in shared:
        return None
    if family == '' and pathlib.PurePath(path).suffix == '.cpp':
        return None  # the interface's own sources, such as certify.cpp, may call what is shared
    return f'{layer}/{family} must not include another algorithm: {header}'


def family_of(path):
    parts = path.split('/')
    return parts[2] if len(parts) > 3 else ''


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
    if len(lines) > MAX_FILE and 'Long because' not in '\n'.join(lines[:30]):
        yield f'{path}:{MAX_FILE}: {len(lines)} lines: split what is two thoughts, or say "Long because ..." at the top'
    folder = layer_of(path)
    for number, line in enumerate(lines, 1):
        if folder in PORTABLE and re.search(NOT_PORTABLE, line):
            yield f'{path}:{number}: this function of the C library differs between processors: use collision/core/trig.hpp or elementary.hpp'
        if path.startswith(('app/', 'engine/')) and path != 'engine/files/path_text.cpp' and re.search(NOT_UTF8, line):
            yield f'{path}:{number}: file names are UTF-8: use engine/files/path_text.hpp'
        m = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if not m:
            continue
        fault = include_fault(path, m.group(2)) if m.group(1) == '"' else None
        if fault:
            yield f'{path}:{number}: {fault}'
        if m.group(2).startswith('emscripten/') and '/web/' not in path:
            yield f'{path}:{number}: what only browsers have lies in folders named web'
        for pattern, allowed, words in FORBIDDEN:
            if re.match(pattern, m.group(2)) and not {folder, path} & allowed:
                yield f'{path}:{number}: {words}'
    for begin, length, reason in function_lengths(lines):
        if length > MAX_FUNCTION and not reason:
            yield f'{path}:{begin}: a function of {length} lines: split it, or say "Long because ..." above it'


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
            if not any((root / folder).rglob(f'{name}.cpp')):
                yield f'{folder}/list.def: {name} has no file {name}.cpp'
        for cpp in sorted((root / folder).rglob('*.cpp')):
            for name in re.findall(rf'^[\w:<>& ]+&\s*{prefix}(\w+)\(\)\s*\{{', cpp.read_text(), re.M):
                if name not in ids:
                    yield f'{cpp.relative_to(root).as_posix()}: describes {name}, which list.def does not name'


TYPE = re.compile(r'(?:template <.*> )?(?:class|struct|union|enum|enum class) (?:\[\[\w+\]\] )?(?:alignas\(\w+\) )?(\w+)(?: final)?(?: : [^;]*)?(?: \{|$)')
# Two kinds of the program, which are never linked together.
ALTERNATIVES = re.compile(r'/web/')


def types_of(text):
    """(line number, name with namespaces) of each type that other sources can see. Indented types belong to another one."""
    namespaces = []
    for number, line in enumerate(text.splitlines(), 1):
        if opened := re.match(r'(?:inline )?namespace ?([\w:]*) \{', line):
            namespaces.append(opened.group(1))
        elif line.startswith('}  // namespace') and namespaces:
            namespaces.pop()
        elif (found := TYPE.match(line)) and '' not in namespaces:
            yield number, '::'.join([*namespaces, found.group(1)])


def check_types(root):
    """Two types of the same name share the functions that the compiler makes for them: the linker keeps one of each."""
    first = {}
    for top in ('app', 'bench', 'collision', 'engine'):
        for path in sorted((root / top).rglob('*.[ch]pp')):
            relative = path.relative_to(root).as_posix()
            if ALTERNATIVES.search(relative):
                continue
            for number, name in types_of(path.read_text(encoding='utf-8')):
                place = first.setdefault(name, f'{relative}:{number}')
                if not place.startswith(f'{relative}:'):
                    yield f'{relative}:{number}: {place} defines {name} too: the linker mixes their functions'


def check_folders(root):
    for top in ('collision', 'engine', 'app', 'bench', 'shaders', 'scripts', 'assets'):
        for folder in sorted(path for path in [root / top, *(root / top).rglob('*')] if path.is_dir() and path.name != '__pycache__'):
            name = folder.relative_to(root).as_posix()
            count = sum(1 for path in folder.iterdir() if path.is_file())
            if count > MAX_FOLDER and name not in LARGE_FOLDERS:
                yield f'{name}: {count} files: group them, or give the reason in LARGE_FOLDERS'


def check_corpora(root):
    """Inputs of fuzz targets are kept by the thousand otherwise."""
    sizes = {file: file.stat().st_size for file in (root / 'tests/data/fuzz').rglob('*') if file.is_file()}
    if sum(sizes.values()) > MAX_CORPORA:
        largest = max(sizes, key=sizes.get).relative_to(root).as_posix()
        yield f'{largest}: the largest of {sum(sizes.values())} bytes of inputs for fuzz targets, expected at most {MAX_CORPORA}'


OWN_OPTIONS = re.compile(r'\bCOMPILE_(?:OPTIONS|FLAGS)\b|^ *target_compile_options\((?!claybox_options )')


def check_options(root):
    """Only claybox_source_options and claybox_options know which sources use a precompiled header."""
    for top in ('app', 'bench', 'collision', 'engine', 'tests'):
        for path in sorted((root / top).rglob('CMakeLists.txt')):
            for number, line in enumerate(path.read_text(encoding='utf-8').splitlines(), 1):
                if OWN_OPTIONS.search(line):
                    yield f'{path.relative_to(root).as_posix()}:{number}: compiler options of a part: use claybox_source_options'


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
    yield from check_folders(root)
    yield from check_types(root)
    yield from check_corpora(root)
    yield from check_options(root)


FAULTS = {
    'collision/core/a.cpp': ('#include "engine/gl/x.hpp"\n', 'must not include engine'),
    'collision/core/b.cpp': ('#include "collision/module/world.hpp"\n', 'must not include collision/module'),
    'collision/exact/c.cpp': ('#include <atomic>\n', 'threads only'),
    'collision/exact/d.cpp': ('#include <hwy/highway.h>\n', 'vector instructions'),
    'collision/pairwise/v_clip/e.cpp': ('#include "collision/pairwise/best/quick_proof.hpp"\n', 'must not include another'),
    'collision/continuous/best/r.cpp': ('#include "collision/continuous/screw_motion/pixels.hpp"\n', 'must not include another'),
    'collision/continuous/moving_gjk/s.cpp': ('#include "collision/pairwise/v_clip/v_clip.hpp"\n', 'must not include a pair algorithm'),
    'collision/broadphase/grid/q.cpp': ('#include "collision/broadphase/tree/tree_nodes.hpp"\n', 'must not include another'),
    'engine/ui/f.cpp': ('#include "app/scenes/scene.hpp"\n', 'engine must not include app'),
    'engine/hand/g.cpp': ('#include <glad/gl.h>\n', 'OpenGL'),
    'engine/platform/t.cpp': ('#include <emscripten/html5.h>\n', 'folders named web'),
    'app/scenes/h.cpp': ('#include "engine/render/renderer.hpp"\n', 'app/scenes must not include'),
    'bench/streams/m.cpp': ('#include "bench/contestants/contestant.hpp"\n', 'bench/streams must not include'),
    'bench/experiments/p.cpp': ('#include "app/scenes/scene.hpp"\n', 'bench/experiments must not include app'),
    'bench/experiments/n.cpp': ('#include <fcl/fcl.h>\n', 'other collision libraries'),
    'app/scenes/o.cpp': ('#include "bench/experiments/experiment.hpp"\n', 'app/scenes must not include'),
    'app/scenes/t.cpp': ('double f(double x) {\n    return std::cbrt(x);\n}\n', 'differs between processors'),
    'app/cli/v.cpp': ('void f(const std::filesystem::path& p) {\n    print(p.string());\n}\n', 'file names are UTF-8'),
    'app/cli/i.cpp': ('#include <imgui.h>\n', 'Dear ImGui only'),
    'app/cli/j.cpp': ('int f() {\n' + '    g();\n' * 65 + '}\n', 'a function of 67 lines'),
    'app/cli/k.cpp': ('\n' * 900, '900 lines'),
    'collision/exact/u.cpp': ('namespace a {\nnamespace {\nstruct Twin {\n};\n}  // namespace\nstruct Twin {\n};\n}  // namespace a\n', 'defines a::Twin too'),
    'tests/data/fuzz/large/w': ('x' * 2_000_001, 'expected at most 2000000'),
    'engine/gl/CMakeLists.txt': ('target_compile_options(claybox_gl PRIVATE -O3)\n', 'use claybox_source_options'),
    'collision/CMakeLists.txt': ('set_source_files_properties(a.cpp PROPERTIES COMPILE_OPTIONS -O3)\n', 'use claybox_source_options'),
    'collision/broadphase/l.cpp': ('const BroadPhaseDescriptor& describe_l() {\n}\n', 'does not name'),
}


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, macro, _ in LISTS:
            (root / name).mkdir(parents=True)
            (root / name / 'list.def').write_text('')
        (root / 'app/scenes/list.def').write_text('SCENE(ghost)\n')
        (root / 'engine/crowded').mkdir(parents=True)
        for i in range(MAX_FOLDER + 1):
            (root / f'engine/crowded/p{i}.cpp').write_text('')
        (root / 'app/cli').mkdir(parents=True)
        (root / 'app/cli/twin.hpp').write_text('namespace a {\nenum class Twin : unsigned char { x };\n}  // namespace a\n')
        for path, (text, _) in FAULTS.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        found = list(check(root))
        missing = [p for p, (_, words) in FAULTS.items() if not any(f.startswith(p) and words in f for f in found)]
        if not any('ghost has no file' in f for f in found):
            missing.append('list.def without a file')
        if not any('engine/crowded: 21 files' in f for f in found):
            missing.append('a folder of 21 files')
        for m in missing:
            print('not found:', m)
        return 1 if missing else 0


if __name__ == '__main__':
    if sys.argv[1:] == ['--self-test']:
        sys.exit(self_test())
    faults = list(check(pathlib.Path(sys.argv[1])))
    print('\n'.join(faults) or 'no faults')
    sys.exit(1 if faults else 0)
