/**
 * Many rounds among real peers on a real Postgres, behind a network that delays, loses and repeats, while peers are killed,
 * paused and cut off. A checker then reads the log. `CONVENE_PEER_ROUNDS` sets the number of rounds, `CONVENE_PEER_SEED` the
 * course of events.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { violationsIn } from './check-rounds.ts'
import { openPeersRoom, type PeersRoom, type RunningPeer } from './peers-room.ts'
import { type PostgresProxy, startProxy } from './postgres-proxy.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'

let database: RunningPostgres
beforeAll(async () => {
  database = await startPostgres()
})
afterAll(() => database?.stop())

const rounds = Number(process.env.CONVENE_PEER_ROUNDS ?? 150)
const seed = Number(process.env.CONVENE_PEER_SEED ?? Date.now() % 1_000_000)
const atOnce = 8
const agents = ['claude', 'gpt', 'mistral']
const timers = { alone: 1, round: 3, last_resort: 6 }
const patient = 2 * 3_600_000

describe('peers behind a bad network', () => {
  it(`[PR3] [PR4] [PR6] answer ${rounds} messages, each once in SOLO and never not at all (seed ${seed})`, {
    timeout: patient,
  }, async () => {
    const random = randomFrom(seed)
    const room = await openPeersRoom(database.url, agents, {
      ...timers,
      yaml: '  talk: { window_items: 4 }\n  calls_per_minute: 100000\n  synthesis: { silence_seconds: 3, total_seconds: 12 }\n',
    })
    const team = await Promise.all(agents.map((name) => Member.start(room, name, random)))
    const over = new AbortController()
    const faults = Promise.all([1, 2].map(() => causeFaults(team, random, over.signal)))
    const messages: string[] = []
    let next = 0
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (next < rounds) {
          const message = await room.post(textOf(next++))
          messages.push(message)
          await expect.poll(() => room.types(message), { timeout: patient, interval: 200 }).toContain('run.finished')
          await pause(random() * 200)
        }
      }),
    )
    over.abort()
    await faults
    const violations: string[] = []
    const counts: Record<string, number> = {}
    const decisions = new Map<string, string>()
    for (const message of messages) {
      const events = await room.events(message)
      violations.push(...violationsIn(events, { alone: 1_000, round: 3_000, last_resort: 6_000 }))
      for (const { type, data } of events) {
        if (type === 'round.resolved') {
          counts[data.mode as string] = (counts[data.mode as string] ?? 0) + 1
          if (data.flags === undefined) counts.together = (counts.together ?? 0) + 1
          decisions.set(message, JSON.stringify([data.mode, data.rule, data.responders]))
        }
        for (const flag of (data.flags ?? []) as string[])
          if (type !== 'reply.posted') counts[flag] = (counts[flag] ?? 0) + 1
      }
    }
    const said = team.flatMap((member) => member.lines()).filter(({ event }) => event === 'decided')
    const different = said.filter(
      ({ message_id, mode, rule, responders }) =>
        decisions.get(message_id!) !== JSON.stringify([mode, rule, responders]),
    )
    const network = team.map(({ proxy }) => proxy.counts)
    process.stderr.write(`${JSON.stringify({ seed, counts, network, faults: team.map(({ faults }) => faults) })}\n`)
    expect(violations).toEqual([])
    expect(different).toEqual([])
    expect(said.length).toBeGreaterThan(rounds)
  })
})

type Random = () => number

/** One peer with a network of its own. */
class Member {
  readonly name: string
  readonly proxy: PostgresProxy
  readonly faults = { killed: 0, paused: 0, cut: 0 }
  troubled = false
  readonly #room: PeersRoom
  readonly #script: string
  readonly #lives: RunningPeer[] = []

  private constructor(room: PeersRoom, name: string, proxy: PostgresProxy, script: string) {
    this.#room = room
    this.name = name
    this.proxy = proxy
    this.#script = script
  }

  static async start(room: PeersRoom, name: string, random: Random): Promise<Member> {
    const proxy = await startProxy(database.port, { random, lost: 0.3, repeated: 0.2, delayMs: 4 })
    onTestFinished(() => proxy.close())
    const member = new Member(room, name, proxy, scriptFor(name, random))
    await member.#live()
    return member
  }

  lines() {
    return this.#lives.flatMap((life) => life.lines())
  }

  async kill(downMs: number): Promise<void> {
    this.faults.killed++
    this.#now.process.child.kill('SIGKILL')
    await pause(downMs)
    await this.#live()
  }

  async stop(ms: number): Promise<void> {
    this.faults.paused++
    this.#now.process.child.kill('SIGSTOP')
    await pause(ms)
    this.#now.process.child.kill('SIGCONT')
  }

  async cutOff(ms: number): Promise<void> {
    this.faults.cut++
    const heal = this.proxy.cut()
    await pause(ms)
    heal()
  }

  get #now(): RunningPeer {
    return this.#lives.at(-1)!
  }

  async #live(): Promise<void> {
    const url = new URL(database.url)
    url.port = String(this.proxy.port)
    url.searchParams.set('sslmode', 'disable')
    this.#lives.push(await this.#room.peer(this.name, this.#script, { env: { CONVENE_DATABASE_URL: url.href } }))
  }
}

/** One peer is always left alone. */
async function causeFaults(team: Member[], random: Random, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(random() * 2_000)
    const fit = team.filter(({ troubled }) => !troubled)
    if (fit.length < 2 || signal.aborted) continue
    const member = fit[Math.floor(random() * fit.length)]!
    member.troubled = true
    const ms = 100 + random() ** 2 * 6_000
    const kind = Math.floor(random() * 3)
    await (kind === 0 ? member.kill(ms / 3) : kind === 1 ? member.stop(ms) : member.cutOff(ms))
    await pause(random() * 1_500)
    member.troubled = false
  }
}

const textOf = (round: number) => `Which way should we take for the case number-${round}. of the parser?`

/** The latest round comes first: earlier messages are part of a prompt too. */
function scriptFor(name: string, random: Random): string {
  const lines: string[] = []
  for (let round = rounds - 1; round >= 0; round--) {
    const contains = JSON.stringify(`number-${round}.`)
    const slow = random() < 0.1 ? 2_000 : 300
    const proposal = {
      angle: `${name} ${Math.floor(random() * 3)}`,
      confidence: Math.round(random() * 100) / 100,
      covers: ['parser'],
      solo_sufficient: random() < 0.4,
      builds_on_other: random() < 0.5,
    }
    lines.push(
      `- when: { ask: micro-proposal, contains: ${contains} }
  after_ms: ${Math.floor(random() * slow)}
  ${random() < 0.05 ? 'fail: unavailable' : `reply: ${JSON.stringify(proposal)}`}
  repeat: true
- when: { ask: answer, contains: ${contains} }
  after_ms: ${Math.floor(random() * slow)}
  ${name !== 'mistral' && random() < 0.08 ? 'fail: unavailable' : `text: ${name} on ${round}`}
  repeat: true`,
    )
  }
  return `${lines.join('\n')}\n`
}

/** Mulberry32. */
function randomFrom(start: number): Random {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
