/** What an implementer may make of a stub in its own target, and what it may not. VF3. */
import { describe, expect, it } from 'vitest'
import { interfaceChanges } from '../../rules/build/interface-changes.ts'
import { reader } from './syntax.fixture.ts'

const todo = "throw new Error('not implemented')"

function changes(file: string, stub: string, filled: string): string[] {
  const [before, after] = [reader.read(file, stub), reader.read(file, filled)]
  expect([before.parsed, after.parsed]).toEqual([true, true])
  return interfaceChanges([before], [after], [file]).changes.map(({ message }) => message)
}

const typescript: [string, string, string][] = [
  ['a stated type, made by another function', 'const f: Fn = () => { TODO }', 'const f: Fn = createFn((a) => a)'],
  ['a stated type that is implied now', 'const f: Fn = () => { TODO }', 'const f = createFn((a) => a)'],
  ['a stated type and parameters', 'const f: Fn = () => { TODO }', 'const f: Fn = (a, ...b) => a + b'],
  ['a function behind another', 'const f = (a: string): string => { TODO }', 'const f = memo((a: string) => a)'],
  ['an arrow function', 'function f(a: string): string { TODO }', 'const f = (a: string): string => a'],
  ['unused names', 'function f(_a: string): string { TODO }', 'function f(a: string): string { return a }'],
  ['a result that was not stated', 'function f(a: string) { TODO }', 'function f(a: string): string { return a }'],
  ['never', 'function f(a: string): never { TODO }', 'function f(a: string): string { return a }'],
  ['a default', 'function f(a: string, b?: number) { TODO }', 'function f(a: string, b = 2) { return b }'],
  ['parts of an argument', 'function f(a: Options) { TODO }', 'function f({ x, y = 2 }: Options) { return x + y }'],
  ['names in a type', 'function f(a: (x: A) => void) { TODO }', 'function f(a: (value: A) => void) { a(1) }'],
  ['another file', 'function f(a: string): string { TODO }', "{ f } from './f.ts'"],
  ['a component', 'const B: FC<Props> = () => { TODO }', 'const B: FC<Props> = forwardRef((props, ref) => null)'],
]

const javascript: [string, string, string][] = [
  [
    'options taken apart',
    'export function f(a, options) { TODO }',
    'export function f(a, { x = 1 } = {}) { return x }',
  ],
  ['async', 'export function f(a) { TODO }', 'export async function f(a) { return a }'],
  ['a generator', 'export function f(a) { TODO }', 'export function* f(a) { yield a }'],
  ['a function behind another', 'export const f = (a) => { TODO }', 'export const f = wrap((a) => a)'],
  [
    'a module that is one function',
    'module.exports = function f(a) { TODO }',
    'const g = (a) => a\nmodule.exports = g',
  ],
  ['a default export', 'export default function f(a) { TODO }', 'const g = (a) => a\nexport default g'],
  [
    'a default export by another',
    'export default function f(a) { TODO }',
    'const g = wrap((a) => a)\nexport default g',
  ],
]

const python: [string, string, string][] = [
  ['a cache', 'def f(a: int) -> int:\n    TODO', '@lru_cache(maxsize=None)\ndef f(a: int) -> int:\n    return a'],
  [
    'a cached property',
    'class A:\n    @property\n    def m(self):\n        TODO',
    'class A:\n    @functools.cached_property\n    def m(self):\n        return 1',
  ],
  ['types', 'def f(a, *b, c=None):\n    TODO', 'def f(a: int, *b: int, c: "A" = None) -> int:\n    return a'],
  ['types without quotes', 'def f(a: "Foo") -> "Foo":\n    TODO', 'def f(a: Foo) -> Foo:\n    return a'],
  ['other spellings of types', 'def f(a: Optional[List[int]]):\n    TODO', 'def f(a: list[int] | None):\n    return a'],
  ['a function behind another', 'def f(a):\n    TODO', 'def _f(a):\n    return a\nf = functools.lru_cache(_f)'],
  ['a helper', 'def f(a):\n    TODO', 'def helper(a):\n    return a\ndef f(a):\n    return helper(a)'],
  ['its place in __all__', '__all__ = []\ndef f(a):\n    TODO', '__all__ = ["f"]\ndef f(a):\n    return a'],
  ['a base class', 'class A:\n    def m(self):\n        TODO', 'class A(Base):\n    def m(self):\n        return 1'],
  ['a data class', 'class A:\n    x: int', '@dataclass\nclass A:\n    x: int'],
]

