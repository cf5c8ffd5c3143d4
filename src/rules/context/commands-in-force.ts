/** What a build's agents are told of the project's commands, which a person may change while the build waits. SPEC.md § GR. */

interface Commands {
  build?: string
  test: string
}

interface Message {
  role: string
  content: string
}

/** A part of the test command that fails without any work, in the words of the prompts. */
export interface FailsAlready {
  command: string
  exitCode: number | null
  said: string[]
  more: number
}

/** What the build knew of the project when it began, and the commands of that time. */
export interface KnownAtStart {
  commands: Commands
  failing: FailsAlready[]
  knowledge: string
}

/** [GR9] The commands in force. What failed before any work is known only of the commands that ran then. */
export function knownNow(began: KnownAtStart, commands: Commands): KnownAtStart {
  const isSame = began.commands.build === commands.build && began.commands.test === commands.test
  return { ...began, commands, failing: isSame ? began.failing : [] }
}

/** [GR9] The conversation under this system prompt, and whether it has replies that were given under another. */
export function underSystem<Said extends Message>(
  thread: readonly Said[],
  system: string,
): { messages: (Said | { role: 'system'; content: string })[]; isOutdated: boolean } {
  const [first] = thread
  const said = first?.role === 'system' ? thread.slice(1) : thread
  const isOutdated =
    first?.role === 'system' && first.content !== system && said.some(({ role }) => role === 'assistant')
  return { messages: [{ role: 'system', content: system }, ...said], isOutdated }
}

/** [GR9] A session that goes on does not read the system prompt again. */
export function commandsChanged({ build, test }: Commands): string {
  const lines = [...(build === undefined ? [] : [`- build: \`${build}\``]), `- tests: \`${test}\``]
  return `The commands of this project are now these; use no others that were named before:\n${lines.join('\n')}`
}
