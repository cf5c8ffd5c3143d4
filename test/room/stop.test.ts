/** A stop in the middle of a round: every agent falls silent, one notice is posted, and the server keeps running. */
import { describe, expect, it } from 'vitest'
import { type Line, type OpenRoom, openRoom } from './open-room.ts'

const question = 'Which storage engine fits an append-only event log?'

function proposals(angles: [string, string], buildsOn: boolean): Line[] {
  return ['gpt', 'claude'].map((agent, index) => ({
    when: { ask: 'micro-proposal', agent },
    reply: { angle: angles[index], confidence: 0.9 - index / 100, covers: [angles[index]], builds_on_other: buildsOn },
  }))
}

const never: Line = { when: { ask: 'answer' }, repeat: true, after_ms: 60_000, text: 'never said' }

async function stopOnce(room: OpenRoom, askers: string[]): Promise<string> {
  const { run } = await room.say({ text: question })
  for (const agent of askers)
    await room.until((event) => event.type === 'ask.started' && event.actor === agent && event.data.kind === 'answer')
  expect((await room.served.call('POST', `/api/runs/${run}/stop`)).status).toBe(202)
  await room.over(run)
  return run
}

async function wasStopped(room: OpenRoom, run: string): Promise<void> {
  const items = await room.transcript()
  expect(items.map(({ sender, text }) => [sender, text])).toEqual([
    ['you', question],
    ['router', 'Stopped by user.'],
  ])
  expect(await room.served.app.engine.get(run)).toMatchObject({ status: 'done', result: { reason: 'stopped' } })
}

describe('a round that is stopped', () => {
  it('[RD6] while two answer at once', async () => {
    const room = await openRoom([...proposals(['write throughput', 'operational burden'], false), never])
    await wasStopped(room, await stopOnce(room, ['gpt', 'claude']))
  })

  it('[RD7] while the second waits for the first', async () => {
    const room = await openRoom([...proposals(['storage engines', 'storage engines'], true), never])
    await wasStopped(room, await stopOnce(room, ['gpt']))
  })

  it('[RD7] while the second answers after the first timed out', async () => {
    const room = await openRoom([...proposals(['storage engines', 'storage engines'], true), never], {
      settings: { room: { synthesis: { silence_seconds: 0.05, total_seconds: 1 } } },
    })
    await wasStopped(room, await stopOnce(room, ['gpt', 'claude']))
  })
})
