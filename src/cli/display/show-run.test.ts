import { describe, expect, it } from 'vitest'
import { askStarted, toolUsed } from '../../kernel/ask/ask-events.ts'
import type { NewEvent } from '../../kernel/events.ts'
import type { RoomDisplay } from './room-display.ts'
import { showRun } from './show-run.ts'

describe('showRun', () => {
  it('[RD14] says what an agent looks up while it has not replied', () => {
    const waits: (string | null)[] = []
    const nothing = () => {}
    const display: RoomDisplay = {
      said: nothing,
      aside: nothing,
      hint: nothing,
      notice: nothing,
      warning: nothing,
      expect: nothing,
      words: nothing,
      reply: nothing,
      silence: nothing,
      waitingFor: (what) => waits.push(what),
      over: nothing,
    }
    const show = showRun(display)
    const see = (event: NewEvent) => show.event({ ...event, seq: 1, id: 'e', ts: '2026-03-01T10:00:00.000Z' })
    const header = { stream: 'room:r', run: 'message-1' }
    const about = { ask: 'a', kind: 'answer', agent: 'gpt', rehearsal: false, attempt: 1 } as const
    see(askStarted.create(header, { ...about, reserved: { tokens: 0, usd: null } }))
    const call = { tool: 'read', summary: 'read src/a.ts', ok: true, milliseconds: 1 }
    see(toolUsed.create(header, { ask: 'a', ...call }))
    see(toolUsed.create(header, { ask: 'of a build', ...call, summary: 'read b' }))
    expect(waits).toEqual(['gpt is thinking', 'gpt is thinking · read src/a.ts'])
  })
})
