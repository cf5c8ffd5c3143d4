/** Parses a line typed into a room: text is a message, a word after a slash is a command. */
import { nearest } from '../../rules/text/nearest.ts'
import { readNames } from '../client/message-request.ts'

export type TalkLine =
  | { kind: 'nothing' }
  | { kind: 'message'; text: string; override?: string }
  | { kind: 'mode'; mode?: string }
  | { kind: 'to'; names: string[] }
  | { kind: 'rooms' }
  | { kind: 'room'; room: string }
  /** No names: all agents of the room take part. */
  | { kind: 'collaborate'; names: string[]; goal: string }
  | { kind: 'ship'; goal: string }
  /** A private message to one agent. */
  | { kind: 'tell'; agent: string; text: string }
  | { kind: 'stop' }
  | { kind: 'why' }
  /** Overrides the rule for this room; `null` lets the rule decide again. */
  | { kind: 'override'; override: string | null }
  | { kind: 'help' }
  | { kind: 'quit' }
  | { kind: 'wrong'; message: string }

interface TalkCommand {
  name: string
  usage: string
  does: string
  read(rest: string): TalkLine
}

export const talkCommands: readonly TalkCommand[] = [
  {
    name: 'to',
    usage: '/to <agent> …',
    does: 'ask these agents from now on; /to alone lets the room decide again',
    read: (rest) => ({ kind: 'to', names: readNames(rest) }),
  },
  {
    name: 'mode',
    usage: '/mode <mode>',
    does: 'answer in this mode from now on: single, coordinate, collaborate or autopilot',
    read: (rest) => (rest === '' ? { kind: 'mode' } : { kind: 'mode', mode: rest }),
  },
  {
    name: 'collab',
    usage: '/collab <agent> <agent>: <goal>',
    does: 'let these agents take turns at a goal and hand over to each other',
    read: collaborate,
  },
  {
    name: 'ship',
    usage: '/ship <goal>',
    does: 'plan, build and verify the goal; this room reports the progress',
    read: (goal) => (goal === '' ? { kind: 'wrong', message: 'write: /ship <goal>' } : { kind: 'ship', goal }),
  },
  {
    name: 'tell',
    usage: '/tell <agent> <message>',
    does: 'send a private message to one agent; the others do not see it',
    read: tell,
  },
  {
    name: 'both',
    usage: '/both [<message>]',
    does: 'let a second agent answer this message, too; without a message, every one from now on',
    read: (rest) => overridden('both', rest),
  },
  {
    name: 'only',
    usage: '/only <agent> [<message>]',
    does: 'let only this agent answer; without a message, every one from now on',
    read: only,
  },
  {
    name: 'rule',
    usage: '/rule',
    does: 'let the rule decide who answers again',
    read: () => ({ kind: 'override', override: null }),
  },
  { name: 'why', usage: '/why', does: 'explain how the last round was decided', read: () => ({ kind: 'why' }) },
  {
    name: 'stop',
    usage: '/stop',
    does: 'stop the runs of this room (also: Esc, Ctrl-C)',
    read: () => ({ kind: 'stop' }),
  },
  { name: 'rooms', usage: '/rooms', does: 'list the rooms', read: () => ({ kind: 'rooms' }) },
  {
    name: 'room',
    usage: '/room <name>',
    does: 'go to another room; created if it does not exist',
    read: (rest) => (rest === '' ? { kind: 'rooms' } : { kind: 'room', room: rest }),
  },
  { name: 'help', usage: '/help', does: 'this list', read: () => ({ kind: 'help' }) },
  { name: 'quit', usage: '/quit', does: 'leave (also: Ctrl-D)', read: () => ({ kind: 'quit' }) },
]

export function readTalkLine(typed: string): TalkLine {
  if (typed.trim() === '') return { kind: 'nothing' }
  const command = /^\/(\S*)\s*([\s\S]*)$/.exec(typed)
  if (!command) return { kind: 'message', text: typed.trim() }
  const name = command[1]!.toLowerCase()
  const known = talkCommands.find((each) => each.name === name)
  if (known) return known.read(command[2]!.trim())
  const meant = nearest(
    name,
    talkCommands.map((each) => each.name),
  )
  const suggestion = meant ? `Did you mean /${meant}?` : '/help lists the commands.'
  return {
    kind: 'wrong',
    message: `Unknown command /${name}. ${suggestion} (To send it as a message, put a space before the slash.)`,
  }
}

function collaborate(rest: string): TalkLine {
  const colon = rest.indexOf(':')
  const goal = rest.slice(colon + 1).trim()
  if (colon < 0 || goal === '') return { kind: 'wrong', message: 'write: /collab <agent> <agent>: <goal>' }
  return { kind: 'collaborate', names: readNames(rest.slice(0, colon)), goal }
}

function only(rest: string): TalkLine {
  const said = /^(\S+)\s*([\s\S]*)$/.exec(rest)
  if (!said) return { kind: 'wrong', message: 'write: /only <agent>, or /only <agent> <message>' }
  return overridden(`only ${said[1]!.replace(/^@/, '')}`, said[2]!)
}

function tell(rest: string): TalkLine {
  const said = /^@?([^\s:,]+)[:,]?\s+(\S[\s\S]*)$/.exec(rest)
  if (!said) return { kind: 'wrong', message: 'write: /tell <agent> <message>' }
  return { kind: 'tell', agent: said[1]!, text: said[2]! }
}

function overridden(override: string, text: string): TalkLine {
  return text === '' ? { kind: 'override', override } : { kind: 'message', text, override }
}
