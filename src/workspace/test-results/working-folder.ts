/** Where a command runs its tests, if it goes to another folder first: `cd web && npm test`, `npm --prefix web test`. */
import { posix } from 'node:path'
import { quoted } from '../commands/quoted.ts'
import { shellParts, shellWords } from './shell-parts.ts'

export interface CommandElsewhere {
  /** Relative to the project, and below it. */
  folder: string
  /** What runs in that folder. */
  command: string
  /** The same from the project's folder, for another command in that folder. */
  around(command: string): string
}

/** Undefined if the command stays in the project's folder, or its way cannot be followed. */
export function commandElsewhere(command: string): CommandElsewhere | undefined {
  const text = withoutGroup(command.trim())
  const parts = shellParts(text)
  if (!parts) return undefined
  const at = parts.findIndex((part) => /^cd\s/.test(part.text))
  if (at === -1) return parts.length === 1 ? byOption(text) : undefined
  const rest = parts.slice(at + 1)
  const folder = below(shellWords(parts[at]!.text)[1])
  const areChained = parts.slice(0, at + 1).every(({ operator }) => operator === '&&')
  if (folder === undefined || rest.length === 0 || !areChained) return undefined
  const before = parts
    .slice(0, at)
    .map((part) => `${part.text} && `)
    .join('')
  return {
    folder,
    command: rest.map((part) => `${part.text} ${part.operator}`.trim()).join(' '),
    around: (inner) => `${before}cd ${quoted(folder)} && ${inner}`,
  }
}

/** `(cd web && npm test)` */
function withoutGroup(command: string): string {
  const inner = /^\(([^()]*)\)$/.exec(command)?.[1]
  return inner === undefined ? command : inner.trim()
}

const options: Record<string, RegExp> = {
  npm: /^(?:--prefix|-C)$/,
  yarn: /^--cwd$/,
  pnpm: /^(?:-C|--dir)$/,
  make: /^(?:-C|--directory)$/,
}

function byOption(command: string): CommandElsewhere | undefined {
  const env = /^(?:\w+=\S*\s+)*/.exec(command)![0]
  const words = command.slice(env.length).split(/\s+/)
  const option = options[words[0] ?? '']
  if (!option || /['"`$|<>]/.test(words.join(' '))) return undefined
  const at = words.findIndex((word) => option.test(word.split('=')[0]!))
  if (at === -1) return undefined
  const [, given] = words[at]!.split('=')
  const folder = below(given ?? words[at + 1])
  if (folder === undefined) return undefined
  const rest = [...words.slice(0, at), ...words.slice(at + (given === undefined ? 2 : 1))]
  return { folder, command: env + rest.join(' '), around: (inner) => `cd ${quoted(folder)} && ${inner}` }
}

function below(path: string | undefined): string | undefined {
  if (path === undefined || path === '' || /^[/~-]|[$`*?]/.test(path)) return undefined
  const folder = posix.normalize(path).replace(/\/$/, '')
  return folder === '.' || folder.startsWith('..') ? undefined : folder
}
