import { describe, expect, it } from 'vitest'
import { builderContexts } from './builder-context.ts'
import type { KeyDecision } from './phase-summary.ts'

const decision = (id: string, words: string, more: Partial<KeyDecision> = {}): KeyDecision => ({
  id,
  decision: words,
  confidence: 'MEDIUM',
  ...more,
})
const decided = [
  decision('P3-1', 'Which rows? → all', { confidence: 'HIGH', rationale: 'answered by the person' }),
  decision('D4-1', 'Rows go to a file', { called: 'STORE' }),
  decision('D4-2', 'No cache', { confidence: 'HIGH' }),
  decision('D4-3', 'Stream it', { confidence: 'HIGH' }),
  decision('D7-1', 'Rows go to a table', { supersedes: ['D4-1'] }),
]

describe('what a builder gets', () => {
  it('[PH6] an issue carries its decisions, interface, tests and files', () => {
    const issue = {
      decisions: ['D4-3'],
      interface: 'read(path: string): Row[]',
      tests: ['t1 unit: an empty file gives no rows'],
      files: ['src/read.js'],
    }
    expect(builderContexts([issue], decided).contexts[0]!.text).toBe(
      [
        'Decisions to follow:\n- P3-1: Which rows? → all (answered by the person)\n- D4-2: No cache\n- D4-3: Stream it',
        'Interface:\n```\nread(path: string): Row[]\n```',
        'Tests that the plan asks for:\n- t1 unit: an empty file gives no rows',
        'Files it reads or changes:\n- src/read.js',
      ].join('\n\n'),
    )
  })

  it('[PH6] follows names and replacements, and reports an id that does not exist', () => {
    const { contexts, unknown } = builderContexts([{ decisions: ['store', 'D9-9'] }, {}], decided)
    expect(contexts[0]!.decisions).toEqual(['P3-1', 'D4-2', 'D4-3', 'D7-1'])
    expect(contexts[1]!.decisions).toEqual(['P3-1', 'D4-2', 'D4-3'])
    expect(unknown).toEqual(['D9-9'])
  })

  it('[PH6] a HIGH decision goes to the issues that name it, or to all if none does', () => {
    const { contexts } = builderContexts([{ decisions: ['D4-2'] }, { decisions: [] }], decided)
    expect(contexts.map(({ decisions }) => decisions)).toEqual([
      ['P3-1', 'D4-2', 'D4-3'],
      ['P3-1', 'D4-3'],
    ])
  })

  it("[PH6] a person's answer and an unnamed HIGH decision go only to the issues that they concern", () => {
    const said = [
      decision('P2-1', "withFragment(url, '#') keeps the url", { confidence: 'HIGH' }),
      decision('P3-1', 'Only withBase, withoutBase and withFragment change', { confidence: 'HIGH' }),
      decision('P3-2', 'Say it in the changelog', { confidence: 'HIGH' }),
      decision('D4-1', 'The branch at src/utils.ts:739 in `withFragment` goes', { confidence: 'HIGH' }),
      decision('D4-2', 'Tests of the base go to test/base.test.ts', { confidence: 'HIGH' }),
    ]
    const issues = [
      { title: 'Treat # as a boundary in withBase', files: ['src/utils.ts', 'test/base.test.ts'] },
      { title: "withFragment(url, '') removes the fragment", files: ['src/utils.ts'] },
    ]
    expect(builderContexts(issues, said).contexts.map(({ decisions }) => decisions)).toEqual([
      ['P3-1', 'P3-2', 'D4-2'],
      ['P2-1', 'P3-1', 'P3-2', 'D4-1'],
    ])
  })

  it('[PH6] an answer that an issue names goes there and to the issues that name its code, not where words agree by chance', () => {
    const question = 'Do relative paths count as paths below the root of src/utils.ts?'
    const late = decision('P9-1', 'Relative paths stay relative', { confidence: 'HIGH', question, answer: 'no' })
    const code = decision('P9-2', '`splitRoot` keeps the drive', { confidence: 'HIGH' })
    const issues = [
      { title: 'Relative paths below the root', files: ['src/utils.ts'], interface: 'splitRoot(path: string)' },
      { title: 'Find the common ancestor', decisions: ['P9-1', 'P9-2'], files: ['src/utils.ts'] },
    ]
    expect(builderContexts(issues, [late, code]).contexts.map(({ decisions }) => decisions)).toEqual([
      ['P9-2'],
      ['P9-1', 'P9-2'],
    ])
  })

  it('[PH6] an answer says once that the person decided it', () => {
    const words = 'Which rows: all'
    const said = decision('P3-1', words, { rationale: 'decided by the person', question: 'Which rows?', answer: 'all' })
    expect(builderContexts([{}], [said]).contexts[0]!.text).toBe(
      `Decisions to follow:\n- P3-1: ${words} (decided by the person)`,
    )
  })

  it('[PH6] an answer and a decision that repeats it are one line, under both ids', () => {
    const said = decision('P2-1', 'isSubpath(a, a) is true', { rationale: 'decided by the person', confidence: 'HIGH' })
    const again = decision('D2-2', 'isSubpath(a, a) is true', { confidence: 'HIGH' })
    const [context] = builderContexts([{ decisions: ['D2-2', 'P2-1'] }], [again, said]).contexts
    expect(context!.text).toBe('Decisions to follow:\n- P2-1, D2-2: isSubpath(a, a) is true (decided by the person)')
    expect(context!.decisions).toEqual(['D2-2', 'P2-1'])
  })

  it('[RV5] an open contradiction goes to the issues that it concerns', () => {
    const open = {
      matter: 'Where are rows stored?',
      first: { where: 'design.md', says: 'files' },
      second: { where: 'test-plan.md', says: 'SQLite' },
    }
    const issues = [{ title: 'Store the rows' }, { title: 'Print the report' }]
    const [stores, prints] = builderContexts(issues, [], [open]).contexts
    expect(stores!.text).toContain('- Where are rows stored?: design.md says “files”, test-plan.md says “SQLite”')
    expect(prints!.text).toBe('')
  })

  it('[PH6] survives decisions that replace each other, and has nothing to say without decisions', () => {
    const loop = [decision('D1-1', 'a', { supersedes: ['D1-2'] }), decision('D1-2', 'b', { supersedes: ['D1-1'] })]
    expect(builderContexts([{ decisions: ['D1-1'] }], loop).contexts[0]!.decisions).toEqual([])
    expect(builderContexts([{}], []).contexts).toEqual([{ text: '', decisions: [] }])
  })
})
