/** What a coding agent asks permission for in the middle of an ask: recorded, and decided by policy or by a person. */
import { permissionText } from '../../rules/agents/permission.ts'
import type { PermissionRequest } from '../agent.ts'
import { permissionRequested, permissionResolved } from '../ask/ask-events.ts'
import type { EventHeader, StoredEvent } from '../events.ts'
import type { Store } from '../store.ts'
import { questionAnswered, questionAsked } from './question-events.ts'
import type { RunActivity } from './run-activity.ts'

export interface PermissionScope {
  store: Store
  activity: RunActivity
  header: EventHeader & { run: string }
  ask: string
  agent: string
  node?: string | undefined
  signal: AbortSignal
}

type Decision = 'allow' | 'deny'

export interface Permissions {
  decide(request: PermissionRequest, judged: Decision | 'ask'): Promise<Decision>
  /** The agent is asked again from the beginning: what it asks for again gets the answers that it had. */
  startOver(): void
}

export function permissionsOf(scope: PermissionScope): Permissions {
  const { store, header, ask, agent, node } = scope
  let count = 0
  let requests: PermissionRequest[] = []
  const decide: Permissions['decide'] = async (request, judged) => {
    const id = `${ask}:${++count}`
    const asked = { id, agent, ask, ...(node === undefined ? {} : { node }), ...request }
    const requested = permissionRequested.create(header, asked)
    const resolved = (decision: Decision, by: string) =>
      permissionResolved.create(header, { id, agent, ask, decision, by })
    if (judged !== 'ask') {
      await store.append([requested, resolved(judged, 'policy')])
      return judged
    }
    const repeats = requests.filter((one) => isSame(one, request)).length
    requests.push(request)
    await store.append([requested])
    const { decision, by } = await askPerson(scope, request, repeats)
    await store.append([resolved(decision, by)])
    return decision
  }
  return {
    decide,
    startOver() {
      requests = []
    },
  }
}

/**
 * Every request is a question of its own. After a restart the agent asks again: its first request for something keeps the
 * first question about that and its answer, the second the second, and so on.
 */
async function askPerson(
  scope: PermissionScope,
  request: PermissionRequest,
  repeats: number,
): Promise<{ decision: Decision; by: string }> {
  const { store, activity, header, ask, agent, node } = scope
  const context = { permission: ask, agent, ...(node === undefined ? {} : { node }), ...request }
  const events = await store.read({ run: header.run, types: [questionAsked.type, questionAnswered.type] })
  const asked = events.flatMap((event) => (questionAsked.is(event) ? [event.data] : []))
  const same = asked.filter((one) => one.context.permission === ask && isSame(one.context, request))
  const earlier = same[repeats]
  const id = earlier?.id ?? `${ask}-${crypto.randomUUID().slice(0, 8)}`
  const known = events.find((event) => isAnswerTo(event, id))
  if (known) return decisionIn(known)
  return activity.whileWaiting(header.run, async () => {
    const answered = answerTo(scope, id)
    // A stop may come while the question is being written, when nobody awaits the answer yet.
    answered.catch(() => {})
    if (!earlier) {
      const text = `${agent} asks for permission: ${permissionText(request)}`
      const question = { id, run: header.run, text, choices: ['allow', 'deny'], only_choices: true, context }
      await store.append([questionAsked.create(header, question)])
    }
    return decisionIn(await answered)
  })
}

function answerTo({ store, signal }: PermissionScope, id: string): Promise<StoredEvent> {
  return new Promise((resolve, reject) => {
    const end = () => {
      unsubscribe()
      signal.removeEventListener('abort', stop)
    }
    const stop = () => {
      end()
      reject(signal.reason)
    }
    const unsubscribe = store.subscribe((event) => {
      if (!isAnswerTo(event, id)) return
      end()
      resolve(event)
    })
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
}

function isAnswerTo(event: StoredEvent, id: string): boolean {
  return questionAnswered.is(event) && event.data.id === id
}

function decisionIn(event: StoredEvent): { decision: Decision; by: string } {
  const isAllowed = questionAnswered.is(event) && event.data.choice === 'allow'
  return { decision: isAllowed ? 'allow' : 'deny', by: event.actor ?? 'you' }
}

function isSame(a: object, b: PermissionRequest): boolean {
  const { tool, title, path, command } = a as Partial<PermissionRequest>
  return tool === b.tool && title === b.title && path === b.path && command === b.command
}
