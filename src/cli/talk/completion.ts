/** Tab completion in a room: commands after a slash, agents after an @ or as a command's argument. */
import { roomModes } from '../../room/events.ts'
import { talkCommands } from './line.ts'

export interface Known {
  agents: readonly string[]
  rooms: readonly string[]
}

/** The completions, and the part of the line they replace. */
export function completeTalk(line: string, { agents, rooms }: Known): [string[], string] {
  if (/^\/\S*$/.test(line))
    return matching(
      line,
      talkCommands.map(({ name }) => `/${name} `),
    )
  const argument = /^\/(to|only|collab|mode|room)\s+(?:.*[\s,])?([^\s,]*)$/.exec(line)
  const word = /(?:^|\s)(@\S*)$/.exec(line)?.[1]
  if (word !== undefined)
    return matching(
      word,
      [...agents, 'all', 'router'].map((name) => `@${name} `),
    )
  if (!argument || line.includes(':')) return [[], line]
  const [, command, begun] = argument as unknown as [string, string, string]
  const offered = command === 'mode' ? roomModes : command === 'room' ? rooms : agents
  return matching(
    begun,
    offered.map((each) => `${each} `),
  )
}

function matching(begun: string, offered: string[]): [string[], string] {
  return [offered.filter((each) => each.toLowerCase().startsWith(begun.toLowerCase())), begun]
}
