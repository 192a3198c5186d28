"""The types of claybox/__init__.pyi are those of the module, and everything public is described."""
import ast
import inspect
import pathlib
import re

import pytest

import claybox

STUB = pathlib.Path(__file__).parents[2] / 'collision/python/claybox/__init__.pyi'
TREE = ast.parse(STUB.read_text(encoding='utf-8'))
CLASSES = {node.name: node for node in TREE.body if isinstance(node, ast.ClassDef)}
SPECIAL = {'__init__', '__float__', '__len__'}  # those that the stub names


def is_public(name):
    return not name.startswith('_')


def members(node):
    """Functions, methods and properties of a module or class of the stub."""
    return {child.name: child for child in node.body if isinstance(child, ast.FunctionDef)}


def is_property(function):
    return any(isinstance(d, ast.Name) and d.id == 'property' for d in function.decorator_list)


def functions():
    """(name, function of the stub, function of the module) of all but properties."""
    for name, function in members(TREE).items():
        yield name, function, getattr(claybox, name)
    for class_name, node in CLASSES.items():
        for name, function in members(node).items():
            if not is_property(function):
                yield f'{class_name}.{name}', function, getattr(getattr(claybox, class_name), name)


def documented():
    """(name, object) of everything public in the module."""
    yield 'claybox', claybox
    for name in filter(is_public, dir(claybox)):
        thing = getattr(claybox, name)
        if inspect.ismodule(thing) or isinstance(thing, int):
            continue
        yield name, thing
        if inspect.isclass(thing):
            for member in vars(thing):
                if is_public(member):
                    yield f'{name}.{member}', inspect.getattr_static(thing, member)


def test_the_names_of_the_module_are_those_of_the_stub():
    constants = {node.target.id for node in TREE.body if isinstance(node, ast.AnnAssign)}
    aliases = {target.id for node in TREE.body if isinstance(node, ast.Assign) for target in node.targets}
    assert not {name for name in aliases if is_public(name)}, 'an alias that the module lacks begins with _'
    named = constants | members(TREE).keys() | CLASSES.keys()
    assert {name for name in dir(claybox) if is_public(name)} | {'__version__'} == named


@pytest.mark.parametrize('name', sorted(CLASSES))
def test_the_members_of_a_class_are_those_of_the_stub(name):
    there = vars(getattr(claybox, name))
    own = {member for member in there if is_public(member)}
    assert {member for member in members(CLASSES[name]) if is_public(member)} == own
    for member, function in members(CLASSES[name]).items():
        assert member in there and (is_public(member) or member in SPECIAL)
        assert is_property(function) == isinstance(there[member], property), member
    assert {member for member in ('__float__', '__len__') if member in there} <= members(CLASSES[name]).keys()


@pytest.mark.parametrize('name, function, real', [pytest.param(*row, id=row[0]) for row in functions()])
def test_parameters_are_those_of_the_stub(name, function, real):
    signature = re.match(r'\w+\((.*)\) -> ', real.__doc__).group(1)
    real_names = re.findall(r'(?:^|, )(\*|\w+)(?=:|,|$)', signature)
    required = {n for n in re.findall(r'(?:^|, )(\w+): [^=,]+(?=,|$)', signature)}
    arguments = function.args
    names = [a.arg for a in arguments.args] + (['*'] if arguments.kwonlyargs else []) + [a.arg for a in arguments.kwonlyargs]
    assert [n for n in real_names if n != 'self'] == [n for n in names if n != 'self']
    without_default = {a.arg for a in arguments.args[:len(arguments.args) - len(arguments.defaults)]}
    without_default |= {a.arg for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults) if d is None}
    assert required - {'self'} == without_default - {'self'}


@pytest.mark.parametrize('name, thing', [pytest.param(*row, id=row[0]) for row in documented()])
def test_everything_public_is_described(name, thing):
    text = inspect.getdoc(thing.__func__ if isinstance(thing, staticmethod) else thing) or ''
    text = re.sub(r'^\w+\(.*\) -> .*\n*', '', text)  # the signature, which pybind11 writes
    assert len(text) >= 10, f'{name} has no description'
