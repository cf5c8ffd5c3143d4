import { afterAll, describe, expect, it } from 'vitest'
import { noticePosted, replyPosted, roundResolved, sessionEnded } from '../../src/room/events.ts'
import { violations } from './fuzz-invariants.ts'
import { type Played, play } from './fuzz-play.ts'
import { schedule } from './fuzz-schedule.ts'

/** `FUZZ_SEED` plays one schedule, `FUZZ_COUNT` sets how many to play. */
const { FUZZ_SEED, FUZZ_COUNT = '48' } = process.env
const seeds = FUZZ_SEED ? [Number(FUZZ_SEED)] : Array.from({ length: Number(FUZZ_COUNT) }, (_, index) => index + 1)

const met = new Set<string>()

describe('two rooms, five agents, and random events', () => {
  it.each(seeds)('[RD1] [RD8] [RD12] [TN6] [TN9] [EV2] hold for any schedule (seed %i)', async (seed) => {
    const planned = schedule(seed)
    const played = await play(planned)
    expect(violations(planned, played), `seed ${seed}: ${JSON.stringify(planned.actions, null, 1)}`).toEqual([])
    for (const one of coveredCases(played)) met.add(one)
  })
})

/** A schedule in which nothing happens would prove nothing. */
afterAll(() => {
  if (seeds.length < 40) return
  const expected = [
    ...['solo', 'parallel', 'synthesis'],
    ...['gap', 'parallel', 'synthesis', 'overlap', 'default', 'only', 'mention', 'override', 'no_content'].map(
      (rule) => `rule ${rule}`,
    ),
    ...['primary', 'secondary', 'synthesis', 'stand-in'].map((role) => `role ${role}`),
    ...['canceled', 'agent_failed', 'malformed', 'final', 'no_handoff', 'invalid_handoff', 'cap'].map(
      (end) => `end ${end}`,
    ),
    ...['a run was taken up', 'nobody could answer', 'stopped', 'a budget ran out'],
  ]
  expect(expected.filter((one) => !met.has(one))).toEqual([])
})

function coveredCases({ events }: Played): string[] {
  return events.flatMap((event) => {
    if (roundResolved.is(event)) return [event.data.mode, `rule ${event.data.rule}`]
    if (replyPosted.is(event)) return [`role ${event.data.role}`]
    if (sessionEnded.is(event)) return [`end ${event.data.reason}`]
    if (event.type === 'run.recovered') return ['a run was taken up']
    if (event.type === 'budget.exhausted') return ['a budget ran out']
    if (!noticePosted.is(event)) return []
    if (event.data.text.startsWith('Nobody could answer')) return ['nobody could answer']
    return event.data.text === 'Stopped by user.' ? ['stopped'] : []
  })
}
