/** The conversation about one task over its attempts. A refused agent gets only what is new. VF8. */
import type { AgentMessage, AskKind } from '../../kernel/agent.ts'
import { exitsAt } from '../../rules/build/graph-table.ts'
import { attemptHistory, continuesThread, type PastAttempt, withEarlier } from '../../rules/evidence/attempt-history.ts'
import { problemText } from '../../rules/schema/problem-text.ts'
import type { Node } from '../node.ts'
import type { RoleThread } from '../node-input.ts'
import { inProject } from '../workspace.ts'
import type { Task, WorktreeReply } from './ask-in-worktree.ts'
import type { CheckResult, VerifiedTask } from './ask-until-verified.ts'

type TaskMessages = Pick<VerifiedTask<unknown>, 'place' | 'kind' | 'prompt' | 'values' | 'thread' | 'memory'>

export class Conversation {
  readonly #node: Node
  readonly #work: TaskMessages
  readonly #past: PastAttempt[] = []
  #messages: AgentMessage[]
  /** The conversation with its tool calls and results, by reference. */
  #ref: string | undefined
  #told: AskKind[]
  /** What the next message says beyond the task itself. */
  #news: Record<string, unknown>
  /** The agent knows the task; the next message only says what is new. */
  #continues = false
  #guidance: string | undefined
  /** The unreliable tests that the agent knows of. */
  #unreliable: readonly string[] = []

  constructor(node: Node, work: TaskMessages) {
    this.#node = node
    this.#work = work
    const earlier = work.memory === undefined ? undefined : node.state.threads[work.memory]
    this.#messages = earlier?.messages ?? work.thread
    this.#ref = earlier?.ref
    this.#told = earlier?.told ?? []
    const before = node.state.triedBefore(work.kind)
    this.#news = {
      reason: work.values.reason,
      ...(before.length > 0 ? { history: attemptHistory(before) } : {}),
    }
  }

  get past(): readonly PastAttempt[] {
    return this.#past
  }

  /** The next message and the conversation it belongs to. */
  next(attempt: number, lastAttempt: boolean): Pick<Task<unknown>, 'prompt' | 'values' | 'thread' | 'continues'> {
    const { values, prompt, place, kind, thread } = this.#work
    if (!this.#isShort()) {
      this.#messages = thread
      this.#ref = undefined
      this.#told = []
      this.#continues = false
      const all = withEarlier(this.#node.state.triedBefore(kind), this.#past)
      if (all.length > 0) this.#news = { ...this.#news, history: attemptHistory(all) }
    }
    const { attempts } = this.#node.caps
    const { guidance, answered, allowed } = this.#node.state
    const earlier = this.#node.state.triedBefore(kind).at(-1)?.attempt ?? 0
    const said = {
      ...this.#news,
      attempt,
      attempts,
      // For an issue, attempts count over the whole build, answers or not.
      earlier: attempt > earlier ? 0 : earlier,
      lastAttempt,
      ...(this.#continues ? {} : { answered }),
      ...(guidance === this.#guidance && this.#continues ? {} : { guidance }),
      unreliable: this.#newlyUnreliable(),
      allowed,
    }
    this.#guidance = guidance
    const soFar = { thread: this.#messages, ...(this.#ref === undefined ? {} : { continues: this.#ref }) }
    if (this.#continues) {
      const { spec } = values
      return { prompt: 'follow-up', values: { spec, exits: exitsAt(place), ...said }, ...soFar }
    }
    const known = this.#messages.some(({ role }) => role === 'user')
    const told = this.#told.includes(kind)
    return { prompt, values: { ...values, ...said, known, told }, ...soFar }
  }

  refused(put: WorktreeReply<unknown>, past: PastAttempt, checked: CheckResult<unknown>): void {
    const { workspace } = this.#node
    const { paths = [], changes = [] } = checked.putBack ?? {}
    const putBack = [...paths, ...changes.map(({ path }) => path)].map((path) => inProject(workspace, path) ?? path)
    const refusals = checked.problems.map((problem) => ({ rule: problem.rule, text: problemText(problem) }))
    this.#add(put, past, { refusals, seen: checked.seen, putBack })
  }

  retried(put: WorktreeReply<unknown>, past: PastAttempt, reason: string): void {
    this.#add(put, past, { reason })
  }

  /** The conversation up to the last reply. */
  soFar(): RoleThread {
    const told = this.#continues ? [...new Set([...this.#told, this.#work.kind])] : this.#told
    return { messages: this.#messages, told, ...(this.#ref === undefined ? {} : { ref: this.#ref }) }
  }

  endedWith({ question, text, thread }: { question: string; text: string; thread?: string }): RoleThread {
    const told = [...new Set([...this.#told, this.#work.kind])]
    const messages = [...this.#messages, ...exchange(question, text)]
    return { messages, told, ...(thread === undefined ? {} : { ref: thread }) }
  }

  /** Without a word from the agent the task is put again as a whole. */
  #add({ question, text, thread }: WorktreeReply<unknown>, past: PastAttempt, news: Record<string, unknown>): void {
    this.#past.push(past)
    this.#news = news
    if (question === undefined || !text?.trim()) return
    this.#messages = [...this.#messages, ...exchange(question, text)]
    this.#ref = thread
    this.#continues = true
  }

  /** VF4: an agent need not repair what passes and fails by itself. */
  #newlyUnreliable(): string[] {
    const { workspace, input } = this.#node
    const all = workspace.seenTests.unreliableOf(input.build)
    const fresh = this.#continues ? all.filter((test) => !this.#unreliable.includes(test)) : all
    this.#unreliable = all
    return fresh.slice(0, 20)
  }

  #isShort(): boolean {
    const { countTokens } = this.#node.deps
    return continuesThread(this.#messages.reduce((sum, { content }) => sum + countTokens(content), 0))
  }
}

function exchange(question: string, text: string): AgentMessage[] {
  return [
    { role: 'user', content: question },
    { role: 'assistant', content: text },
  ]
}
