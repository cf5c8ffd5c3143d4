import { describe, expect, it } from 'vitest'
import { bodyOf, exportedNames, find, kinds, python, signatures } from './syntax.fixture.ts'

describe('symbols of Python', () => {
  it('are functions, classes with their members, constants and types', () => {
    const facts = python(
      [
        'LIMIT: int = 5',
        'low, high = 1, 2',
        'first = second = 3',
        'double = lambda x: x * 2',
        'type Names = list[str]',
        'def run(): return 1',
        'class Room(Base):',
        '    """A room."""',
        '    size: int = 3',
        '    def enter(self): return self.size',
        '    class Door:',
        '        def open(self): pass',
        'start()',
        'Room.size = 4',
      ].join('\n'),
    )
    expect(facts).toMatchObject({ language: 'python', parsed: true })
    expect(kinds(facts)).toEqual([
      'constant LIMIT',
      'constant low',
      'constant high',
      'constant first',
      'constant second',
      'function double',
      'type Names',
      'function run',
      'class Room',
      'constant Room.size',
      'method Room.enter',
      'class Room.Door',
      'method Room.Door.open',
      'module <module>',
    ])
    expect(bodyOf(facts, 'Room')).toBe('"""A room.""" ; size')
    expect(bodyOf(facts, '<module>')).toBe('start ( ) ; Room . size = 4')
    expect(bodyOf(facts, 'double')).toBe('x * 2')
  })

  it('count indentation: the same words in another block are another body', () => {
    const inside = python('def f(a):\n    if a:\n        go()\n        stop()\n')
    const outside = python('def f(a):\n    if a:\n        go()\n    stop()\n')
    expect(bodyOf(inside, 'f')).toBe('if a : <indent> go ( ) ; stop ( ) <dedent>')
    expect(bodyOf(outside, 'f')).toBe('if a : <indent> go ( ) <dedent> ; stop ( )')
  })

  it('keep a docstring as the first statement', () => {
    const facts = python('def add(a, b):\n    "Adds two numbers."\n    raise NotImplementedError\n')
    expect(bodyOf(facts, 'add')).toBe("'Adds two numbers.' ; raise NotImplementedError")
  })

  it('include names in formatted strings', () => {
    const { bodyTokens, identifiers } = find(python('def f(a):\n    return f"x {a!r:>3} y" + "z"\n'), 'f')
    expect(bodyTokens).toEqual(['return', 'f"x …', 'a', '!r', ':>3', '… y"', '+', "'z'"])
    expect(identifiers).toEqual([2])
  })

  it('mark unimplemented members', () => {
    const facts = python(
      [
        'class Shape(ABC):',
        '    @abstractmethod',
        '    def area(self): return 0',
        '    def name(self): raise NotImplementedError',
        '    def size(self): return 1',
        'class Store(Protocol):',
        '    def get(self) -> int: ...',
        '@overload',
        'def f(a: int) -> int: ...',
        'def g(): ...',
      ].join('\n'),
    )
    const open = facts.symbols.filter((symbol) => symbol.abstract).map(({ name }) => name)
    expect(open).toEqual(['Shape.area', 'Shape.name', 'Store.get', 'f'])
    expect(find(python('def g(): ...', 'a.pyi'), 'g').abstract).toBe(true)
  })
})

describe('signatures of Python', () => {
  it.each([
    [
      'def f(a, b: int = 1, *args, c, d="x", **rest) -> int: pass',
      'f(a, b: int = ..., *args, c, d = ..., **rest) -> int',
    ],
    ['def f(a, /, b, *, c): pass', 'f(a, /, b, *, c)'],
    ['async def f(): pass', 'async f()'],
    ['@cache\n@route("/x")\ndef f(): pass', "@cache @route('/x') f()"],
    ['def f[T: int](a: T): pass', 'f [T: int](a: T)'],
    ['class f(Base, metaclass=Meta): pass', 'class f(Base, metaclass = Meta)'],
    ['@dataclass\nclass f: pass', '@dataclass class f'],
    ['f: list[int] = []', 'f: list [int]'],
    ['f = 1.5', 'f: float'],
  ])('%s', (text, expected) => {
    expect(signatures(python(text)).f).toBe(expected)
  })

  it('show that a field has a default, because the constructor accepts it', () => {
    expect(signatures(python('class A:\n    x: int\n    y: int = 1\n'))).toMatchObject({
      'A.x': 'x: int',
      'A.y': 'y: int = ...',
    })
  })
})

describe('exports of Python', () => {
  it('are the names without an underscore, and dunder methods among the members', () => {
    const text =
      'a = 1\n_b = 2\ndef c(): pass\nclass D:\n    def __init__(self): pass\n    def _e(self): pass\n    def f(self): pass\n'
    expect(exportedNames(python(text))).toEqual(['a', 'c', 'D', 'D.__init__', 'D.f'])
    expect(exportedNames(python('class _A:\n    def f(self): pass\n'))).toEqual([])
  })

  it.each([
    ["__all__ = ['a', '_b']\na = 1\n_b = 2\nc = 3", ['a', '_b']],
    ["__all__ = ['a']\n__all__ += ['b']\n__all__.append('c')\na = b = c = d = 1", ['a', 'b', 'c']],
    ["from .x import y\n__all__ = ('y',)", ['y']],
    ["__all__ = ['_a'] + other.__all__\n_a = 1\nb = 2", ['_a', 'b']],
  ])('follow __all__: %s', (text, expected) => {
    expect(exportedNames(python(text))).toEqual(expected)
    expect(kinds(python(text))).not.toContain('constant __all__')
  })

  it('of a package are what it imports from its own modules', () => {
    const text = 'from .core import Room, _hidden\nimport os\nfrom x import y as y\n'
    expect(exportedNames(python(text, 'pkg/__init__.py'))).toEqual(['Room', 'y'])
    expect(exportedNames(python(text, 'pkg/other.py'))).toEqual(['y'])
    expect(exportedNames(python('from x import *'))).toEqual(['* from x'])
  })

  it('may be in a branch, except the one for running the file', () => {
    const text = 'if new:\n    def f(): return 1\nelse:\n    def f(): return 2\nif __name__ == "__main__":\n    x = 1\n'
    expect(exportedNames(python(text))).toEqual(['f', 'f'])
    expect(bodyOf(python(text), '<module>')).toContain('def f')
  })
})

describe('imports of Python', () => {
  it('are found anywhere in the file', () => {
    const facts = python(
      [
        'import os.path, numpy as np',
        'from .a.b import (c, d as e,)',
        'from . import g',
        'def f():',
        '    import ctypes.util',
        '    return importlib.import_module("pickle")',
        'try:',
        '    import fast',
        'except ImportError:',
        '    fast = None',
      ].join('\n'),
    )
    expect(facts.imports).toEqual([
      { module: 'os.path', names: ['os'] },
      { module: 'numpy', names: ['np'] },
      { module: '.a.b', names: ['c', 'e'], taken: ['c', 'd'] },
      { module: '.', names: ['g'] },
      { module: 'ctypes.util', names: ['ctypes'] },
      { module: 'pickle', names: [] },
      { module: 'fast', names: ['fast'] },
    ])
    expect(bodyOf(facts, '<module>')).not.toContain('import fast')
  })
})

describe('dynamic code in Python', () => {
  it('[VF5] is detected when text runs as code', () => {
    expect(python('eval("1")\nexec("2")').evaluates).toEqual(['eval', 'exec'])
    expect(python('def eval(text): return text\neval("1")\nmodel.eval()').evaluates).toBe(undefined)
  })
})
