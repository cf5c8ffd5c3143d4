/** A plan in each mode and with each team, through the command, artefact by artefact. */
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { summaryFile } from '../../src/plan/artefacts.ts'
import { specSchema } from '../../src/rules/build/spec.ts'
import { graphFaults } from '../../src/rules/issues/issue-graph.ts'
import { estimate } from '../../src/rules/plan/estimate.ts'
import type { Mode } from '../../src/rules/plan/mode.ts'
import { phaseSummarySchema } from '../../src/rules/plan/phase-summary.ts'
import { type PhaseId, phaseById } from '../../src/rules/plan/phase-table.ts'
import { runResident } from '../support/resident-command.ts'
import { convene, eventsOf, Plan, planFolder } from './project.ts'

const phasesOf: Record<Mode, PhaseId[]> = {
  rapid: ['1', '2', '3', '4', '7', '9'],
  standard: ['1', '2', '3', '4', '6', '6b', '7', '8', '9'],
  advanced: ['1', '2', '3', '4', '5', '6', '6b', '7', '8', '8b', '9'],
  complete: ['1', '2', '3', '4', '5', '6', '6b', '7', '8', '8b', '9'],
}
const strategies: Record<Mode, Partial<Record<PhaseId, string>>> = {
  rapid: { '2': 'quick', '4': 'quick', '7': 'quick' },
  standard: { '2': 'quick', '4': 'quick', '6b': 'quick', '7': 'quick' },
  advanced: { '2': 'quick', '4': 'perspectives', '6b': 'red_team', '7': 'perspectives' },
  complete: { '2': 'perspectives', '4': 'perspectives', '6b': 'red_team', '7': 'red_team' },
}
const goal = 'Turn a file of rows into a report'
const runs = (['rapid', 'standard', 'advanced', 'complete'] as const).flatMap((mode) =>
  (['balanced', 'rapid_prototype'] as const).map((preset) => ({ mode, preset })),
)

