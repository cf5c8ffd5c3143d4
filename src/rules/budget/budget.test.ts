import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Budget,
  type BudgetFact,
  type BudgetState,
  evolveBudget,
  growCall,
  noBudget,
  openBudget,
  type Reservation,
  releaseCall,
  reserveCall,
  settleCall,
  wasteCall,
} from './budget.ts'
import { budgetView } from './budget-view.ts'
import { microDollarLimit, microDollars } from './micro-dollars.ts'

/** A budget in use, keeping every fact that was written down. */
class Ledger {
  state: BudgetState = noBudget
  facts: BudgetFact[] = []

  private take<Outcome>(step: { outcome: Outcome; facts: BudgetFact[]; state: BudgetState }): Outcome {
    this.state = step.state
    this.facts.push(...step.facts)
    return step.outcome
  }

  open(run: string, budget?: Budget, parent?: string) {
    return this.take(openBudget(this.state, { run, budget, parent, at: 0 }))
  }

  reserve(reservation: string, more: Partial<Reservation> = {}) {
    return this.take(reserveCall(this.state, { reservation, run: 'root', tokens: 0, usd: 0, at: 0, ...more }))
  }

  grow(reservation: string, used: { tokens?: number; usd?: number | null }, at = 0) {
    return this.take(growCall(this.state, reservation, { tokens: 0, usd: 0, ...used }, at))
  }

  waste(used: { tokens?: number; usd?: number | null }, run = 'root') {
    return this.take(wasteCall(this.state, run, { tokens: 0, usd: 0, ...used }))
  }

  settle(reservation: string, used: { tokens?: number; usd?: number | null } = {}) {
    return this.take(settleCall(this.state, reservation, { tokens: 0, usd: 0, ...used }))
  }

  release(reservation: string) {
    return this.take(releaseCall(this.state, reservation))
  }

  view(run = 'root', at = 0) {
    return budgetView(this.state.runs.get(run)!, at)
  }

  exhaustions() {
    return this.facts.filter((fact) => fact.type === 'exhausted')
  }
}

function ledger(budget: Budget): Ledger {
  const book = new Ledger()
  book.open('root', budget)
  return book
}

describe('calls', () => {
  it('[BU1] are counted when they start, and refused beyond the limit', () => {
    const book = ledger({ calls: 2 })
    expect(book.reserve('a')).toEqual({ kind: 'granted' })
    expect(book.reserve('b')).toEqual({ kind: 'granted' })
    expect(book.reserve('c')).toEqual({ kind: 'refused', limit: 'calls', run: 'root' })
    book.settle('a')
    expect(book.reserve('d')).toMatchObject({ kind: 'refused' })
  })

  it('[BU1] that are running do not come back, so waiting for them is no use', () => {
    const book = ledger({ calls: 1 })
    book.reserve('a')
    expect(book.reserve('b', { canWait: true })).toEqual({ kind: 'refused', limit: 'calls', run: 'root' })
  })

  it('[BU1] that never took place give their place back', () => {
    const book = ledger({ calls: 1 })
    book.reserve('a')
    expect(book.release('a')).toEqual({ kind: 'released' })
    expect(book.reserve('b')).toEqual({ kind: 'granted' })
  })

  it('[BU1] asked again under the same name after a crash count once', () => {
    const book = ledger({ calls: 1 })
    book.reserve('a')
    expect(book.reserve('a')).toEqual({ kind: 'granted' })
    expect(book.view().calls).toMatchObject({ reserved: 1, left: 0 })
  })

  it('[BU1] are settled once', () => {
    const book = ledger({ tokens: 100 })
    book.reserve('a', { tokens: 10 })
    book.settle('a', { tokens: 10 })
    expect(book.settle('a', { tokens: 10 })).toEqual({ kind: 'unknown' })
    expect(book.release('a')).toEqual({ kind: 'unknown' })
    expect(book.view().tokens).toEqual({ spent: 10, reserved: 0, limit: 100, left: 90, overrun: 0 })
  })
})

