/** Hostile inputs: a valid one per rule, mutated at random places, and plain nonsense. Seeded: a failure repeats. */
import type { RuleName } from '../../src/rules/catalogue.ts'

/** One valid input for each rule: its mutations get further than noise does. */
export const goodInputs: Record<RuleName, unknown> = {
  dispatch: {
    proposals: {
      gpt: { angle: 'the schema', confidence: 0.8, covers: ['tables'], builds_on_other: true },
      claude: { angle: 'the cost', confidence: 0.7, covers: ['price', 'tables'], solo_sufficient: false },
      gemini: { angle: 'the schema again', confidence: 0.75, covers: ['tables'] },
    },
    agents: ['claude', 'gemini', 'gpt'],
    limits: { gap: 0.3 },
  },
  turn: {
    session: { participants: ['gpt', 'claude'], round: 1, max_rounds: 6 },
    speaker: 'gpt',
    reply: '{"message":"Here.","handoff":{"to":"claude","task":"Check it."},"final":false}',
  },
  convergence: {
    outputs: ['I agree: use Postgres.', 'However, MongoDB is the better fit.'],
    positions: [{ agent: 'gpt', question: 'store', choice: 'Postgres', confidence: 0.9 }],
  },
  strategy: {
    phase: '4',
    mode: 'complete',
    flags: { s9_multi_strategy: true },
    signals: { security_keywords: 2, files_affected: 3, open_questions: 0, specify_score: 6 },
  },
  risk: { prompt: 'Drop the users table in production, quickly.' },
  specify: {
    scores: { value: 2, scope: 1, acceptance: 0, constraints: 2, risk: 1 },
    iteration: 1,
    mode: 'standard',
    research_degraded: false,
  },
  review: {
    findings: [{ severity: 'CRITICAL', confidence: 90, title: 'x' }, { severity: 'MINOR' }],
    iteration: 1,
    reviewers_missing: ['security-analyst'],
  },
  graph: {
    node: 'impl',
    exit: 'RequestRetry',
    attempt: 4,
    children: 2,
    counts: { reviews: 1, scaffolds: 1, merges: 0, rebases: 0 },
  },
  issue: {
    issues: [
      { number: 1, state: 'DONE', depends_on: [], size: 'small', business_value: 0.5, risk: 0.1 },
      { number: 2, state: 'READY', depends_on: [1] },
      { number: 3, depends_on: [2], size: 'large' },
    ],
  },
  duplicate: {
    issue: 1,
    feature: 'login',
    commits: [{ subject: 'feat(login): Implement issue #1', body: 'Convene-Issue: login#1', reverted: false }],
    tests: { exist: true, pass: false },
    files: { exist: true },
  },
}

const hostile: (() => unknown)[] = [
  () => null,
  () => undefined,
  () => Number.NaN,
  () => Number.POSITIVE_INFINITY,
  () => -0,
  () => 2 ** 53 + 1,
  () => 1e308,
  () => -1,
  () => 0.1 + 0.2,
  () => '',
  () => ' ',
  () => '\u0000',
  () => '\ud800',
  () => 'a\u0301\u202e\u{1f600}ß',
  () => '__proto__',
  () => 'constructor',
  () => 'x'.repeat(20_000),
  () => '('.repeat(2000),
  () => ' a'.repeat(5000),
  () => '`'.repeat(3000),
  () => [],
  () => {},
  () => true,
  () => JSON.parse('{"__proto__": {"polluted": true}}'),
  () => JSON.parse('{"constructor": {"prototype": {"polluted": true}}}'),
  () => Object.create(null),
  () => nested(200),
  () => Array.from({ length: 200 }, (_, index) => index),
  () => Array.from({ length: 50 }, () => ({})),
  () => new Date(0),
  () => 10n,
  () => Symbol('x'),
  () => () => 1,
]

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { value }
  return value
}

export function* hostileInputs(rule: RuleName, count: number, seed: number): Generator<unknown> {
  const random = generator(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  for (let number = 0; number < count; number++) {
    if (random() < 0.1) {
      yield pick(hostile)()
      continue
    }
    let input = structuredClone(goodInputs[random() < 0.05 ? pick(Object.keys(goodInputs) as RuleName[]) : rule])
    for (let bends = 1 + Math.floor(random() * 3); bends > 0; bends--) input = bend(input, random, pick)
    yield input
  }
}

/** The value with one place in it replaced, removed, doubled or renamed. */
function bend(value: unknown, random: () => number, pick: <Item>(items: readonly Item[]) => Item): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.15) return pick(hostile)()
  const keys = Object.keys(value)
  if (keys.length === 0) return pick(hostile)()
  const key = pick(keys)
  if (Array.isArray(value)) {
    const copy: unknown[] = [...value]
    const index = Number(key)
    if (random() < 0.2) copy.push(copy[index])
    else copy[index] = bend(copy[index], random, pick)
    return copy
  }
  const copy: Record<string, unknown> = { ...value }
  const choice = random()
  if (choice < 0.1) delete copy[key]
  else if (choice < 0.2) {
    const name = pick(['__proto__', 'constructor', 'toString', '', '💥', key.toUpperCase()])
    Object.defineProperty(copy, name, { value: copy[key], enumerable: true, configurable: true, writable: true })
  } else copy[key] = bend(copy[key], random, pick)
  return copy
}

/** Mulberry32: small, and the same on every machine. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
