/** Formats a room's greeting, history, commands and explanations. */
import type { AgentDescription } from '../../agents/configured.ts'
import type { Room } from '../../room/view.ts'
import type { Override } from '../../rules/room/override.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import { describeRound, explainRound, inWords } from '../display/describe-round.ts'
import type { Output, Style } from '../display/output.ts'
import { printable } from '../display/printable.ts'
import { wrapText } from '../display/word-wrap.ts'
import { talkCommands } from './line.ts'
import type { PastEntry, TalkRoom } from './room.ts'

export interface Look {
  style: Output['style']
  colourOf(agent: string): Style
  /** The width of a line now. */
  columns?(): number | undefined
}

export function greeting({ name, agents }: Room, known: AgentDescription[], { style, colourOf }: Look): string {
  const names = agents.map((agent) => style(colourOf(agent), printable(agent)))
  const rehearsing = known.filter((agent) => agent.rehearsal && agents.includes(agent.name))
  const rehearsal =
    rehearsing.length === 0
      ? ''
      : `\n${style('yellow', `(rehearsal: ${inWords(rehearsing.map((agent) => agent.name))} play a script, no model is asked)`)}`
  return `${style('bold', printable(name))} ${style('dim', 'with')} ${inWords(names)}${rehearsal}\n`
}

/** The latest transcript items, shortened to a few lines each. */
export function past(entries: readonly PastEntry[], { style, colourOf, columns }: Look): string {
  const dim = (text: string) => style('dim', wrapText(text, columns?.()))
  return entries
    .map((item) => {
      if ('proposals' in item) return dim(printable(describeRound(item)))
      const text = shortened(printable(item.text).trim())
      if (item.type === 'agent_call') return dim(`→ ${item.target}: ${text}`)
      const { sender } = item
      if (sender === 'router') return dim(text)
      const line = wrapText(`${sender}  ${text}`, columns?.())
      return style(sender === 'you' ? 'bold' : colourOf(sender), sender) + style('dim', line.slice(sender.length))
    })
    .map((line) => `${line}\n`)
    .join('')
}

/** `agents` are those of the room. */
export function help(agents: readonly string[], { style, columns }: Look): string {
  const width = Math.max(...talkCommands.map(({ usage }) => usage.length))
  const isNarrow = (columns?.() ?? Infinity) < width + 4 + narrowest
  const dim = (text: string, indent: number) => style('dim', wrapText(text, columns?.(), indent))
  const name = printable(agents[0] ?? 'an agent')
  return [
    ...talkCommands.map(({ usage, does }) =>
      isNarrow ? `  ${usage}\n    ${dim(does, 4)}` : `  ${usage.padEnd(width)}  ${dim(does, width + 4)}`,
    ),
    ...[
      'Anything else goes to the room, and a rule decides who answers.',
      `@${name} in it calls ${name} by name, @all calls everybody.`,
      'Tab completes. Esc or Ctrl-C stops what is running. Ctrl-D leaves.',
    ].map((line) => `  ${dim(line, 2)}`),
  ].join('\n')
}

/** The least room beside the commands for what they do. */
const narrowest = 24

/** What an override of the room says: "only gpt answers". */
export function overrideInWords(override: Override, agents: readonly string[]): string {
  if (override.kind === 'only') return `only ${override.agent} answers`
  return agents.length > 2 ? 'two agents answer' : 'both answer'
}

export function why(last: TalkRoom['last']): string {
  if (!last) return 'No round has been decided in this room yet.'
  if ('round' in last) return explainRound(last.round)
  return `The last session ended in round ${last.session.round}: ${last.session.reason} [TN11]`
}

export function roomLine(room: Room, here: boolean, { style }: Look): string {
  const name = printable(room.name)
  return `${here ? style('bold', `› ${name}`) : `  ${name}`} ${style('dim', inWords(room.agents))}`
}

function shortened(text: string): string {
  const [first = '', ...more] = text.split('\n')
  return more.length === 0 && first.length <= 300 ? first : `${oneLine(text, 299)}${more.length > 0 ? ' …' : ''}`
}
