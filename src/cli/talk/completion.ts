/** Tab completion in a room: commands after a slash, agents and files after an @, agents as a command's argument. */
import { roomModes } from '../../room/events.ts'
import { talkCommands } from './line.ts'

export interface Known {
  agents: readonly string[]
  rooms: readonly string[]
  /** Files and folders of the project whose path contains the text. */
  files(text: string): Promise<string[]>
}

/** The completions, and the part of the line they replace. */
export async function completeTalk(line: string, { agents, rooms, files }: Known): Promise<[string[], string]> {
  if (/^\/\S*$/.test(line))
    return matching(
      line,
      talkCommands.map(({ name }) => `/${name} `),
    )
  const argument = /^\/(to|only|collab|mode|room|tell)\s+(?:.*[\s,])?([^\s,]*)$/.exec(line)
  const word = /(?:^|\s)(@\S*)$/.exec(line)?.[1]
  if (word !== undefined) {
    const names = [...agents, 'all', 'router'].map((name) => `@${name} `)
    const paths = word === '@' ? [] : await files(word.slice(1))
    // A folder is completed further.
    return matching(word, [...names, ...paths.map((path) => (path.endsWith('/') ? `@${path}` : `@${path} `))])
  }
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
