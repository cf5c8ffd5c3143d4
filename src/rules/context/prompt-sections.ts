/** Divides a prompt into named sections and counts the tokens of each, to see what a prompt spends its tokens on. SPEC.md § AS5. */

export interface PromptMessage {
  role: string
  content: string
}

/** The lines that begin a section. A section ends where the next one begins. */
const beginnings: readonly [RegExp, string][] = [
  [/^## Original request$/, 'request'],
  [/^## Facts about the project$/, 'facts'],
  [/^## Accumulated context$/, 'context'],
  [/^## Current task$/, 'task'],
  [/^What the others wrote:$/, 'others'],
  [/^### What you wrote before$/, 'others'],
  [/^## Acceptance criteria$/, 'criteria'],
  [/^(?:Exits|Reply in this form|Decide what becomes of it|Fields)\b.*:/, 'form'],
  [/^(?:Reply with one JSON object|Return the JSON object)/, 'form'],
  [/^Spec `/, 'spec'],
  [/^Context:$/, 'context'],
  [/^Commands of this project:$/, 'commands'],
  [/^```diff$/, 'diff'],
  [/^This is attempt \d/, 'again'],
]

/** Any other heading of the instructions belongs to what the agent is given to read. */
const material = /^#{1,2} /

/** Tokens by section: the frame, each part of the last message, and the conversation before it. */
export function promptSections(
  messages: readonly PromptMessage[],
  countTokens: (text: string) => number,
): Record<string, number> {
  const sections: Record<string, number> = {}
  const add = (name: string, text: string) => {
    const tokens = countTokens(text)
    if (tokens > 0) sections[name] = (sections[name] ?? 0) + tokens
  }
  const last = messages.findLastIndex(({ role }) => role !== 'system')
  for (const [index, { role, content }] of messages.entries()) {
    if (role === 'system') divide(content, 'frame', add)
    else if (index === last) divide(content, 'task', add)
    else add('conversation', content)
  }
  return sections
}

function divide(text: string, first: string, add: (name: string, text: string) => void): void {
  let name = first
  let lines: string[] = []
  for (const line of text.split('\n')) {
    const begins = beginnings.find(([pattern]) => pattern.test(line))?.[1] ?? after(name, line)
    if (begins !== undefined && begins !== name) {
      add(name, lines.join('\n'))
      name = begins
      lines = []
    }
    lines.push(line)
    if (endings[name]?.test(line)) {
      add(name, lines.join('\n'))
      name = 'task'
      lines = []
    }
  }
  add(name, lines.join('\n'))
}

/** The last lines of sections that the task goes on after. */
const endings: Record<string, RegExp> = { spec: /^Code goes to `/, diff: /^```$/ }

/** A heading in the instructions begins material. */
function after(section: string, line: string): string | undefined {
  if (material.test(line) && section !== 'task' && section !== 'diff') return 'material'
  return undefined
}
