import { describe, expect, it } from 'vitest'
import { mendSource } from './mended-source.ts'
import { exportedNames, find, reader, typescript } from './syntax.fixture.ts'

describe('syntax that the grammars lack', () => {
  it.each([
    ['interface A { abstract?: boolean }', 'interface A { abstract?: boolean }'],
    ['interface A<in out T, out U = 1> { t: T }', 'interface A<in out T, out U = 1> { t: T }'],
    ["type A = (import('./b').B | null)[]", "type A =(import('./b').B | null) []"],
  ])('keeps its signature: %s', (text, expected) => {
    expect(find(typescript(text), 'A').signature).toBe(expected)
  })

  it.each([
    ['const _null = 1\nexport { _null as null }', ['null']],
    ['export default function (): { a: string };', ['default']],
    ["export type * from './b'", ['* from ./b']],
    ["export { a } from './b.json' with { type: 'json' }", ['a']],
    ["declare module 'm' {\n global { var a: 1 }\n}", ['module m']],
    ['export class A { static accessor b = 1 }', ['A', 'A.b']],
  ])('keeps its exports: %s', (text, expected) => {
    expect(exportedNames(reader.read('a.ts', text))).toEqual(expected)
  })

  it('works for JavaScript', () => {
    const facts = reader.read('a.js', "import { null as nothing } from 'b'\nconst a = 1\nexport { a as void }")
    expect(facts).toMatchObject({ parsed: true, imports: [{ module: 'b', names: ['nothing'] }] })
    expect(exportedNames(facts)).toEqual(['void'])
  })

  it('leaves strings and unrepairable sources alone', () => {
    const facts = typescript("interface A { abstract: 1 }\nconst a = 'in T, abstract: 1'")
    expect(find(facts, 'a').bodyTokens).toEqual(["'in T, abstract: 1'"])
    expect(mendSource('const = 1')).toBeUndefined()
  })
})
