/** The text of a prompt: what was said so far, what is asked, and how the work ends. */
import type { AgentMessage } from '../../kernel/agent.ts'
import { exitToolName } from './exit-tool.ts'

export interface PromptPlace {
  /** Some agents do not tell their model where they work. */
  folder: string
  /** `write`: a worktree of its own; `read`: a copy of the project; `none`: no project. */
  place: 'write' | 'read' | 'none'
  hasExitTool: boolean
  /** The reply must be JSON. */
  isStructured: boolean
}

/** The prompt of a new session: the whole conversation. */
export function firstPrompt(messages: readonly AgentMessage[], place: PromptPlace): string {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
  const spoken = messages.filter(({ role }) => role !== 'system')
  const last = spoken.at(-1)
  const earlier = spoken.slice(0, -1)
  return [
    ...system,
    ...(earlier.length > 0 ? [`# The conversation so far\n\n${earlier.map(line).join('\n\n')}`] : []),
    ...(last ? [earlier.length > 0 ? `# Now\n\n${last.content}` : last.content] : []),
    closing(place),
  ]
    .filter((part) => part.trim() !== '')
    .join('\n\n')
}

/** The next prompt of a session that has the earlier messages. */
export function nextPrompt(messages: readonly AgentMessage[], place: PromptPlace): string {
  return [...messages.map(({ content }) => content), closing(place)].filter((part) => part.trim() !== '').join('\n\n')
}

function line({ role, content }: AgentMessage): string {
  const who = role === 'assistant' ? 'You' : role === 'tool' ? 'Result of a tool' : 'User'
  return `${who}:\n${content}`
}

function closing({ place, folder, hasExitTool, isStructured }: PromptPlace): string {
  return [
    where[place](folder),
    hasExitTool
      ? `When you are done, call the tool ${exitToolName} of the MCP server convene with the reply you were asked for, then end your turn. If you do not have that tool, send the reply as one JSON object in your last message.`
      : isStructured
        ? 'Send the reply as one JSON object in your last message, without any words around it.'
        : '',
  ]
    .filter(Boolean)
    .join('\n')
}

const where = {
  write: (folder: string) =>
    `You work in ${folder}, your current folder: a git worktree made for this task. What is not in a file there has not been done; nothing outside of it may be changed. Do not commit: Convene does that, after it has verified your work.`,
  read: (folder: string) =>
    `Your current folder, ${folder}, is a copy of the project at its last commit. Read what you need with your own tools; change nothing and run nothing that does: the copy is thrown away.`,
  none: () => 'Answer from what you were told: there is nothing to read or to change.',
}
