/** What `convene plan` prints for people and scripts: the same facts for both, and nothing embellished. */
import { describe, expect, it } from 'vitest'
import { advise } from '../../src/cli/commands/plan.ts'
import type { Output } from '../../src/cli/display/output.ts'
import type { PlanAdvice } from '../../src/plan/pipeline/plans.ts'
import { runResident } from '../support/resident-command.ts'
import { convene, type Line, Plan, planFolder, scored, synthesis, writeInto } from './project.ts'

const rapid = ['--mode', 'rapid', '--preset', 'rapid_prototype']
const shown = (folder: string, ...args: string[]) => runResident(args, { cwd: folder })

describe('the command', () => {
  it('[RK3] [BU1] --json has what people see: risk, suggestion, estimates and warnings, including an unknown price', async () => {
    const folder = planFolder()
    const { report } = await convene(
      folder,
      'plan',
      'Store passwords and payments',
      ...rapid.slice(0, 2),
      '--preset',
      'none',
    )
    expect(report).toMatchObject({
      risk_flags: ['sensitive-data', 'billing-external-api'],
      suggestion: { mode: 'complete' },
      warnings: [expect.stringContaining('none')],
    })
    expect(report.estimates.map(({ mode }) => mode)).toEqual(['rapid', 'standard', 'advanced', 'complete'])
    const said: string[] = []
    const output = { note: (line: string) => said.push(line), style: (_style: string, text: string) => text }
    const estimates = (['rapid', 'standard'] as const).map((mode) => ({ mode, calls: 13, tokens: 90_000, cost: null }))
    const auto = { mode: 'rapid', because: 'small', estimate: { mode: 'rapid', calls: 4, tokens: 22_000, cost: null } }
    const advice = { flags: [], suggestion: null, estimates, auto } as unknown as PlanAdvice
    advise(advice, 'auto', output as unknown as Output)
    // RK4: what this goal takes in the mode that was chosen for it.
    expect(said.slice(-2)).toEqual([
      '  rapid     about 4 asks, 22k tokens, cost unknown · this plan',
      '  standard  about 13 asks, 90k tokens, cost unknown',
    ])
    advise(advice, 'rapid', output as unknown as Output)
    expect(said.at(-2)).toBe('  rapid     about 13 asks, 90k tokens, cost unknown · this plan')
  })

  it('[RV3] asks about a CRITICAL with all that was found, and reports an overridden one as such', async () => {
    const long = `It leaks ${'and leaks '.repeat(60)}or it is closed. Somebody has to choose.`
    const findings = [
      { severity: 'CRITICAL', confidence: 95, title: 'Leak', detail: long },
      { severity: 'MAJOR', confidence: 90, title: 'Slow', detail: 'y' },
    ]
    const lines: Line[] = [
      { when: { phase: '6b', contains: 'You are security-analyst' }, repeat: true, reply: { findings } },
    ]
    const folder = planFolder({ lines })
    // A person reads the finding to its end, each question once, and what each choice means.
    const asked = await shown(planFolder({ lines }), 'plan', 'Print orders', '--mode', 'standard')
    expect(asked.code).toBe(3)
    expect(asked.stdout).toContain(
      [
        '  The expert review found 1 critical problem: Leak',
        `    ${long} (security-analyst, 95 % sure)`,
        '    1  redesign',
        '       the architects design again with this in mind, and phases 4 to 6b are repeated',
        '    2  override',
        '       the design stays as it is, and what was found is carried as a risk',
        '    3  more context',
        '       you say what the reviewers do not know, and they review again',
      ].join('\n'),
    )
    expect(`${asked.stdout}${asked.stderr}`.split('critical problem')).toHaveLength(2)
    const { stderr } = await shown(folder, 'plan', 'Print orders', '--mode', 'standard', '--yes')
    expect(stderr).toContain(
      'expert review: passed, with risks to settle or to carry; 1 critical (1 overridden), 1 major',
    )
  })

  it('[SG3] with the gate off, neither the command nor the artefact claims that something was needed or flagged', async () => {
    const vague: Line = { when: { ask: 'phase', phase: '3' }, repeat: true, reply: scored({ value: 0, scope: 0 }) }
    const folder = planFolder({ lines: [vague] })
    const { report, stderr } = await convene(folder, 'plan', 'Print orders', ...rapid)
    expect(stderr).toContain('how clear the request is: 6 of 10 points, for information only')
    const page = new Plan(folder, report.plan).read('clarification.md')
    expect(page).toContain('for information only; the gate is off')
    expect(page).not.toContain('flagged')
  })

  it('[CV6] --show reports a degraded plan, and the gate reports its lower threshold', async () => {
    const lines: Line[] = [
      { when: { phase: '2', contains: 'You are researcher-risk:' }, repeat: true, fail: 'unavailable' },
      { when: { ask: 'phase', phase: '3' }, repeat: true, reply: scored({ value: 0, scope: 0 }) },
    ]
    const folder = planFolder({ lines })
    const { report, stderr } = await convene(folder, 'plan', 'Print orders', '--mode', 'standard')
    expect(report.degraded).toBe(true)
    expect(stderr).toContain('how clear the request is: 6 of 10 points: enough (6 are needed, ')
    expect((await shown(folder, 'plan', '--show', report.plan)).stdout).toMatch(/^plan .*: done · degraded/)
  })

  it('[PH4] lists a plan that was given up as failed everywhere', async () => {
    const folder = planFolder({
      lines: [{ when: { ask: 'review', phase: '6' }, repeat: true, reply: { points: 1, out_of: 10 } }],
    })
    writeInto(folder, { 'a.yaml': '- {match: still RED, answer: give up}\n' })
    const { report } = await convene(folder, 'plan', 'Print orders', '--mode', 'standard', '--answers', 'a.yaml')
    expect(report).toMatchObject({ status: 'failed', reason: expect.stringContaining('given up') })
    const { runs } = JSON.parse((await shown(folder, 'runs', '--json')).stdout)
    expect(runs[0]).toMatchObject({ status: 'failed', reason: report.reason })
  })

  it('[SG2] [PH2] answers from a file are decisions that link to the ask behind the question; each assumption counts once', async () => {
    const vague: Line = {
      when: { ask: 'phase', phase: '3', round: 1 },
      repeat: true,
      reply: scored({ scope: 1, value: 1, risk: 1 }),
    }
    const folder = planFolder({ lines: [vague] })
    writeInto(folder, { 'a.yaml': '- {match: "?", answer: the totals}\n' })
    const { report } = await convene(folder, 'plan', 'Print orders', '--mode', 'standard', '--answers', 'a.yaml')
    const [decision] = new Plan(folder, report.plan).summary('3').key_decisions
    expect(decision).toMatchObject({
      rationale: 'decided by the answers file',
      ask: expect.stringContaining(report.run),
    })

    const failing: Line = { when: { ask: 'phase', phase: '4', contains: synthesis }, repeat: true, fail: 'unavailable' }
    const other = planFolder({ lines: [failing] })
    expect((await shown(other, 'plan', 'Print orders', ...rapid, '--yes')).stdout).toContain('1 assumption is listed')
  })

  it('[ST3] counts an assumption as open: it does not turn an unclear change into a small one', async () => {
    const small: Line = {
      when: { phase: '2', contains: synthesis },
      repeat: true,
      reply: { artefact: 'Small.', summary: 'Small.', files_affected: ['src/a.js'] },
    }
    const vague: Line = {
      when: { ask: 'phase', phase: '3' },
      repeat: true,
      reply: scored({ scope: 1, value: 1, risk: 1 }),
    }
    const folder = planFolder({ lines: [small, vague] })
    const { report } = await convene(folder, 'plan', 'Print orders', '--mode', 'advanced', '--yes')
    expect(new Plan(folder, report.plan).summary('4')).toMatchObject({
      strategy: 'perspectives',
      strategy_override: null,
    })
  })

  it('exits with 2 and names the ask if a script has no line for it', async () => {
    const folder = planFolder()
    writeInto(folder, { 'script.yaml': JSON.stringify([{ when: { ask: 'review' }, text: 'x' }]) })
    const ended = await convene(folder, 'plan', 'Print orders', ...rapid)
    expect([ended.code, ended.report.code]).toEqual([2, 'script_exhausted'])
    expect(ended.report.reason).toContain('phase')
    expect(ended.report.reason).not.toBe('script_exhausted')
    const words = await shown(folder, 'plan', 'Sort orders', ...rapid)
    expect([words.code, words.stdout]).toEqual([2, expect.stringMatching(/failed .*script\.yaml/)])
  })

  it('names an unknown key in the answers file', async () => {
    const folder = planFolder()
    writeInto(folder, { 'a.yaml': '- {match: a, reply: b}\n' })
    const refused = await convene(folder, 'plan', 'Print orders', '--answers', 'a.yaml')
    expect([refused.code, refused.report.error]).toEqual([
      2,
      expect.objectContaining({ path: '0.reply', message: expect.stringContaining('0.reply: unknown key') }),
    ])
  })
})
