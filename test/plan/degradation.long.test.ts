/**
 * What a plan does when something is missing, by strategy. Every loss is reported: in the flags, in the artefact, in
 * the log and over HTTP.
 */
import { describe, expect, it } from 'vitest'
import {
  as,
  type Line,
  part,
  planFiles,
  restart,
  type ServedPlan,
  scored,
  startPlan,
  synthesis,
  view,
  vote,
} from './project.ts'

const dead = { fail: 'unavailable' } as const
const perspectives = { mode: 'advanced' as const }
const fullVariant = { mpa: { deliberation: { variant: 'full' } } }
const done = (plan: ServedPlan) => plan.settled().then((report) => expect(report.status, report.reason).toBe('done'))
const flagsOf = (plan: ServedPlan, phase: Parameters<ServedPlan['files']['summary']>[0]) =>
  plan.files.summary(phase).flags
const rounds = (plan: ServedPlan, phase: string) =>
  plan.of(phase).map(({ agent, kind, round }) => `${kind} ${agent} ${round}`)

describe('two rounds (S1)', () => {
  it('[ST5] if one agent fails in the second round, its first draft stands in, degraded', async () => {
    const plan = await startPlan({
      ...perspectives,
      plan: fullVariant,
      lines: [part('4', 'software-architect-clean', dead, 2)],
    })
    await done(plan)
    expect(flagsOf(plan, '4')).toEqual(expect.arrayContaining(['degraded', 'round_two_incomplete']))
    const joined = plan.of('4').find(({ prompt }) => prompt.includes(synthesis))!
    for (const role of ['minimal', 'clean', 'pragmatic'])
      expect(joined.prompt).toContain(`### software-architect-${role}\n`)
    expect((await plan.view()).degraded).toBe(true)
    expect(await plan.phase('4')).toMatchObject({
      state: 'degraded',
      missing: [{ round: 2, role: 'software-architect-clean' }],
    })
  })

  it('[ST5] [CB1] if the second round fails twice, the coordinator writes the contradictions, now and in later phases', async () => {
    const lines = ['4', '7'].map(
      (phase): Line => ({
        when: { ask: 'phase', phase, round: 2, contains: 'What you wrote before' },
        repeat: true,
        ...dead,
      }),
    )
    const plan = await startPlan({ ...perspectives, plan: fullVariant, lines })
    await done(plan)
    expect((await plan.events('breaker.tripped')).map(({ data }) => data)).toEqual([
      expect.objectContaining({ context: 'deliberation_round_2', failures: 2, action: 'light_deliberation' }),
    ])
    expect(plan.of('7').filter(({ prompt }) => prompt.includes('where they contradict each other'))).toHaveLength(1)
    expect(plan.of('4').filter(({ prompt }) => prompt.includes('where they contradict each other'))).toHaveLength(0)
  })

  it('[ST5] falls back to light if the first drafts are too long together', async () => {
    const long = 'word '.repeat(4000)
    const plan = await startPlan({
      ...perspectives,
      plan: fullVariant,
      lines: [part('4', 'software-architect-clean', { reply: view(`I agree. ${long}`) }, 1)],
    })
    await done(plan)
    expect(flagsOf(plan, '4')).toContain('deliberation_fell_back_to_light')
    expect(flagsOf(plan, '4')).not.toContain('degraded')
    expect(rounds(plan, '4').filter((one) => one.endsWith(' 2'))).toEqual(['phase lead 2'])
    expect(rounds(plan, '7').filter((one) => one.endsWith(' 2'))).toHaveLength(3)
  })

  it('[ST5] shares longer drafts in full if the setting allows it', async () => {
    const long = 'word '.repeat(4000)
    const plan = await startPlan({
      ...perspectives,
      plan: { mpa: { deliberation: { variant: 'full', round_1_tokens: 50_000 } } },
      lines: [part('4', 'software-architect-clean', { reply: view(`I agree. ${long}`) }, 1)],
    })
    await done(plan)
    expect(flagsOf(plan, '4')).not.toContain('deliberation_fell_back_to_light')
    expect(rounds(plan, '4').filter((one) => one.endsWith(' 2'))).toHaveLength(3)
  })

  it('[ST5] with the second round on and two of three agents gone, keeps the remaining one', async () => {
    const plan = await startPlan({
      ...perspectives,
      plan: fullVariant,
      lines: ['clean', 'minimal'].map((side) => part('4', `software-architect-${side}`, dead)),
    })
    await done(plan)
    expect(plan.files.summary('4')).toMatchObject({ answered: '1 of 3', flags: expect.arrayContaining(['degraded']) })
    const joined = plan.of('4').find(({ prompt }) => prompt.includes(synthesis))!
    expect(joined.prompt).toContain('### software-architect-pragmatic\n')
  })

  it('[ST4] settings changed while the plan was stopped apply to phases that had not begun', async () => {
    const plan = await startPlan({
      ...perspectives,
      lines: [{ when: { ask: 'phase', phase: '5' }, reply: {}, after_ms: 60_000 }],
    })
    await untilAsked(plan, '5')
    await plan.served.app.plans.stop(plan.id)
    expect(plan.of('4').filter(({ round }) => round === 2)).toHaveLength(1) // light
    const files = planFiles({ plan: fullVariant })
    const again = await restart(plan, { 'convene.yaml': files['convene.yaml']!, 'script.yaml': files['script.yaml']! })
    await again.served.app.engine.resume(plan.id)
    await done(again)
    expect(again.of('4')).toEqual([])
    expect(again.of('7').filter(({ round }) => round === 2)).toHaveLength(3) // full
    expect((await again.events('phase.finished')).filter(({ data }) => data.phase === '4')).toHaveLength(1)
  })
})

