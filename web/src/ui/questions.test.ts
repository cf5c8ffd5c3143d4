import { afterEach, describe, expect, it, vi } from 'vitest'
import type { StoredEvent } from '../../../src/kernel/events.ts'
import type { Question } from '../../../src/kernel/runs/question-events.ts'
import { questionAddress } from '../data/addresses/question.ts'
import { QuestionsStore } from '../data/feed/questions-store.ts'
import { detailsOf } from './question-details.ts'

const question = (id: string, more: Partial<Question> = {}): Question => ({
  id,
  run: 'build-1',
  text: 'Stuck: it is unclear.',
  context: { path: ['root', 'a b'] },
  ...more,
})

const event = (type: string, data: unknown, run = 'build-1') =>
  ({ seq: 1, id: 'e', ts: '', type, version: 1, stream: 'questions', run, data }) as StoredEvent

afterEach(() => vi.unstubAllGlobals())

describe('where a question is answered', () => {
  it('is the node that asks, in its build', () => {
    expect(questionAddress(question('q'))).toBe('/builds/build-1/nodes/root/a%20b')
    expect(questionAddress(question('q', { run: 'build-1/part' }))).toBe('/builds/build-1/nodes/root/a%20b')
    expect(questionAddress(question('q', { context: {} }))).toBe('/builds/build-1')
    expect(questionAddress(question('q', { run: 'round-1' }))).toBeNull()
  })

  it("is the node of an issue's build, or the issue itself", () => {
    expect(questionAddress(question('q', { run: 'run-1/issue-2/build/node' }))).toBe(
      '/builds/run-1%2Fissue-2%2Fbuild/nodes/root/a%20b',
    )
    const about = { feature: 'demo', issue: 2 }
    expect(questionAddress(question('q', { run: 'run-1/issue-2', context: about }))).toBe('/features/demo/issues/2')
    expect(questionAddress(question('q', { run: 'run-1', context: { feature: 'demo' } }))).toBe('/features/demo')
  })

  it('is the phase that asks, in its plan', () => {
    const context = { phase: '6b', plan: 'search-1' }
    expect(questionAddress(question('q', { run: 'plan-1', context }))).toBe('/plans/plan-1/phases/6b')
    expect(questionAddress(question('q', { run: 'ship-1/plan', context }))).toBe('/plans/ship-1%2Fplan/phases/6b')
    expect(questionAddress(question('q', { run: 'plan-1/phase-8.1', context: {} }))).toBe('/plans/plan-1')
  })

  it('tells what is known beside what the question says already', () => {
    const detail = JSON.stringify({ diagnosis: 'it is unclear.', whatToDo: 'Say more.', attempts: 1, tests: [] })
    expect(detailsOf(question('q', { context: { detail } }))).toEqual([{ name: 'what to do', text: 'Say more.' }])
    expect(detailsOf(question('q', { context: { detail: 'plain words' } }))).toEqual([
      { name: '', text: 'plain words' },
    ])
    expect(detailsOf(question('q'))).toEqual([])
  })
})

describe('what waits for a person', () => {
  it('is read, and kept true by what is heard', async () => {
    vi.stubGlobal('fetch', async () => Response.json({ questions: [question('one')] }))
    const store = new QuestionsStore()
    await store.read()
    store.receive(event('question.asked', question('two')))
    expect(store.open.get().map(({ id }) => id)).toEqual(['one', 'two'])
    store.receive(event('question.answered', { id: 'one', choice: 'retry' }))
    expect(store.open.get().map(({ id }) => id)).toEqual(['two'])
    store.receive(event('run.finished', { status: 'failed' }))
    expect(store.open.get()).toEqual([])
  })

  it('does not bring back what was answered while the list was on its way', async () => {
    const store = new QuestionsStore()
    vi.stubGlobal('fetch', async () => {
      store.receive(event('question.answered', { id: 'one', choice: 'retry' }))
      return Response.json({ questions: [question('one')] })
    })
    await store.read()
    expect(store.open.get()).toEqual([])
  })
})
