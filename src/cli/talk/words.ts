/** Formats a room's greeting, history, commands and explanations. */
import type { AgentDescription } from '../../agents/configured.ts'
import type { Room } from '../../room/view.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import { describeRound, explainRound, inWords } from '../display/describe-round.ts'
import type { Output, Style } from '../display/output.ts'
import { printable } from '../display/printable.ts'
import { talkCommands } from './line.ts'
import type { PastEntry, TalkRoom } from './room.ts'

export interface Look {
  style: Output['style']
  colourOf(agent: string): Style
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
export function past(entries: readonly PastEntry[], { style, colourOf }: Look): string {
  return entries
    .map((item) => {
      if ('proposals' in item) return style('dim', printable(describeRound(item)))
      const text = shortened(printable(item.text).trim())
      if (item.type === 'agent_call') return style('dim', `→ ${item.target}: ${text}`)
      if (item.sender === 'router') return style('dim', text)
      const who = item.sender === 'you' ? style('bold', 'you') : style(colourOf(item.sender), item.sender)
      return `${who}  ${style('dim', text)}`
    })
    .map((line) => `${line}\n`)
    .join('')
}

export function help({ style }: Look): string {
  const width = Math.max(...talkCommands.map(({ usage }) => usage.length))
  return [
    ...talkCommands.map(({ usage, does }) => `  ${usage.padEnd(width)}  ${style('dim', does)}`),
    style('dim', '  Anything else goes to the room, and a rule decides who answers.'),
    style('dim', '  @gpt in it calls gpt by name, @all calls everybody.'),
    style('dim', '  Tab completes. Esc or Ctrl-C stops what is running. Ctrl-D leaves.'),
  ].join('\n')
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