describe('convergence (S2)', () => {
  it('[CV6] reports a second round that fails for all: compares the first drafts and names the missing agents', async () => {
    const lines: Line[] = [{ when: { ask: 'phase', phase: '4', round: 2 }, repeat: true, ...dead }]
    const plan = await startPlan({ ...perspectives, plan: fullVariant, lines })
    await done(plan)
    const [measured] = (await plan.phase('4')).convergence
    expect(measured).toMatchObject({ round: 1, answered: 3, expected: 3, missing: [] })
    const roles = ['minimal', 'clean', 'pragmatic'].map((side) => `software-architect-${side}`)
    expect(plan.files.read('design.md')).toContain(`_3 of 3 answered; missing from round 2: ${roles.join(', ')}._`)
    expect(plan.files.summary('4').missing).toEqual(roles.map((role) => `${role} (round 2)`))
  })

  it('[CV6] names missing agents wherever the plan reports convergence, down to its issues', async () => {
    const plan = await startPlan({ lines: [part('2', 'researcher-risk', dead)] })
    await done(plan)
    const words = '2 of 3 answered; missing: researcher-risk'
    expect(plan.files.read('research.md')).toContain(`_${words}._`)
    expect((await plan.phase('2')).convergence[0]).toMatchObject({
      answered: 2,
      expected: 3,
      missing: ['researcher-risk'],
    })
    expect(plan.files.read('tasks.md')).toContain(`- phase 2 (research): ${words}; degraded`)
    const listed = JSON.parse(plan.files.read('issues.json'))
    expect(listed.degraded).toEqual([expect.stringContaining(`phase 2 (research): ${words}`)])
  })

  it('[CV4] all outputs empty: not measured, degraded, and nobody counts as having answered', async () => {
    const plan = await startPlan({
      lines: [
        {
          when: { ask: 'phase', phase: '4', contains: synthesis },
          repeat: true,
          reply: { artefact: '```mermaid\ngraph LR\n```' },
        },
        { when: { ask: 'phase', phase: '4' }, repeat: true, reply: { output: '  ' } },
      ],
    })
    await done(plan)
    expect(await plan.phase('4')).toMatchObject({
      state: 'degraded',
      convergence: [{ verdict: null, skipped: expect.any(String) }],
    })
    expect(plan.files.summary('4')).toMatchObject({ answered: '0 of 3' })
    expect(plan.files.read('design.md')).toContain('Agreement was not measured')
    expect(plan.files.read('design.md')).toMatch(/_0 of 3 answered; missing: (software-architect-\w+(, )?){3}\._/)
  })

  it('[CV4] one output: not measured, and not agreement', async () => {
    const plan = await startPlan({
      lines: ['clean', 'minimal'].map((side) => part('4', `software-architect-${side}`, dead)),
    })
    await done(plan)
    expect((await plan.phase('4')).convergence).toEqual([
      expect.objectContaining({ verdict: null, skipped: expect.any(String) }),
    ])
    const missing = ['software-architect-minimal', 'software-architect-clean']
    for (const file of ['design.md', 'plan.md'])
      expect(plan.files.read(file)).toContain(`_1 of 3 answered; missing: ${missing.join(', ')}.`)
    expect(plan.files.summary('4').missing).toEqual(missing)
  })

  it('[CV1] if no agent mentions the others, gives no ratio, and stability alone decides', async () => {
    const plan = await startPlan({
      lines: [
        { when: { ask: 'phase', phase: '4', contains: synthesis }, repeat: true, reply: { artefact: 'x' } },
        { when: { ask: 'phase', phase: '4' }, repeat: true, reply: { output: 'Take the small table.' } },
      ],
    })
    await done(plan)
    expect((await plan.phase('4')).convergence[0]).toMatchObject({ agreement_ratio: null, stability: 1 })
    expect(plan.files.read('design.md')).toContain('Agreement: **high**, by how alike their texts are.')
  })

  it('[CV3] on disagreement the orchestrator asks a person, and the answer is a decision', async () => {
    const choices = { minimal: 'files', clean: 'a database', pragmatic: 'a queue' }
    const lines = Object.entries(choices).map(([side, choice]) =>
      part('4', `software-architect-${side}`, {
        reply: view(`However, I reject the rest: ${choice} instead.`, choice, 'Where data lies'),
      }),
    )
    const plan = await startPlan({ lines })
    const { status, questions } = await plan.settled()
    expect(status).toBe('waiting')
    expect(questions).toEqual([
      expect.objectContaining({
        text: 'The agents disagree on: Where data lies',
        context: expect.objectContaining({
          detail: expect.stringMatching(/^- [^\n]+ \(software-architect-\w+\)\n- .+\n- /),
        }),
        choices: [...Object.values(choices), 'let the coordinator decide'].sort(sortAs(questions![0]!.choices!)),
      }),
    ])
    expect(plan.files.summary('4')).toMatchObject({ status: 'needs-user-input', block_reason: questions![0]!.text })
    expect((await plan.phase('4')).state).toBe('question')
    await plan.answer(questions![0]!, 'a queue')
    await done(plan)
    expect(plan.of('4').at(-1)!.prompt).toContain('The person has decided:\n- Where data lies → a queue')
    expect(plan.files.summary('4').key_decisions).toContainEqual(
      expect.objectContaining({
        id: 'P4-1',
        confidence: 'HIGH',
        ask: questions![0]!.id,
        decision: 'Where data lies: a queue',
      }),
    )
    expect(plan.files.read('design.md')).toMatch(/\| disagreed \| position \| held by \|/)
  })
})

