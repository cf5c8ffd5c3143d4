import { describe, expect, it } from 'vitest'
import { bodyOf, exportedNames, find, kinds, reader, signatures, typescript } from './syntax.fixture.ts'

const javascript = (text: string) => reader.read('a.js', text)

describe('symbols of TypeScript', () => {
  it('are functions, constants, classes and types', () => {
    const facts = typescript(`
      function one() { return 1 }
      const two = () => 2, three = function () { return 3 }
      let four = 4
      class Five { six() {} }
      interface Seven { a: string }
      type Eight = string
      enum Nine { A = 1 }
      start()`)
    expect(facts).toMatchObject({ language: 'typescript', parsed: true, imports: [] })
    expect(facts).not.toHaveProperty('lines')
    expect(kinds(facts)).toEqual([
      'function one',
      'function two',
      'function three',
      'constant four',
      'class Five',
      'method Five.six',
      'type Seven',
      'type Eight',
      'type Nine',
      'module <module>',
    ])
  })

  it('have the tokens of their body, and know which are names', () => {
    const { bodyTokens, identifiers } = find(typescript('const f = (a: number) => a.total + 1 // sum'), 'f')
    expect(bodyTokens).toEqual(['a', '.', 'total', '+', '1'])
    expect(identifiers).toEqual([0, 2])
    expect(bodyOf(typescript('function f() { go(); return 1; }'), 'f')).toBe('{ go ( ) ; return 1 }')
    expect(bodyOf(typescript('const limit = 5 * 60'), 'limit')).toBe('5 * 60')
    expect(find(typescript('interface A { b: string }'), 'A').bodyTokens).toEqual([])
  })

  it('of a class are its members; the class keeps the rest', () => {
    const facts = typescript(`
      export class Room<T> extends Base<T> implements Open {
        static limit = 5
        #secret = 1
        private hidden() {}
        protected shared() {}
        readonly name: string
        handler = (event: Event) => { go(event) }
        constructor(public id: string, private store: Store) { super() }
        get size(): number { return 1 }
        set size(value: number) { this.x = value }
        static async make() {}
        [Symbol.iterator]() {}
        static { init() }
      }`)
    expect(exportedNames(facts)).toEqual([
      'Room',
      'Room.limit',
      'Room.shared',
      'Room.name',
      'Room.handler',
      'Room.constructor',
      'Room.id',
      'Room.size',
      'Room.size',
      'Room.make',
      'Room.[Symbol.iterator]',
    ])
    expect(bodyOf(facts, 'Room')).toBe('static { init ( ) }')
    expect(find(facts, 'Room').signature).toBe('class Room<T> extends Base<T> implements Open')
    expect(find(facts, 'Room.handler')).toMatchObject({ kind: 'method', signature: 'handler(Event)' })
    expect(find(facts, 'Room.#secret').exported).toBe(false)
  })

  it('of an object are its functions; callers see only a declared type', () => {
    const facts = typescript('export const api = { get() { return 1 }, put: (x) => x, url: "/" }')
    expect(exportedNames(facts)).toEqual(['api', 'api.get', 'api.put'])
    expect(bodyOf(facts, 'api')).toBe("{ get , put , url : '/' }")
    expect(exportedNames(typescript('export const api: Api = { get() { return 1 } }'))).toEqual(['api'])
  })

  it('mark abstract members', () => {
    const facts = typescript('export abstract class Shape { abstract area(): number; name() { return 1 } }')
    expect(find(facts, 'Shape.area').abstract).toBe(true)
    expect(find(facts, 'Shape.name')).not.toHaveProperty('abstract')
  })

  it('of a namespace are qualified with its name', () => {
    const facts = typescript('export namespace A.B { export const x = 1; function y() {}; go() }')
    expect(exportedNames(facts)).toEqual(['A.B', 'A.B.x'])
    expect(bodyOf(facts, 'A.B')).toBe('go ( )')
  })

  it('of a declaration file are all exported unless it exports some by name', () => {
    const text = 'declare function go(a: string): void\ninterface Window { b: 1 }'
    expect(exportedNames(typescript(text, 'globals.d.ts'))).toEqual(['go', 'Window'])
    expect(exportedNames(typescript(text))).toEqual([])
    expect(exportedNames(typescript(`${text}\nexport { go }`, 'a.d.mts'))).toEqual(['go'])
    expect(exportedNames(typescript("declare global { var x: 1 }\ndeclare module 'm' { const y: 2 }"))).toEqual([
      'global',
      'module m',
    ])
  })
})

