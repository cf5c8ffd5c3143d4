/** Parses `@router collaborate gpt claude: <goal>`. SPEC.md § TN10. */

export type CollaborateCommand =
  | { kind: 'none' }
  | { kind: 'collaborate'; participants: string[]; goal: string }
  /** Recognised as the command, but malformed. */
  | { kind: 'wrong'; message: string }

/** Keeps the goal verbatim. Names may start with @ and be separated by spaces or commas. */
export function parseCollaborate(text: string, agents: readonly string[]): CollaborateCommand {
  const command = /^\s*@router\s+collaborate\b/i.exec(text)
  if (!command) return { kind: 'none' }
  const rest = text.slice(command[0].length)
  const colon = rest.indexOf(':')
  if (colon < 0) return wrong('put a colon before the goal')
  const goal = rest.slice(colon + 1).trim()
  if (goal === '') return wrong('the goal is missing')

  const participants = new Set<string>()
  for (const said of rest
    .slice(0, colon)
    .split(/[\s,]+/)
    .filter((part) => part !== '')) {
    const wanted = said.replace(/^@/, '').toLowerCase()
    const agent = agents.find((name) => name === said) ?? agents.find((name) => name.toLowerCase() === wanted)
    if (agent === undefined) return wrong(`there is no agent ${said} in this room`)
    participants.add(agent)
  }
  if (participants.size === 0) return wrong('no agents are named')
  return { kind: 'collaborate', participants: [...participants], goal }
}

function wrong(problem: string): CollaborateCommand {
  return { kind: 'wrong', message: `${problem}; write: @router collaborate <agent> <agent>: <goal>` }
}
