import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type IssueReport, renderComment } from './comments.ts'

const hostile = fc.constantFrom(...'ab1 \n\r\t\u2028\u0085\u0000`*#-<>&@😀\ud800\u202e')

describe('comments', () => {
  it('[GH2] blocked: reason, output, files, and the exact command to go on', () => {
    const comment = renderComment({
      kind: 'blocked',
      feature: 'shop',
      number: 3,
      reason: 'Tests still fail after 3 retries',
      output: 'FAILED test_login\n```\n# not a heading',
      files: [{ path: 'src/login.ts', change: 'created' }, { path: 'tests/login.test.ts' }],
      dependsOn: [{ number: 1, github: 41 }, { number: 2 }],
    })
    expect(comment).toBe(`### 🚫 Blocked

**Reason:** Tests still fail after 3 retries

**Test output**

\`\`\`\`text
FAILED test_login
\`\`\`
# not a heading
\`\`\`\`

**Files touched**

- \`src/login.ts\` (created)
- \`tests/login.test.ts\`

**Next steps**

1. Check that the tests ask for what the acceptance criteria mean.
2. Check the issues it depends on: #41, issue 2.
3. Try again: \`convene unblock shop --issue 3\``)
  })

  it('[GH2] done: commit, files with their purpose, test counts, who is unblocked', () => {
    const comment = renderComment({
      kind: 'done',
      feature: 'shop',
      number: 3,
      commit: 'abc1234def',
      files: [{ path: 'src/login.ts', purpose: 'Signs people in' }],
      tests: { passed: 12, total: 12 },
      unblocked: [{ number: 4, github: 44 }, { number: 5 }],
    })
    expect(comment).toBe(`### ✅ Done

**Commit:** abc1234def

**Tests:** 12/12 passed

**Files**

- \`src/login.ts\` — Signs people in

**Unblocked:** #44, issue 5 can be worked on now.`)
  })

  it('[GH2] done without a commit of its own says that it was found so', () => {
    for (const commit of [undefined, ''])
      expect(renderComment({ kind: 'done', feature: 'shop', number: 3, commit })).toBe(
        '### ✅ Done\n\nConvene found it already implemented.',
      )
  })

  it('[GH2] retry: the count', () => {
    const comment = renderComment({ kind: 'retry', feature: 'f', number: 1, retry: 2, of: 3, reason: 'a test failed' })
    expect(comment).toContain('Retry 2 of 3')
    expect(comment).toContain('a test failed')
  })

  it('[GH2] greenlit and unblocked say that it is in the queue', () => {
    const about = { feature: 'shop', number: 1 }
    expect(renderComment({ kind: 'greenlit', ...about, criteria: 1, waitsFor: [{ number: 2, github: 9 }] })).toBe(
      '### 🟢 Ready\n\nPart of the feature `shop`; Convene will implement it in order. It has 1 acceptance criterion. It starts after #9.',
    )
    expect(renderComment({ kind: 'unblocked', ...about })).toContain('Ready again')
  })

  it('[GH2] steps that were given stand before the command, which is always there', () => {
    const comment = renderComment({ kind: 'blocked', feature: "it's", number: 1, reason: 'x', nextSteps: ['Ask @bob'] })
    expect(comment).toContain('1. Ask @\u200bbob')
    expect(comment).toContain("2. Try again: `convene unblock 'it'\\''s' --issue 1`")
  })

  it('[GH2] whatever is reported, it fits into a comment', () => {
    const huge = 'x`\n'.repeat(200_000)
    const files = Array.from({ length: 500 }, () => ({ path: huge, purpose: huge }))
    const many = Array.from({ length: 5000 }, (_, number) => ({ number }))
    const about = { feature: 'f', number: 1 }
    const reports: IssueReport[] = [
      {
        kind: 'blocked',
        ...about,
        reason: huge,
        output: huge,
        files,
        dependsOn: many,
        nextSteps: Array(99).fill(huge),
      },
      { kind: 'done', ...about, commit: huge, files, unblocked: many },
      { kind: 'retry', ...about, retry: 1, of: 3, reason: huge },
    ]
    for (const report of reports) expect(renderComment(report).length).toBeLessThan(60_000)
  })

  it('[GH2] no text brings a line of its own outside of the fence', () => {
    fc.assert(
      fc.property(fc.string({ unit: hostile, maxLength: 60 }), (text) => {
        const report = { kind: 'blocked' as const, feature: 'f', number: 1, reason: text, nextSteps: [text] }
        expect(renderComment({ ...report, files: [{ path: text }] }).split('\n')).toHaveLength(12)
      }),
    )
  })
})
