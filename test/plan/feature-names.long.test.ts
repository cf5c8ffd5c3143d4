/** Every plan is its own feature, and so is every fork of one. */
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { PlanView } from '../../src/plan/view.ts'
import { convene, Plan, planFiles, planFolder, restart, startPlan, synthesis, writeInto } from './project.ts'

const rapid = ['--mode', 'rapid', '--preset', 'rapid_prototype']
const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']

describe('features', () => {
  it('[PH6] goals with the same beginning, or the same goal twice, are two features; names in git are taken', async () => {
    const folder = planFolder()
    const planned = async (goal: string) => (await convene(folder, 'plan', goal, ...rapid)).report
    const first = await planned('Let people export orders as CSV')
    expect(first.feature).toBe('export-orders-csv')
    const second = await planned('Let people export orders of other tenants as PDF by mail')
    expect(second.feature).not.toBe(first.feature)
    const again = await planned('Let people export orders as CSV')
    expect(again.feature).toBe('export-orders-csv-v2')
    expect(new Plan(folder, again.plan).has(`specs/${again.feature}-1.yaml`)).toBe(true)

    const git = (...args: string[]) => execFileSync('git', [...identity, ...args], { cwd: folder })
    git('commit', '--allow-empty', '--quiet', '--message=work\n\nConvene-Issue: print-orders#1')
    git('branch', 'convene/mail-orders/main')
    for (const goal of ['Print orders', 'Mail orders'])
      expect((await planned(goal)).feature).toBe(`${goal.toLowerCase().replace(' ', '-')}-v2`)
    expect((await planned('Sort orders')).feature).toBe('sort-orders')
  })

  it('[PH6] plans that start at the same time do not share a name either', async () => {
    const plan = await startPlan({ goal: 'Print orders', mode: 'rapid' })
    const { body } = await plan.served.call('POST', '/api/plans', { goal: 'Print orders', mode: 'rapid' })
    const { id } = body as { id: string }
    await plan.settled()
    const other = await plan.served.app.plans.report(id)
    expect([(await plan.report()).feature, other.feature]).toEqual(['print-orders', 'print-orders-v2'])
  })
})

describe('forks', () => {
  it('[PH5] a fork is its own plan: the original stays unchanged, and the fork gets the phases before it', async () => {
    const plan = await startPlan({ mode: 'standard' })
    const original = await plan.settled()
    const before = plan.files.read('design.md')
    plan.files.write('research.md', plan.files.read('research.md').replace('Read, then write.', 'Edited by hand.'))
    const lines = [
      { when: { phase: '4', contains: synthesis }, repeat: true, reply: { artefact: 'Another design.', summary: 'x' } },
    ]
    const again = await restart(plan, { 'script.yaml': planFiles({ lines })['script.yaml']! })
    const { call } = again.served
    const { body } = await call('POST', `/api/runs/${plan.id}/fork`, { from: 'open phase 4' })
    const forked = body as { id: string }
    let report = await again.served.app.plans.report(forked.id)
    while (report.status === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 10))
      report = await again.served.app.plans.report(forked.id)
    }
    expect(report).toMatchObject({ status: 'done', run: forked.id, issues: 2 })
    expect([report.plan, report.feature]).not.toEqual(expect.arrayContaining([original.plan]))
    expect(report.feature).not.toBe(original.feature)
    expect(report.folder).toContain(report.plan)
    const copy = new Plan(again.served.folder, report.plan)
    expect(copy.read('design.md')).toContain('Another design.')
    expect(copy.read('research.md')).toContain('Edited by hand.')
    expect(JSON.parse(copy.read('issues.json')).feature).toBe(report.feature)
    expect(again.files.read('design.md')).toBe(before)
    expect(again.of('2')).toEqual([])
    const view = (await call('GET', `/api/plans/${report.plan}`)).body as PlanView
    expect(view).toMatchObject({ run: forked.id, goal: 'Turn a file into a report', status: 'done' })
    expect(view.phases.map(({ state }) => state)).toEqual(view.phases.map(() => 'done'))
    expect((await again.report()).plan).toBe(original.plan)
  })

  it('[PH5] a fork of a plan that went back has the version that was sent back, and one from the start has nothing', async () => {
    const red = { when: { ask: 'review', phase: '6' }, reply: { points: 2, out_of: 10, reasons: 'no' } }
    const folder = planFolder({ lines: [red, red, red] })
    const { report } = await convene(folder, 'plan', 'Print orders', '--mode', 'standard')
    expect(new Plan(folder, report.plan).has('earlier/design-1.md')).toBe(true)
    const late = await convene(folder, 'fork', report.run, '--from', 'open phase 7')
    expect(late.code, late.stderr).toBe(0)
    const copy = new Plan(folder, late.report.plan)
    expect(copy.read('earlier/design-1.md')).toBe(new Plan(folder, report.plan).read('earlier/design-1.md'))
    expect(copy.summary('6')).toMatchObject({ outcome: 'GREEN' })
    writeInto(folder, { 'script.yaml': planFiles()['script.yaml']! })
    const anew = await convene(folder, 'fork', report.run, '--from', '0')
    expect(anew.report).toMatchObject({ status: 'done' })
    expect(new Set([report.plan, late.report.plan, anew.report.plan]).size).toBe(3)
    expect(new Plan(folder, anew.report.plan).has('earlier')).toBe(false)
    const resumed = await convene(folder, 'resume', anew.report.run)
    expect(resumed.report).toMatchObject({ plan: anew.report.plan, feature: anew.report.feature })
    expect(resumed.report.folder).toContain(anew.report.plan)
  })
})