describe('signatures of TypeScript', () => {
  const signature = (text: string, name = 'f') => find(typescript(text), name).signature

  it.each([
    ['function f(a: number, b?: string, ...rest: T[]): void {}', 'f(number, string?, ...T []): void'],
    ['function f<T extends Base>(a: T) {}', 'f<T extends Base>(T)'],
    ['function f(a, b = 1, c = x) {}', 'f(_, number?, _?)'],
    ['function f({ a, b: c, d = 1, ...rest }, [e]) {}', 'f({ a, b, d? }, [])'],
    ['function f({ a, b }: Options = {}) {}', 'f(Options?)'],
    ['function f(this: Window) {}', 'f(this: Window)'],
    ['async function f() {}', 'async f()'],
    ['function* f() {}', '*f()'],
    ['const f: Handler = async (x) => x', 'f: Handler'],
    ['export default function f() {}', 'default f()'],
    ['let f: Map<string, number>', 'f: Map<string, number>'],
    ["let f = 'x'", 'f: string'],
    ['@injectable() class f {}', '@injectable() class f'],
    ['type f = { b: string, c: 1 }', 'type f = { b: string; c: 1 }'],
  ])('%s', (text, expected) => {
    expect(signature(text)).toBe(expected)
  })

  it('omit parameter names, and whether a declared promise comes from an async function', () => {
    expect(signature('function f(a: A) {}')).toBe(signature('function f(b: A) {}'))
    expect(signature('async function f(): Promise<A> {}')).toBe(signature('function f(): Promise<A> {}'))
  })

  it('of members show what callers can see', () => {
    const facts = typescript(`class A {
      @log() run(): void {}
      static x?: string
      get y() { return 1 }
      protected z(): void {}
    }`)
    expect(signatures(facts)).toMatchObject({
      'A.run': '@log() run(): void',
      'A.x': 'static x?: string',
      'A.y': 'get y()',
      'A.z': 'protected z(): void',
    })
  })

  it('of overloads stand for the function behind them', () => {
    const facts = typescript(`
      export function f(a: string): void
      export function f(a: number): void
      export function f(a: any) { go(a) }`)
    expect(facts.symbols.map(({ name, signature, exported }) => [name, signature, exported])).toEqual([
      ['f', 'f(overloads)', true],
      ['f', 'f(string): void', true],
      ['f', 'f(number): void', true],
    ])
  })
})

describe('exports', () => {
  it.each([
    ['export const { a, b: [c] } = x', ['a', 'c']],
    ['function a() {}\nexport { a }', ['a']],
    ['function a() {}\nexport { a as b }', ['b']],
    ['function a() {}\nexport { a, a as b }', ['a', 'b']],
    ['function a() {}\nexport { a as default }', ['default']],
    ['export default function () {}', ['default']],
    ['export default class { m() {} }', ['default', 'default.m']],
    ['export default 5', ['default']],
    ['const a = 1\nexport default a', ['a']],
    ["import a from 'a'\nexport default a", ['default']],
    ["export * from './b'", ['* from ./b']],
    ["export * as b from './b'", ['b']],
    ["export { a, b as c, default as d } from './b'", ['a', 'c', 'd']],
    ["export type { A } from './b'", ['A']],
    ["import { a } from './b'\nexport { a }", ['a']],
    ["const x = 1\nexport { x as 'a b' }", ['a b']],
    ['class A { m() {} }\nexport { A as B }', ['B', 'B.m']],
    ['const x = 1\nexport = x', ['export =']],
    ['const x = 1', []],
  ])('%s', (text, expected) => {
    expect(exportedNames(typescript(text))).toEqual(expected)
  })

  it('may be keywords', () => {
    const text =
      "export { default as a, b as default } from './b'\nexport * as type from './c'\nexport { d as in } from './d'"
    for (const facts of [javascript(text), typescript(text)]) {
      expect(exportedNames(facts)).toEqual(['a', 'default', 'type', 'in'])
    }
    expect(javascript("import { default as x } from 'y'").imports).toEqual([{ module: 'y', names: ['x'] }])
  })

  it('under another name refer to the original, and have no logic themselves', () => {
    const facts = (body: string) => typescript(`function a(x: A) { ${body} }\nexport { a as b }`)
    const [one, other] = [find(facts('return 1'), 'b'), find(facts('return 2'), 'b')]
    expect(one).toMatchObject({ kind: 'function', signature: 'b(A)', bodyTokens: [] })
    expect(one.bodyHash).not.toBe(other.bodyHash)
  })

  it('distinguish the default', () => {
    const both = find(typescript('export function a() {}\nexport default a'), 'a').signature
    const only = find(typescript('function a() {}\nexport default a'), 'a').signature
    const named = find(typescript('export function a() {}'), 'a').signature
    expect(new Set([both, only, named]).size).toBe(3)
    expect(only).toBe(find(typescript('export default function a() {}'), 'a').signature)
  })

  it.each([
    ['function a() {}\nmodule.exports = { a, b: c, d() {}, e: 1 }', ['a', 'd', 'e', 'b']],
    ['module.exports = function () {}', ['default']],
    ['function a() {}\nmodule.exports = a', ['a']],
    ["module.exports = require('./b')", ['* from ./b']],
    ['exports.a = () => 1\nmodule.exports.b = 2', ['a', 'b']],
    ['function a() {}\nexports.a = exports.b = void 0\nexports.a = a', ['a']],
    ["Object.defineProperty(exports, 'a', { enumerable: true, get: function () { return b.a } })", ['a']],
    ['function b() {}\nmodule.exports = { ...a, b, ...require("./c") }', ['b', '* from a', '* from ./c']],
  ])('in CommonJS: %s', (text, expected) => {
    expect(exportedNames(javascript(text))).toEqual(expected)
  })
})

