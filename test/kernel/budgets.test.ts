/** One budget for a tree of runs: respected by calls in any order, across restarts, and resumed when it is raised. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Agent, AgentReply, Usage } from '../../src/kernel/agent.ts'
import { attempt } from '../../src/kernel/ask/attempt.ts'
import { Deltas } from '../../src/kernel/ask/deltas.ts'
import { SignsOfLife } from '../../src/kernel/ask/signs-of-life.ts'
import { Budgets } from '../../src/kernel/budget/budget.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import type { Run, Workflow } from '../../src/kernel/engine.ts'
import { redactedStreams } from '../../src/kernel/redaction/redact-stream.ts'
import { type AskDeps, askInStep } from '../../src/kernel/runs/ask-in-run.ts'
import { Parking } from '../../src/kernel/runs/parking.ts'
import { RunActivity } from '../../src/kernel/runs/run-activity.ts'
import type { Budget } from '../../src/rules/budget/budget.ts'
import { openLocalEngine } from './open-engine.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'convene-budgets-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Records each request, and answers when the test says so. */
class HeldAgent implements Agent {
  readonly name = 'held'
  readonly provider = 'test'
  readonly rehearsal = false
  readonly expected: number
  readonly open: ((used: number) => void)[] = []
  called = 0

  constructor(expected: number) {
    this.expected = expected
  }

  call(): Promise<AgentReply> {
    this.called++
    return new Promise((resolve) => {
      this.open.push((used) => resolve({ ok: true, text: 'ok', usage: tokens(used) }))
    })
  }

  estimateUsage(): Usage {
    return tokens(this.expected)
  }
}

const tokens = (count: number): Usage => ({ inputTokens: count, outputTokens: 0, usd: 0 })

describe('the budget of a tree', () => {
  it('[BU1] no call and no token exceeds it, in whatever order children ask and are answered', async () => {
    const plan = fc.record({
      calls: fc.option(fc.integer({ min: 0, max: 12 }), { nil: null }),
      limit: fc.option(fc.integer({ min: 1, max: 300 }), { nil: null }),
      // Each action: which child asks, and how much of its estimate it then uses.
      wishes: fc.array(fc.record({ child: fc.nat(3), used: fc.integer({ min: 0, max: 30 }) }), { maxLength: 40 }),
      order: fc.array(fc.nat(), { maxLength: 200 }),
    })
    const path = folder()
    const { engine, store, close } = openLocalEngine(path)
    onTestFinished(close)
    let trees = 0
    await fc.assert(
      fc.asyncProperty(plan, async ({ calls, limit, wishes, order }) => {
        const root = `tree-${trees++}`
        const budgets = new Budgets({ store, engine, clock: systemClock, limits: { calls, tokens: limit } })
        await startTree(engine, root)
        const agent = new HeldAgent(30)
        const left = [...wishes]
        const asking: Promise<unknown>[] = []
        let used = 0
        let refused = 0
        for (const choice of [...order, ...Array.from({ length: 4 * wishes.length + 4 }, () => 0)]) {
          const wish = choice % 2 === 0 || agent.open.length === 0 ? left.shift() : undefined
          if (wish) {
            const member = { runId: `${root}/${wish.child}`, parent: root, startedAt: Date.now() }
            const budget = await budgets.of(member, `${member.runId}/${left.length}`)
            const request = { kind: 'phase', question: { run: root, step: '0', try: 1 }, messages: [] } as const
            const options = { signal: new AbortController().signal, clock: systemClock, budget }
            asking.push(attempt(agent, { ...request, messages: [] }, options).then(({ ok }) => (ok ? 0 : refused++)))
          } else if (agent.open.length > 0) {
            const amount = wishes[agent.called % wishes.length]!.used
            used += amount
            agent.open.splice(choice % agent.open.length, 1)[0]!(amount)
          }
          await turn()
          if (calls !== null) expect(agent.called).toBeLessThanOrEqual(calls)
          if (limit !== null) expect(used + 30 * agent.open.length).toBeLessThanOrEqual(limit)
        }
        while (agent.open.length > 0) {
          agent.open.shift()!(0)
          await turn()
        }
        await Promise.all(asking)
        expect(agent.called + refused).toBe(wishes.length)
      }),
      { numRuns: 60 },
    )
  })

  it('[BU1] usage of children counts once after a restart, at any depth', async () => {
    const path = folder()
    const limits = { calls: 10 }
    const first = open(path, limits)
    await first.engine.start(first.family, { depth: 3, asks: 2 }, { id: 'root' })
    await first.engine.result('root')
    const before = await first.budgets.view('root')
    expect(before?.calls.spent).toBe(8)
    await first.close()
    const second = open(path, limits)
    expect((await second.budgets.view('root'))?.calls.spent).toBe(8)
    await second.close()
  })

  it('[BU1] once exhausted, the tree is parked when all calls in flight have ended; with more it resumes where it was', async () => {
    const path = folder()
    const first = open(path, { calls: 3 })
    await first.engine.start(first.family, { depth: 3, asks: 2 }, { id: 'root' })
    await expect(first.engine.result('root')).rejects.toThrow(/no calls left/)
    expect(await first.engine.get('root')).toMatchObject({ status: 'needs-attention', code: 'budget_exhausted' })
    expect(await first.engine.list({ status: 'running' })).toEqual([])
    expect(first.calls.length).toBe(3)
    await first.close()
    const second = open(path, { calls: 100 })
    await second.engine.resume('root')
    await second.engine.result('root')
    expect(first.calls.length + second.calls.length).toBe(8)
    expect(new Set([...first.calls, ...second.calls]).size).toBe(8)
    await second.close()
  })
})

