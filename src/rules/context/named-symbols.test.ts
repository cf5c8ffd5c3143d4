import { describe, expect, it } from 'vitest'
import { declarationPattern, namedSection } from './named-symbols.ts'

describe('[RD14] what a goal names in code', () => {
  it('[RD14] is found where it is declared, not where it is used', () => {
    const pattern = new RegExp(declarationPattern(['withBase', 'URL.parse'])!)
    for (const line of [
      'export function withBase(input: string) {',
      'const withBase = () => {}',
      'func (u *URL) parse(s string) {',
      '  static parse(text: string) {',
    ])
      expect([line, pattern.test(line)]).toEqual([line, true])
    for (const line of ['  return withBase(input)', 'function withBaseURL() {', 'withoutBase(1)'])
      expect([line, pattern.test(line)]).toEqual([line, false])
    expect(declarationPattern([])).toBeNull()
    expect(declarationPattern(['a.b(', 'x'])).toBeNull()
  })

  it('[RD14] is listed with file and line', () => {
    expect(namedSection([{ path: 'src/a.ts', line: 298, text: '  export function withBase() {' }])).toBe(
      '## Named in the request\n- src/a.ts:298: export function withBase() {',
    )
    expect(namedSection([])).toBe('')
  })
})
