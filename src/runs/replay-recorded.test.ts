import { describe, expect, it } from 'vitest'
import type { NewEvent, StoredEvent } from '../kernel/events.ts'
import { convergenceMeasured, phaseStarted } from '../plan/events.ts'
import { handoffPosted, replyPosted, sessionEnded, sessionStarted } from '../room/events.ts'
import { defaultStrategyLimits } from '../rules/plan/strategy.ts'
import { duplicateSuspected, orderChosen } from '../ship/events.ts'
import { recordedDecisions } from './replay-recorded.ts'

const header = { stream: 'run:x', run: 'x' }

function repeated(...events: NewEvent[]) {
  const repeat = recordedDecisions()
  return events.flatMap((event, index) => repeat({ ...event, seq: index, ts: '' } as unknown as StoredEvent) ?? [])
}

describe('decisions repeated from their recorded inputs', () => {
  const session = { session_id: 's', message_id: 's', goal: 'g', participants: ['gpt', 'claude'], speaker: 'gpt' }
  const begun = (max_rounds: number) => sessionStarted.create(header, { ...session, max_rounds, autopilot: false })
  const said = (agent: string, round: number) =>
    replyPosted.create(header, {
      message_id: 's',
      ask: 'a',
      agent,
      rehearsal: true,
      text: 'words',
      session_id: 's',
      round,
      max_rounds: 2,
    })
  const handed = (round: number) =>
    handoffPosted.create(header, {
      message_id: 's',
      call_id: 'c',
      from: 'gpt',
      to: 'claude',
      task: 'go on',
      session_id: 's',
      round,
      max_rounds: 2,
    })
  const ended = (reason: string, reply: object) =>
    sessionEnded.create(header, { session_id: 's', reason, round: 2, reply })

  it('[EV2] [TN5] [TN6] turns: hand-off, cap, final, malformed', () => {
    const handoff = { handoff: { to: 'gpt', task: 'more' } }
    const whole = repeated(begun(2), said('gpt', 1), handed(2), said('claude', 2), ended('cap', handoff))
    expect(whole).toHaveLength(2)
    for (const { was, is } of whole) expect(is).toEqual(was)
    const [final] = repeated(begun(2), said('gpt', 1), ended('final', { final: true }))
    expect(final!.is).toEqual({ kind: 'end', reason: 'final' })
    const [malformed] = repeated(begun(2), said('gpt', 1), ended('malformed', { malformed: true }))
    expect(malformed!.is).toEqual({ kind: 'end', reason: 'malformed' })
    // Another cap was in force then: the recorded one counts.
    const [different] = repeated(begun(6), said('claude', 2), ended('cap', handoff))
    expect(different).toMatchObject({ was: { reason: 'cap' }, is: { kind: 'turn', speaker: 'gpt' } })
  })

  it('[EV2] [ST1] strategies, with their signals and limits', () => {
    const chosen_with = {
      mode: 'standard' as const,
      planned: 'quick' as const,
      flags: ['s9_multi_strategy', 's7_mpa_deliberation'],
      signals: { security_keywords: 3 },
      limits: defaultStrategyLimits,
    }
    const about = { phase: '4' as const, name: 'Architecture', pass: 1, cast: [] }
    const [one] = repeated(phaseStarted.create(header, { ...about, strategy: 'quick', chosen_with }))
    expect(one).toMatchObject({ was: { strategy: 'quick' }, is: { strategy: 'red_team' } })
    expect(repeated(phaseStarted.create(header, { ...about, strategy: 'quick' }))).toEqual([])
  })

  it('[EV2] [CV5] [CV7] agreement, by the thresholds in force', () => {
    const measured = {
      phase: '4' as const,
      round: 1,
      score: 0.1,
      agreement_ratio: null,
      stability: null,
      positions: 0.8,
      stands: [],
    }
    const limits = { threshold_high: 0.7, threshold_low: 0.4, positions_high: 0.7, positions_low: 0.4 }
    const event = (aligned: boolean, more = limits) =>
      convergenceMeasured.create(header, { ...measured, verdict: 'high', aligned, limits: more })
    expect(repeated(event(true))).toEqual([{ was: 'high', is: 'high' }])
    expect(repeated(event(false))).toEqual([{ was: 'high', is: 'ambiguous' }])
    expect(repeated(event(true, { ...limits, positions_high: 0.9 }))).toEqual([{ was: 'high', is: 'medium' }])
  })

  it('[EV2] [FA1] [DU1] the order of issues, and suspected duplicates', () => {
    const chosen = { issue: 2, by: 'coordinator' as const, reason: 'r', rejected: [] }
    const [order] = repeated(orderChosen.create(header, { ...chosen, eligible: [1, 2], proposed: [2] }))
    expect(order!.is).toEqual(order!.was)
    const [wrong] = repeated(orderChosen.create(header, { ...chosen, eligible: [1, 3], proposed: [2] }))
    expect(wrong!.is).toEqual({ issue: 1, by: 'rule', rejected: [2] })
    const evidence = [{ kind: 'file' as const, detail: 'x' }]
    const files = { exist: true, path: 'src/a.ts', at_greenlight: 'present' as const }
    const [duplicate] = repeated(duplicateSuspected.create(header, { issue: 1, evidence, signs: { files } }))
    expect(duplicate!.is).toEqual({ suspected: false, evidence: [] })
  })
})
