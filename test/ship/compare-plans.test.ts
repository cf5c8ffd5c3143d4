/** `convene compare "<goal>"`: one goal, planned in one reply and in all phases, side by side. */
import { describe, expect, it } from 'vitest'
import type { ComparisonReport } from '../../src/ship/compare/comparisons.ts'
import { convene, eventsOf, type Line, planFolder } from '../plan/project.ts'
import { lastJson, temporaryFolder } from '../support/convene.ts'
import { runResident } from '../support/resident-command.ts'

const issue = (number: number, depends_on: number[] = []) => ({
  number,
  title: `Step ${number}`,
  acceptance_criteria: [{ id: `c${number}`, text: `step ${number} works` }],
  depends_on,
})
const alone: Line = {
  when: { ask: 'plan-alone' },
  // It may say more than was asked for.
  reply: { design: 'Read, then write.', issues: [{ ...issue(1), priority: 'high', files: ['a.js'] }, issue(2, [1])] },
}
const goal = 'Import a CSV file of orders'

describe('convene compare with a goal', () => {
  it('plans it in one reply and in all phases, and shows both lists of issues', async () => {
    const folder = planFolder({ lines: [alone] })
    const ended = await convene(folder, 'compare', goal, '--yes')
    expect(ended.code, ended.stderr).toBe(0)
    const report = lastJson<ComparisonReport>(ended)
    expect(report).toMatchObject({ status: 'done', goal, sides: [{ strategy: 'one-call' }, { strategy: 'plan' }] })
    const [one, full] = report.sides
    expect(one).toMatchObject({ status: 'done', cost: { asks: 1 }, planned: { design: 'Read, then write.' } })
    expect(one!.planned!.issues).toEqual([
      { number: 1, title: 'Step 1', criteria: ['step 1 works'], depends_on: [] },
      { number: 2, title: 'Step 2', criteria: ['step 2 works'], depends_on: [1] },
    ])
    expect(full!.cost.asks).toBeGreaterThan(1)
    expect(full!.planned!.issues.length).toBeGreaterThan(0)
    expect(full!.planned!.folder).toContain('.convene/plans/')
    const asks = (await eventsOf(folder)).filter(({ type }) => type === 'ask.started')
    expect(one!.cost.asks + full!.cost.asks).toBe(asks.length)
  })

  it('shows the phases while they run, and the criteria of both plans', async () => {
    const { code, stdout, stderr } = await runResident(['compare', goal, '--yes'], {
      cwd: planFolder({ lines: [alone] }),
    })
    expect(code, stderr).toBe(0)
    expect(stderr).toMatch(/^phase 4 architecture/m)
    expect(stdout).toContain('  #2  Step 2  (1 criterion)\n      - step 2 works')
  })

  it('works without a configured agent: the built-in rehearsal plans alone, too', async () => {
    const folder = temporaryFolder()
    const { code, stdout, stderr } = await runResident(['compare', goal, '--yes'], { cwd: folder })
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/^result +done +done$/m)
  })

  it('shows a side that fails, with exit code 1', async () => {
    const folder = planFolder({ lines: [{ when: { ask: 'plan-alone' }, fail: 'refused' }] })
    const { code, stdout } = await runResident(['compare', goal, '--yes'], { cwd: folder })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^ +one-call +plan$/m)
    expect(stdout).toMatch(/^result +failed +done$/m)
    expect(stdout).toMatch(/^issues +\d+$/m)
    expect(stdout).not.toMatch(/^(?:diff|branch|tests)/m)
    expect(stdout).toMatch(/^one-call: ./m)
  })
})