describe('a plan through the command', () => {
  it.each(runs)(
    '[PH1] [PH2] [PH6] $mode mode, $preset team: every phase writes its files, and the issues can be built',
    async ({ mode, preset }) => {
      const folder = planFolder()
      const planned = await convene(folder, 'plan', goal, '--mode', mode, '--preset', preset)
      expect(planned.code, planned.stderr).toBe(0)
      expect(planned.report).toMatchObject({ status: 'done', degraded: false, issues: 2, assumptions: [] })
      const plan = new Plan(folder, planned.report.plan)
      expect(planned.report.folder).toBe(plan.folder)
      const events = await eventsOf(folder)

      for (const id of phasesOf[mode]) {
        const summary = phaseSummarySchema.parse(plan.front(summaryFile(id)))
        expect(summary).toMatchObject({ phase: id, status: 'completed' })
        expect(Object.keys(plan.front(summaryFile(id)))).toEqual(expect.arrayContaining([...summaryFields]))
        const { artefact, alsoWrites } = phaseById(id)
        // A summary can be rebuilt from its artefact alone.
        expect(withoutNulls(phaseSummarySchema.parse(plan.front(artefact)))).toEqual(withoutNulls(summary))
        for (const file of alsoWrites) expect([file, plan.has(file)]).toEqual([file, true])
        if (strategies[mode][id] && preset === 'balanced')
          expect([id, summary.strategy]).toEqual([id, strategies[mode][id]])
      }
      const written = phasesOf[mode].map((id) => phaseById(id).artefact)
      for (const file of ['deep-thinking.md', 'validation.md', 'review.md', 'coverage.md', 'assets.md'])
        expect([file, plan.has(file)]).toEqual([file, written.includes(file)])

      expect(plan.read('spec.md')).toContain(`> ${goal}`)
      expect(plan.read('research.md')).toContain('tracked files')
      expect(plan.read('design.md')).toContain('```mermaid\ngraph LR\n  read --> write\n```')
      expect(plan.read('tasks.md')).toContain(
        '```mermaid\ngraph TD\n  i1["1. Read the file"]\n  i2["2. Write the report"]\n  i1 --> i2\n```',
      )
      expect(plan.summary('1')).toMatchObject({ preset, mode, risk_flags: [] })
      expect(plan.summary('3')).toMatchObject({ specify_score: 10, specify_dimensions: { value: 2, risk: 2 } })
      if (mode !== 'rapid') expect(plan.summary('6')).toMatchObject({ outcome: 'GREEN', answered: '3 of 3' })
      if (mode !== 'rapid') expect(plan.summary('6b')).toMatchObject({ outcome: 'pass', answered: '2 of 2' })

      // Every decision has its own id and links to the ask that made it.
      const asks = new Set(events.filter(({ type }) => type === 'ask.finished').map(({ data }) => data.ask))
      const decisions = phasesOf[mode].flatMap((id) => plan.summary(id).key_decisions ?? [])
      expect(decisions.length).toBeGreaterThanOrEqual(3)
      expect(new Set(decisions.map(({ id }) => id)).size).toBe(decisions.length)
      for (const { id, ask } of decisions) expect([id, asks.has(ask)]).toEqual([id, true])
      expect(plan.read('design.md')).toContain(
        `**D4-1** (HIGH): Reading comes first — writing needs it <sub>turn ${decisionOf(plan, 'D4-1')}</sub>`,
      )

      const { feature, issues } = JSON.parse(plan.read('issues.json'))
      expect(feature).toBe(planned.report.feature)
      expect(graphFaults(issues).errors).toEqual([])
      expect(issues).toEqual([
        expect.objectContaining({
          number: 1,
          size: 'small',
          business_value: 0.4,
          risk: 0.1,
          depends_on: [],
          target_path: 'src/read.js',
        }),
        expect.objectContaining({
          number: 2,
          size: 'medium',
          depends_on: [1],
          acceptance_criteria: [{ id: 'writes', text: expect.any(String) }],
        }),
      ])
      for (const { number } of issues) {
        const spec = specSchema.parse(parse(plan.read(`specs/${feature}-${number}.yaml`)))
        expect(spec.id).toBe(`${feature}-${number}`)
      }

      // The estimate matches the actual calls: nothing failed, and no question was asked.
      const asked = events.filter(({ type }) => type === 'ask.started').length
      expect(asked).toBe(estimate(mode, { preset }).calls - (mode === 'rapid' ? 0 : 1))
    },
  )

  it("[RK3] prints the goal's risks and each mode's estimate before it starts, then how each phase went", async () => {
    const folder = planFolder()
    const { code, stdout, stderr } = await runResident(['plan', 'Add oauth to the billing page', '--mode', 'rapid'], {
      cwd: folder,
    })
    expect(code).toBe(0)
    expect(stderr).toContain('risk: security-critical, billing-external-api')
    expect(stderr).toContain(
      '2 risk categories (security-critical, billing-external-api): complete mode is worth its cost.',
    )
    for (const mode of ['rapid', 'standard', 'advanced', 'complete'])
      expect(stderr).toMatch(new RegExp(`${mode} +about \\d+ asks, \\d+k tokens`))
    expect(stderr.indexOf('complete mode is worth')).toBeLessThan(stderr.indexOf('phase 1 setup'))
    expect(stderr).toMatch(/^spent: /m)
    const [, name] = /read the plan: convene plan --show (\S+)/.exec(stdout)!
    const shown = await runResident(['plan', '--show', name!], { cwd: folder })
    // What a lead signs comes first, then the issues, then the documents behind them; no front matter.
    const titles = ['Plan', 'Tasks', 'Specification', 'Research', 'Clarification', 'Design', 'Test plan']
    expect(shown.stdout.match(/^# .*/gm)).toEqual(titles.map((title) => `# ${title}`))
    expect(shown.stdout).not.toContain('key_decisions:')
    const json = JSON.parse((await runResident(['plan', '--show', name!, '--json'], { cwd: folder })).stdout)
    expect(json.artefacts['tasks.md']).toContain('# Tasks')
  })

  it('[PH4] never presents degraded work as complete: the command names who is missing and how many answered', async () => {
    const dead = { repeat: true, fail: 'unavailable' }
    const folder = planFolder({
      lines: [
        { when: { phase: '4', contains: 'You are software-architect-clean:' }, ...dead },
        { when: { phase: '6', contains: 'You are judge-sceptic:' }, ...dead },
        { when: { phase: '6b', contains: 'You are security-analyst:' }, ...dead },
      ],
    })
    const { code, stdout, stderr } = await runResident(['plan', goal], { cwd: folder })
    expect(code).toBe(0)
    expect(stderr).toContain('  without phases 5 deep thinking, 8b assets: not part of standard mode')
    expect(stderr).toContain('missing: software-architect-clean (bob): unavailable')
    expect(stderr).toContain('  2 of 3 answered · part of it could not be done as planned')
    expect(stderr).toContain('panel: GREEN 90 % (good), 2 of 3 answered')
    expect(stderr).toContain('1 of 2 answered')
    expect(stdout).toContain('(degraded: parts are missing; the files name them)')
    const { report } = await convene(folder, 'plan', '--show', /--show (\S+)/.exec(stdout)![1]!)
    expect(report.degraded).toBe(true)
  })
})

const summaryFields = [
  'status',
  'flags',
  'key_decisions',
  'open_questions',
  'risks_identified',
  'specify_score',
  'specify_dimensions',
  'strategy_override',
  'outcome',
  'risk_flags',
  'preset',
  'parallel_pairs_completed',
  'consensus_skipped',
]

function withoutNulls(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

function decisionOf(plan: Plan, id: string): string | undefined {
  return plan.summary('4').key_decisions.find((one) => one.id === id)?.ask
}
