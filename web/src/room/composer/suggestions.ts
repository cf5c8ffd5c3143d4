/** Suggestions while typing: commands after `/`, agents and files after `@`. */
import { commands, type Known } from './commands.ts'

export interface Suggestion {
  label: string
  detail: string
  /** The whole text once it is chosen, and where the caret then stands. */
  text: string
  caret: number
  /** Complete: choosing it runs the command. */
  runs: boolean
}

/** The part of a path that is being typed after `@`; null elsewhere, and where nothing is typed yet. */
export function typedPath(text: string, caret: number): string | null {
  return /(?:^|[\s([])@([^\s@"':]+)$/.exec(text.slice(0, caret))?.[1] ?? null
}

/** `files` are those found for the path that is being typed. */
export function suggestionsFor(text: string, caret: number, known: Known, files: readonly string[] = []): Suggestion[] {
  return [...plainSuggestions(text, caret, known), ...forPath(text, caret, files)]
}

function forPath(text: string, caret: number, files: readonly string[]): Suggestion[] {
  const typed = typedPath(text, caret)
  if (typed === null || text.startsWith('/')) return []
  const stem = text.slice(0, caret - typed.length)
  return files.map((path) => {
    const isFolder = path.endsWith('/')
    const written = /\s/.test(path) ? `"${path}"` : path
    const filledIn = filled(isFolder ? stem + written : `${stem}${written} `, text.slice(caret))
    return { ...filledIn, label: `@${path}`, detail: isFolder ? 'folder' : 'attach this file', runs: false }
  })
}

function plainSuggestions(text: string, caret: number, known: Known): Suggestion[] {
  const before = text.slice(0, caret)
  const after = text.slice(caret)
  if (/^\/[a-z]*$/i.test(before)) return after.trim() === '' ? forCommand(before.slice(1).toLowerCase()) : []
  const argument = /^\/([a-z]+)\s+(?:.*[\s,])?([^\s,]*)$/is.exec(before)
  if (argument) return forArgument(before, after, argument[1]!.toLowerCase(), argument[2]!, known)
  const mention = /(?:^|[\s(,/])@([^\s@]*)$/.exec(before)
  return mention ? forMention(before, after, mention[1]!, known) : []
}

function forCommand(typed: string): Suggestion[] {
  return commands
    .filter(({ name }) => name.startsWith(typed))
    .map(({ name, takes, does }) => {
      const text = takes ? `/${name} ` : `/${name}`
      return { label: `/${name}`, detail: does, text, caret: text.length, runs: takes === undefined }
    })
}

function forArgument(before: string, after: string, name: string, typed: string, known: Known): Suggestion[] {
  const command = commands.find((each) => each.name === name)
  if (!command || before.includes(':')) return []
  if (command.takes === 'room') {
    const start = before.replace(/^\/room\s+/i, '').toLowerCase()
    return known.rooms
      .filter((room) => room.name.toLowerCase().startsWith(start))
      .map((room) => ({ ...filled(`/room ${room.name}`, ''), label: room.name, detail: 'room', runs: true }))
  }
  if (!['agent', 'agents', 'message'].includes(command.takes ?? '')) return []
  const already = before.split(/[\s,]+/).slice(1, -1)
  if (already.some((word) => !known.agents.includes(word))) return []
  if (command.takes !== 'agents' && already.length > 0) return []
  const stem = before.slice(0, before.length - typed.length)
  return known.agents
    .filter((agent) => startsWith(agent, typed) && !already.includes(agent))
    .map((agent) => {
      const runs = name === 'only'
      return { ...filled(runs ? stem + agent : `${stem}${agent} `, after), label: agent, detail: 'agent', runs }
    })
}

function forMention(before: string, after: string, typed: string, { agents }: Known): Suggestion[] {
  const stem = before.slice(0, before.length - typed.length)
  const groups = agents.length === 2 ? ['all', 'both'] : ['all']
  const names = [
    ...agents.map((name) => ({ name, detail: 'answers alone' })),
    ...groups.filter((name) => !agents.includes(name)).map((name) => ({ name, detail: 'everybody answers' })),
  ]
  const found = names
    .filter(({ name }) => startsWith(name, typed))
    .map(({ name, detail }) => ({ ...filled(`${stem}${name} `, after), label: `@${name}`, detail, runs: false }))
  if (stem !== '@' || !startsWith('router', typed)) return found
  const line = `@router collaborate ${agents.slice(0, 2).join(' ')}: `
  return [...found, { ...filled(line, after), label: '@router collaborate', detail: 'take turns', runs: false }]
}

function filled(text: string, after: string): Pick<Suggestion, 'text' | 'caret'> {
  return { text: text + (text.endsWith(' ') ? after.replace(/^ /, '') : after), caret: text.length }
}

function startsWith(name: string, typed: string): boolean {
  return name.toLowerCase().startsWith(typed.toLowerCase()) && name.toLowerCase() !== typed.toLowerCase()
}
