/** Parsed facts, passed to the rules that use them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { interfaceChanges } from '../../rules/build/interface-changes.ts'
import { stubsIn } from '../../rules/build/stub-markers.ts'
import { importsInQuestion } from '../../rules/build/unsafe-imports.ts'
import { impact } from '../../rules/merge/impact.ts'
import { mechanical } from '../../rules/merge/mechanical.ts'
import { find, python, typescript } from './syntax.fixture.ts'

const read = { ts: (text: string) => typescript(text), py: (text: string) => python(text) }
type Language = keyof typeof read

function changeOf(language: Language, before: string, after: string) {
  const { impactLevel, changes } = impact([read[language](before)], [read[language](after)])
  return [impactLevel, ...changes.map(({ symbol, changeType }) => `${symbol} ${changeType}`)]
}

function isMechanical(language: Language, before: string, after: string): boolean {
  return mechanical({ before: [read[language](before)], after: [read[language](after)] }).mechanical
}

describe('layout', () => {
  it.each<[Language, string, string]>([
    [
      'ts',
      'export function f(a: A, b: B): C { return g(a, b); }',
      'export function f(\n  a: A, // one\n  b: B,\n): C {\n  /* go */ return g(a, b,)\n}',
    ],
    ['ts', "type A = 'x' | 'y'", 'type A =\n  | "x"\n  | "y";'],
    ['ts', 'interface A { b: string; c(): void }', 'interface A {\n  b: string,\n  c(): void,\n}'],
    ['ts', 'const f = x => x', 'const f = (x) => x;'],
    ['ts', 'function f() { a; b }', 'function f() {\n  a\n\n  ;b;;\n}'],
    ['ts', 'const a = { b: 1, c }', 'const a = {\n  b: 1,\n  c,\n}'],
    ['ts', 'for (let i = 0; i < 3; i++) go()', 'for (\n  let i = 0;\n  i < 3;\n  i++\n) go();'],
    ['ts', 'function f() { return a && b }', 'function f() {\n  return (\n    a &&\n    b\n  )\n}'],
    ['ts', 'class A { b = 1; c() {} }', 'class A {\n  b = 1\n\n  c() {\n  }\n}'],
    [
      'ts',
      'switch (a) { case 1: b(); break; default: c() }',
      'switch (a) {\n  case 1:\n    b()\n    break\n  default:\n    c();\n}',
    ],
    ['ts', `const a = \`x\${b}y\``, `const a = \`x\${ b }y\``],
    ['ts', 'import { a } from "b"\r\na()', "import {\n  a,\n} from 'b'\na()"],
    [
      'py',
      'def f(a, b=1): return g(a, b)',
      'def f(\n    a,\n    b=1,  # one\n):\n    return g(\n        a,\n        b,\n    )\n',
    ],
    ['py', 'def f():\n  if a:\n    b\n  c', 'def f():\n        if a:\n                b\n\n        c\n'],
    ['py', 'a = 1; b = "x"', "a = 1\nb = 'x'"],
    ['py', 'def f(): return a + b', 'def f():\n    return (\n        a\n        + b\n    )\n'],
    ['py', 'if a: go()', 'if a:\n    # why\n    go()\n'],
  ])('%s: %s', (language, one, other) => {
    expect(read[language](other)).toEqual(read[language](one))
    expect(read[language](one).parsed).toBe(true)
  })

  it.each<[Language, string, string]>([
    ['ts', 'function f() { a; (b) }', 'function f() { a(b) }'],
    ['ts', 'function f() { return\na }', 'function f() { return a }'],
    ['ts', 'for (;x;) y()', 'for (x;;) y()'],
    ['ts', 'f([a,,])', 'f([a,])'],
    ['ts', 'if (a) ; b()', 'if (a) b()'],
    ['ts', `const a = \`x\${b}\``, `const a = \`\${b}x\``],
    ['ts', "const a = 'b c'", "const a = 'b  c'"],
    ['py', 'a = (b,)', 'a = (b)'],
    ['py', 'a = b[1,]', 'a = b[1]'],
    ['py', 'for a in b:\n    c()\n    d()\n', 'for a in b:\n    c()\nd()\n'],
    ['py', 'a = "b" "c"', 'a = "b", "c"'],
  ])('does not explain this difference: %s: %s', (language, one, other) => {
    expect(read[language](other).symbols).not.toEqual(read[language](one).symbols)
  })
})

