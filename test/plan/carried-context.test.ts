/** What a plan carries from phase to phase and to its builders: ids, decisions, context. */
import { describe, expect, it } from 'vitest'
import { type Line, startPlan, synthesis } from './project.ts'

const decided = (phase: string, values: object): Line => ({
  when: { ask: 'phase', phase, contains: synthesis },
  reply: { artefact: '## Approach\n\nRead.\n\n```mermaid\ngraph LR\n  a --> b\n```', summary: 'Read.', ...values },
})

describe('what a plan carries', () => {
  it('[CX2] numbers decisions itself, follows the names that agents use, and names both sides of a replacement', async () => {
    const plan = await startPlan({
      lines: [
        decided('4', {
          key_decisions: [{ id: 'DB-1', decision: 'Rows go to a file', confidence: 'HIGH' }, 'No cache'],
        }),
        decided('7', {
          key_decisions: [
            { id: 'T1', decision: 'Rows go to a table', confidence: 'HIGH', supersedes: ['DB-1'] },
            { decision: 'Tests run in memory', confidence: 'LOW', supersedes: ['DB-7'] },
            { because: 'of speed' },
          ],
        }),
      ],
    })
    expect((await plan.settled()).status).toBe('done')
    expect(plan.files.summary('4').key_decisions).toMatchObject([
      { id: 'D4-1', called: 'DB-1' },
      { id: 'D4-2', decision: 'No cache', confidence: 'MEDIUM' },
    ])
    expect(plan.of('6')[0]!.system).toContain('- D4-1 (phase 4, HIGH): Rows go to a file')
    expect(plan.files.summary('7').key_decisions[0]).toMatchObject({ id: 'D7-1', supersedes: ['D4-1'] })
    const page = plan.files.read('test-plan.md')
    expect(page).toContain('**D7-1** (HIGH, instead of D4-1 “Rows go to a file”): Rows go to a table')
    expect(page).toContain('- D7-2 supersedes “DB-7”')
    expect(page).toContain('- decision: {"because":"of speed"}')
    expect(plan.files.summary('7').flags).toEqual(expect.arrayContaining(['unknown_reference', 'unread_items']))
    const { decisions } = await plan.view()
    expect(decisions.find(({ decision }) => decision.id === 'D4-1')).toMatchObject({ supersededBy: 'D7-1' })
    expect(plan.of('9')[0]!.system).not.toContain('Rows go to a file')
  })
})