describe('tokens and money', () => {
  it('[BU1] are reserved first and settled by what was used', () => {
    const book = ledger({ tokens: 100, usd: 1 })
    book.reserve('a', { tokens: 60, usd: 0.6 })
    expect(book.reserve('b', { tokens: 50, usd: 0.1, canWait: true })).toEqual({
      kind: 'wait',
      limit: 'tokens',
      run: 'root',
    })
    expect(book.reserve('b', { tokens: 10, usd: 0.5, canWait: true })).toEqual({
      kind: 'wait',
      limit: 'usd',
      run: 'root',
    })
    book.settle('a', { tokens: 20, usd: 0.2 })
    expect(book.reserve('b', { tokens: 50, usd: 0.5 })).toEqual({ kind: 'granted' })
    expect(book.view()).toMatchObject({
      tokens: { spent: 20, reserved: 50 },
      usd: { spent: 0.2, reserved: 0.5, left: 0.3 },
    })
  })

  it('[BU1] money does not drift: ten times ten cents are a dollar', () => {
    const book = ledger({ usd: 1 })
    for (let call = 0; call < 10; call++) {
      expect(book.reserve(`${call}`, { usd: 0.1 })).toEqual({ kind: 'granted' })
      book.settle(`${call}`, { usd: 0.1 })
    }
    expect(book.view().usd).toMatchObject({ spent: 1, left: 0, overrun: 0 })
    expect(book.reserve('more', { usd: 0.000001 })).toMatchObject({ kind: 'refused', limit: 'usd' })
  })

  it('[BU1] a call that used more than was set aside shows the overrun and stops the next', () => {
    const book = ledger({ tokens: 100 })
    book.reserve('a', { tokens: 10 })
    expect(book.settle('a', { tokens: 130 })).toEqual({ kind: 'settled', overrun: { tokens: 120, usd: 0 } })
    expect(book.view().tokens).toEqual({ spent: 130, reserved: 0, limit: 100, left: 0, overrun: 30 })
    expect(book.reserve('b', { canWait: true })).toEqual({ kind: 'refused', limit: 'tokens', run: 'root' })
  })

  it('[BU1] no tokens left is too few for any call; no money left is enough for a free one', () => {
    const tokens = ledger({ tokens: 10 })
    tokens.reserve('a', { tokens: 10 })
    expect(tokens.reserve('b', { tokens: 0 })).toMatchObject({ kind: 'refused', limit: 'tokens' })
    expect(ledger({ usd: 0 }).reserve('a', { usd: 0 })).toEqual({ kind: 'granted' })
    expect(ledger({ usd: 0 }).reserve('a', { usd: 0.01 })).toMatchObject({ kind: 'refused', limit: 'usd' })
  })

  it('[BU1] an unknown price counts as tokens and is shown as unknown', () => {
    const book = ledger({ usd: 1, tokens: 100 })
    book.reserve('a', { tokens: 40, usd: null })
    book.settle('a', { tokens: 40, usd: null })
    expect(book.view().usd).toMatchObject({ spent: 0, unpriced_calls: 1, unpriced_tokens: 40 })
    expect(book.reserve('b', { tokens: 70, usd: null })).toMatchObject({ kind: 'refused', limit: 'tokens' })
  })

  it('[BU1] a provider that counts nonsense is not free', () => {
    const book = ledger({ tokens: 100 })
    book.reserve('a', { tokens: 40 })
    book.settle('a', { tokens: Number.NaN, usd: Number.NaN })
    expect(book.view()).toMatchObject({ tokens: { spent: 40 }, usd: { unpriced_calls: 1 } })
    expect(book.reserve('b', { tokens: Number.POSITIVE_INFINITY })).toMatchObject({ kind: 'refused' })
  })
})

describe('a call that takes many requests', () => {
  it('[BU1] continues within its reservation, grows while there is room, and is cut short without', () => {
    const book = ledger({ tokens: 100 })
    book.reserve('a', { tokens: 40 })
    expect(book.grow('a', { tokens: 30 })).toEqual({ kind: 'granted' })
    expect(book.view().tokens).toMatchObject({ reserved: 40, left: 60 })
    expect(book.grow('a', { tokens: 70 })).toEqual({ kind: 'granted' })
    expect(book.view().tokens).toMatchObject({ reserved: 70, left: 30 })
    expect(book.reserve('b', { tokens: 40 })).toMatchObject({ kind: 'refused', limit: 'tokens' })
    // That nothing new may start does not end what is under way.
    expect(book.grow('a', { tokens: 80 })).toEqual({ kind: 'granted' })
    expect(book.grow('a', { tokens: 100 })).toEqual({ kind: 'refused', limit: 'tokens', run: 'root' })
    book.settle('a', { tokens: 100 })
    expect(book.view().tokens).toMatchObject({ spent: 100, reserved: 0, overrun: 0 })
    expect(book.exhaustions()).toHaveLength(1)
    expect(book.grow('a', { tokens: 1 })).toEqual({ kind: 'unknown' })
  })

  it('[BU1] is held to the money of every run above it, and to the time', () => {
    const book = ledger({ usd: 1, minutes: 1 })
    book.open('child', {}, 'root')
    book.reserve('a', { run: 'child', usd: 0.2 })
    expect(book.grow('a', { usd: 0.5 }, 59_999)).toEqual({ kind: 'granted' })
    expect(book.grow('a', { usd: 0.5 }, 60_000)).toEqual({ kind: 'refused', limit: 'minutes', run: 'root' })
    expect(book.grow('a', { usd: 1 }, 0)).toEqual({ kind: 'refused', limit: 'usd', run: 'root' })
    expect(book.exhaustions()).toHaveLength(1)
  })

  it('[BU1] and was cut short has used up its tokens and money, but is the same call when it is put again', () => {
    const book = ledger({ calls: 1, tokens: 100 })
    book.reserve('a', { tokens: 10 })
    book.waste({ tokens: 60, usd: null })
    expect(book.view()).toMatchObject({
      calls: { spent: 0, reserved: 1 },
      tokens: { spent: 60, reserved: 10, left: 30 },
      usd: { unpriced_calls: 0, unpriced_tokens: 60 },
    })
    expect(book.reserve('a', { tokens: 10 })).toEqual({ kind: 'granted' })
  })
})

