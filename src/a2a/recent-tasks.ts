/** The tasks of other agents, in memory: beyond a number, those that ended longest ago are forgotten. */
import { type ListTasksRequest, type ListTasksResponse, type Task, TaskState } from '@a2a-js/sdk'
import { InMemoryTaskStore, type ServerCallContext, type TaskStore } from '@a2a-js/sdk/server'

const mostTasks = 1000

const ended: readonly (TaskState | undefined)[] = [
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
]

export class RecentTasks implements TaskStore {
  /** Least recently saved first. */
  readonly #tasks = new Map<string, Task>()
  readonly #most: number

  constructor(most = mostTasks) {
    this.#most = most
  }

  async save(task: Task): Promise<void> {
    this.#tasks.delete(task.id)
    this.#tasks.set(task.id, structuredClone(task))
    if (this.#tasks.size <= this.#most) return
    const oldest = [...this.#tasks.values()].find(({ status }) => ended.includes(status?.state))
    if (oldest) this.#tasks.delete(oldest.id)
  }

  async load(id: string): Promise<Task | undefined> {
    const task = this.#tasks.get(id)
    return task && structuredClone(task)
  }

  /** The SDK's own store knows how to filter and page. */
  async list(request: ListTasksRequest, context: ServerCallContext): Promise<ListTasksResponse> {
    const all = new InMemoryTaskStore()
    for (const task of this.#tasks.values()) await all.save(task, context)
    return all.list(request, context)
  }
}
