/** Random workflows for fuzzing: any order of what a run can do, deterministic once generated. */
import fc from 'fast-check'
import type { Run, StepContext, Workflow } from '../../src/kernel/engine.ts'
import type { NewEvent } from '../../src/kernel/events.ts'

export type Operation =
  | {
      kind: 'step'
      emits: number
      appends: number
      failures: number
      retries: number
      stoppable: boolean
      ahead: boolean
    }
  | { kind: 'together'; width: number }
  | { kind: 'append'; facts: number }
  | { kind: 'child'; operations: Operation[]; awaited: boolean }
  | { kind: 'children'; branches: Operation[][] }
  | { kind: 'echo'; stoppable: boolean }
  | { kind: 'silence' }
  | { kind: 'sleep' }
  | { kind: 'look' }

const leaf: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('step' as const),
      emits: fc.nat(2),
      appends: fc.nat(2),
      failures: fc.nat(2),
      retries: fc.nat(2),
      stoppable: fc.boolean(),
      ahead: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant('together' as const), width: fc.integer({ min: 2, max: 4 }) }),
  fc.record({ kind: fc.constant('append' as const), facts: fc.nat(2) }),
  fc.record({ kind: fc.constant('echo' as const), stoppable: fc.boolean() }),
  fc.record({ kind: fc.constant('silence' as const) }),
  fc.record({ kind: fc.constant('sleep' as const) }),
  fc.record({ kind: fc.constant('look' as const) }),
)

const shortList = fc.array(leaf, { minLength: 1, maxLength: 3 })

export const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: leaf },
    fc.record({ kind: fc.constant('child' as const), operations: shortList, awaited: fc.boolean() }),
    fc.record({
      kind: fc.constant('children' as const),
      branches: fc.array(shortList, { minLength: 2, maxLength: 3 }),
    }),
  ),
  { minLength: 1, maxLength: 8 },
)

/** `effect` is called in each attempt of each step, with a unique name. */
export function randomStory(effect: (name: string) => void): Workflow<Operation[], unknown> {
  const story: Workflow<Operation[], unknown> = {
    name: 'random',
    version: 1,
    async run(run, list) {
      const seen: unknown[] = []
      const later: (() => Promise<unknown>)[] = []
      for (const operation of list) seen.push(await perform(run, operation, later))
      for (const await_ of later) seen.push(await await_())
      return seen
    },
  }

  async function perform(run: Run, operation: Operation, later: (() => Promise<unknown>)[]): Promise<unknown> {
    switch (operation.kind) {
      case 'step': {
        const { retries, stoppable, ahead } = operation
        return run
          .step('step', (context) => act(context, operation), { retries, retryDelayMs: 0, stoppable, ahead })
          .catch((error) => `${error.name} ${error.message} ${error.code}`)
      }
      case 'together':
        return Promise.all(
          Array.from({ length: operation.width }, (_, part) =>
            run.step(`part ${part}`, async (context) => {
              for (let turn = 0; turn < (part * 7) % 4; turn++) await new Promise((resolve) => setImmediate(resolve))
              context.emit(fact(`${run.runId} ${context.position}`, part))
              effect(`${context.key}#${context.attempt}`)
              return [part]
            }),
          ),
        )
      case 'append':
        await run.append(...Array.from({ length: operation.facts }, (_, index) => fact(run.runId, index)))
        return operation.facts
      case 'child': {
        const handle = await run.start(story, operation.operations)
        if (operation.awaited) return handle.result()
        later.push(() => handle.result())
        return handle.id
      }
      case 'children': {
        const handles = await Promise.all(operation.branches.map((branch) => run.start(story, branch)))
        return Promise.all(handles.map((handle) => handle.result()))
      }
      case 'echo': {
        const id = run.id()
        await Promise.all([run.send(run.runId, 'echo', id), run.send(run.runId, 'echo', 'second')])
        return [await run.receive('echo', operation), await run.receive('echo', { ...operation, timeout: 60_000 })]
      }
      case 'silence':
        return (await run.receive('nobody', { timeout: 1 })) ?? 'silence'
      case 'sleep':
        await run.sleep(1)
        return 'slept'
      case 'look':
        return [run.id(), await run.stopRequested(), typeof (await run.now())]
    }
  }

  async function act(context: StepContext, operation: Operation & { kind: 'step' }): Promise<unknown> {
    const { key, attempt, position } = context
    const stream = key.slice(0, key.lastIndexOf('/'))
    for (let index = 0; index < operation.appends; index++) await context.append(fact(stream, { position, index }))
    effect(`${key}#${attempt}`)
    for (let index = 0; index < operation.emits; index++) context.emit(fact(stream, { position, index, emitted: true }))
    if (attempt <= operation.failures) throw Object.assign(new Error(`try ${attempt}`), { code: 'E_TRY' })
    return { position, attempt }
  }

  return story
}

function fact(stream: string, data: unknown): NewEvent {
  return { type: 'thing.noted', version: 1, stream, data }
}