describe('imports', () => {
  it('have the names that the file uses', () => {
    const facts = typescript(`
      import fs, { readFile as read, type Stats } from 'node:fs'
      import * as path from 'path'
      import './side.ts'
      import old = require('old')
      export { x } from './x.ts'
      const { a, b: c } = require('common')
      async function late() { return import('late') }
      const hidden = () => process.getBuiltinModule('child_process')`)
    expect(facts.imports).toEqual([
      { module: 'node:fs', names: ['fs', 'read', 'Stats'], taken: ['default', 'readFile', 'Stats'] },
      { module: 'path', names: ['path'] },
      { module: './side.ts', names: [] },
      { module: 'old', names: ['old'] },
      { module: './x.ts', names: ['x'] },
      { module: 'common', names: ['a', 'c'] },
      { module: 'late', names: [] },
      { module: 'child_process', names: [] },
    ])
    expect(kinds(facts)).not.toContain('constant a')
  })
})

describe('JSX', () => {
  it('is parsed, without its layout, and tells fixed words from names', () => {
    const wide = reader.read(
      'a.tsx',
      'export const A = () => (\n  <div className="x">\n    Hi {name}\n    <B to={1} />\n  </div>\n)',
    )
    const tight = reader.read('a.jsx', "export const A = () => <div className='x'>Hi {name}<B to={1}/></div>")
    expect(wide).toMatchObject({ language: 'typescript', parsed: true })
    expect(tight).toMatchObject({ language: 'javascript', parsed: true })
    expect(find(wide, 'A').bodyTokens).toEqual(find(tight, 'A').bodyTokens)
    const { bodyTokens, identifiers } = find(wide, 'A')
    expect(identifiers.map((index) => bodyTokens[index])).toEqual(['name', 'B', 'to'])
  })
})

describe('dynamic code and imports', () => {
  it('[VF5] are detected through createRequire and aliases of require', () => {
    const modules = (text: string) => reader.read('a.js', text).imports.map(({ module }) => module)
    const maker = "import { createRequire } from 'node:module'\n"
    expect(modules(`${maker}const load = createRequire(import.meta.url)\nload('child_process')`)).toContain(
      'child_process',
    )
    expect(modules(`${maker}createRequire(import.meta.url)('vm')`)).toContain('vm')
    expect(modules("const load = require\nload('child_process')")).toContain('child_process')
    expect(modules(`${maker}greet('child_process')`)).toEqual(['node:module'])
  })

  it('[VF5] are detected when text runs as code', () => {
    const ways = (text: string) => reader.read('a.js', text).evaluates
    expect(ways("eval('1')")).toEqual(['eval'])
    expect(ways("(0, eval)('1'); globalThis.eval('2')")).toEqual(['eval'])
    expect(ways("export const f = new Function('return 1'); Function('2')")).toEqual(['new Function'])
    expect(ways("redis.eval('x'); const evaluate = () => 1; evaluate()")).toBe(undefined)
  })
})