describe('time and depth', () => {
  it('[BU1] minutes run from the opening, in parts too', () => {
    const book = ledger({ minutes: 0.5 })
    expect(book.reserve('a', { at: 29_999 })).toEqual({ kind: 'granted' })
    expect(book.view('root', 15_000).minutes).toEqual({ spent: 0.25, limit: 0.5, left: 0.25 })
    expect(book.reserve('b', { at: 30_000, canWait: true })).toEqual({ kind: 'refused', limit: 'minutes', run: 'root' })
  })

  it('[BU1] runs may be opened to the depth allowed; a refusal there exhausts nothing', () => {
    const book = ledger({ depth: 1 })
    expect(book.open('child', {}, 'root')).toEqual({ kind: 'opened' })
    expect(book.open('grandchild', {}, 'child')).toEqual({ kind: 'refused', limit: 'depth', run: 'root' })
    expect(book.reserve('a', { run: 'child' })).toEqual({ kind: 'granted' })
    expect(book.exhaustions()).toEqual([])
  })

  it('[BU1] a run opened again keeps its account', () => {
    const book = ledger({ calls: 1 })
    book.reserve('a')
    book.open('root', { calls: 100 })
    expect(book.reserve('b')).toMatchObject({ kind: 'refused' })
  })

  it('[BU1] a call in a run that was never opened throws', () => {
    expect(() => new Ledger().reserve('a', { run: 'nobody' })).toThrow('no budget was opened')
  })
})

describe('a tree of runs', () => {
  it('[BU1] children draw on their parent', () => {
    const book = ledger({ calls: 2 })
    book.open('left', {}, 'root')
    book.open('right', { calls: 100 }, 'root')
    expect(book.reserve('a', { run: 'left' })).toEqual({ kind: 'granted' })
    expect(book.reserve('b', { run: 'right' })).toEqual({ kind: 'granted' })
    expect(book.reserve('c', { run: 'right' })).toEqual({ kind: 'refused', limit: 'calls', run: 'root' })
    expect(book.view().calls.reserved).toBe(2)
  })

  it('[BU1] a child’s own limit stops the child alone', () => {
    const book = ledger({ calls: 10 })
    book.open('child', { calls: 1 }, 'root')
    book.reserve('a', { run: 'child' })
    expect(book.reserve('b', { run: 'child' })).toEqual({ kind: 'refused', limit: 'calls', run: 'child' })
    expect(book.reserve('c')).toEqual({ kind: 'granted' })
  })
})

describe('exhaustion', () => {
  it('[BU1] is reported once, applies to every later call, and lets running ones finish', () => {
    const book = ledger({ tokens: 100 })
    book.reserve('running', { tokens: 60 })
    expect(book.reserve('large', { tokens: 50 })).toMatchObject({ kind: 'refused' })
    expect(book.reserve('small', { tokens: 1 })).toEqual({ kind: 'refused', limit: 'tokens', run: 'root' })
    expect(book.settle('running', { tokens: 5 })).toMatchObject({ kind: 'settled' })
    expect(book.reserve('late', { tokens: 1 })).toMatchObject({ kind: 'refused' })
    expect(book.exhaustions()).toEqual([{ type: 'exhausted', run: 'root', limit: 'tokens' }])
    expect(book.view().exhausted).toBe('tokens')
  })

  it('[BU1] is not reported by a run that ends exactly at its limit, nor by one that may wait', () => {
    const book = ledger({ calls: 2, tokens: 10 })
    book.reserve('a', { tokens: 9 })
    book.reserve('b', { tokens: 9, canWait: true })
    expect(book.exhaustions()).toEqual([])
  })
})

