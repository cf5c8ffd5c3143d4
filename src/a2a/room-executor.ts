/** Posts the messages of other agents to rooms: one room for each conversation, the answer as the task's artefact. */
import { type Message, Role, TaskState } from '@a2a-js/sdk'
import { AgentEvent, type AgentExecutor, type ExecutionEventBus, type RequestContext } from '@a2a-js/sdk/server'
import { askRoom, type Reply } from '../calls/ask-room.ts'
import { ConveneError } from '../kernel/errors.ts'
import { depthVariable, mayCall } from '../rules/mcp/nested.ts'
import type { ApiClient } from '../serve/call.ts'

export interface NestingGuard {
  /** How deep below another Convene this process runs. */
  depth: number
  allowNested(): boolean
}

export function roomExecutor(owner: ApiClient, guard: NestingGuard): AgentExecutor {
  const running = new Map<string, AbortController>()
  return {
    async execute(context, bus) {
      const { taskId, contextId, userMessage } = context
      const cancel = new AbortController()
      running.set(taskId, cancel)
      const task = publisher(context, bus)
      try {
        if (!context.task) task.begin(userMessage)
        if (!mayCall({ startsWork: true }, guard.depth, guard.allowNested()))
          return task.moveTo(TaskState.TASK_STATE_REJECTED, nested(guard.depth))
        task.moveTo(TaskState.TASK_STATE_WORKING)
        const answer = await askRoom(
          { owner: async () => owner, signal: cancel.signal, progress() {}, track() {} },
          { text: textOf(userMessage), room: roomFor(contextId), ...wishesOf(userMessage) },
          task.reply,
        )
        if (cancel.signal.aborted) task.moveTo(TaskState.TASK_STATE_CANCELED)
        else if (answer.replies.length === 0)
          task.moveTo(TaskState.TASK_STATE_FAILED, answer.reason ?? 'no agent answered')
        else task.moveTo(TaskState.TASK_STATE_COMPLETED)
      } catch (error) {
        const message = error instanceof ConveneError ? error.message : 'internal error in Convene'
        if (!(error instanceof ConveneError)) console.error(error)
        task.moveTo(TaskState.TASK_STATE_FAILED, message)
      } finally {
        running.delete(taskId)
        bus.finished()
      }
    },
    // The run is stopped, and `execute` ends the task.
    cancelTask: async (taskId) => running.get(taskId)?.abort(),
  }
}

const nested = (depth: number) =>
  `nested: an agent that Convene started may not start work through Convene (${depthVariable} is ${depth}). Set mcp.allow_nested: true in convene.yaml to allow it.`

/** A conversation keeps its room. */
const roomFor = (contextId: string) => `a2a ${contextId.slice(0, 80)}`

function textOf({ parts }: Message): string {
  const texts = parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []))
  const text = texts.join('\n\n').trim()
  if (text !== '') return text
  throw new ConveneError('invalid_input', 'the message has no text', { path: 'message.parts', expected: 'a text part' })
}

/** `metadata` of a message may name a room, and agents to ask. */
function wishesOf({ metadata }: Message): { room?: string; to?: string[] } {
  const { room, to } = metadata ?? {}
  return {
    ...(typeof room === 'string' && room !== '' ? { room } : {}),
    ...(Array.isArray(to) ? { to: to.filter((name) => typeof name === 'string') } : {}),
  }
}

/** The first reply is the answer; each further one has an artefact of its own. */
const artefactId = (number: number) => (number === 1 ? 'answer' : `answer-${number}`)

function publisher({ taskId, contextId }: RequestContext, bus: ExecutionEventBus) {
  let replies = 0
  const part = (text: string, metadata?: Record<string, unknown>) => ({
    content: { $case: 'text' as const, value: text },
    metadata,
    filename: '',
    mediaType: 'text/plain',
  })
  const status = (state: TaskState, words?: string) => ({
    state,
    timestamp: new Date().toISOString(),
    message:
      words === undefined
        ? undefined
        : {
            messageId: `${taskId}-status`,
            contextId,
            taskId,
            role: Role.ROLE_AGENT,
            parts: [part(words)],
            metadata: undefined,
            extensions: [],
            referenceTaskIds: [],
          },
  })
  return {
    begin(message: Message) {
      const submitted = status(TaskState.TASK_STATE_SUBMITTED)
      bus.publish(
        AgentEvent.task({
          id: taskId,
          contextId,
          status: submitted,
          artifacts: [],
          history: [message],
          metadata: undefined,
        }),
      )
    },
    moveTo(state: TaskState, words?: string) {
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status: status(state, words), metadata: undefined }))
    },
    reply: ({ agent, text }: Reply) => {
      replies += 1
      bus.publish(
        AgentEvent.artifactUpdate({
          taskId,
          contextId,
          artifact: {
            artifactId: artefactId(replies),
            name: `${agent}'s answer`,
            description: '',
            parts: [part(text, { agent })],
            metadata: undefined,
            extensions: [],
          },
          append: false,
          lastChunk: true,
          metadata: undefined,
        }),
      )
    },
  }
}
