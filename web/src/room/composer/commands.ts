/** The composer's slash commands, and how a line is parsed into one. */
import { nearest } from '../../../../src/rules/text/nearest.ts'

export type Command =
  | { do: 'mode'; mode: 'single' | 'coordinate' | 'collaborate' | 'autopilot'; agents: string[]; text: string }
  | { do: 'rounds'; count: number }
  | { do: 'override'; override: string | null }
  | { do: 'room'; id: string }
  | { do: 'new-room'; name: string }
  | { do: 'ship' | 'plan'; goal: string }
  | { do: 'tell'; agent: string; text: string }
  | { do: 'stop' | 'why' | 'build' | 'settings' | 'theme' | 'shortcuts' }
  | { do: 'wrong'; message: string }

export interface CommandDescription {
  name: string
  /** The argument that follows. Absent: choosing the command runs it. */
  takes?: 'agent' | 'agents' | 'rounds' | 'room' | 'name' | 'goal' | 'message'
  does: string
}

export const commands: CommandDescription[] = [
  { name: 'coordinate', does: 'The rule decides who answers' },
  { name: 'single', takes: 'agent', does: 'Ask one agent' },
  { name: 'collab', takes: 'agents', does: 'Agents take turns and hand over' },
  { name: 'autopilot', takes: 'agents', does: 'Agents take turns until the work is done or a limit is reached' },
  { name: 'rounds', takes: 'rounds', does: 'How many turns a collaboration may take, 1 to 50' },
  { name: 'stop', does: 'Stop what is running in this room' },
  { name: 'why', does: 'Explain how the last message was answered' },
  { name: 'both', does: 'In this room, at least two always answer' },
  { name: 'only', takes: 'agent', does: 'In this room, only this agent answers' },
  { name: 'rule', does: 'In this room, the rule decides again' },
  { name: 'tell', takes: 'message', does: 'Send a private message to one agent; the others do not see it' },
  { name: 'ship', takes: 'goal', does: 'Discuss it here, then plan and build it; progress is posted in this room' },
  { name: 'plan', takes: 'goal', does: 'Make a reviewed plan with issues' },
  { name: 'build', does: 'Build one spec' },
  { name: 'room', takes: 'room', does: 'Go to another room' },
  { name: 'new', takes: 'name', does: 'Create a room' },
  { name: 'settings', does: 'Agents and appearance' },
  { name: 'theme', does: 'Light or dark' },
  { name: 'help', does: 'Keyboard shortcuts' },
]

export interface Known {
  agents: readonly string[]
  rooms: readonly { id: string; name: string }[]
}

/** Null if the text is a message: a path like `/etc/hosts` is not a command. */
export function parseCommand(text: string, known: Known): Command | null {
  const match = /^\/([a-z]+)(?:\s+([\s\S]*))?$/i.exec(text.trimEnd())
  if (!match) return null
  const name = match[1]!.toLowerCase()
  const rest = (match[2] ?? '').trim()
  const command = commands.find((each) => each.name === name)
  return command ? read(command.name, rest, known) : unknown(name)
}

function read(name: string, rest: string, known: Known): Command {
  switch (name) {
    case 'single':
    case 'collab':
    case 'autopilot':
      return withAgents(name === 'collab' ? 'collaborate' : (name as 'single' | 'autopilot'), rest, known)
    case 'coordinate':
      return { do: 'mode', mode: 'coordinate', agents: [], text: rest }
    case 'rounds':
      return rounds(rest)
    case 'both':
      return { do: 'override', override: 'both' }
    case 'rule':
      return { do: 'override', override: null }
    case 'only': {
      const agent = agentNamed(rest, known)
      return agent === undefined
        ? wrong(`Which agent? ${known.agents.join(', ')}`)
        : { do: 'override', override: `only ${agent}` }
    }
    case 'room': {
      const room = known.rooms.find(
        ({ id, name: called }) => id === rest || called.toLowerCase() === rest.toLowerCase(),
      )
      return room
        ? { do: 'room', id: room.id }
        : wrong(rest === '' ? 'Which room?' : `There is no room called ${rest}.`)
    }
    case 'new':
      return { do: 'new-room', name: rest }
    case 'ship':
    case 'plan':
      return rest === ''
        ? wrong(`What is the goal? Write /${name} and the goal in one sentence.`)
        : { do: name, goal: rest }
    case 'tell': {
      const [, word = '', text = ''] = /^(\S+?)[:,]?\s+(\S[\s\S]*)$/.exec(rest) ?? []
      const agent = agentNamed(word, known)
      return agent === undefined ? wrong('Write /tell, an agent and the message.') : { do: 'tell', agent, text }
    }
    case 'help':
      return { do: 'shortcuts' }
    default:
      return { do: name as 'stop' | 'why' | 'build' | 'settings' | 'theme' }
  }
}

/** Names first, then the message, with a colon between them where it begins with a name's letters. */
function withAgents(mode: 'single' | 'collaborate' | 'autopilot', rest: string, known: Known): Command {
  const agents: string[] = []
  let text = rest
  while (text !== '' && !text.startsWith(':')) {
    const [word] = /^\S+/.exec(text)!
    const agent = agentNamed(word.replace(/[,:]+$/, ''), known)
    if (agent === undefined || (mode === 'single' && agents.length === 1)) break
    agents.push(agent)
    text = text.slice(word.length).trimStart()
    if (word.endsWith(':')) break
  }
  return { do: 'mode', mode, agents: [...new Set(agents)], text: text.replace(/^:\s*/, '') }
}

function rounds(rest: string): Command {
  const count = Number(rest)
  if (!Number.isInteger(count) || count < 1 || count > 50) return wrong('Give a number of turns from 1 to 50.')
  return { do: 'rounds', count }
}

function agentNamed(word: string, { agents }: Known): string | undefined {
  const plain = word.replace(/^@/, '').toLowerCase()
  return agents.find((agent) => agent.toLowerCase() === plain)
}

function unknown(name: string): Command {
  const meant = nearest(
    name,
    commands.map((command) => command.name),
  )
  const hint = meant === undefined ? 'Type / to see them all.' : `Did you mean /${meant}?`
  return wrong(`There is no command /${name}. ${hint}`)
}

function wrong(message: string): Command {
  return { do: 'wrong', message }
}
