import { expect, test } from 'vitest'
import type { NewEvent, StoredEvent } from '../events.ts'
import type { Store } from '../store.ts'
import { permissionsOf } from './permissions.ts'
import { questionAnswered, questionAsked } from './question-events.ts'
import { RunActivity } from './run-activity.ts'

test('a stop while the question is being written ends the wait, and is no unhandled rejection', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  const stop = new AbortController()
  const store = {
    read: async () => [],
    subscribe: () => () => {},
    append: async ([event]: NewEvent[]) => {
      if (event?.type !== questionAsked.type) return []
      stop.abort(new Error('stopped'))
      await new Promise((resolve) => setImmediate(resolve))
      await new Promise((resolve) => setImmediate(resolve))
      return []
    },
  } as unknown as Store
  const header = { stream: 's', run: 'build-1' }
  const scope = { store, activity: new RunActivity(), header, ask: 'build-1/2', agent: 'a', signal: stop.signal }
  const { decide } = permissionsOf(scope)
  await expect(decide({ tool: 'execute', title: 'ls' }, 'ask')).rejects.toThrow('stopped')
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

test('[AG2] each request is a question of its own; an agent that starts over gets the answers that it had', async () => {
  const log: StoredEvent[] = []
  const listeners = new Set<(event: StoredEvent) => void>()
  const choices = ['allow', 'deny']
  const store = {
    read: async () => log,
    subscribe: (listener: (event: StoredEvent) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    append: async (events: NewEvent[]) => {
      for (const event of events) {
        const stored = event as StoredEvent
        log.push(stored)
        for (const listener of [...listeners]) listener(stored)
        // A person answers each question with the next choice.
        if (questionAsked.is(stored)) {
          const answer = { id: stored.data.id, choice: choices.shift()! }
          void store.append([questionAnswered.create({ stream: 'questions', run: 'build-1', actor: 'ada' }, answer)])
        }
      }
      return []
    },
  }
  const header = { stream: 's', run: 'build-1' }
  const signal = new AbortController().signal
  const scope = {
    store: store as unknown as Store,
    activity: new RunActivity(),
    header,
    ask: 'build-1/2',
    agent: 'a',
    signal,
  }
  const request = { tool: 'execute', title: 'npm test', command: 'npm test' }
  const asked = () => log.filter(({ type }) => type === questionAsked.type).length
  const permissions = permissionsOf(scope)
  expect([await permissions.decide(request, 'ask'), await permissions.decide(request, 'ask')]).toEqual([
    'allow',
    'deny',
  ])
  expect(asked()).toBe(2)
  permissions.startOver()
  const restarted = permissionsOf(scope)
  for (const { decide } of [permissions, restarted])
    expect([await decide(request, 'ask'), await decide(request, 'ask')]).toEqual(['allow', 'deny'])
  expect(asked()).toBe(2)
})
