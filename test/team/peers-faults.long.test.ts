/**
 * Many rounds among real peers on a real Postgres, behind a network that delays, loses and repeats, while peers are killed,
 * paused and cut off. A checker then reads the log. The timers are shortened by `room.peers` and `room.synthesis`, as anybody can.
 *
 * `CONVENE_PEER_ROUNDS` sets the number of rounds (a thousand take long on a busy machine), `CONVENE_PEER_AT_ONCE` how many are under way at once, `CONVENE_PEER_SEED` the course
 * of events, `CONVENE_PEER_SLOWER` by what all timers are multiplied, and `CONVENE_PEER_LOG` a file for the log.
 */
import { writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { checkLog, type SaidDecision } from './check-rounds.ts'
import { followLog } from './followed-log.ts'
import { hasNamespaces, openNetwork, type PeerNetwork } from './peer-network.ts'
import { openPeersRoom, type PeersRoom, type RunningPeer } from './peers-room.ts'
import { type RunningPostgres, startPostgres } from './start-postgres.ts'

let database: RunningPostgres
beforeAll(async () => {
  database = await startPostgres()
})
afterAll(() => database?.stop())

const rounds = Number(process.env.CONVENE_PEER_ROUNDS ?? 60)
const seed = Number(process.env.CONVENE_PEER_SEED ?? 5)
const atOnce = Number(process.env.CONVENE_PEER_AT_ONCE ?? 16)
/** For a machine with more to do than this test. */
const slower = Number(process.env.CONVENE_PEER_SLOWER ?? 1)
const agents = ['claude', 'gpt', 'mistral']
/** In seconds. */
const timers = { alone: 2 * slower, round: 5 * slower, last_resort: 10 * slower }
const silence = 5 * slower
/** Ends a test that hangs. */
const patient = 900_000 + 7_200 * rounds

describe('peers behind a bad network', () => {
  it(`[PR3] [PR4] [PR6] answer ${rounds} messages, each once in SOLO and never not at all (seed ${seed}, ${hasNamespaces ? 'network namespaces' : 'no network namespaces'})`, {
    timeout: patient,
  }, async () => {
    const random = randomFrom(seed)
    const room = await openPeersRoom(database.url, agents, {
      ...timers,
      yaml: `  talk: { window_items: 4 }\n  calls_per_minute: 100000\n  synthesis: { silence_seconds: ${silence}, total_seconds: ${4 * silence} }\n`,
    })
    const log = followLog(room.server)
    const team = await Promise.all(agents.map((name) => Member.start(room, name, random)))
    const over = new AbortController()
    const progress = (what: string) => {
      process.stderr.write(`${what}\n`)
      const lines = log.events.map((event) => `${JSON.stringify(event)}\n`)
      if (process.env.CONVENE_PEER_LOG) writeFileSync(process.env.CONVENE_PEER_LOG, lines.join(''))
    }
    let next = 0
    let answered = 0
    const faults = Promise.all([1, 2].map(() => causeFaults(team, random, () => answered, over.signal)))
    const posting = Array.from({ length: atOnce }, async () => {
      while (next < rounds) {
        const text = textOf(next++, random)
        await log.finished(`message-${await room.post(text)}`)
        if (++answered % 50 === 0) progress(`${answered} messages answered`)
        await pause(random() * 200)
      }
    })
    await Promise.race([Promise.all(posting), faults.then(() => Promise.all(posting))])
    over.abort()
    await faults
    await log.stop()
    progress('checking')

    const said = team.flatMap((member) => member.decisions())
    const ms = (seconds: number) => seconds * 1000
    const times = {
      alone: ms(timers.alone),
      round: ms(timers.round),
      last_resort: ms(timers.last_resort),
      silence: ms(silence),
    }
    const checked = checkLog(log.events, times, said)
    const counts = countsOf(log.events)
    const network = team.map(({ network }) => network.counts)
    const suffered = team.map((member) => member.faults)
    process.stderr.write(`${JSON.stringify({ seed, rounds: checked.rounds, counts, network, suffered })}\n`)
    expect(checked).toEqual({ rounds, violations: [] })
    expect(said.length).toBeGreaterThan(rounds)
    if (rounds < 200) return
    // What never happened was not tried.
    for (const what of ['solo', 'parallel', 'synthesis', 'together', 'alone', 'round', 'last_resort', 'stand_in'])
      expect([what, counts[what] ?? 0]).toEqual([what, expect.toSatisfy((count: number) => count > 0)])
    for (const { lost, repeated } of network) expect(Math.min(lost, repeated)).toBeGreaterThan(0)
    for (const kind of ['killed', 'paused', 'cut'] as const)
      expect(suffered.reduce((sum, one) => sum + one[kind], 0)).toBeGreaterThan(0)
  })
})

type Random = () => number

function countsOf(events: readonly { type: string; data: { mode?: string; flags?: string[] } }[]) {
  const counts: Record<string, number> = {}
  const add = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1
  }
  for (const { type, data } of events) {
    if (type === 'round.resolved') add(data.mode!)
    if (type === 'round.resolved' && !data.flags) add('together')
    if (type === 'round.resolved' || type === 'part.claimed') for (const flag of data.flags ?? []) add(flag)
    if (['part.dropped', 'part.failed', 'reply.passed', 'round.stalled'].includes(type)) add(type)
  }
  return counts
}