describe('any interleaving over a tree', () => {
  const amount = fc.nat(60)
  const cents = fc.nat(40).map((value) => value / 100)
  const limit = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 2 })
  const budget = fc.record({
    calls: limit(fc.nat(6)),
    tokens: limit(fc.nat(120)),
    usd: limit(cents),
    minutes: limit(fc.nat(3)),
  })
  const run = fc.nat(5)
  const name = fc.nat(9)
  const command = fc.oneof(
    fc.record({
      kind: fc.constant('reserve' as const),
      run,
      name,
      tokens: amount,
      usd: fc.option(cents, { nil: null }),
      at: fc.nat(200_000),
      canWait: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('settle' as const), name, tokens: amount, usd: fc.option(cents, { nil: null }) }),
    fc.record({ kind: fc.constant('release' as const), name }),
    fc.record({
      kind: fc.constant('grow' as const),
      name,
      tokens: amount,
      usd: fc.option(cents, { nil: null }),
      at: fc.nat(200_000),
    }),
  )
  const tree = fc.array(fc.record({ budget, parent: fc.nat() }), { minLength: 1, maxLength: 6 })

  it('[BU1] no limit is passed but by what running calls used, and each run is exhausted at most once', () => {
    fc.assert(
      fc.property(tree, fc.array(command, { maxLength: 60 }), (runs, commands) => {
        const book = new Ledger()
        const parents = runs.map(({ parent }, index) => (index === 0 ? null : parent % index))
        runs.forEach(({ budget: given }, index) => {
          book.open(`${index}`, given, parents[index] === null ? undefined : `${parents[index]}`)
        })
        const calls: { run: number; tokens: number; micro: number; overTokens: number; overMicro: number }[] = []
        const open = new Map<number, (typeof calls)[number]>()

        for (const one of commands) {
          if (one.kind === 'reserve') {
            const known = open.has(one.name)
            const at = one.run % runs.length
            const outcome = book.reserve(`${one.name}`, { ...one, run: `${at}` })
            if (outcome.kind !== 'granted' || known) continue
            const call = { run: at, tokens: one.tokens, micro: microDollars(one.usd ?? 0), overTokens: 0, overMicro: 0 }
            calls.push(call)
            open.set(one.name, call)
          } else if (one.kind === 'settle') {
            book.settle(`${one.name}`, one)
            const call = open.get(one.name)
            if (!call) continue
            const micro = microDollars(one.usd ?? 0)
            call.overTokens = Math.max(0, one.tokens - call.tokens)
            call.overMicro = Math.max(0, micro - call.micro)
            Object.assign(call, { tokens: one.tokens, micro })
            open.delete(one.name)
          } else if (one.kind === 'grow') {
            const outcome = book.grow(`${one.name}`, one, one.at)
            const call = open.get(one.name)
            if (!call || outcome.kind !== 'granted') continue
            call.tokens = Math.max(call.tokens, one.tokens)
            call.micro = Math.max(call.micro, microDollars(one.usd ?? 0))
          } else {
            book.release(`${one.name}`)
            const call = open.get(one.name)
            if (call) calls.splice(calls.indexOf(call), 1)
            open.delete(one.name)
          }
          check()
        }
        expect(book.facts.reduce(evolveBudget, noBudget)).toEqual(book.state)
        const exhausted = book.exhaustions().map((fact) => 'run' in fact && fact.run)
        expect(new Set(exhausted).size).toBe(exhausted.length)

        function check() {
          runs.forEach(({ budget: given }, index) => {
            const within = calls.filter((call) => isBelow(call.run, index))
            const sum = (key: 'tokens' | 'micro' | 'overTokens' | 'overMicro') =>
              within.reduce((total, call) => total + call[key], 0)
            const { spent, reserved } = book.state.runs.get(`${index}`)!
            expect(spent.calls + reserved.calls).toBe(within.length)
            expect(spent.tokens + reserved.tokens).toBe(sum('tokens'))
            expect(spent.microUsd + reserved.microUsd).toBe(sum('micro'))
            if (given.calls !== null) expect(within.length).toBeLessThanOrEqual(given.calls)
            if (given.tokens !== null) expect(sum('tokens')).toBeLessThanOrEqual(given.tokens + sum('overTokens'))
            if (given.usd !== null)
              expect(sum('micro')).toBeLessThanOrEqual(microDollarLimit(given.usd) + sum('overMicro'))
          })
        }

        function isBelow(at: number | null, ancestor: number): boolean {
          for (let current = at; current !== null; current = parents[current]!) if (current === ancestor) return true
          return false
        }
      }),
      { numRuns: 300 },
    )
  })

  it('[BU1] nothing is granted after exhaustion', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), budget, (commands, given) => {
        const book = ledger(given)
        let over = false
        for (const one of commands) {
          if (one.kind === 'settle') book.settle(`${one.name}`, one)
          else if (one.kind === 'release') book.release(`${one.name}`)
          else if (one.kind === 'grow') book.grow(`${one.name}`, one, one.at)
          else {
            const isNew = !book.state.reservations.has(`${one.name}`)
            const outcome = book.reserve(`${one.name}`, { ...one, run: 'root' })
            if (over && isNew) expect(outcome.kind).toBe('refused')
          }
          over ||= book.exhaustions().length > 0
        }
      }),
    )
  })
})
