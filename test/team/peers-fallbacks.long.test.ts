/** What peers do when one of them is slow, fails, is of another release, or collaborates. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PostgresStore } from '../../src/kernel/stores/postgres.ts'
import { PostgresDatabase } from '../../src/kernel/stores/postgres-database.ts'
import { noticePosted, roomStream } from '../../src/room/events.ts'
import { start, temporaryFolder } from '../support/convene.ts'
import { checkLog, type Fact, seedTimers } from './check-rounds.ts'
import { openPeersRoom, type PeersRoom, scriptOf, unhurried, untilOver } from './peers-room.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'

let database: RunningPostgres
beforeAll(async () => {
  database = await startPostgres()
})
afterAll(() => database?.stop())

/** Leaves whoever is to answer 20 s for its claim. */
const lateResort = { alone: 1, round: 2, last_resort: 22 }

const content = 'How should the parser treat an empty line?'

describe('peers', () => {
  it('[PR4] answer in place of one that fails', async () => {
    const room = await openPeersRoom(database.url, ['claude', 'gpt'], unhurried)
    await room.peer('claude', '- when: { ask: answer }\n  fail: unavailable\n')
    await room.peer('gpt', scriptOf('gpt'))
    // Without content words the first agent by name answers, and there are no proposals that could be late.
    const message = await room.post('ok')
    await untilOver(room, message)
    const [reply] = await room.replies(message)
    expect(reply!.data).toMatchObject({ agent: 'gpt', part: 1, epoch: 2, flags: ['stand_in'], role: 'stand-in' })
    expect((await room.transcript()).at(-1)!.text).toMatch(/^gpt answered in place of claude: /)
  })

  it('[PR4] answer as a last resort in place of one that is silent, whose call then ends', async () => {
    const room = await openPeersRoom(database.url, ['claude', 'gpt'], lateResort)
    const claude = await room.peer('claude', '- when: { ask: answer }\n  after_ms: 600000\n  text: never\n')
    await room.peer('gpt', scriptOf('gpt'))
    const message = await room.post('ok')
    await untilOver(room, message)
    expect((await room.replies(message)).map(({ data }) => [data.agent, data.epoch, data.flags])).toEqual([
      ['gpt', 2, ['last_resort']],
    ])
    const superseded = { event: 'answered', message_id: message, result: 'superseded' }
    await expect.poll(() => claude.lines()).toContainEqual(expect.objectContaining(superseded))
  })

  it('[PR3] write nothing under an epoch that has passed', async () => {
    const room = await openPeersRoom(database.url, ['claude', 'gpt'], lateResort)
    const claude = await room.peer('claude', scriptOf('claude', { answer: 'after_ms: 8000' }))
    await room.peer('gpt', scriptOf('gpt'))
    const message = await room.post('ok')
    await expect.poll(() => room.types(message), { interval: 50 }).toContain('part.claimed')
    claude.process.child.kill('SIGSTOP')
    await untilOver(room, message)
    // By now its answer is there; on waking it tries to write it.
    claude.process.child.kill('SIGCONT')
    await untilOver(room, await room.post('@claude are you back?'))
    expect((await room.replies(message)).map(({ data }) => [data.agent, data.epoch])).toEqual([['gpt', 2]])
    const timers = { ...seedTimers, alone: 1e3, round: 2e3, last_resort: 22e3 }
    expect(checkLog(await wholeLog(room), timers)).toEqual({ rounds: 2, violations: [] })
  })

  it('[RD11] hold the timers of the seed where nothing else is configured', async () => {
    const room = await openPeersRoom(database.url, ['claude', 'gpt', 'mistral'])
    const silent = '- when: { ask: answer, contains: silently }\n  after_ms: 600000\n  text: never\n'
    await room.peer('gpt', silent + scriptOf('gpt', { confidence: 0.9 }))
    const first = await room.post(content)
    await untilOver(room, first)
    expect((await room.replies(first)).map(({ data }) => data.agent)).toEqual(['gpt'])
    await room.peer('claude', scriptOf('claude', { confidence: 0.1 }))
    // Two of three propose, and gpt says nothing: 15 s and 25 s, or 5 s if one of the two was late.
    const second = await room.post('What does the parser do silently?')
    await untilOver(room, second)
    expect((await room.replies(second)).map(({ data }) => data.agent)).toEqual(['claude'])
    const flags = (await room.events()).flatMap(({ type, data }) => (type === 'reply.posted' ? [data.flags] : []))
    expect(flags).toEqual([expect.any(Array), expect.any(Array)])
    expect(checkLog(await wholeLog(room), seedTimers)).toEqual({ rounds: 2, violations: [] })
  })

  it('[RD8] end their calls when the person stops the round', async () => {
    const room = await openPeersRoom(database.url, ['claude', 'gpt'])
    const silent = '- when: { ask: answer }\n  after_ms: 600000\n  text: never\n'
    const gpt = await room.peer('gpt', silent + scriptOf('gpt'))
    const message = await room.post('@gpt what takes you so long?')
    await expect.poll(() => room.types(message)).toContain('ask.started')
    await room.server.call('POST', `/api/runs/message-${message}/stop`)
    await untilOver(room, message)
    expect((await room.transcript()).at(-1)!.text).toBe('Stopped by user.')
    await untilOver(room, await room.post('@gpt and now?'))
    expect(await room.replies(message)).toEqual([])
    expect(gpt.lines().map(({ event }) => event)).toContain('answered')
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

  it('[PR5] do not count the rulebook of one that ended without a word', async () => {
    const room = await openPeersRoom(database.url, ['claude', 'gpt'], { alone: 0.5 })
    const env = { CONVENE_RULEBOOK_VERSION: 'older' }
    const gpt = await room.peer('gpt', scriptOf('gpt'), { env })
    await room.peer('claude', scriptOf('claude'))
    gpt.process.child.kill('SIGKILL')
    await expect
      .poll(() => room.server.call('GET', `/api/rooms/${room.id}`))
      .toMatchObject({ peers: [{}, { agent: 'gpt', present: false }] })
    const message = await room.post(content)
    await untilOver(room, message)
    const [reply] = await room.replies(message)
    expect([reply!.data.agent, reply!.data.flags]).toEqual(['claude', expect.not.arrayContaining(['rulebook'])])
  })

  it('[PR2] [PR4] [PR6] answer as a last resort without any proposal, tell of a failure, and wait for those who are absent', async () => {
    const room = await openPeersRoom(database.url, ['claude', 'gpt'], { alone: 0.5, round: 1, last_resort: 2 })
    const gpt = `- when: { ask: micro-proposal }
  fail: unavailable
  repeat: true
- when: { ask: answer, contains: badly }
  fail: unavailable
  repeat: true
- when: { ask: answer }
  text: gpt answers
  repeat: true
`
    await room.peer('gpt', gpt)
    const called = await room.post('@claude what would you do?')
    const message = await room.post(content)
    await untilOver(room, message)
    const resolved = (await room.events(message)).find(({ type }) => type === 'round.resolved')!
    expect(resolved.data).toMatchObject({ rule: 'none', responders: ['gpt'], flags: ['last_resort'] })
    const stalled = await room.post('What goes badly in the parser?')
    await expect.poll(() => room.types(stalled)).toContain('round.stalled')
    expect((await room.transcript()).at(-1)!.text).toMatch(
      /^Nobody who is present could answer\. gpt: .*\. Waiting for claude\.$/,
    )
    // More than a peer reads at once when it joins.
    await crowd(room, 2_100)
    await room.peer('claude', scriptOf('claude'))
    for (const waiting of [called, stalled]) await untilOver(room, waiting)
    expect((await room.replies(called)).map(({ data }) => [data.agent, data.flags])).toEqual([['claude', undefined]])
    expect((await room.replies(stalled)).map(({ data }) => data.agent)).toEqual(['claude'])
  })

  it('[RD7] [RD13] build on one another, and may pass', async () => {
    const room = await openPeersRoom(database.url, ['claude', 'gpt'], unhurried)
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
    expect((await room.events(message)).find(({ type }) => type === 'answer.waiting')!.data).toMatchObject({
      agent: 'claude',
      for: 'gpt',
    })
    expect(types.indexOf('reply.passed')).toBeGreaterThan(types.indexOf('reply.posted'))
    expect((await room.transcript()).map(({ text }) => text)).toEqual([content, 'gpt first'])
    expect(claude.lines()).toContainEqual(expect.objectContaining({ event: 'answered', part: 2, result: 'passed' }))
  })

  it('[PR6] create their room, whoever starts first', async () => {
    const other = await openPeersRoom(database.url, ['nobody'])
    const peers = ['claude', 'gpt'].map((name) => {
      const yaml = `project: ${other.project}\nagents:\n  ${name}: { provider: rehearsal, script: s.yaml }\n`
      const cwd = temporaryFolder({ 'convene.yaml': yaml, 's.yaml': scriptOf(name) })
      return start(['peer', '--name', name, '--room', 'fresh', '--agents', 'claude,gpt', '--json'], {
        cwd,
        env: other.env,
      })
    })
    await Promise.all(peers.map((peer) => peer.says(/"joined"/)))
    const { rooms } = await other.server.call<{ rooms: { name: string; agents: string[] }[] }>('GET', '/api/rooms')
    expect(rooms.filter(({ name }) => name === 'fresh')).toMatchObject([
      { agents: ['claude', 'gpt'], dispatch: 'peers' },
    ])
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

/** Everything in the project's log. */
async function wholeLog({ server }: PeersRoom): Promise<Fact[]> {
  return (await server.call<{ events: Fact[] }>('GET', '/api/events?after=0')).events
}

async function crowd(room: PeersRoom, notices: number): Promise<void> {
  const one = noticePosted.create({ stream: roomStream(room.id), run: 'crowd' }, { message_id: 'none', text: 'noise' })
  for (let written = 0; written === 0; ) {
    const store = new PostgresStore(await PostgresDatabase.open({ url: database.url, project: room.project }))
    // On a busy machine this process, too, may be taken for dead.
    written = await store.append(Array.from({ length: notices }, () => one)).then(
      (events) => events.length,
      () => 0,
    )
    await store.close()
  }
}