const fill = (text: string) => text.replace('TODO', todo)

describe('a stub', () => {
  it.each(typescript)('[VF3] of TypeScript may become: %s', (_, stub, filled) => {
    expect(changes('a.ts', `export ${fill(stub)}`, `export ${filled}`)).toEqual([])
  })

  it.each(javascript)('[VF3] of JavaScript may become: %s', (_, stub, filled) => {
    expect(changes('a.js', fill(stub), filled)).toEqual([])
  })

  it.each(python)('[VF3] of Python may get: %s', (_, stub, filled) => {
    expect(changes('a.py', `${stub.replace('TODO', 'raise NotImplementedError')}\n`, `${filled}\n`)).toEqual([])
  })

  it.each([
    ['a.ts', 'const f: Fn = () => { TODO }', 'const f: Other = createOther()', '`f: Fn` became `f: Other`'],
    ['a.ts', 'function f(a: string) { TODO }', 'const f = { a: 1 }', 'the signature of f'],
    ['a.ts', 'function f(a: string) { TODO }', 'const f = g', 'the signature of f'],
    ['a.ts', 'function f(a: string) { TODO }', 'function f(a: number) { return a }', '`f(string)` became `f(number)`'],
    ['a.ts', 'function f(): A { TODO }', 'function f(): B { return b }', '`f(): A` became `f(): B`'],
    ['a.ts', 'function f(a: A, b: B) { TODO }', 'function f(a: A) { return a }', 'the signature of f'],
    ['a.ts', 'function f(a: (x: A) => B) { TODO }', 'function f(a: (x: C) => B) { a() }', 'the signature of f'],
    ['a.ts', 'function f(a: A) { TODO }', 'function g(a: A) { return a }', 'no longer exports f'],
    ['a.js', 'function f(a, b) { TODO }', 'function f(a) { return a }', '`f(_, _)` became `f(_)`'],
  ])('[VF3] in %s does not change what it stated: %s → %s', (file, stub, filled, words) => {
    expect(changes(file, `export ${fill(stub)}`, `export ${filled}`).join('\n')).toContain(words)
  })

  it.each([
    ['def f(a: int):\n    TODO', 'def f(a: str):\n    return a', '`f(a: int)` became `f(a: str)`'],
    ['def f(a):\n    TODO', 'def f(b):\n    return b', '`f(a)` became `f(b)`'],
    ['def f(a):\n    TODO', 'async def f(a):\n    return a', 'the signature of f'],
    [
      'class A:\n    @staticmethod\n    def m(a):\n        TODO',
      'class A:\n    def m(a):\n        return a',
      'the signature of A.m',
    ],
    [
      '__all__ = ["f"]\ndef f(a):\n    TODO',
      '__all__ = ["f", "g"]\ndef f(a):\n    return a\ndef g(): f(1)',
      'exports g too',
    ],
  ])('[VF3] of Python does not change what it stated: %s → %s', (stub, filled, words) => {
    const texts = [stub.replace('TODO', 'raise NotImplementedError'), filled].map((text) => `${text}\n`)
    expect(changes('a.py', texts[0]!, texts[1]!).join('\n')).toContain(words)
  })

  it('[VF3] of a class stays one that can be made', () => {
    expect(changes('a.ts', 'export class A {}', 'export class A extends Map {}')).toEqual([])
    expect(changes('a.ts', 'export class A {}', 'export abstract class A {}')).toHaveLength(1)
  })

  it('[VF3] is one: working code keeps its signature', () => {
    const before = 'export function f(a: string) { return a }'
    expect(changes('a.ts', before, 'export const f = memo((a: string) => a)')).toEqual([])
    expect(changes('a.ts', before, 'export function f(a: string): string { return a }')).toHaveLength(1)
  })
})

describe('an export that was not there', () => {
  const added = (named: string[], open = ['a.ts']) => {
    const [before, after] = ['export const a = 1\n', 'export const a = 1\nexport const b = 2\n'].map((text) =>
      reader.read('a.ts', text),
    )
    return interfaceChanges([before!], [after!], open, { promised: [], named: new Set(named) }).changes.length
  }

  it('[VF3] may be added to the target where the tests name it, and nowhere else', () => {
    expect([added(['b']), added(['c']), added(['b'], [])]).toEqual([0, 1, 1])
  })
})
