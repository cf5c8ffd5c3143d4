import { describe, expect, it } from 'vitest'
import { trustState } from './trust-state.ts'

const now = { 'agents.gpt.base_url': 'a', 'build.env': 'b' }
const record = (since: string, values: Record<string, string>) => ({ since: `${since}T10:00:00.000Z`, values })
const stateOf = (records: ReturnType<typeof record>[], isForThisCommand = false, reach: Record<string, string> = now) =>
  trustState({ now: reach, records, isForThisCommand })

describe('the state of trust', () => {
  it('[TR4] says what is trusted and since when', () => {
    expect(stateOf([record('2026-01-02', now), record('2026-03-04', { other: 'x' })])).toEqual({
      trusted: true,
      since: '2026-01-02T10:00:00.000Z',
      changed: [],
      added: [],
      removed: [],
      detail: 'agents.gpt.base_url, build.env: trusted since 2026-01-02',
    })
    expect(stateOf([], false, {})).toMatchObject({ trusted: true, detail: expect.stringContaining('reaches nothing') })
  })

  it('[TR4] says what changed after the last trust', () => {
    const old = record('2026-01-02', { 'build.env': 'b' })
    const last = record('2026-03-04', { 'agents.gpt.base_url': 'z', notify: 'c' })
    expect(stateOf([last, old])).toEqual({
      trusted: false,
      changed: ['agents.gpt.base_url'],
      added: ['build.env'],
      removed: ['notify'],
      detail: 'agents.gpt.base_url changed; build.env added; notify removed since you trusted it on 2026-03-04',
    })
  })

  it('[TR4] tells trust for one command from trust that lasts', () => {
    expect(stateOf([], true)).toMatchObject({ trusted: true, detail: expect.stringContaining('CONVENE_TRUST') })
    expect(stateOf([])).toMatchObject({ trusted: false, detail: expect.stringContaining('not trusted yet') })
  })
})
