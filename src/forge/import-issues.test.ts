import { describe, expect, it } from 'vitest'
import { importIssues, parseIssueQuery } from './import-issues.ts'
import { MemoryForge } from './memory.ts'

describe('importing issues', () => {
  it('imports the open issues of a label with their criteria and dependencies', async () => {
    const forge = new MemoryForge()
    forge.addIssue({ title: 'Other', labels: ['bug'] })
    const first = forge.addIssue({ title: 'Store', body: '- [ ] saves', labels: ['Shop'] })
    const body = `Depends on #${first}, #1 and #99.\n\n## Acceptance criteria\n- signs in\n- signs out`
    const second = forge.addIssue({ title: 'Login', body, labels: ['shop', 'x'] })
    const closed = forge.addIssue({ title: 'Old', labels: ['shop'] })
    await forge.closeIssue(closed)
    expect(await importIssues(forge, 'label:shop')).toEqual([
      {
        number: first,
        title: 'Store',
        body: '- [ ] saves',
        acceptance_criteria: [{ id: 'c1', text: 'saves' }],
        depends_on: [],
        github: first,
      },
      {
        number: second,
        title: 'Login',
        body,
        acceptance_criteria: [
          { id: 'c1', text: 'signs in' },
          { id: 'c2', text: 'signs out' },
        ],
        depends_on: [first],
        github: second,
      },
    ])
    const numbers = async (query: string) => (await importIssues(forge, query)).map(({ number }) => number)
    expect(await numbers('label:shop state:all')).toEqual([first, second, closed])
    expect(await numbers('label:shop label:X')).toEqual([second])
  })

  it('reads labels of two words', () => {
    expect(parseIssueQuery('label:"good first issue" state:closed')).toEqual({
      labels: ['good first issue'],
      state: 'closed',
    })
    expect(parseIssueQuery('label:swarm:ready')).toEqual({ labels: ['swarm:ready'], state: 'open' })
  })

  it.each(['', 'shop', 'label:', 'label:""', 'label:a state:some', 'label:a is:open', 'state:open'])(
    'says what a query looks like when it gets %j',
    (query) => expect(() => parseIssueQuery(query)).toThrow(expect.objectContaining({ code: 'invalid_input' })),
  )
})
