/** The state of one task at a remote agent: its text as it arrives, and how it ends. */
import type { Message, Part, StreamResponse, Task, TaskState, TaskStatus } from '@a2a-js/sdk'
import type { CallOptions } from '../../kernel/agent.ts'

/** The remote agent ended the task without an answer. */
export class TaskEnded extends Error {
  readonly state: 'failed' | 'rejected' | 'canceled' | 'auth-required'

  constructor(state: TaskEnded['state'], words: string) {
    super(words)
    this.name = 'TaskEnded'
    this.state = state
  }
}

/** The remote agent broke off before the task had ended. */
export class BrokenOff extends Error {
  constructor() {
    super('the stream ended before the task did')
    this.name = 'BrokenOff'
  }
}

/** The numbers of the protocol: importing them would load the SDK with every configuration. */
const state = { completed: 3, failed: 4, canceled: 5, inputRequired: 6, rejected: 7, authRequired: 8 } as const
const isTerminal = (value: TaskState | undefined) =>
  value !== undefined && value >= state.completed && value <= state.authRequired

export class RemoteTask {
  id: string | undefined
  /** What arrived so far, as it was streamed. */
  text = ''
  isOver = false
  readonly #options: Pick<CallOptions, 'onText' | 'onActivity' | 'signal'>
  #status: TaskStatus | undefined

  constructor(options: Pick<CallOptions, 'onText' | 'onActivity' | 'signal'>) {
    this.#options = options
  }

  see(payload: StreamResponse['payload']): void {
    if (this.#options.signal.aborted) return
    this.#options.onActivity?.()
    switch (payload?.$case) {
      case 'message':
        this.#add(messageText(payload.value))
        this.isOver = true
        return
      case 'task':
        this.#seeTask(payload.value)
        return
      case 'artifactUpdate': {
        this.id ??= payload.value.taskId
        const { artifact, append } = payload.value
        // A part of its own begins a new paragraph; a chunk continues the one before.
        const text = textOf(artifact?.parts ?? [])
        this.#add(this.text !== '' && !append ? `\n\n${text}` : text)
        return
      }
      case 'statusUpdate':
        this.id ??= payload.value.taskId
        this.#settle(payload.value.status)
        return
      default:
    }
  }

  /** The answer; throws if the task ended without one. */
  answer(): string {
    const words = messageText(this.#status?.message)
    switch (this.#status?.state) {
      case state.failed:
        throw new TaskEnded('failed', words)
      case state.canceled:
        throw new TaskEnded('canceled', words)
      case state.rejected:
        throw new TaskEnded('rejected', words)
      case state.authRequired:
        throw new TaskEnded('auth-required', words)
      default:
    }
    if (!this.isOver) throw new BrokenOff()
    // An agent may answer with a message beside its status instead of an artefact, or ask back with one.
    if (this.text === '' && words !== '') this.#add(words)
    return this.text
  }

  #seeTask(task: Task): void {
    this.id ??= task.id
    const text = task.artifacts.map(({ parts }) => textOf(parts)).join('\n\n')
    // Polled again, the task repeats what it said before.
    if (text.length > this.text.length && text.startsWith(this.text)) this.#add(text.slice(this.text.length))
    this.#settle(task.status)
  }

  #settle(status: TaskStatus | undefined): void {
    this.#status = status
    if (isTerminal(status?.state)) this.isOver = true
  }

  #add(piece: string): void {
    if (piece === '') return
    this.text += piece
    this.#options.onText?.(piece)
  }
}

/** The parts of an artefact may be pieces of one text, so nothing stands between them. */
function textOf(parts: readonly Part[], between = ''): string {
  return parts
    .map(({ content }) => {
      if (content?.$case === 'text') return content.value
      return content?.$case === 'data' ? JSON.stringify(content.value) : ''
    })
    .filter((text) => text !== '')
    .join(between)
}

const messageText = (message: Message | undefined) => textOf(message?.parts ?? [], '\n\n').trim()
