/** A model behind the real coding agents: for each task it makes the given tool calls, one after the other, then speaks. */
import { LLMock } from '@copilotkit/aimock'

export interface MindStep {
  /** Calls the first offered tool whose name matches. */
  tool?: RegExp
  arguments?: (folder: string) => Record<string, unknown>
  say?: string
  /** Keeps the first request for this step open until it is given up; later ones are answered. */
  holdsOnce?: true
}

export interface MindTask {
  /** A part of the prompt. */
  about: string
  steps: MindStep[]
}

export interface EmulatedMind {
  url: string
  tasks: MindTask[]
  /** How many of the next requests answer 503. */
  failing: number
  /** How long it thinks about every request. */
  thinksMs: number
  /** How many requests were kept open. */
  held: number
  requests: { tools: string[]; text: string }[]
  close(): Promise<void>
}

interface Asked {
  messages: { role: string; content: unknown }[]
  tools?: { name?: string; function?: { name: string } }[]
}

/** `worktrees` is the folder below which agents work: the model reads from its prompt where exactly. */
export async function emulatedMind(worktrees: string): Promise<EmulatedMind> {
  const mock = new LLMock({ port: 0, logLevel: 'silent' })
  const mind: EmulatedMind = {
    url: '',
    tasks: [],
    failing: 0,
    thinksMs: 0,
    held: 0,
    requests: [],
    close: () => mock.stop().then(() => {}),
  }
  const released = new Set<MindStep>()
  mock.on({ predicate: () => true }, async (request) => {
    const asked = request as unknown as Asked
    const text = JSON.stringify(asked.messages)
    const tools = (asked.tools ?? []).map(({ name, function: called }) => called?.name ?? name ?? '')
    mind.requests.push({ tools, text })
    if (mind.failing > 0) {
      mind.failing--
      return { error: { message: 'overloaded for a moment', type: 'server_error' }, status: 503 }
    }
    if (mind.thinksMs > 0) await new Promise((later) => setTimeout(later, mind.thinksMs))
    const task = latestTask(mind.tasks, text)
    if (!task || tools.length === 0) return { content: 'ok' }
    const done = resultsAfter(asked, task.about)
    const step = task.steps[Math.min(done, task.steps.length - 1)]!
    if (step.holdsOnce && !released.has(step)) {
      released.add(step)
      mind.held++
      await new Promise((later) => setTimeout(later, 600_000).unref())
    }
    if (!step.tool) return { content: step.say ?? 'done' }
    const name = tools.find((one) => step.tool!.test(one))
    // Codex offers tools of MCP servers in a form that the emulator does not know: the reply is then text.
    if (!name) return { content: step.say ?? `there is no tool ${step.tool} among ${tools.join(', ')}` }
    const folder = folderIn(JSON.stringify(request), worktrees)
    const input = step.arguments?.(folder) ?? {}
    return {
      toolCalls: [{ id: `call_${mind.requests.length}`, name, arguments: JSON.stringify(input) }],
      finishReason: 'stop',
    }
  })
  await mock.start()
  mind.url = mock.url
  return mind
}

/** The task that was given last counts: a session may hold several. */
function latestTask(tasks: readonly MindTask[], text: string): MindTask | undefined {
  return tasks
    .map((task) => ({ task, at: text.lastIndexOf(JSON.stringify(task.about).slice(1, -1)) }))
    .filter(({ at }) => at !== -1)
    .sort((a, b) => b.at - a.at)[0]?.task
}

/** The slot below `worktrees` that the prompt names: agents tell their model what folder they work in. */
function folderIn(text: string, worktrees: string): string {
  const escaped = worktrees.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const slots = [...text.matchAll(new RegExp(`${escaped}(?:/[\\w.-]+?)*?/\\d+(?=[^\\w.-])`, 'g'))].map(([path]) => path)
  return slots.at(-1) ?? worktrees
}

/** How many tool results follow the task in the conversation. */
function resultsAfter({ messages }: Asked, about: string): number {
  const escaped = JSON.stringify(about).slice(1, -1)
  const from = messages.findLastIndex((message) => message.role === 'user' && JSON.stringify(message).includes(escaped))
  return messages.slice(from + 1).filter(({ role }) => role === 'tool').length
}
