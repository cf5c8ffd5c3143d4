/** Takes a shell command apart at `&&`, `||`, `;` and line ends, outside of quotes and groups. */

export interface ShellPart {
  text: string
  /** What follows it; empty for the last part. */
  operator: '' | '&&' | '||' | ';'
  /** It is a pipe, or its output goes to a file: arguments at its end would not reach its program. */
  isPiped: boolean
}

/** Undefined if the command cannot be understood: open quotes or groups, a background process, a here-document. */
export function shellParts(command: string): ShellPart[] | undefined {
  if (/<<|\\\n/.test(command)) return undefined
  const parts: ShellPart[] = []
  let [start, depth, quote, isPiped] = [0, 0, '', false]
  const push = (end: number, operator: ShellPart['operator'], width: number) => {
    const text = command.slice(start, end).trim()
    if (text !== '') parts.push({ text, operator, isPiped })
    start = end + width
    isPiped = false
  }
  for (let at = 0; at < command.length; at++) {
    const char = command[at]!
    if (char === '\\' && quote !== "'") at++
    else if (quote !== '') quote = char === quote ? '' : quote
    else if (/['"`]/.test(char)) quote = char
    else if (/[({]/.test(char)) depth++
    else if (/[)}]/.test(char)) depth--
    else if (depth === 0) {
      const two = command.slice(at, at + 2)
      if (two === '&&' || two === '||') {
        push(at, two, 2)
        at++
      } else if (char === ';' || char === '\n') push(at, ';', 1)
      else if (/[|<>]/.test(char)) isPiped = true
      // A comment would hide what is appended.
      else if (char === '#' && /^$|\s/.test(command[at - 1] ?? '')) return undefined
      else if (char === '&' && command[at - 1] !== '>' && command[at + 1] !== '>') return undefined
    }
    if (depth < 0) return undefined
  }
  if (quote !== '' || depth !== 0) return undefined
  push(command.length, '', 0)
  return parts
}

/** The words of a simple command, without their quotes. */
export function shellWords(text: string): string[] {
  return (text.match(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g) ?? []).map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  )
}
