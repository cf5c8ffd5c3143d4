import { expect, test } from 'vitest'
import type { NewEvent } from '../events.ts'
import type { Store } from '../store.ts'
import { permissionsOf } from './permissions.ts'
import { questionAsked } from './question-events.ts'
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
  const decide = permissionsOf(scope)
  await expect(decide({ tool: 'execute', title: 'ls' }, 'ask')).rejects.toThrow('stopped')
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})
