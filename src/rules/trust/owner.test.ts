import { describe, expect, it } from 'vitest'
import { contradictingVariables, ownerHandsOver, ownerLeft, ownerStaysFor, waitForOwner } from './owner.ts'

const client = { alive: true, openRequests: 0, idleMs: 60_000, follows: [] }
const run = { own: false, waits: false, atRest: false, long: false, followed: true }

describe('an owner whose own work is done', () => {
  it('[TR6] leaves when nobody needs it', () => {
    expect(ownerStaysFor([], [])).toEqual({ clients: 0, runs: 0 })
    expect(ownerStaysFor([client], [{ ...run, own: true }])).toEqual({ clients: 0, runs: 0 })
  })

  it('[TR6] stays for a client that was answered a moment ago or follows a run', () => {
    expect(ownerStaysFor([{ ...client, idleMs: 100 }], []).clients).toBe(1)
    expect(ownerStaysFor([{ ...client, openRequests: 1 }], []).clients).toBe(1)
    expect(ownerStaysFor([{ ...client, alive: false, openRequests: 1, idleMs: 0 }], []).clients).toBe(0)
  })

  it('[TR6] stays for work of others, unless all of it waits for a person', () => {
    expect(ownerStaysFor([], [run]).runs).toBe(1)
    expect(ownerStaysFor([], [{ ...run, waits: true }]).runs).toBe(1)
    expect(ownerStaysFor([], [{ ...run, waits: true, atRest: true }]).runs).toBe(0)
    // Between two steps nothing executes for a moment.
    expect(ownerStaysFor([], [{ ...run, atRest: true }]).runs).toBe(1)
  })

  it('[TR6] hands over long work that commands follow, and stays for a message and for what nobody would continue', () => {
    const build = { ...run, long: true }
    expect(ownerHandsOver([build])).toBe(true)
    expect(ownerHandsOver([build, run])).toBe(true)
    expect(ownerHandsOver([run])).toBe(false)
    expect(ownerHandsOver([build, { ...run, followed: false }])).toBe(false)
    expect(ownerHandsOver([{ ...build, own: true }])).toBe(false)
    expect(ownerHandsOver([{ ...build, waits: true, atRest: true }])).toBe(false)
  })
})

const justSeen = { tries: 0, ms: 0 }

describe('a client that cannot reach the owner', () => {
  it('[TR6] waits as long as the owner lives, less and less often', () => {
    const waits = [0, 1, 2, 10, 10_000].map((tries) =>
      waitForOwner({ tries, ms: tries * 1000, said: true, alive: true, unseen: justSeen }),
    )
    expect(waits.map((wait) => (wait.kind === 'wait' ? wait.ms : null))).toEqual([50, 100, 200, 1000, 1000])
  })

  it('[TR6] says once that it waits', () => {
    const long = { tries: 9, ms: 6_000, alive: true, unseen: justSeen }
    expect(waitForOwner({ ...long, said: false })).toMatchObject({ say: true })
    expect(waitForOwner({ ...long, said: true })).toMatchObject({ say: false })
    expect(waitForOwner({ ...long, ms: 100, said: false })).toMatchObject({ say: false })
  })

  it('[TR6] gives up only on a holder that cannot be seen', () => {
    const long = { tries: 30, ms: 16_000, said: false }
    const unseen = { tries: 30, ms: 16_000 }
    expect(waitForOwner({ tries: 3, ms: 1_000, said: false, alive: null, unseen: { tries: 3, ms: 1_000 } }).kind).toBe(
      'wait',
    )
    expect(waitForOwner({ ...long, alive: null, unseen }).kind).toBe('give-up')
    expect(waitForOwner({ ...long, alive: false, unseen }).kind).toBe('give-up')
  })

  it('[TR6] goes on waiting where one owner follows another, and where few looks took long', () => {
    const long = { tries: 90, ms: 90_000, said: true, alive: null }
    expect(waitForOwner({ ...long, unseen: { tries: 1, ms: 400 } }).kind).toBe('wait')
    expect(waitForOwner({ ...long, unseen: { tries: 2, ms: 30_000 } }).kind).toBe('wait')
  })
})

it('[TR6] names the variables that a client has set and the owner has not, or has otherwise', () => {
  const here: Record<string, string> = { SAME: 'a', OTHER: 'b', ONLY_HERE: 'c' }
  const theirs = { SAME: 'a', OTHER: 'x', ONLY_HERE: null, ONLY_THERE: 'y' }
  expect(contradictingVariables(theirs, (name) => here[name] ?? null)).toEqual(['ONLY_HERE', 'OTHER'])
})

it('[TR6] an owner has left in order if it said so itself, between two steps or in one', () => {
  const owner = { pid: 7, started: '100' }
  expect(ownerLeft(owner, { ...owner, atRest: true })).toBe('between-steps')
  expect(ownerLeft(owner, { ...owner, atRest: false })).toBe('in-a-step')
  expect(ownerLeft(owner, null)).toBe('unsaid')
  // An owner before it, whose process had the same id.
  expect(ownerLeft(owner, { ...owner, started: '99', atRest: true })).toBe('unsaid')
  expect(ownerLeft(owner, { pid: 6, started: '100', atRest: true })).toBe('unsaid')
})
