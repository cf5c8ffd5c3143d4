import { expect, test } from 'vitest'
import type { Run, StepContext } from '../engine.ts'
import type { NewEvent, StoredEvent } from '../events.ts'
import type { Store } from '../store.ts'
import { patientRun } from './patient-run.ts'
import { questionAnswered, questionAsked } from './question-events.ts'
import { RunActivity } from './run-activity.ts'

test('[TR10] a second try in the same process repeats no fact, and emits those of the try that came through', async () => {
  const log: NewEvent[] = []
  const emitted: NewEvent[] = []
  const step = {
    key: 'build-1/4',
    recovered: false,
    signal: new AbortController().signal,
    hold() {},
    emit: (event: NewEvent) => void emitted.push(event),
    async append(event: NewEvent) {
      log.push(event)
      if (!questionAsked.is(event as StoredEvent)) return
      const { id } = event.data as { id: string }
      log.push(questionAnswered.create({ stream: 's', run: 'build-1' }, { id, choice: 'retry' }))
    },
  } as unknown as StepContext
  const store = {
    read: async ({ types }: { types: string[] }) => log.filter(({ type }) => types.includes(type)),
  } as unknown as Store
  const run = {
    runId: 'build-1',
    step: (_: string, fn: (context: StepContext) => unknown) => fn(step),
  } as unknown as Run
  const patient = patientRun(run, { store, activity: new RunActivity(), header: { stream: 's' } })
  const fact = (type: string) => ({ type, version: 1, stream: 's', data: {} }) as NewEvent
  let tries = 0
  await patient.step('ask', async (context) => {
    await context.append(fact('ask.started'))
    context.emit(fact(`emitted by try ${++tries}`))
    if (tries === 1) throw Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' })
    await context.append(fact('ask.finished'))
  })
  const types = log.map(({ type }) => type)
  expect(types).toEqual(['ask.started', questionAsked.type, questionAnswered.type, 'ask.finished'])
  expect(emitted.map(({ type }) => type)).toEqual(['emitted by try 2'])
})
