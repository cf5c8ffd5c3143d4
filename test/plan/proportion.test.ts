/** A plan in proportion to its goal: `--mode auto`. RK4. */
import { describe, expect, it } from 'vitest'
import { runResident } from '../support/resident-command.ts'
import { convene, eventsOf, type Line, Plan, planFolder, synthesis } from './project.ts'

describe('--mode auto', () => {
  it('[RK4] is the default; a change of one file takes at most four asks and still gives issues', async () => {
    const folder = planFolder()
    const planned = await convene(folder, 'plan', 'Fix the empty last line in src/read.js')
    expect(planned.code, planned.stderr).toBe(0)
    expect(planned.report).toMatchObject({ status: 'done', degraded: false, issues: 2 })
    expect(planned.report.estimates.find(({ mode }) => mode === 'rapid')!.calls).toBe(4)
    const asked = (await eventsOf(folder)).filter(({ type }) => type === 'ask.started')
    expect(asked.length).toBeLessThanOrEqual(4)
    const plan = new Plan(folder, planned.report.plan)
    expect(plan.summary('1')).toMatchObject({ mode: 'rapid', preset: 'rapid_prototype' })
    expect(plan.read('spec.md')).toContain('Mode: rapid (a small change: 1 file named, no risk found, nothing new)')
    expect(plan.read('clarification.md')).toContain('Not scored: the change is small.')
    expect(plan.read('design.md')).toContain('**D4-1** (HIGH): Reading comes first')
  })

  it('[RK4] one line that changes the only source file of a project takes at most four asks too', async () => {
    const folder = planFolder()
    const planned = await convene(folder, 'plan', 'Return the number of empty lines beside the rows')
    expect(planned.code, planned.stderr).toBe(0)
    const asked = (await eventsOf(folder)).filter(({ type }) => type === 'ask.started')
    expect(asked.length).toBeLessThanOrEqual(4)
    expect(new Plan(folder, planned.report.plan).read('spec.md')).toContain('the project has 1 source file')
  })

  it('[RK4] [RV5] a small plan that contradicts itself is repaired before its issues are made again', async () => {
    const found = {
      matter: 'What does an empty line give?',
      first: { where: 'design.md', says: 'nothing' },
      second: { where: 'test-plan.md', says: 'an empty row' },
    }
    const issue = { title: 'Skip it', acceptance_criteria: [{ id: 'skips', text: 'An empty line gives nothing' }] }
    const folder = planFolder({
      lines: [
        {
          when: { ask: 'phase', phase: '9', contains: '"contradictions"' },
          reply: { issues: [issue], contradictions: [found] },
        },
        {
          when: { ask: 'phase', phase: '9', contains: 'Reply in this form: an amendment' },
          reply: {
            points: [{ id: 'a1', settled: true, how: 'the test follows the design' }],
            documents: [
              { file: 'test-plan.md', summary: 'No row.', sections: [{ heading: 'Approach', text: 'No row.' }] },
            ],
          },
        },
      ],
    })
    const planned = await convene(folder, 'plan', 'Fix the empty last line in src/read.js')
    expect(planned.code, planned.stderr).toBe(0)
    const plan = new Plan(folder, planned.report.plan)
    expect(plan.read('test-plan.md')).toContain('## Approach\n\nNo row.')
    expect(plan.read('tasks.md')).toContain('## Contradictions found\n\n- What does an empty line give?')
    expect(planned.report.issues).toBe(2)
  })

  it('[RK4] nobody tests abuse or load of a change in two files that has neither; a mode that was chosen keeps the whole team', async () => {
    const researched: Line = {
      when: { ask: 'phase', phase: '2', contains: synthesis },
      reply: { artefact: 'Two files.', summary: 'Two files.', files_affected: ['src/a.js', 'test/a.test.js'] },
    }
    const testers = async (...args: string[]) => {
      const folder = planFolder({ lines: [researched] })
      expect((await convene(folder, 'plan', 'Turn rows into totals and print totals', ...args)).code).toBe(0)
      const started = (await eventsOf(folder)).filter(
        ({ type, data }) => type === 'phase.started' && data.phase === '7',
      )
      return started.map(({ data }) => data.cast)
    }
    expect(await testers()).toEqual([['qa-strategist']])
    expect(await testers('--mode', 'standard')).toEqual([['qa-strategist', 'qa-security', 'qa-performance']])
  })

  it('[RK4] counts only names that the last commit has: a built-in or a new one beside one of its functions', async () => {
    const folder = planFolder()
    const planned = await runResident(['plan', 'Give read() a maxRows and throw a RangeError above it'], {
      cwd: folder,
    })
    expect(planned.stderr).toContain('mode: rapid (a small change: no file and 1 symbol named')
  })

  it('[RK4] says in a line what it chose and why; --mode chooses another', async () => {
    const folder = planFolder()
    const auto = await runResident(['plan', 'Turn a file of rows into a report'], { cwd: folder })
    expect(auto.stderr).toContain(
      'mode: standard (an ordinary change: no file named, no risk found; --mode chooses another)',
    )
    const rapid = await runResident(['plan', 'Turn a file of rows into a report', '--mode', 'rapid'], { cwd: folder })
    expect(rapid.stderr).not.toContain('--mode chooses another')
    const wrong = await convene(folder, 'plan', 'x', '--mode', 'huge')
    expect(wrong.report.error).toMatchObject({ expected: 'auto | rapid | standard | advanced | complete' })
  })
})
