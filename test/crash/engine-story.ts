/**
 * A story that uses everything the engine has: sequential and concurrent steps, children, signals both ways, a sleep,
 * a stop, failures, retries, facts. Its result and its log are the same whatever happened.
 */

import { z } from 'zod'
import { type Run, type StepContext, StepFailed, Stopped, type Workflow } from '../../src/kernel/engine.ts'
import { defineEvent, type NewEvent } from '../../src/kernel/events.ts'

export const watchReady = defineEvent('watch.ready', 1, z.object({ run: z.string() }))

export interface StorySettings {
  /** Called before and after each effect, with the effect's name. */
  moment(at: 'effect-next' | 'effect-done', name: string): void
  effect(name: string): void
  /** How many turns of the event loop a step takes. */
  turns(name: string): number
}

export interface Story {
  story: Workflow<string, unknown>
  all: Workflow<never, unknown>[]
}

export function createStory(settings: StorySettings): Story {
  const act = async (context: StepContext, label = ''): Promise<string> => {
    const name = `${context.key}${label}`
    await turns(settings.turns(name))
    settings.moment('effect-next', name)
    settings.effect(name)
    settings.moment('effect-done', name)
    await turns(settings.turns(`${name} after`))
    return name
  }

  const branch: Workflow<number, string> = {
    name: 'branch',
    version: 1,
    async run(run, number) {
      const stream = `branch:${number}`
      const first = await run.step('first', (context) => act(context))
      await run.append(note(stream, { first }))
      const second = await run.step('second', async (context) => {
        context.emit(note(stream, 'second'))
        await context.append(note(stream, 'second has begun'))
        return act(context)
      })
      return run.step('third', async (context) => `${first} ${second} ${await act(context)} ${number}`, { ahead: true })
    },
  }

  const messenger: Workflow<string, string> = {
    name: 'messenger',
    version: 1,
    async run(run, to) {
      const text = await run.step('compose', (context) => act(context))
      await run.send(to, 'note', { text })
      return 'sent'
    },
  }

  const watch: Workflow<undefined, string> = {
    name: 'watch',
    version: 1,
    async run(run) {
      await run.step('begin', (context) => act(context))
      try {
        await run.append(watchReady.create({ stream: 'watch' }, { run: run.runId }))
        await run.receive('never', { stoppable: true })
      } catch (error) {
        if (!(error instanceof Stopped)) throw error
        await run.step('clean up', (context) => act(context))
        await run.append(note('watch', 'stopped'))
        return `${error.message}, ${await run.stopRequested()}`
      }
      return 'never stopped'
    },
  }

  const story: Workflow<string, unknown> = {
    name: 'story',
    version: 1,
    async run(run, input) {
      const plan = await run.step('plan', (context) => act(context))
      await run.append(note('story', { plan }), note('story', { input }))
      const branches = await Promise.all([1, 2, 3].map((number) => run.start(branch, number)))
      const parts = await Promise.all(branches.map((handle) => handle.result()))
      const joined = await run.step(
        'join',
        async (context) => {
          context.emit(note('story', { parts }))
          return act(context)
        },
        { ahead: true },
      )
      const id = run.id()
      const sent = await run.start(messenger, run.runId, { id: 'messenger' })
      const received = await run.receive('note', { timeout: 60_000 })
      await run.sleep(15)
      const watching = await run.start(watch, undefined, { id: 'watch' })
      const stopped = await watching.result()
      const flaky = await run.step(
        'flaky',
        async (context) => {
          await context.append(note('story', 'flaky has begun'))
          const name = await act(context, `#${context.attempt}`)
          if (context.attempt === 1) throw new Error('the first try')
          return name
        },
        { retries: 1, retryDelayMs: 3 },
      )
      const failed = await caught(run, act)
      const silence = (await run.receive('nobody', { timeout: 12 })) ?? 'nobody'
      const together = await Promise.all(
        ['x', 'y', 'z'].map((name) =>
          run.step(name, async (context) => {
            context.emit(note(`together:${name}`, name))
            return act(context)
          }),
        ),
      )
      await run.send(run.runId, 'echo', together)
      const echo = await run.receive('echo')
      const last = await run.step('last', async (context) => {
        context.emit(note('story', 'last'))
        context.emit(note('story', 'very last'))
        return act(context)
      })
      await run.append(note('story', 'the end'))
      return {
        input,
        plan,
        parts,
        joined,
        id,
        sent: await sent.result(),
        received,
        stopped,
        flaky,
        failed,
        silence,
        echo,
        last,
      }
    },
  }

  return { story, all: [story, branch, messenger, watch] as Workflow<never, unknown>[] }
}

async function caught(run: Run, act: (context: StepContext) => Promise<string>): Promise<string> {
  try {
    return await run.step('failing', async (context) => {
      await act(context)
      throw Object.assign(new Error('as it should'), { code: 'E_SHOULD' })
    })
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    return `${error.step}: ${error.message} (${error.code})`
  }
}

function note(stream: string, data: unknown): NewEvent {
  return { type: 'thing.noted', version: 1, stream, data }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}
