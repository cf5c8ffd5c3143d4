/** What peers do when one of them is slow, fails, is of another release, or collaborates. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPeersRoom, scriptOf, untilOver } from './peers-room.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'

let database: RunningPostgres
beforeAll(async () => {
  database = await startPostgres()
})
afterAll(() => database?.stop())

const content = 'How should the parser treat an empty line?'

describe('peers', () => {
  it('[PR4] answer in place of one that is silent or fails, under the next epoch', async () => {
    const room = await openPeersRoom(database.url, ['claude', 'gpt'], { alone: 2, round: 4, last_resort: 6 })
    const gpt = `- when: { ask: answer, contains: slowly }
  after_ms: 25000
  text: too late
- when: { ask: answer, contains: badly }
  fail: unavailable
- when: { ask: answer, contains: silently }
  after_ms: 600000
  text: never
${scriptOf('gpt', { confidence: 0.9 })}`
    const silent = await room.peer('gpt', gpt)
    await room.peer('claude', scriptOf('claude', { confidence: 0.1 }))

    const failed = await room.post('What goes badly in the parser?')
    await untilOver(room, failed)
    const [reply] = await room.replies(failed)
    expect(reply!.data).toMatchObject({ agent: 'claude', part: 1, epoch: 2, flags: ['stand_in'], role: 'stand-in' })
    expect((await room.transcript()).at(-1)!.text).toMatch(/^claude answered in place of gpt: /)

    const slow = await room.post('Which loop of the parser goes slowly?')
    await untilOver(room, slow)
    expect((await room.replies(slow)).map(({ data }) => [data.agent, data.epoch, data.flags])).toEqual([
      ['claude', 2, ['last_resort']],
    ])

    const killed = await room.post('What does the parser do silently?')
    await expect.poll(() => room.types(killed)).toContain('part.claimed')
    silent.process.child.kill('SIGKILL')
    await untilOver(room, killed)
    expect((await room.replies(killed)).map(({ data }) => data.agent)).toEqual(['claude'])
  })

  it('[PR5] fall back to the first by name where their rulebooks differ', async () => {
    const room = await openPeersRoom(database.url, ['claude', 'gpt'])
    await room.peer('gpt', scriptOf('gpt', { confidence: 0.9 }), { env: { CONVENE_RULEBOOK_VERSION: 'older' } })
    const claude = await room.peer('claude', scriptOf('claude', { confidence: 0.1 }))
    const message = await room.post(content)
    await untilOver(room, message)
    const [resolved] = (await room.events(message)).filter(({ type }) => type === 'round.resolved')
    expect(resolved!.data).toMatchObject({ mode: 'solo', responders: ['claude'], flags: ['rulebook'] })
    expect((await room.replies(message)).map(({ data }) => [data.agent, data.flags])).toEqual([
      ['claude', ['rulebook']],
    ])
    expect(claude.lines()).toContainEqual(expect.objectContaining({ event: 'fell_back', why: 'rulebook' }))
  })

  it('[RD7] [RD13] build on one another, and may pass', async () => {
    const room = await openPeersRoom(database.url, ['claude', 'gpt'])
    const together = (name: string, confidence: number, answer: string) => `- when: { ask: micro-proposal }
  reply: { angle: the same view, confidence: ${confidence}, covers: [parser], solo_sufficient: false, builds_on_other: true }
  repeat: true
- when: { ask: answer, contains: "answer of gpt" }
  text: ${answer}
  repeat: true
- when: { ask: answer }
  text: ${name} first
  repeat: true
`
    await room.peer('gpt', together('gpt', 0.9, 'never'))
    const claude = await room.peer('claude', together('claude', 0.8, 'PASS'))
    const message = await room.post(content)
    await untilOver(room, message)
    const types = await room.types(message)
    expect((await room.events(message)).find(({ type }) => type === 'round.resolved')!.data).toMatchObject({
      mode: 'synthesis',
      responders: ['gpt', 'claude'],
    })
    expect(types.indexOf('reply.passed')).toBeGreaterThan(types.indexOf('reply.posted'))
    expect((await room.transcript()).map(({ text }) => text)).toEqual([content, 'gpt first'])
    expect(claude.lines()).toContainEqual(expect.objectContaining({ event: 'answered', part: 2, result: 'passed' }))
  })

  it('[TN5] take turns in a collaboration, each in its own process', async () => {
    const room = await openPeersRoom(database.url, ['claude', 'gpt'])
    const turns = (name: string, reply: object) => `- when: { ask: turn }
  reply: ${JSON.stringify({ message: `${name} has a view`, ...reply })}
`
    await room.peer('gpt', turns('gpt', { handoff: { to: 'claude', task: 'check it' } }))
    await room.peer('claude', turns('claude', { final: true }))
    const message = await room.post('Agree on a name', { mode: 'collaborate', participants: ['gpt', 'claude'] })
    await expect
      .poll(() => room.server.call(`GET`, `/api/sessions/${message}`))
      .toMatchObject({ status: 'ended', end_reason: 'final', round: 2 })
    expect((await room.transcript()).map(({ sender, text }) => [sender, text])).toEqual([
      ['you', 'Agree on a name'],
      ['router', 'Agree on a name'],
      ['gpt', 'gpt has a view'],
      ['router', 'check it'],
      ['claude', 'claude has a view'],
    ])
  })
})