describe('the impact of a change', () => {
  it.each<[Language, string, string, string[]]>([
    ['ts', 'export function f() { return 1 }', '// new\nexport function f() {\n  return 1 // one\n}', ['Trivial']],
    ['ts', 'export const f = 1', 'export const f = 1\nconst g = 2', ['Trivial']],
    ['ts', 'export function f() { return 1 }', 'export function f() { return 2 }', ['Additive', 'f BehaviorChange']],
    ['ts', 'export function f(a = 1) {}', 'export function f(a = 2) {}', ['Additive', 'f BehaviorChange']],
    ['ts', 'export const f = 1', 'export const f = 1\nexport const g = 2', ['Additive', 'g NewExport']],
    ['ts', 'export function f(a: A) {}', 'export function f(a: B) {}', ['Breaking', 'f SignatureChange']],
    ['ts', 'export function f(a: A) {}', 'export function f(a: A, b: B) {}', ['Breaking', 'f SignatureChange']],
    ['ts', 'export function f(a: A) {}', 'export function f(a: A, b?: B) {}', ['Additive', 'f BehaviorChange']],
    ['ts', 'export function f(a: A) {}', 'export function f(a: A, b = 1) {}', ['Additive', 'f BehaviorChange']],
    ['ts', 'export class A { m() {} n() {} }', 'export class A { m() {} }', ['Breaking', 'A.n RemovedExport']],
    ['ts', 'export class A { m() {} }', 'export class A { private m() {} }', ['Breaking', 'A.m RemovedExport']],
    ['ts', "export * from './a'\nexport * from './b'", "export * from './b'", ['Breaking', '* from ./a RemovedExport']],
    ['ts', "export { a, b } from './a'", "export { a } from './a'", ['Breaking', 'b RemovedExport']],
    ['ts', "export { a } from './a'", "export { a } from './b'", ['Additive', 'a BehaviorChange']],
    [
      'ts',
      'export function f(a: string): void\nexport function f(a: any) {}',
      'export function f(a: string): void\nexport function f(a: number): void\nexport function f(a: any) {}',
      ['Additive', 'f NewExport'],
    ],
    [
      'ts',
      'export const sub = (a: number, b: number) => a - b',
      'export const sub = (b: number, a: number) => a - b',
      ['Additive', 'sub BehaviorChange'],
    ],
    ['py', 'def f(a): return 1', 'def f(a):\n    # one\n    return 1', ['Trivial']],
    ['py', 'def f(a): return 1', 'def f(b): return 1', ['Breaking', 'f SignatureChange']],
    ['py', 'def f(a): return 1', 'def f(a): return 2', ['Additive', 'f BehaviorChange']],
    ['py', 'def f(): pass\ndef g(): pass', 'def f(): pass\ndef _g(): pass', ['Breaking', 'g RemovedExport']],
    [
      'py',
      'class A:\n    x: int\n    y: int\n',
      'class A:\n    y: int\n    x: int\n',
      ['Additive', 'A BehaviorChange'],
    ],
  ])('[MG3] %s: %s', (language, before, after, expected) => {
    expect(changeOf(language, before, after)).toEqual(expected)
  })
})

