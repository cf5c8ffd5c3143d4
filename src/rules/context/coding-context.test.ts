import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ProjectKnowledge, selectCodingContext } from './coding-context.ts'

const countWords = (text: string) => text.split(/\s+/).filter(Boolean).length

const knowledge = (more: Partial<ProjectKnowledge> = {}): ProjectKnowledge => ({
  files: [],
  modules: [],
  summaries: [],
  dependencies: [],
  ...more,
})

const login = {
  path: 'src/login.ts',
  symbols: ['login', 'logout'],
  purpose: 'signs users in',
  issue: 1,
  change: 'created',
} as const
const mail = { path: 'src/mail.ts', symbols: [], purpose: 'sends mail', issue: 2, change: 'modified' } as const
const summary = (issue: number) => ({ issue, summary: `Did thing ${issue}.`, key_files: [`src/${issue}.ts`] })

const projectFileCharacters = 15_000

describe('coding context', () => {
  it('[CX3] takes the rules for contributors as they are, and a sentence of the readme', () => {
    const file = (name: string, text = `text of ${name}`) => ({ name, text })
    const both = selectCodingContext(
      knowledge({ files: [file('README.md'), file('AGENTS.md'), file('CLAUDE.md')] }),
      countWords,
    ).text
    expect(both.indexOf('text of CLAUDE.md')).toBeGreaterThan(0)
    expect(both.indexOf('text of AGENTS.md')).toBeGreaterThan(both.indexOf('text of CLAUDE.md'))
    expect(both.startsWith('## The project\ntext of README.md\n\n## Project rules\n')).toBe(true)
    const logo = knowledge({ files: [file('README.md', '![logo](x)\n\n# Donate\n'), file('CLAUDE.md', ' \n')] })
    expect(selectCodingContext(logo, countWords).text).toBe('')
  })

  it('[CX3] takes the first 15,000 characters of each, and never half a character', () => {
    const files = [{ name: 'CLAUDE.md', text: `${'a'.repeat(projectFileCharacters - 1)}😀${'b'.repeat(50)}` }]
    const { text } = selectCodingContext(knowledge({ files }), countWords)
    expect(text).toContain('a'.repeat(projectFileCharacters - 1))
    expect(text).not.toContain('b')
    expect(text.isWellFormed()).toBe(true)
  })

  it('[CX3] lists modules with symbols, purpose, issue and what was done', () => {
    expect(selectCodingContext(knowledge({ modules: [login, mail] }), countWords).text).toBe(
      '## Modules made so far\n- src/login.ts [login, logout]: signs users in (created by #1)\n' +
        '- src/mail.ts: sends mail (modified by #2)',
    )
  })

  it('[CX3] puts the summaries of dependencies first', () => {
    const { text } = selectCodingContext(
      knowledge({ summaries: [summary(1), summary(2), summary(3)], dependencies: [3] }),
      countWords,
    )
    expect(text.match(/#\d/g)).toEqual(['#3', '#1', '#2'])
    expect(text).toContain('- #3: Did thing 3. (src/3.ts)')
  })

  it('[CX3] when it is tight, what the issue builds on stays, and what is left out is named', () => {
    const all = knowledge({ modules: [mail, login], summaries: [summary(2), summary(1)], dependencies: [1] })
    const { text, omitted } = selectCodingContext(all, countWords, 24)
    expect(text).toContain('#1: Did thing 1.')
    expect(text).toContain('src/login.ts')
    expect(omitted).toEqual(['src/mail.ts', '#2'])
  })

  it('[CX3] project rules that do not fit are cut, not dropped', () => {
    const files = [{ name: 'CLAUDE.md', text: Array.from({ length: 100 }, (_, index) => `w${index}`).join(' ') }]
    const { text, omitted } = selectCodingContext(knowledge({ files }), countWords, 40)
    expect(text).toContain('w0 w1')
    expect(text).not.toContain('w60')
    expect(omitted).toEqual(['CLAUDE.md'])
  })

  it('[CX4] rules come before modules and modules before summaries', () => {
    const { text } = selectCodingContext(
      knowledge({ files: [{ name: 'AGENTS.md', text: 'be kind' }], modules: [login], summaries: [summary(1)] }),
      countWords,
    )
    expect(text.match(/^## .+$/gm)).toEqual(['## Project rules', '## Modules made so far', '## Finished issues'])
  })

  it('[CX3] never exceeds its budget', () => {
    const text = fc.string({ unit: 'binary', maxLength: 80 })
    const anyKnowledge = fc.record({
      files: fc.array(fc.record({ name: fc.constantFrom('CLAUDE.md', 'AGENTS.md', 'README.md'), text }), {
        maxLength: 3,
      }),
      modules: fc.array(
        fc.record({
          path: text,
          symbols: fc.array(text, { maxLength: 2 }),
          purpose: text,
          issue: fc.nat(5),
          change: fc.constant('created' as const),
        }),
        { maxLength: 5 },
      ),
      summaries: fc.array(fc.record({ issue: fc.nat(5), summary: text, key_files: fc.array(text, { maxLength: 2 }) }), {
        maxLength: 5,
      }),
      dependencies: fc.array(fc.nat(5), { maxLength: 3 }),
    })
    const counters = [
      countWords,
      (counted: string) => counted.length,
      (counted: string) => Math.ceil(counted.length / 4),
    ]
    fc.assert(
      fc.property(anyKnowledge, fc.nat(200), fc.constantFrom(...counters), (given, budget, count) => {
        expect(count(selectCodingContext(given, count, budget).text)).toBeLessThanOrEqual(budget)
      }),
    )
  })
})
