/** Settings of the planning pipeline take effect, or are refused. */
import { describe, expect, it } from 'vitest'
import { convene, type Line, part, planFolder, scored, startPlan, view } from './project.ts'

const scores = (values: Parameters<typeof scored>[0]): Line => ({
  when: { ask: 'phase', phase: '3' },
  repeat: true,
  reply: scored(values),
})

describe('settings of a plan', () => {
  it.each([
    [1, 1],
    [4, 4],
  ])('[SG2] [CB1] specify_gate.max_iterations %i: %i rounds of questions', async (max_iterations, rounds) => {
    const plan = await startPlan({
      plan: { specify_gate: { max_iterations } },
      lines: [scores({ value: 1, scope: 0, acceptance: 1, risk: 0 })],
    })
    let asked = 0
    for (let report = await plan.settled(); report.status === 'waiting'; report = await plan.settled()) {
      asked++
      for (const question of report.questions!) await plan.answer(question, 'whatever')
    }
    expect((await plan.settled()).status).toBe('done')
    expect(asked).toBe(rounds)
    const texts = (await plan.events('question.asked')).map(({ data }) => data.text)
    expect(new Set(texts).size).toBe(texts.length)
  })

  it('[SG2] specify_gate.low_score_threshold moves what later phases call unclear', async () => {
    const with_ = (low_score_threshold: number) =>
      startPlan({
        mode: 'advanced',
        plan: {
          specify_gate: { low_score_threshold, max_iterations: 0 },
          mpa: { strategy_per_phase: { phase_7: { advanced: 'quick' } } },
        },
        lines: [scores({ value: 0, scope: 1 })],
      })
    const [strict, usual] = [await with_(8), await with_(6)]
    for (const plan of [strict, usual]) expect((await plan.settled()).status).toBe('done')
    expect(strict.files.summary('3').flags).toContain('low_specify_score')
    expect(strict.files.summary('7')).toMatchObject({ strategy: 'perspectives' })
    expect(usual.files.summary('3').flags).not.toContain('low_specify_score')
    expect(usual.files.summary('7')).toMatchObject({ strategy: 'quick' })
  })

  it('[CB1] circuit_breaker.overrides.parallel_dispatch: a phase is tried again beside the other before it runs alone', async () => {
    const failing = { when: { ask: 'phase', phase: '8b' }, fail: 'unavailable' }
    const plan = await startPlan({
      mode: 'advanced',
      plan: {
        feature_flags: { s11_parallel_dispatch: true },
        circuit_breaker: { overrides: { parallel_dispatch: { max_consecutive_failures: 2 } } },
      },
      lines: [failing],
    })
    expect((await plan.settled()).status).toBe('done')
    expect(plan.files.summary('8b')).toMatchObject({ flags: [], parallel_pairs_completed: [['8', '8b']] })
    expect(await plan.events('breaker.tripped')).toEqual([])
    const twice = await startPlan({
      mode: 'advanced',
      plan: {
        feature_flags: { s11_parallel_dispatch: true },
        circuit_breaker: { overrides: { parallel_dispatch: { max_consecutive_failures: 2 } } },
      },
      lines: [failing, failing],
    })
    expect((await twice.settled()).status).toBe('done')
    expect(twice.files.summary('8b').flags).toEqual(['degraded', 'run_again_alone'])
    expect((await twice.events('breaker.tripped')).map(({ data }) => data.failures)).toEqual([2])
  })

  it('[CV7] convergence_detection.positions_high and positions_low set the level of stated positions', async () => {
    const stated = ['minimal', 'clean', 'pragmatic'].map((side, index) =>
      part('4', `software-architect-${side}`, {
        reply: {
          output: `The ${side} design.`,
          positions: [
            { question: 'Storage', choice: index === 0 ? 'files' : 'a table' },
            { question: 'Parser', choice: 'our own' },
          ],
        },
      }),
    )
    const align = {
      when: { ask: 'align', phase: '4' },
      reply: {
        questions: [
          {
            question: 'Storage',
            options: [
              { choice: 'files', positions: ['p1'] },
              { choice: 'a table', positions: ['p3', 'p5'] },
            ],
          },
          { question: 'Parser', options: [{ choice: 'our own', positions: ['p2', 'p4', 'p6'] }] },
        ],
        alone: [],
      },
    }
    for (const [limits, verdict] of [
      [{ positions_high: 0.5 }, 'high'],
      [{ positions_low: 0.6 }, 'low'],
    ] as const) {
      const plan = await startPlan({
        plan: { mpa: { convergence_detection: limits } },
        lines: [...stated, align],
        yes: true,
      })
      expect((await plan.settled()).status).toBe('done')
      expect((await plan.phase('4')).convergence).toMatchObject([{ positions: 0.5, verdict }])
    }
  })

  it('[ST5] deliberation is full in complete mode unless a variant is given', async () => {
    const lines = ['minimal', 'clean', 'pragmatic'].map((side) =>
      part('4', `software-architect-${side}`, { reply: view(`The ${side} design.`) }),
    )
    const full = await startPlan({ mode: 'complete', lines })
    expect((await full.settled()).status).toBe('done')
    expect(full.of('4').filter(({ prompt }) => prompt.includes('### What you wrote before'))).toHaveLength(3)
    const light = await startPlan({ mode: 'complete', lines, plan: { mpa: { deliberation: { variant: 'light' } } } })
    expect((await light.settled()).status).toBe('done')
    expect(light.of('4').filter(({ prompt }) => prompt.includes('### What you wrote before'))).toEqual([])
  })

  it('[ST5] round_1_tokens bounds what the coordinator reads of long drafts', async () => {
    const draft = `## Approach\n\n${'Rows are read one by one. '.repeat(200)}`
    const lines = ['minimal', 'clean', 'pragmatic'].map((side) =>
      part('4', `software-architect-${side}`, { reply: view(draft) }),
    )
    const plan = await startPlan({
      mode: 'advanced',
      lines,
      plan: { mpa: { deliberation: { round_1_tokens: 300 } } },
    })
    expect((await plan.settled()).status).toBe('done')
    const gaps = plan.of('4').find(({ prompt }) => prompt.includes('where they contradict each other'))!
    expect(gaps.prompt).toContain('### software-architect-clean\n## Approach\n\nRows are read one by one.')
    expect(gaps.prompt.length).toBeLessThan(draft.length)
  })

  it('[PH1] pairs[].shared_input other than the files in force is refused with the reason', async () => {
    const pairs = [{ phases: ['8', '8b'], shared_input: ['design.md'] }]
    const folder = planFolder({ plan: { orchestrator: { parallel_dispatch: { pairs } } } })
    const refused = await convene(folder, 'plan', 'x')
    expect(refused.code).toBe(2)
    expect(refused.report.error).toMatchObject({
      path: expect.stringContaining('plan.orchestrator.parallel_dispatch.pairs'),
      expected: expect.stringContaining('test-plan.md'),
    })
  })
})