describe('a rebase', () => {
  it.each<[Language, string, string]>([
    ['ts', 'function f(a: A) { const b = a + 1; return b }', 'function f(a: A) { const sum = a + 1; return sum }'],
    [
      'ts',
      "import { a } from './a'\nfunction f() { return a() }",
      "import { a } from './b'\nfunction f() { return a() }",
    ],
    ['ts', 'function f(a: A) { return a }', 'function f(a: B, unused: C) { return a }'],
    ['ts', 'function f() { return 1 }\nconst g = () => f()', 'function e() { return 1 }\nconst g = () => e()'],
    ['ts', 'interface A { b: 1 }\ngo()', 'interface A { b: 2; c: 3 }\ngo()'],
    ['py', 'def f(a):\n    b = a + 1\n    return b\n', 'def f(a):\n    total = a + 1\n    return total\n'],
    ['py', 'from a import b\ndef f(): return b()\n', 'from c import b\ndef f(): return b()\n'],
  ])('[RB2] %s may: %s → %s', (language, before, after) => {
    expect(isMechanical(language, before, after)).toBe(true)
  })

  it.each<[Language, string, string]>([
    ['ts', 'function f(a) { if (a) return 1 }', 'function f(a) { if (!a) return 1 }'],
    ['ts', 'const f = (a, b) => a - b', 'const f = (b, a) => a - b'],
    ['ts', 'function f(a = 1) { return a }', 'function f(a = 2) { return a }'],
    ['ts', 'function f({ a: b, c: d }) { return b - d }', 'function f({ c: b, a: d }) { return b - d }'],
    ['ts', 'const f = (a) => Math.min(a, 1)', 'const f = (a) => Math.max(a, 1)'],
    ['ts', 'const f = (a) => a.some(g)', 'const f = (a) => a.every(g)'],
    ['ts', 'enum A { B = 1 }', 'enum A { B = 2 }'],
    ['ts', 'class A { static { one() } }', 'class A { static { one(); one() } }'],
    ['ts', 'class A { b = 1 }', 'class A { b = 2 }'],
    ['ts', 'start(1)', 'start(2)'],
    ['py', 'def f(a):\n    if a:\n        b()\n        c()\n', 'def f(a):\n    if a:\n        b()\n    c()\n'],
    ['py', 'def f(a, b=1): return a', 'def f(a, b=2): return a'],
    ['py', 'def f(a): return any(a)', 'def f(a): return all(a)'],
    ['py', 'def f(a, b): return a - b', 'def f(b, a): return a - b'],
    ['py', 'def f(): raise ValueError', 'def f(): raise KeyError'],
  ])('[RB2] %s may not: %s → %s', (language, before, after) => {
    expect(isMechanical(language, before, after)).toBe(false)
  })
})

describe('an interface', () => {
  it('[VF3] stays the same when its stubs are filled in', () => {
    const before = typescript(`
      export interface Options { depth?: number }
      export function parse(text: string, options: Options = {}): Promise<Tree> { throw new Error('not implemented') }
      export class Parser { run(text: string): Tree { throw new Error('not implemented') } }
      export const api = { get(id: string): number { throw new Error('not implemented') } }`)
    const after = typescript(`
      import { lex } from './lex.ts'
      export interface Options { depth?: number }
      export async function parse(input: string, { depth = 3 }: Options = {}): Promise<Tree> { return lex(input, depth) }
      export class Parser { #depth = 1; run(source: string): Tree { return this.walk(source) } private walk(a: string) { return lex(a) } }
      export const api = { get(key: string): number { return lex(key) } }
      function helper() {}`)
    expect(interfaceChanges([before], [after])).toEqual({ changes: [], unchecked: [] })
    expect(stubsIn(before).map(({ symbol }) => symbol)).toEqual(['parse', 'Parser.run', 'api.get'])
    expect(stubsIn(after)).toEqual([])
  })

  it('[VF3] stays the same when its stubs are filled in, in Python', () => {
    const before = python(
      'def add(a: int, b: int = 0) -> int:\n    """Adds."""\n    raise NotImplementedError\n\ndef go(): ...\n',
    )
    const after = python(
      'from .m import plus\ndef add(a: int, b: int = 0) -> int:\n    return plus(a, b)\n\ndef go():\n    add(1)\n',
    )
    expect(interfaceChanges([before], [after])).toEqual({ changes: [], unchecked: [] })
    expect(stubsIn(before).map(({ symbol }) => symbol)).toEqual(['add', 'go'])
    expect(stubsIn(after)).toEqual([])
  })

  it('[VF3] of JavaScript is not told by a stub without parameters', () => {
    const js = (text: string) => typescript(text, 'a.js')
    const stub = js("export function delay() { throw new Error('not implemented') }")
    const filled = js('export function delay(attempt, options = {}) { return attempt * (options.factor ?? 2) }')
    expect(interfaceChanges([stub], [filled]).changes).toEqual([])
    const named = js("export function delay(attempt) { throw new Error('not implemented') }")
    expect(interfaceChanges([named], [filled]).changes).toHaveLength(1)
    const working = js('export function delay() { return 1 }')
    expect(interfaceChanges([working], [filled]).changes).toHaveLength(1)
  })

  it('[VF3] changes with a signature or an export', () => {
    const before = typescript('export function f(a: A): B { return g(a) }')
    const changed = typescript('export function f(a: A): C { return g(a) }\nexport const x = 1')
    expect(interfaceChanges([before], [changed]).changes).toHaveLength(2)
  })
})

