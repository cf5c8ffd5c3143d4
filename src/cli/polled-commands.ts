/**
 * The commands that scripts and prompts poll, run without loading the option parser: `status`, `runs` and `questions` with no
 * options but `--json` and `-C`. Everything else, a wrong option included, is left to the whole program.
 */
import { type CommandAction, createContext } from './commands/command.ts'
import { reportError } from './report-error.ts'

interface PolledCommand {
  load(): Promise<CommandAction>
  mostArguments: number
}

const polled: Record<string, PolledCommand> = {
  status: { load: async () => (await import('./commands/features.ts')).statusCommand, mostArguments: 1 },
  runs: { load: async () => (await import('./commands/runs.ts')).runsCommand, mostArguments: 0 },
  questions: { load: async () => (await import('./commands/questions.ts')).questionsCommand, mostArguments: 0 },
}

/** The exit code, or undefined where the words are not such a command. */
export async function runPolledCommand(words: readonly string[]): Promise<number | undefined> {
  const parsed = parse(words)
  const command = parsed && Object.hasOwn(polled, parsed.name) ? polled[parsed.name]! : undefined
  if (!parsed || !command || parsed.rest.length > command.mostArguments) return undefined
  try {
    const action = await command.load()
    return await action(createContext(parsed), ...(parsed.rest as never[]))
  } catch (error) {
    return reportError(error, words)
  }
}

interface Parsed {
  name: string
  rest: string[]
  json: boolean
  folder: string
}

/** Undefined where there is an option that not every command has. */
function parse(words: readonly string[]): Parsed | undefined {
  const [plain, parsed] = [[] as string[], { json: false, folder: '.' }]
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]!
    if (word === '--json') parsed.json = true
    else if (word === '-C' || word === '--folder') {
      const folder = words[++index]
      if (folder === undefined) return undefined
      parsed.folder = folder
    } else if (word.startsWith('-')) return undefined
    else plain.push(word)
  }
  const [name, ...rest] = plain
  return name === undefined ? undefined : { name, rest, ...parsed }
}