/** One peer with a network of its own. */
class Member {
  readonly name: string
  readonly network: PeerNetwork
  readonly faults = { killed: 0, paused: 0, cut: 0 }
  troubled = false
  readonly #room: PeersRoom
  readonly #script: string
  readonly #lives: RunningPeer[] = []
  readonly #killed = new Set<RunningPeer>()
  /** Rejects when a peer ends that nobody killed. */
  readonly lost: Promise<never>
  #lose: (error: Error) => void = () => {}

  private constructor(room: PeersRoom, name: string, network: PeerNetwork, script: string) {
    this.#room = room
    this.name = name
    this.network = network
    this.#script = script
    this.lost = new Promise((_, reject) => {
      this.#lose = reject
    })
    this.lost.catch(() => {})
  }

  static async start(room: PeersRoom, name: string, random: Random): Promise<Member> {
    const network = await openNetwork(database, { random, lost: 0.3, repeated: 0.2, delayMs: 4 })
    onTestFinished(() => network.close())
    const member = new Member(room, name, network, scriptFor(name, random))
    await member.#live()
    return member
  }

  decisions(): SaidDecision[] {
    return this.#lives.flatMap((life) => life.lines()).filter(({ event }) => event === 'decided')
  }

  async kill(downMs: number): Promise<void> {
    this.faults.killed++
    this.#killed.add(this.#now)
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
    const heal = this.network.cut()
    await pause(ms)
    heal()
  }

  get #now(): RunningPeer {
    return this.#lives.at(-1)!
  }

  async #live(): Promise<void> {
    const { url, via } = this.network
    const life = await this.#room.peer(this.name, this.#script, { env: { CONVENE_DATABASE_URL: url }, via })
    this.#lives.push(life)
    life.process.finished.then(({ code, stderr }) => {
      if (!this.#killed.has(life)) this.#lose(new Error(`${this.name} ended by itself: ${code} ${stderr.slice(-2000)}`))
    })
  }
}

/** One fault for so many messages, however slow the machine is; one peer is always left alone. */
async function causeFaults(team: Member[], random: Random, answered: () => number, signal: AbortSignal): Promise<void> {
  const lost = Promise.race(team.map((member) => member.lost))
  while (!signal.aborted) {
    const next = answered() + Math.floor(random() * 30)
    while (answered() < next && !signal.aborted) await Promise.race([pause(100), lost])
    const fit = team.filter(({ troubled }) => !troubled)
    if (fit.length < 2 || signal.aborted) continue
    const member = fit[Math.floor(random() * fit.length)]!
    member.troubled = true
    const ms = 100 + random() ** 2 * 6_000
    const kind = Math.floor(random() * 3)
    const fault = kind === 0 ? member.kill(ms / 3) : kind === 1 ? member.stop(ms) : member.cutOff(ms)
    await Promise.race([fault, lost])
    member.troubled = false
  }
}

/** Agents behave by the case that a message is about. */
const cases = 40

/** Most messages need proposals; some call an agent by name, ask for several, or say next to nothing. */
function textOf(round: number, random: Random): string {
  const about = `case-${Math.floor(random() * cases)}. of the parser (${round})`
  const kind = random()
  if (kind < 0.05) return `@${agents[round % agents.length]} which way do you take for ${about}?`
  if (kind < 0.09) return `Each of you: which way should we take for ${about}?`
  if (kind < 0.12) return 'ok'
  return `Which way should we take for ${about}?`
}

function scriptFor(name: string, random: Random): string {
  const lines: string[] = []
  for (let number = 0; number < cases; number++) {
    const contains = JSON.stringify(`case-${number}.`)
    const slow = random() < 0.1 ? 2_000 : 150
    const proposal = proposalOf(name, number, random)
    lines.push(
      `- when: { ask: micro-proposal, contains: ${contains} }
  after_ms: ${Math.floor(random() * slow)}
  ${random() < 0.05 ? 'fail: unavailable' : `reply: ${JSON.stringify(proposal)}`}
  repeat: true
- when: { ask: answer, contains: ${contains} }
  after_ms: ${Math.floor(random() * slow)}
  ${name !== 'mistral' && random() < 0.08 ? 'fail: unavailable' : `text: ${name} on ${number}`}
  repeat: true`,
    )
  }
  return `${lines.join('\n')}\n- when: { ask: answer }\n  text: ${name} agrees\n  repeat: true\n`
}

/** Some cases lead to a synthesis or to parallel answers, if all propose in time. */
function proposalOf(name: string, number: number, random: Random) {
  const surely = { confidence: 0.9 - agents.indexOf(name) / 20, solo_sufficient: false }
  if (number % 10 === 0) return { ...surely, angle: 'one view', covers: ['parser'], builds_on_other: true }
  if (number % 10 === 1) return { ...surely, angle: `the view of ${name}`, covers: [name] }
  return {
    angle: `${name} ${Math.floor(random() * 3)}`,
    confidence: Math.round(random() * 100) / 100,
    covers: random() < 0.5 ? ['parser'] : [name],
    solo_sufficient: random() < 0.4,
    builds_on_other: random() < 0.5,
  }
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
