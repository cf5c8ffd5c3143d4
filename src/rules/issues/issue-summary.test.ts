import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { summariseWork, summaryReply } from './issue-summary.ts'

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

  it('[FA3] an empty summary is no reply', () => {
    expect(summaryReply.safeParse({ summary: '  ' }).success).toBe(false)
  })
})