describe('strategies (S3)', () => {
  it('[ST4] with deliberation off, perspectives runs as quick', async () => {
    const plan = await startPlan({ ...perspectives, plan: { feature_flags: { s7_mpa_deliberation: false } } })
    await done(plan)
    expect(rounds(plan, '4')).toEqual([...quickRounds, 'phase lead 0'])
    expect(plan.files.summary('4').strategy).toBe('quick')
  })

  it('[ST4] with convergence off, which multi-strategy requires, runs the second round and does not measure agreement', async () => {
    const plan = await startPlan({
      ...perspectives,
      plan: {
        ...fullVariant,
        feature_flags: {
          s8_convergence_detection: false,
          s9_multi_strategy: { enabled: true, requires: ['s7_mpa_deliberation'] },
        },
      },
    })
    await done(plan)
    expect(rounds(plan, '4').filter((one) => one.endsWith(' 2'))).toHaveLength(3)
    expect((await plan.phase('4')).convergence).toEqual([])
    expect(plan.files.read('design.md')).not.toContain('Agreement')
  })

  it('[ST1] if the challenger fails, the proposal stands alone, degraded', async () => {
    const plan = await startPlan({
      mode: 'complete',
      lines: [{ when: { ask: 'review', phase: '7' }, repeat: true, ...dead }],
    })
    await done(plan)
    expect(plan.files.summary('7')).toMatchObject({
      strategy: 'red_team',
      answered: '1 of 3',
      flags: expect.arrayContaining(['degraded', 'debate_incomplete']),
    })
    expect(plan.of('7').map(({ kind }) => kind)).toEqual(['phase', 'review', 'phase'])
    expect(plan.files.read('test-plan.md')).toContain(
      '_1 of 3 answered; missing: qa-security, qa-strategist (defence)._',
    )
  })

  it('[ST1] keeps a challenge in prose, with the ratings it names, and flags it', async () => {
    const words = 'This has flaws: CRITICAL no test of who may export.'
    const lines: Line[] = [{ when: { ask: 'review', phase: '7' }, repeat: true, text: words }]
    const plan = await startPlan({ mode: 'complete', lines })
    await done(plan)
    expect(flagsOf(plan, '7')).toContain('unstructured_challenge')
    const [, challenge] = plan.files.read('test-plan.md').split('## Challenge\n')
    expect(challenge).toContain('names CRITICAL')
    expect(challenge).toContain(`> ${words}`)
  })

  it('[CB1] [ST1] after two failed debates the next one runs as quick', async () => {
    const lines: Line[] = [
      { when: { ask: 'review', phase: '4' }, repeat: true, ...dead },
      part('6b', 'security-analyst', dead),
    ]
    const plan = await startPlan({ mode: 'complete', goal: 'Add oauth and encryption to payments', lines })
    await done(plan)
    expect((await plan.events('breaker.tripped')).map(({ data }) => data.action)).toEqual(['quick_strategy'])
    expect(flagsOf(plan, '7')).toEqual(expect.arrayContaining(['degraded', 'red_team_given_up']))
    expect(plan.of('7').map(({ kind }) => kind)).toEqual(['phase', 'phase', 'phase', 'phase'])
  })

  it('[ST4] with multi-strategy off every phase runs as quick, whatever the signals', async () => {
    const plan = await startPlan({
      mode: 'complete',
      goal: 'Add oauth and encryption',
      plan: { feature_flags: { s9_multi_strategy: false } },
    })
    await done(plan)
    for (const phase of ['2', '4', '6b', '7'] as const) expect((await plan.phase(phase)).strategy).toBe('quick')
    expect(plan.files.summary('4').strategy_override).toBeNull()
  })

  it('[ST3] signals from research: security words lead to a debate, a small change does not', async () => {
    const secure = await startPlan({ mode: 'advanced', goal: 'Add oauth and encryption to the export' })
    await done(secure)
    expect(secure.files.summary('4')).toMatchObject({
      strategy: 'red_team',
      strategy_override: expect.stringContaining('security words'),
    })
    expect(secure.of('4').map(({ kind }) => kind)).toEqual(['phase', 'review', 'defend', 'phase'])
    expect(secure.files.read('design.md')).toContain('## Challenge\n\n- **MINOR** A name: could be shorter')
    const small = await startPlan({
      mode: 'advanced',
      lines: [
        { when: { ask: 'phase', phase: '2', contains: synthesis }, reply: { artefact: 'x', files_affected: ['a.js'] } },
      ],
    })
    await done(small)
    expect(small.files.summary('4')).toMatchObject({
      strategy: 'quick',
      strategy_override: expect.stringContaining('1 file affected'),
    })
  })
})

describe('parallel phases (S4)', () => {
  const beside = { feature_flags: { s11_parallel_dispatch: true } }

  it('[PH1] runs both at once, and the summaries say that the pair is complete', async () => {
    const plan = await startPlan({ ...perspectives, plan: beside })
    await done(plan)
    for (const phase of ['8', '8b'] as const) {
      expect(plan.files.summary(phase)).toMatchObject({ flags: [], parallel_pairs_completed: [['8', '8b']] })
      expect((await plan.phase(phase)).cost.asks).toBe(phase === '8' ? 3 : 1)
    }
    const [first, second] = (await plan.events('phase.started')).filter(
      ({ data }) => data.phase === '8' || data.phase === '8b',
    )
    expect([first!.run, second!.run]).toEqual([`${plan.id}/phase-8.1`, `${plan.id}/phase-8b.1`])
    expect((await plan.view()).degraded).toBe(false)
  })

  it('[CB1] if one fails, keeps the other and runs the failed one again alone', async () => {
    const plan = await startPlan({
      ...perspectives,
      plan: beside,
      lines: [{ when: { ask: 'phase', phase: '8b' }, ...dead }],
    })
    await done(plan)
    expect(plan.of('8')).toHaveLength(3)
    expect(plan.of('8b')).toHaveLength(2)
    expect(plan.files.summary('8')).toMatchObject({ flags: [], parallel_pairs_completed: [] })
    expect(flagsOf(plan, '8b')).toEqual(['degraded', 'run_again_alone'])
    expect((await plan.events('breaker.tripped')).map(({ data }) => data)).toEqual([
      expect.objectContaining({ context: 'parallel_dispatch', failures: 1, action: 'one_after_the_other' }),
    ])
    expect(await plan.report()).toMatchObject({ degraded: true })
  })

  it('[CB1] if both fail, runs each again alone, and asks a person if that fails too', async () => {
    const lines: Line[] = [
      ...[1, 2, 3].map((): Line => ({ when: { ask: 'review', phase: '8' }, ...dead })),
      ...[1, 2, 3].map((): Line => ({ when: { ask: 'phase', phase: '8b' }, ...dead })),
    ]
    const plan = await startPlan({ ...perspectives, plan: beside, lines })
    const { status, questions } = await plan.settled()
    expect([status, questions?.map(({ text }) => text)]).toEqual([
      'waiting',
      [expect.stringContaining('The coordinator of phase 8b failed')],
    ])
    expect(plan.files.summary('8')).toMatchObject({ outcome: 'GREEN', flags: ['degraded', 'run_again_alone'] })
    await plan.answer(questions![0]!, 'go on without')
    await done(plan)
    expect(plan.files.read('assets.md')).toContain('No assets were listed')
    expect(flagsOf(plan, '8b')).toEqual(expect.arrayContaining(['degraded', 'assets_missing']))
  })

  it('[ST4] turned on after phase 8: 8b runs alone, as before', async () => {
    const plan = await startPlan({
      ...perspectives,
      lines: [{ when: { ask: 'phase', phase: '8b' }, reply: {}, after_ms: 60_000 }],
    })
    await untilAsked(plan, '8b')
    await plan.served.app.plans.stop(plan.id)
    const again = await restart(plan, planFiles({ plan: beside }))
    await again.served.app.engine.resume(plan.id)
    await done(again)
    expect(again.of('8')).toEqual([])
    expect(again.files.summary('8b')).toMatchObject({ flags: [], parallel_pairs_completed: [] })
    expect((await again.events('phase.started')).filter(({ data }) => data.phase === '8b')).toHaveLength(1)
  })

  it('[ST4] turned on before phase 8 begins: both run at once', async () => {
    const plan = await startPlan({
      ...perspectives,
      lines: [{ when: { ask: 'phase', phase: '7' }, reply: {}, after_ms: 60_000 }],
    })
    await untilAsked(plan, '7')
    await plan.served.app.plans.stop(plan.id)
    const again = await restart(
      plan,
      planFiles({ plan: { ...beside, feature_flags: { ...beside.feature_flags, a4_expert_review: false } } }),
    )
    await again.served.app.engine.resume(plan.id)
    await done(again)
    expect(again.files.summary('8').parallel_pairs_completed).toEqual([['8', '8b']])
    expect(again.files.has('review.md')).toBe(true) // completed phases stay
  })
})