describe('stubs and unsafe imports', () => {
  it.each([
    "function f() { throw new Error('not implemented') }",
    `const f = (a) => { throw new Error(\`not implemented: \${a}\`) }`,
    'class A { f() { throw new Error("unimplemented") } }',
    "function f(a, b) { void a; void b; throw new Error('TODO') }",
    "async function f() { return Promise.reject(new Error('not implemented')) }",
  ])('[VF5] are detected: %s', (text) => {
    expect(stubsIn(typescript(text))).toHaveLength(1)
  })

  it('[VF5] are left alone if intended', () => {
    expect(stubsIn(python('class A(ABC):\n    @abstractmethod\n    def f(self): raise NotImplementedError\n'))).toEqual(
      [],
    )
    expect(stubsIn(typescript('abstract class A { abstract f(): void }\ndeclare function g(): void'))).toEqual([])
  })

  it('[VF5] are detected however a module is imported', () => {
    const texts = [
      "import 'node:vm'",
      "const { run } = require('vm')",
      "const late = () => import('node:vm')",
      "export * from 'vm'",
    ]
    const modulesIn = (facts: ReturnType<typeof typescript>) =>
      importsInQuestion([facts], [], []).map(({ module }) => module)
    for (const text of texts) expect(modulesIn(typescript(text))).toEqual(['vm'])
    expect(modulesIn(python('def f():\n    import subprocess as s\n'))).toEqual(['subprocess'])
  })
})

describe('any program', () => {
  const names = fc.constantFrom('alpha', 'beta', 'gamma', 'delta')
  const expression = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      names,
      fc.nat(9).map(String),
      fc.tuple(tie('any'), fc.constantFrom('+', '-', '*', '&&'), tie('any')).map((parts) => parts.join(' ')),
      fc.tuple(names, tie('any')).map(([callee, argument]) => `${callee}( ${argument} )`),
    ),
  })).any as fc.Arbitrary<string>
  const statement = fc.oneof(
    expression.map((value) => `return ${value}`),
    fc.tuple(names, expression).map(([name, value]) => `${name} = ${value}`),
    fc.tuple(expression, expression).map(([test, value]) => `if ( ${test} ) { return ${value} }`),
  )
  const body = fc.array(statement, { minLength: 1, maxLength: 5 })
  const spaces = fc.array(fc.constantFrom(' ', '\t', ' /* note */ ', '  '), { minLength: 3, maxLength: 3 })

  it('has the same facts in any layout', () => {
    fc.assert(
      fc.property(body, spaces, fc.boolean(), (lines, [one, two, three], isTerminated) => {
        const tight = `export function f(alpha, beta) { ${lines.join('; ')} }`
        const loose = lines
          .map((line) => line.replace(/ (?=[-+*&(){])/g, one!))
          .join(isTerminated ? `;\n${two}` : '\n;')
        const wide = `export${two}function f(${three}alpha,\n\nbeta,) {\n${loose}\n}\n// end`
        expect(typescript(wide)).toEqual(typescript(tight))
      }),
      { numRuns: 60 },
    )
  })

  it('may have a name changed throughout, and no operator', () => {
    fc.assert(
      fc.property(body, (lines) => {
        const text = `function f(alpha, beta) { ${lines.join('; ')} }`
        expect(isMechanical('ts', text, text.replaceAll('alpha', 'omega'))).toBe(true)
        const turned = text.replace(/ [-+*] /, ' / ')
        expect(isMechanical('ts', text, turned)).toBe(turned === text)
        expect(find(typescript(text), 'f').bodyHash === find(typescript(turned), 'f').bodyHash).toBe(turned === text)
      }),
      { numRuns: 60 },
    )
  })
})
