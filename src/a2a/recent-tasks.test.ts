import { type Task, TaskState } from '@a2a-js/sdk'
import { ServerCallContext } from '@a2a-js/sdk/server'
import { describe, expect, it } from 'vitest'
import { RecentTasks } from './recent-tasks.ts'

const task = (id: string, state: TaskState): Task => ({
  id,
  contextId: 'c',
  status: { state, message: undefined, timestamp: undefined },
  artifacts: [],
  history: [],
  metadata: undefined,
})
const { TASK_STATE_WORKING: working, TASK_STATE_COMPLETED: completed } = TaskState

describe('RecentTasks', () => {
  it('forgets the task that ended longest ago, and never one that works', async () => {
    const tasks = new RecentTasks(2)
    for (const [id, state] of [
      ['a', working],
      ['b', completed],
      ['c', completed],
      ['d', working],
      ['e', working],
    ] as const)
      await tasks.save(task(id, state))
    const kept = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => tasks.load(id)))
    expect(kept.map((each) => each?.id)).toEqual(['a', undefined, undefined, 'd', 'e'])
  })

  it('keeps the last state of a task, and lists', async () => {
    const tasks = new RecentTasks()
    await tasks.save(task('a', working))
    await tasks.save(task('a', completed))
    expect((await tasks.load('a'))?.status?.state).toBe(completed)
    const request = { tenant: '', contextId: 'c', pageToken: '' } as Parameters<RecentTasks['list']>[0]
    const context = new ServerCallContext({ requestedVersion: '1.0' })
    expect((await tasks.list(request, context)).tasks.map(({ id }) => id)).toEqual(['a'])
  })
})