describe('presets (S5)', () => {
  it('[ST7] a preset that names an unknown agent becomes balanced, with a visible warning', async () => {
    const preset = { phase_4_agents: ['wizard'], phase_7_agents: ['qa-strategist'], phase_6b_agents: [] }
    const plan = await startPlan({ preset: 'odd', plan: { mpa: { team_presets: { odd: preset } } } })
    await done(plan)
    const shown = await plan.view()
    expect(shown).toMatchObject({ preset: 'balanced', warnings: [expect.stringContaining('wizard')] })
    expect(plan.files.summary('1')).toMatchObject({ preset: 'balanced', flags: ['preset_fell_back'] })
    expect(plan.files.read('spec.md')).toContain('wizard')
    const { body } = await plan.served.call('GET', '/api/plans')
    expect(body).toMatchObject({
      preset: 'balanced',
      presets: [{ name: 'balanced' }, { name: 'rapid_prototype' }, { name: 'odd' }],
    })
  })

  it('[ST7] rapid_prototype without reviewers while the review is on uses those of balanced', async () => {
    const plan = await startPlan({ preset: 'rapid_prototype' })
    await done(plan)
    expect((await plan.phase('6b')).cast).toEqual(['security-analyst', 'simplicity-reviewer'])
    expect((await plan.phase('4')).cast).toEqual(['software-architect-pragmatic'])
    const without = await startPlan({ preset: 'rapid_prototype', plan: { feature_flags: { a4_expert_review: false } } })
    await done(without)
    expect((await without.view()).phases.map(({ id }) => id)).not.toContain('6b')
  })

  it('[ST7] an unknown preset becomes balanced, with a warning', async () => {
    const plan = await startPlan({ preset: 'security_focused' })
    await done(plan)
    expect(await plan.view()).toMatchObject({
      preset: 'balanced',
      warnings: [expect.stringContaining('security_focused')],
    })
  })

  it('[ST1] a single agent runs quick where a debate was planned, flagged', async () => {
    const plan = await startPlan({ mode: 'complete', preset: 'rapid_prototype' })
    await done(plan)
    for (const phase of ['4', '7'] as const) expect(flagsOf(plan, phase)).toContain('single_agent_plays_quick')
  })
})

