/**
 * Random but repeatable: what people do in two rooms, and what five rehearsal agents reply. The seed determines
 * everything.
 */
import { stringify } from 'yaml'
import type { MessageRequest } from '../../src/room/api/post-message.ts'

export const everybody = ['ada', 'bo', 'cy', 'di', 'ed']
export const rooms = [everybody.slice(0, 3), everybody]

export type Message = MessageRequest & { message_id: string }

export type Action =
  | { kind: 'say'; room: number; message: Message }
  /** Delivers the same message again. `which` counts messages. */
  | { kind: 'again'; which: number }
  | { kind: 'stop'; which: number }
  | { kind: 'restart' }
  | { kind: 'pause'; milliseconds: number }

export interface Schedule {
  seed: number
  script: string
  configuration: string
  /** The maximum number of calls for one message, if limited. */
  calls?: number
  actions: Action[]
}

export function schedule(seed: number): Schedule {
  const random = new Random(seed)
  const calls = random.chance(0.2) ? random.between(2, 7) : undefined
  return {
    seed,
    calls,
    script: stringify([...lines(random), ...lastLines(random)]),
    configuration: stringify({
      agents: Object.fromEntries(everybody.map((name) => [name, { provider: 'rehearsal', script: 'script.yaml' }])),
      room: {
        calls_per_minute: 100_000,
        proposal_seconds: 0.05,
        synthesis: { silence_seconds: 0.02, total_seconds: 0.2 },
        dispatch: random.chance(0.3) ? { max_responders: random.between(1, 5), gap: 0.5 } : {},
      },
      ...(random.chance(0.2) ? { roles: { proposer: random.of(everybody) } } : {}),
      ...(calls === undefined ? {} : { budget: { calls } }),
    }),
    actions: actions(random),
  }
}

function actions(random: Random): Action[] {
  const planned: Action[] = []
  let messages = 0
  for (let count = random.between(6, 14); count > 0; count--) {
    const dice = random.next()
    if (messages === 0 || dice < 0.5) {
      const room = random.between(0, 1)
      planned.push({ kind: 'say', room, message: message(random, rooms[room]!, messages++) })
    } else if (dice < 0.6) planned.push({ kind: 'again', which: random.between(0, messages - 1) })
    else if (dice < 0.72) planned.push({ kind: 'stop', which: random.between(0, messages - 1) })
    else if (dice < 0.82) planned.push({ kind: 'restart' })
    else planned.push({ kind: 'pause', milliseconds: random.between(1, 25) })
  }
  return planned
}

/** Every message has a unique word that identifies it wherever it appears. */
function message(random: Random, agents: string[], number: number): Message {
  const message_id = random.uuid()
  const word = markOf(number)
  const text = `${word}: what about ${random.some(topics).join(' and ')}?`
  const dice = random.next()
  if (dice < 0.12) return { message_id, text, target: random.of(agents) }
  if (dice < 0.2) return { message_id, text: random.of(['ok', '?', 'thanks']) }
  if (dice < 0.32)
    return {
      message_id,
      text: `${random
        .some(agents)
        .map((name) => `@${name}`)
        .join(' ')} ${text}`,
    }
  if (dice < 0.4) return { message_id, text, override: random.of(['both', `only ${random.of(agents)}`]) }
  if (dice >= 0.65) return { message_id, text }
  const participants = random.some(agents)
  if (dice < 0.45) return { message_id, text: `@router collaborate ${participants.join(' ')}: ${text}` }
  const speaker = random.of(participants)
  return { message_id, text, mode: 'collaborate', participants, speaker, max_rounds: random.between(1, 5) }
}

export const markOf = (number: number) => `mark${number}x`

const topics = ['storage', 'queue', 'latency', 'schema', 'cache', 'billing']
const failures = ['rate-limited', 'timeout', 'unavailable', 'refused', 'malformed', 'disconnect']

type Line = Record<string, unknown>

/** Lines that are used once, so that each text has one author and one place. */
function lines(random: Random): Line[] {
  const mood = random.of(['agree', 'differ', 'mixed'] as const)
  const few = (count: number, line: (number: number) => Line) => Array.from({ length: count }, (_, at) => line(at))
  return random.shuffled([
    ...few(30, () => ({ when: { ask: 'micro-proposal' }, ...delay(random), ...proposal(random, mood) })),
    ...few(24, (number) => ({ when: { ask: 'answer' }, ...delay(random), ...answer(random, `Answer${number}a.`) })),
    ...few(24, (number) => ({ when: { ask: 'turn' }, ...delay(random), ...turn(random, `Turn${number}t.`) })),
  ])
}

function lastLines(random: Random): Line[] {
  const handoff = { to: random.of(everybody), task: 'Go on.' }
  return [
    { when: { ask: 'micro-proposal' }, reply: proposalOf(random, 'mixed'), repeat: true },
    { when: { ask: 'answer' }, text: 'One of many answers.', repeat: true },
    { when: { ask: 'turn' }, reply: { message: 'One of many turns.', handoff }, repeat: true },
  ]
}

function delay(random: Random): Line {
  if (random.chance(0.6)) return {}
  return random.chance(0.5) ? { after_ms: random.between(1, 60) } : { stream_ms: random.between(1, 60) }
}

function proposal(random: Random, mood: 'agree' | 'differ' | 'mixed'): Line {
  if (random.chance(0.1)) return { fail: random.of(failures) }
  if (random.chance(0.1)) return { text: random.of(['I would rather not say.', '{"angle": 7}', '{}', ' ']) }
  return { reply: proposalOf(random, mood) }
}

function proposalOf(random: Random, mood: 'agree' | 'differ' | 'mixed'): Line {
  const own = mood === 'mixed' ? random.of(['agree', 'differ'] as const) : mood
  const covers = own === 'agree' ? topics : [random.of(topics)]
  const confidence =
    own === 'agree' ? random.of([0.6, 0.75, 0.8, 0.9]) : random.of([0.1, 0.25, 0.5, 0.55, 0.7, 0.9, 1.7])
  return {
    angle: own === 'agree' ? 'the whole of it' : random.of(topics),
    confidence,
    covers,
    builds_on_other: random.chance(0.6),
  }
}

function answer(random: Random, text: string): Line {
  if (random.chance(0.3)) return { fail: random.of(failures), ...(random.chance(0.5) ? { text: 'Half a wo' } : {}) }
  return { text }
}

function turn(random: Random, text: string): Line {
  const dice = random.next()
  if (dice < 0.08) return { fail: random.of(failures) }
  if (dice < 0.14) return { text }
  if (dice < 0.2) return { reply: { message: text } }
  if (dice < 0.26) return { reply: { message: text, final: true } }
  return { reply: { message: text, handoff: { to: random.of(everybody), task: `Task after ${text}` } } }
}

/** Mulberry32: small, fast, and the same everywhere. */
class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed * 0x9e3779b1
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.between(0, items.length - 1)]!
  }

  /** At least one of them. */
  some<Item>(items: readonly Item[]): Item[] {
    return this.shuffled(items).slice(0, this.between(1, items.length))
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, at: this.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item)
  }

  uuid(): string {
    const hex = Array.from({ length: 4 }, () => this.between(0, 0xffffffff).toString(16).padStart(8, '0')).join('')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  }
}