async function startTree(engine: ReturnType<typeof openLocalEngine>['engine'], root: string): Promise<void> {
  const waiting: Workflow<undefined, void> = { name: `wait ${root}`, version: 1, run: (run) => run.receive('never') }
  await engine.start(waiting, undefined, { id: root })
}

/** Runs that ask, each with a child, and an agent that answers at once. */
function open(path: string, limits: Budget) {
  const { engine, store, close } = openLocalEngine(path)
  const calls: string[] = []
  const agent: Agent = {
    name: 'ready',
    provider: 'test',
    rehearsal: false,
    async call({ question }) {
      calls.push(`${question.run}/${question.step}`)
      return { ok: true, text: 'ok', usage: tokens(1) }
    },
    estimateUsage: () => tokens(1),
  }
  const budgets = new Budgets({ store, engine, clock: systemClock, limits })
  const parking = new Parking({ engine, parkTree: (top, { code, message }) => engine.pause(top, message, code) })
  const deps: AskDeps = {
    store,
    deltas: new Deltas(redactedStreams({ env: {} })),
    signs: new SignsOfLife(systemClock),
    runActivity: new RunActivity(),
    clock: systemClock,
    patienceWith: () => ({ retry: {}, limits: { silenceMs: 60_000 } }),
    budgetOf: (run, ask) => budgets.of(run, ask),
    parking,
  }
  const put = (run: Run) =>
    run.step('ask', async (step) => {
      const { exit } = await askInStep(run, step, deps, { agent, kind: 'phase', messages: () => [], stream: 's' })
      if (!exit.ok && exit.failure.reason === 'budget') return parking.park(run, step, exit.failure)
      return exit.ok
    })
  const family: Workflow<{ depth: number; asks: number }, number> = {
    name: 'family',
    version: 1,
    async run(run, { depth, asks }) {
      const below =
        depth === 0 ? null : await run.start(family, { depth: depth - 1, asks }, { id: `${run.runId}/child` })
      for (let index = 0; index < asks; index++) await put(run)
      return 1 + ((await below?.result()) ?? 0)
    },
  }
  engine.register(family)
  return { engine, store, budgets, family, calls, close }
}
