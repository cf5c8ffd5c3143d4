import { describe, expect, it } from 'vitest'
import { type DocumentedIssue, joinDocumentation } from './documentation-issues.ts'

const issue = (number: number, target_path: string, more: Partial<DocumentedIssue> = {}): DocumentedIssue => ({
  number,
  title: `Issue ${number}`,
  body: '',
  acceptance_criteria: [{ text: `criterion ${number}` }],
  depends_on: [],
  target_path,
  ...more,
})

describe('[PH6] issues that only write documentation', () => {
  it('[PH6] are part of the work that they describe, and nothing depends on them any more', () => {
    const { issues, joined } = joinDocumentation([
      issue(1, 'src/a.js', { body: 'Reads.', decisions: ['D4-1'] }),
      issue(2, 'src/b.js'),
      issue(3, 'README.md', { title: 'Describe reading', depends_on: [1], decisions: ['D4-1', 'D4-2'] }),
      issue(4, 'src/c.js', { depends_on: [3] }),
    ])
    expect(joined).toEqual(['Describe reading'])
    expect(issues.map(({ number, depends_on }) => [number, depends_on])).toEqual([
      [1, []],
      [2, []],
      [4, [1]],
    ])
    expect(issues[0]).toMatchObject({
      body: 'Reads.\n\nAlso write README.md: Describe reading.\n\n- criterion 3',
      files: ['README.md'],
      decisions: ['D4-1', 'D4-2'],
      acceptance_criteria: [{ text: 'criterion 1' }],
    })
  })

  it('[PH6] without a dependency go to the last piece of work', () => {
    const { issues } = joinDocumentation([issue(1, 'docs/use.md'), issue(2, 'src/a.js'), issue(3, 'src/b.js')])
    expect(issues.map(({ body }) => body.includes('docs/use.md'))).toEqual([false, true])
  })

  it.each([
    ['a plan of documentation alone', [issue(1, 'README.md'), issue(2, 'CHANGELOG')]],
    [
      'a document with a test of its own',
      [issue(1, 'README.md', { test_path: 'test/readme.test.js' }), issue(2, 'a.js')],
    ],
    ['issues without numbers', [issue(1, 'a.js'), { ...issue(2, 'README.md'), number: undefined }]],
    ['no documentation', [issue(1, 'a.js'), issue(2, 'b.js')]],
  ])('[PH6] %s stays as it is', (_, issues) => {
    expect(joinDocumentation(issues as DocumentedIssue[])).toEqual({ issues, joined: [] })
  })
})
