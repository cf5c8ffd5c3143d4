/** An agent elsewhere that speaks the Agent2Agent protocol, 1.0 or 0.3. The SDK is loaded with the first call. */
import { randomUUID } from 'node:crypto'
import type { Client } from '@a2a-js/sdk/client'
import type { Agent, AgentMessage, AgentReply, AgentRequest, CallOptions } from '../../kernel/agent.ts'
import { estimateTokens } from '../../kernel/ask/usage.ts'
import { type Price, priced } from '../models/price.ts'
import { asOneObject } from '../prompts/reply-form.ts'
import { connectRemote } from './connect-remote.ts'
import { failureFrom } from './failure.ts'
import { RemoteTask } from './remote-task.ts'

export interface A2aAgentSettings {
  name: string
  /** The endpoint; its card is at the origin. */
  url: string
  apiKey?: string
  /** The variable that should hold the key, for messages. */
  apiKeyEnv?: string
  /** The model name to show. */
  model?: string
  price?: Price
  retries?: number
}

/** How often to poll a task, if its agent does not stream. */
const pollMs = 1_000

export function createA2aAgent(settings: A2aAgentSettings): Agent {
  const { name, model, price, retries } = settings
  let connecting: Promise<Client> | undefined
  const client = () => {
    connecting ??= connectRemote(settings).catch((error: unknown) => {
      connecting = undefined
      throw error
    })
    return connecting
  }
  return {
    name,
    provider: 'a2a',
    model,
    rehearsal: false,
    retries,
    async call(request, options) {
      options.signal.throwIfAborted()
      const task = new RemoteTask(options)
      const reply = await converse(client, request, options, task).catch((error: unknown) => {
        options.signal.throwIfAborted()
        return {
          failure: failureFrom(error, settings, { isAccepted: task.id !== undefined, partial: task.text !== '' }),
        }
      })
      const usage = priced(estimateTokens(request.messages, task.text), price)
      if (!('failure' in reply)) return { ok: true, text: reply.text, usage } satisfies AgentReply
      return { ok: false, failure: reply.failure, partialText: task.text, usage } satisfies AgentReply
    },
    estimateUsage: (messages, reply) => priced(estimateTokens(messages, reply), price),
  }
}

async function converse(
  client: () => Promise<Client>,
  { messages, schema }: AgentRequest,
  { signal }: CallOptions,
  task: RemoteTask,
): Promise<{ text: string }> {
  const remote = await unlessStopped(client(), signal)
  const card = await remote.getAgentCard()
  const request = {
    tenant: '',
    message: {
      messageId: randomUUID(),
      contextId: '',
      taskId: '',
      role: 1,
      parts: [
        {
          content: { $case: 'text' as const, value: promptOf(messages, schema !== undefined) },
          metadata: undefined,
          filename: '',
          mediaType: 'text/plain',
        },
      ],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: undefined,
    metadata: undefined,
  }
  const cancel = () => {
    if (task.id === undefined || task.isOver) return
    void remote.cancelTask({ tenant: '', id: task.id, metadata: undefined }).catch(() => {})
  }
  signal.addEventListener('abort', cancel, { once: true })
  try {
    if (card.capabilities?.streaming)
      for await (const { payload } of remote.sendMessageStream(request, { signal })) task.see(payload)
    else {
      const result = await remote.sendMessage(request, { signal })
      task.see('messageId' in result ? { $case: 'message', value: result } : { $case: 'task', value: result })
    }
    while (!task.isOver && task.id !== undefined && !card.capabilities?.streaming) {
      await pause(pollMs, signal)
      task.see({
        $case: 'task',
        value: await remote.getTask({ tenant: '', id: task.id, historyLength: undefined }, { signal }),
      })
    }
    return { text: task.answer() }
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** A stopped ask does not wait for a connection that others may still want. */
async function unlessStopped<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const stopped = Promise.withResolvers<never>()
  const stop = () => stopped.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  work.catch(() => {})
  try {
    return await Promise.race([work, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(signal.reason)
      },
      { once: true },
    )
  })
}

/** The protocol knows one message at a time: everything said so far goes into it. */
function promptOf(messages: readonly AgentMessage[], isStructured: boolean): string {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
  const talk = messages.filter(({ role }) => role !== 'system')
  const said =
    talk.length <= 1
      ? talk.map(({ content }) => content)
      : talk.map(({ role, content }) => `${role === 'assistant' ? 'You said' : 'You were told'}:\n${content}`)
  return [...system, ...said, ...(isStructured ? [asOneObject] : [])].join('\n\n')
}
