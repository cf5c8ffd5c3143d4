/** Whether a type has only gained optional members or methods, which no caller has to know about. SPEC.md § MG3. */

export function addsOnlyOptional(before: string, after: string): boolean {
  const [old, young] = [membersOf(before), membersOf(after)]
  if (!old || !young || old.around !== young.around || young.members.length <= old.members.length) return false
  let next = 0
  const added = young.members.filter((member) => {
    if (member !== old.members[next]) return true
    next++
    return false
  })
  return next === old.members.length && added.every((member) => optional.test(member) || method.test(member))
}

const optional = /^(?:readonly )?(?:[\w$]+|'[^']*'|"[^"]*")\?(?::|\()/
/** `run(): void`, `run<T>(x: T): T` and `run: (x) => T`. */
const method = /^(?:[\w$]+|'[^']*'|"[^"]*")(?:<.*>)?(?:\(|:(?:<.*>)?\(.*\)=>)/

interface Members {
  /** The text outside the outermost braces. */
  around: string
  members: string[]
}

function membersOf(text: string): Members | null {
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')]
  if (start === -1 || end < start) return null
  const around = `${plain(text.slice(0, start))}{}${plain(text.slice(end + 1))}`
  return { around, members: splitMembers(text.slice(start + 1, end)) }
}

/** Splits at separators outside brackets. A line break separates members too. */
function splitMembers(text: string): string[] {
  const members: string[] = []
  let [depth, member] = [0, '']
  for (const [index, character] of [...text].entries()) {
    if ('{[(<'.includes(character)) depth++
    if ('}])'.includes(character) || (character === '>' && text[index - 1] !== '=')) depth--
    if (depth === 0 && /[;,\n]/.test(character)) {
      members.push(plain(member))
      member = ''
    } else member += character
  }
  return [...members, plain(member)].filter((one) => one !== '')
}

function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/ ?([^\w\s$'"]) ?/g, '$1')
    .trim()
}
