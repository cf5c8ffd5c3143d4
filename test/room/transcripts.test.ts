/** Rooms as they were with real models: their recorded replies are played again, and the same agents must speak. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { RecordedLine, RecordedMessage } from '../../scripts/spool-to-script.ts'
import { openRoom } from './open-room.ts'

const folder = join(import.meta.dirname, '..', 'transcripts')
const rooms = readdirSync(folder).filter((name) => readdirSync(join(folder, name)).includes('talk.yaml'))
const read = <Value>(...path: string[]) => parse(readFileSync(join(folder, ...path), 'utf8')) as Value

describe('a recorded room', () => {
  it.each(rooms)('[DP9] %s: the same agents propose and answer, with the same words', async (name) => {
    const script = read<RecordedLine[]>(name, 'script.yaml')
    const talk = read<RecordedMessage[]>(name, 'talk.yaml')
    const agents = [...new Set(script.map(({ when }) => when.agent))].sort()
    const room = await openRoom(script, { agents })
    for (const { text } of talk) await room.ask({ text })

    const rounds = (await room.events('round.resolved')).map(({ data }) => ({
      proposed: Object.keys(data.proposals as object).sort(),
      answered: data.responders,
    }))
    expect(rounds).toEqual(
      talk.map(({ proposed, answered }) => ({ proposed, answered: expect.arrayContaining(answered) })),
    )
    const said = (await room.events('reply.posted')).map(({ data }) => data.text)
    const recorded = script.filter(({ when }) => when.ask === 'answer').map(({ text }) => text)
    expect(said.toSorted()).toEqual(recorded.toSorted())
  })
})
