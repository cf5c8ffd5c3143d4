import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isBuiltOn, readSummary, type SummarisedIssue, summariseWork, summaryReply } from './issue-summary.ts'

const none = { added: [], changed: [], removed: [] }

describe('summaries', () => {
  it('[FA3] are made from the commit and its symbols', () => {
    const symbols = { added: ['login', 'logout'], changed: ['User'], removed: [] }
    expect(summariseWork({ subject: 'feat(auth): Implement issue #1', symbols, files: ['src/auth.ts'] })).toBe(
      'Implement issue #1. Adds `login` and `logout`, changes `User` in `src/auth.ts`.',
    )
  })

  it('[FA3] the issue’s title says more than its number', () => {
    const work = { title: 'Log users in and out.', subject: 'feat(auth): Implement issue #1', symbols: none, files: [] }
    expect(summariseWork(work)).toBe('Log users in and out.')
  })

  it('[FA3] without symbols the files are named, and long lists are cut', () => {
    expect(
      summariseWork({ subject: 'docs: explain login', symbols: none, files: ['a.md', 'b.md', 'c.md', 'd.md'] }),
    ).toBe('Explain login. Touches `a.md`, `b.md`, `c.md` and 1 more.')
  })

  it('[FA3] any work gives a reply of the form an agent would give, on one line', () => {
    const texts = fc.array(fc.string())
    const symbols = fc.record({ added: texts, changed: texts, removed: texts })
    fc.assert(
      fc.property(fc.string(), symbols, texts, (subject, given, files) => {
        const summary = summariseWork({ subject, symbols: given, files })
        expect(summaryReply.safeParse({ summary }).success).toBe(true)
        expect(summary).not.toContain('\n')
      }),
    )
  })

  it('[FA3] an agent’s reply is read as JSON or as plain sentences', () => {
    expect(readSummary('{"summary": "Adds `login`."}')).toBe('Adds `login`.')
    expect(readSummary('Here it is:\n```json\n{"summary": "Adds `login`."}\n```')).toBe('Adds `login`.')
    expect(readSummary('Adds `login`.\nIt throws on an empty name.\n')).toBe(
      'Adds `login`. It throws on an empty name.',
    )
  })

  it('[FA3] an empty summary, or JSON of another form, is no summary', () => {
    for (const reply of ['', '{"summary": "  "}', '{"text": "Adds login"}', '```json\n[]\n```'])
      expect(readSummary(reply)).toBeNull()
  })
})

describe('[FA3] an agent writes the summary', () => {
  const issue = (number: number, depends_on: number[] = [], state: SummarisedIssue['state'] = 'READY') => ({
    number,
    depends_on,
    state,
  })

  it('[FA3] only if an issue that is not finished builds on the work, directly or through others', () => {
    const all = [issue(1), issue(2, [1], 'DONE'), issue(3, [2]), issue(4)]
    expect(all.map(({ number }) => isBuiltOn(number, all))).toEqual([true, true, false, false])
    for (const state of ['DONE', 'SKIPPED', 'SPLIT'] as const)
      expect(isBuiltOn(1, [issue(1), issue(2, [1], state)])).toBe(false)
    expect(isBuiltOn(1, [issue(1, [2]), issue(2, [1])])).toBe(true)
  })
})