describe('context (S6)', () => {
  it('[CX2] reads a summary without the fields as empty', async () => {
    const plan = await startPlan({
      ...perspectives,
      lines: [{ when: { ask: 'phase', phase: '5' }, reply: {}, after_ms: 60_000 }],
    })
    await untilAsked(plan, '5')
    await plan.served.app.plans.stop(plan.id)
    plan.files.write('.phase-summaries/phase-4-summary.md', '---\nphase: 4\nstatus: completed\n---\n\nBy hand.\n')
    const again = await restart(plan, planFiles())
    await again.served.app.engine.resume(plan.id)
    await done(again)
    expect(again.of('6')[0]!.system).toContain('By hand.')
    const [, context] = again.of('6')[0]!.system.split('## Accumulated context')
    expect(context).not.toContain('D4-1')
    expect(context).toContain('D2-1')
  })

  it('[CX2] over the budget, cuts the oldest phase first, and the phase reports the cut', async () => {
    const lines = ['2', '4', '7', '8b'].map(
      (phase): Line => ({
        when: { ask: 'phase', phase, contains: synthesis },
        reply: { artefact: 'x', key_decisions: [{ decision: `A detail of phase ${phase}`, confidence: 'LOW' }] },
      }),
    )
    const plan = await startPlan({
      ...perspectives,
      plan: { state: { context_protocol: { decision_propagation: { max_accumulated_tokens: 60 } } } },
      lines,
    })
    await done(plan)
    const [, context] = plan.of('9')[0]!.system.split('## Accumulated context')
    expect(context).toContain('D8b-1')
    expect(context).not.toContain('D2-1')
    expect(flagsOf(plan, '9')).toContain('context_cut')
    expect(flagsOf(plan, '2')).not.toContain('context_cut')
  })

  it('[CX1] with the protocol off carries no summaries, and keeps the four sections', async () => {
    const plan = await startPlan({ plan: { feature_flags: { a6_context_protocol: false } } })
    await done(plan)
    for (const { system, prompt } of plan.asked) {
      expect(system).toContain('## Original request\nTurn a file into a report')
      expect(system).toContain('## Accumulated context\nNothing has been decided yet.')
      expect(prompt).toMatch(/^## Current task\n/)
      expect(prompt).toContain('## Acceptance criteria\n- ')
    }
  })

  it('[CX2] does not carry on a decision that contradicts a settled one, and the artefact says so', async () => {
    const against = {
      artefact: 'x',
      key_decisions: [{ id: 'D7-1', decision: 'Writing comes first', confidence: 'HIGH', contradicts: ['D4-1'] }],
    }
    const plan = await startPlan({
      lines: [{ when: { ask: 'phase', phase: '7', contains: synthesis }, reply: against }],
    })
    await done(plan)
    expect(flagsOf(plan, '7')).toContain('contradicts_settled_decision')
    expect(plan.files.read('test-plan.md')).toContain(
      '**D7-1** (Writing comes first) contradicts **D4-1** of phase 4, which stands.',
    )
    // A later phase that reads the artefact also reads that this decision does not stand.
    const [read, context] = plan.of('9')[0]!.system.split('## Accumulated context')
    expect(read!.match(/Writing comes first.*/g)).toEqual([
      'Writing comes first) contradicts **D4-1** of phase 4, which stands.',
    ])
    expect(context).not.toContain('Writing comes first')
  })
})

describe('the specify gate (S8)', () => {
  const vague: Line = {
    when: { ask: 'phase', phase: '3' },
    repeat: true,
    reply: scored({ value: 1, scope: 0, acceptance: 1 }),
  }

  it('[SG2] [CB1] after three rounds of questions without clarity, continues with a warning and stricter later phases', async () => {
    const plan = await startPlan({ ...perspectives, lines: [vague] })
    const seen: string[][] = []
    for (let report = await plan.settled(); report.status === 'waiting'; report = await plan.settled()) {
      seen.push(report.questions!.map(({ text }) => text))
      for (const question of report.questions!) await plan.answer(question, `answer ${seen.length}`)
    }
    await done(plan)
    expect(seen.map((round) => round.length)).toEqual([3, 2, 2])
    expect(new Set(seen.flat()).size).toBe(7)
    expect(plan.files.summary('3')).toMatchObject({ specify_score: 6, status: 'completed' })
    expect(flagsOf(plan, '3')).toEqual(['specify_not_passed'])
    expect((await plan.events('breaker.tripped')).map(({ data }) => data.context)).toEqual(['specify_gate'])
    expect((await plan.view()).specify.map(({ score, passed, progress }) => [score, passed, progress])).toEqual([
      [6, false, undefined],
      [6, false, 'no change, still 6/10'],
      [6, false, 'no change, still 6/10'],
      [6, false, 'no change, still 6/10'],
    ])
    expect(plan.files.read('clarification.md').match(/\?\*\* answer [123]/g)).toHaveLength(7)
    const all = [1, 1, 1, 2, 2, 3, 3].map((round) => `answer ${round}`)
    expect(plan.files.read('spec.md').match(/answer [123]/g)).toEqual(all)
    const said = plan.files.summary('3').key_decisions
    expect(said.map(({ answer }) => answer)).toEqual(all)
    expect(plan.of('4')[0]!.system).toContain('answer 3')
  })

  it('[SG2] a very low score makes later phases use at least perspectives', async () => {
    const plan = await startPlan({
      ...perspectives,
      yes: true,
      plan: { mpa: { strategy_per_phase: { phase_7: { advanced: 'quick' } } } },
      lines: [
        { when: { ask: 'phase', phase: '3' }, repeat: true, reply: scored({ value: 0, scope: 0, acceptance: 1 }) },
      ],
    })
    await done(plan)
    expect(flagsOf(plan, '3')).toEqual(['specify_not_passed', 'low_specify_score'])
    expect(plan.files.summary('7')).toMatchObject({
      strategy: 'perspectives',
      strategy_override: expect.stringContaining('specify score 5'),
    })
  })

  it('[SG2] helpful answers show as progress, reach the specification, and leave no warning', async () => {
    const lines: Line[] = [
      { when: { ask: 'phase', phase: '3', round: 1 }, reply: scored({ scope: 0, value: 1 }) },
      { when: { ask: 'phase', phase: '3', round: 2, contains: 'only lines' }, reply: scored({ value: 1 }) },
    ]
    const plan = await startPlan({ lines })
    expect((await plan.answering({ '': 'only lines' })).status).toBe('done')
    expect(flagsOf(plan, '3')).toEqual([])
    expect((await plan.view()).specify.at(-1)).toMatchObject({ progress: 'scope 0 → 2, now 9/10', passed: true })
    expect(plan.files.read('clarification.md')).toContain('scope 0 → 2, now 9/10')
    expect(plan.files.read('spec.md')).toMatch(/## Clarified\n\n- \*\*.*\?\*\* only lines/)
    expect(plan.files.summary('3').key_decisions).toHaveLength(3)
  })

  it('[SG3] rapid mode: a score for information, no question', async () => {
    const plan = await startPlan({ mode: 'rapid', lines: [vague] })
    await done(plan)
    expect(plan.of('3')).toHaveLength(1)
    expect(plan.files.summary('3')).toMatchObject({ specify_score: 6, flags: [] })
  })

  it('[SG3] with degraded research a score of 6 is enough', async () => {
    const plan = await startPlan({ lines: [vague, part('2', 'researcher-risk', dead)] })
    await done(plan)
    expect(plan.files.summary('2')).toMatchObject({
      answered: '2 of 3',
      flags: expect.arrayContaining(['degraded', 'research_degraded']),
    })
    expect((await plan.view()).specify).toEqual([expect.objectContaining({ score: 6, threshold: 6, passed: true })])
    const nowhere = await startPlan({ lines: [vague], repository: false })
    await done(nowhere)
    expect(flagsOf(nowhere, '2')).toEqual(['research_degraded'])
    expect(flagsOf(nowhere, '3')).toEqual(['threshold_relaxed'])
    expect(nowhere.files.read('clarification.md')).toContain(
      '8 is the usual threshold, 6 applies because research is degraded',
    )
  })

  it('[SG2] with the gate off nothing is asked', async () => {
    for (const off of [{ specify_gate: { enabled: false } }, { feature_flags: { s12_specify_gate: false } }]) {
      const plan = await startPlan({ lines: [vague], plan: off })
      await done(plan)
      expect(await plan.events('question.asked')).toEqual([])
    }
  })
})

describe('the expert review (S9)', () => {
  const critical = { severity: 'CRITICAL', confidence: 95, title: 'Leaks', detail: 'rows of others are shown' }
  const finds = (role: string, ...findings: unknown[]): Line => part('6b', role, { reply: { findings } })

  it('[RV1] findings without a confidence count as 80; those below the threshold are kept as advice', async () => {
    const plan = await startPlan({
      lines: [
        finds(
          'security-analyst',
          { severity: 'major', title: 'Unsure how' },
          { severity: 'CRITICAL', confidence: 79, title: 'A hunch' },
        ),
        finds('simplicity-reviewer'),
      ],
    })
    await done(plan)
    const [decided] = (await plan.view()).reviews
    expect(decided).toMatchObject({
      outcome: 'pass_with_risk',
      carried: [{ title: 'Unsure how' }],
      advisory: [{ title: 'A hunch' }],
    })
    expect(plan.files.summary('6b').risks_identified).toEqual([
      expect.objectContaining({ id: 'R6b-1', severity: 'MAJOR' }),
    ])
    expect(plan.files.read('tasks.md')).toMatch(
      /## Risks carried\n[\s\S]*\*\*R6b-1\*\* \(phase 6b, MAJOR\): Unsure how/,
    )
    expect(plan.files.read('review.md')).toContain('A hunch')
    const outputs = (await plan.phase('6b')).outputs.map(({ role, excerpt }) => `${role}: ${excerpt}`)
    expect(outputs).toEqual([
      expect.stringContaining('security-analyst: - Unsure how'),
      'simplicity-reviewer: Nothing was found.',
    ])
  })

  it('[RV2] tri_state in the configuration sets how many findings pass', async () => {
    const tri_state = { pass_with_risk: { max_critical: 1 } }
    const plan = await startPlan({
      lines: [finds('security-analyst', critical), finds('simplicity-reviewer')],
      plan: { expert_review: { tri_state } },
    })
    await done(plan)
    expect((await plan.view()).reviews[0]).toMatchObject({ outcome: 'pass_with_risk', carried: [{ title: 'Leaks' }] })
  })

  it('[RV3] if one reviewer fails, the outcome rests on the other, degraded, and reads 1 of 2 everywhere', async () => {
    const plan = await startPlan({ lines: [part('6b', 'security-analyst', dead)] })
    await done(plan)
    expect((await plan.view()).reviews[0]).toMatchObject({ outcome: 'pass', degraded: true, answered: 1, reviewers: 2 })
    expect(plan.files.read('review.md')).toContain('(1 of 2 reviewers answered; missing: security-analyst)')
    expect(plan.files.summary('6b')).toMatchObject({ answered: '1 of 2', flags: ['degraded'] })
    expect((await plan.phase('6b')).state).toBe('degraded')
    expect((await plan.events('plan.finished'))[0]!.data).toMatchObject({ degraded: true })
  })

  it('[RV3] [CB1] if no reviewer answers there is no outcome, and a person decides whether the plan continues', async () => {
    const plan = await startPlan({ lines: [{ when: { phase: '6b' }, repeat: true, ...dead }] })
    const { status, questions } = await plan.settled()
    expect(status).toBe('waiting')
    expect(questions![0]).toMatchObject({
      text: expect.stringContaining('None of the expert reviewers'),
      choices: ['retry', 'go on without'],
    })
    expect(plan.of('6b')).toHaveLength(4)
    await plan.answer(questions![0]!, 'go on without')
    await done(plan)
    expect(plan.files.summary('6b')).toMatchObject({ status: 'skipped', outcome: null, answered: '0 of 2' })
    expect(flagsOf(plan, '6b')).toEqual(expect.arrayContaining(['degraded', 'review_skipped']))
    expect((await plan.view()).reviews).toEqual([])
  })

  it('[PH1] rapid mode has no expert review', async () => {
    const plan = await startPlan({ mode: 'rapid' })
    await done(plan)
    expect(plan.files.has('review.md')).toBe(false)
    expect((await plan.view()).phases.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '7', '9'])
  })

  it('[RV3] an override is recorded permanently and carried as a risk', async () => {
    const plan = await startPlan({ lines: [finds('security-analyst', critical)] })
    const { questions } = await plan.settled()
    expect(questions![0]).toMatchObject({ choices: ['redesign', 'override', 'more context'] })
    await plan.answer(questions![0]!, 'override')
    await done(plan)
    expect((await plan.view()).reviews[0]).toMatchObject({
      outcome: 'pass_with_risk',
      blocking: [],
      overridden: [{ title: 'Leaks' }],
    })
    expect(plan.files.read('review.md')).toMatch(/## Overridden\n\n- Leaks/)
    expect(plan.files.summary('6b')).toMatchObject({ outcome: 'pass_with_risk', flags: ['review_overridden'] })
    expect(plan.files.summary('6b').key_decisions).toEqual([
      expect.objectContaining({ id: 'D6b-1', confidence: 'HIGH' }),
    ])
    expect(plan.files.read('tasks.md')).toContain('Leaks')
  })

  it('[RV3] with more context the reviewers review again and see it; then a person has to decide', async () => {
    const plan = await startPlan({ lines: [finds('security-analyst', critical)] })
    await plan.answer((await plan.settled()).questions![0]!, 'more context')
    const [asked] = (await plan.settled()).questions!
    expect(asked!.text).toContain('What should the expert reviewers know')
    await plan.answer(asked!, 'the rows are public')
    const [again] = (await plan.settled()).questions!
    expect(again).toMatchObject({ choices: ['override', 'redesign'] })
    expect(
      plan
        .of('6b')
        .slice(2)
        .every(({ prompt }) => prompt.includes('the rows are public')),
    ).toBe(true)
    await plan.answer(again!, 'override')
    await done(plan)
    expect((await plan.view()).reviews.map(({ iteration, action }) => [iteration, action])).toEqual([
      [1, 'ask'],
      [2, 'carry'],
    ])
  })

  it('[RV3] a redesign repeats phases 4 to 6b with the reason; the first design is archived and its decisions withdrawn', async () => {
    const found: Line = {
      when: { phase: '6b', contains: as('security-analyst'), attempt: 1 },
      reply: { findings: [critical] },
    }
    const plan = await startPlan({ lines: [found] })
    await plan.answer((await plan.settled()).questions![0]!, 'redesign')
    await done(plan)
    const designers = plan.of('4').filter(({ round }) => round === 1)
    expect(designers).toHaveLength(6)
    for (const { system, prompt } of designers.slice(3)) {
      expect(prompt).toContain('This is done again. The expert review asks for a redesign: Leaks')
      expect(system).toContain('## design.md, as it was sent back')
    }
    expect(plan.files.has('earlier/design-1.md')).toBe(true)
    const { decisions, returns, phases } = await plan.view()
    expect(returns).toEqual([expect.objectContaining({ from: '6b', to: '4', rerun: ['4', '6', '6b'] })])
    expect(
      decisions.filter(({ phase }) => phase === '4').map(({ decision, withdrawn }) => [decision.id, withdrawn]),
    ).toEqual([
      ['D4-1', true],
      ['D4.2-1', undefined],
    ])
    expect(phases.find(({ id }) => id === '4')!.pass).toBe(2)
    expect(plan.of('9')[0]!.system).toContain('D4.2-1')
    expect(plan.of('9')[0]!.system).not.toContain('D4-1 ')
  })

  it('[RV3] the answers file may ask for a redesign once; the second time a person is asked', async () => {
    const plan = await startPlan({
      lines: [finds('security-analyst', critical)],
      answers: [{ match: 'expert review', answer: 'redesign' }],
    })
    const { status, questions } = await plan.settled()
    expect([status, questions![0]!.choices]).toEqual(['waiting', ['override', 'redesign']])
    expect(await plan.events('plan.returned')).toHaveLength(1)
  })
})

describe('panels (PH4)', () => {
  it('[PH4] with a member missing, the score is that of the voters, degraded, 2 of 3', async () => {
    const plan = await startPlan({
      lines: [part('6', 'judge-sceptic', dead), part('6', 'judge-neutral', { reply: vote(7, 'no rollback') })],
    })
    await done(plan)
    expect((await plan.phase('6')).tally).toMatchObject({
      level: 'GREEN',
      answered: 2,
      members: 3,
      missing: ['judge-sceptic'],
    })
    expect(plan.files.read('validation.md')).toContain('2 of 3 answered; missing: judge-sceptic')
    expect(plan.files.read('validation.md')).toContain('| judge-neutral | 7/10 | no rollback |')
    expect(plan.files.summary('6')).toMatchObject({ answered: '2 of 3', flags: ['degraded'], outcome: 'GREEN' })
  })

  it('[PH4] [CB1] if nobody votes twice, reports that there is no score, and the plan continues', async () => {
    const plan = await startPlan({
      mode: 'complete',
      lines: [{ when: { ask: 'review', phase: '6' }, repeat: true, ...dead }],
    })
    await done(plan)
    expect(plan.of('6')).toHaveLength(6)
    expect(plan.files.summary('6')).toMatchObject({
      status: 'skipped',
      consensus_skipped: true,
      outcome: null,
      answered: '0 of 3',
    })
    expect((await plan.phase('6')).state).toBe('skipped')
    expect((await plan.phase('6')).tally).toMatchObject({ level: null })
    expect((await plan.events('breaker.tripped')).map(({ data }) => data.action)).toEqual(['skip_validation'])
    expect(await plan.report()).toMatchObject({ degraded: true })
  })

  it('[PH4] RED goes back twice and asks a person the third time; YELLOW continues, flagged', async () => {
    const red = (attempt: number): Line => ({
      when: { ask: 'review', phase: '6', attempt },
      repeat: true,
      reply: vote(3, 'it loses rows'),
    })
    const yellow: Line = { when: { ask: 'review', phase: '6', attempt: 4 }, repeat: true, reply: vote(7) }
    const plan = await startPlan({ lines: [red(1), red(2), red(3), yellow] })
    const { questions } = await plan.settled()
    expect(questions![0]).toMatchObject({
      choices: ['go on', 'once more', 'give up'],
      text: expect.stringContaining('still RED after going back to phase 4 2 times'),
    })
    expect((await plan.events('plan.returned')).map(({ data }) => [data.from, data.to])).toEqual([
      ['6', '4'],
      ['6', '4'],
    ])
    expect(plan.of('4').at(-1)!.prompt).toContain('judge-neutral: it loses rows')
    await plan.answer(questions![0]!, 'once more')
    await done(plan)
    expect(plan.files.summary('6')).toMatchObject({ outcome: 'YELLOW', flags: ['rubric_yellow'] })
    expect((await plan.phase('4')).pass).toBe(4)
  })

  it('[PH4] continuing despite RED is a decision with an id and an author, a carried risk, and a flag', async () => {
    const lines = [
      { when: { ask: 'review', phase: '6' }, repeat: true, reply: { points: 3, out_of: 10, reasons: 'it locks up' } },
    ]
    const plan = await startPlan({ lines })
    const { questions } = await plan.settled()
    expect(questions![0]!.text).toContain('it locks up')
    expect((await plan.events('plan.returned'))[0]!.data.reason).toContain('judge-sceptic: it locks up')
    await plan.answer(questions![0]!, 'go on')
    await done(plan)
    const decision = { id: 'P6.3-1', rationale: 'the person accepted the risk', ask: questions![0]!.id }
    expect(plan.files.summary('6')).toMatchObject({ outcome: 'RED', key_decisions: [decision] })
    expect(flagsOf(plan, '6')).toContain('red_overridden')
    const page = plan.files.read('validation.md')
    expect(page).toContain('RED was overridden')
    expect(page).toContain('**P6.3-1** (HIGH): Continue although the panel of phase 6 scored RED')
    expect(page).toContain('| judge-neutral | 3/10 |  | it locks up |')
    expect((await plan.view()).decisions.map(({ decision: { id } }) => id)).toContain('P6.3-1')
    expect(plan.files.read('tasks.md')).toContain('**R6.3-1** (phase 6, CRITICAL)')

    const alone = await startPlan({ lines, yes: true })
    await done(alone)
    expect(alone.files.summary('6').key_decisions[0]).toMatchObject({ rationale: 'assumed; nobody was asked' })
  })

  it('[PH4] giving up after RED fails the plan and keeps its files', async () => {
    const plan = await startPlan({ lines: [{ when: { ask: 'review', phase: '8' }, repeat: true, reply: vote(2) }] })
    expect(await plan.answering({ 'still RED': 'give up' })).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('given up'),
    })
    expect((await plan.phase('7')).pass).toBe(3)
    expect((await plan.phase('4')).pass).toBe(1)
    expect(plan.files.has('coverage.md')).toBe(true)
    expect(plan.files.has('tasks.md')).toBe(false)
  })

  it('[CB1] if deep thinking fails twice, skips it and says so', async () => {
    const plan = await startPlan({
      ...perspectives,
      lines: [{ when: { ask: 'phase', phase: '5' }, repeat: true, ...dead }],
    })
    await done(plan)
    expect(plan.of('5')).toHaveLength(2)
    expect(plan.files.summary('5')).toMatchObject({ status: 'skipped', flags: ['degraded', 'deep_thinking_skipped'] })
    expect(plan.files.read('deep-thinking.md')).toContain('skipped')
  })

  it('[CB1] if a coordinator fails twice, a person decides; without it the outputs stand side by side', async () => {
    const plan = await startPlan({
      lines: [{ when: { ask: 'phase', phase: '4', contains: synthesis }, repeat: true, ...dead }],
    })
    expect((await plan.answering({ 'coordinator of phase 4 failed': ['retry', 'go on without'] })).status).toBe('done')
    expect(plan.of('4').filter(({ agent }) => agent === 'lead')).toHaveLength(3)
    expect(flagsOf(plan, '4')).toEqual(expect.arrayContaining(['degraded', 'synthesis_missing']))
    expect(plan.files.read('design.md')).toContain('## software-architect-minimal')
  })

  it('[CB1] a coordinator that answers the second time leaves nothing degraded', async () => {
    const failing: Line = { when: { ask: 'phase', phase: '4', contains: synthesis }, ...dead }
    const plan = await startPlan({ lines: [failing, failing] })
    expect(await plan.answering({ 'coordinator of phase 4 failed': 'retry' })).toMatchObject({
      status: 'done',
      degraded: false,
    })
    expect(flagsOf(plan, '4')).toEqual([])
    expect((await plan.phase('4')).state).toBe('done')
  })

  it("[PH6] renumbers duplicate issue numbers, flagged, and moves a path that lies among Convene's files", async () => {
    const issue = { title: 'One', acceptance_criteria: [{ id: 'c', text: 'it works' }], risk: 0.1 + 0.2 }
    const issues = [
      { ...issue, number: 1, target_path: '.convene/x.ts' },
      { ...issue, number: 1 },
    ]
    const plan = await startPlan({
      mode: 'rapid',
      lines: [{ when: { ask: 'phase', phase: '9' }, repeat: true, reply: { issues } }],
    })
    await done(plan)
    expect(flagsOf(plan, '9')).toEqual(['numbers_mended', 'paths_mended'])
    expect(plan.files.read('issues.json')).not.toContain('.convene')
    expect(plan.files.read('tasks.md')).toContain('risk 0.3.')
  })

  it('[PH6] without a coordinator for phase 9 writes one issue, degraded; repairs what cannot be built as listed', async () => {
    const plan = await startPlan({ yes: true, lines: [{ when: { ask: 'phase', phase: '9' }, repeat: true, ...dead }] })
    await done(plan)
    expect(JSON.parse(plan.files.read('issues.json')).issues).toHaveLength(1)
    expect(flagsOf(plan, '9')).toEqual(expect.arrayContaining(['degraded', 'issues_by_rule']))
    const issue = (number: number, depends_on: number[], more = {}) => ({
      number,
      title: `T${number}`,
      acceptance_criteria: [
        { id: 'a b', text: 'x' },
        { id: 'a b', text: 'y' },
      ],
      depends_on,
      ...more,
    })
    const odd = await startPlan({
      lines: [
        {
          when: { ask: 'phase', phase: '9' },
          reply: { issues: [issue(1, [2, 9]), issue(2, [1], { target_path: '../../etc/passwd', test_path: '/x' })] },
        },
      ],
    })
    await done(odd)
    expect(flagsOf(odd, '9')).toEqual(['dependencies_mended', 'paths_mended'])
    const { issues } = JSON.parse(odd.files.read('issues.json'))
    expect(issues.map((one: { depends_on: number[] }) => one.depends_on)).toEqual([[], [1]])
    expect(issues[1]).toMatchObject({
      target_path: expect.stringMatching(/^src\//),
      acceptance_criteria: [{ id: 'a-b' }, { id: 'c2' }],
    })
  })
})

const quickRounds = ['phase cyd 1', 'phase ada 1', 'phase bob 1'].sort()

async function untilAsked(plan: ServedPlan, phase: string): Promise<void> {
  for (;;) {
    if (plan.of(phase).length > 0) return
    const { status } = await plan.report()
    if (status !== 'running') throw new Error(`phase ${phase} was never asked: ${status}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Compares a list regardless of order. */
function sortAs(order: readonly string[]) {
  return (a: string, b: string) => order.indexOf(a) - order.indexOf(b)
}
