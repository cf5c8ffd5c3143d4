/** Splits the message of a squashed commit into the messages it contains. SPEC.md § SY. */

export interface Message {
  hash?: string
  subject: string
  body: string
}

export interface SquashedMessage {
  /** The squashed commit's own message. */
  own: string
  /** The messages inside, newest first. */
  inside: Message[]
}

/** [SY1] Reads git's and the forges' form; a body in neither form contains no messages. */
export function unsquash(subject: string, body: string): SquashedMessage {
  const lines = body.split(/\r?\n/)
  return byGit(subject, lines) ?? byForge(lines) ?? { own: body, inside: [] }
}

const heading = 'Squashed commit of the following:'

/** `git merge --squash`: under its heading the log, newest first, messages indented by four spaces. */
function byGit(subject: string, lines: readonly string[]): SquashedMessage | null {
  const start = subject.trim() === heading ? 0 : lines.indexOf(heading) + 1
  if (start === 0 && subject.trim() !== heading) return null
  const inside: Message[] = []
  let message: string[] = []
  let hash: string | undefined
  const finish = () => {
    if (hash !== undefined) inside.push({ hash, ...messageOf(message) })
  }
  for (const line of lines.slice(start)) {
    const next = /^commit ([0-9a-f]{7,64})\b/.exec(line)
    if (next) {
      finish()
      hash = next[1]!
      message = []
    } else if (line.startsWith('    ')) message.push(line.slice(4))
    else if (line.trim() === '' && message.length > 0) message.push('')
  }
  finish()
  return { own: lines.slice(0, Math.max(0, start - 1)).join('\n'), inside }
}

/**
 * A forge's squash: one bullet per commit, oldest first, co-authors after a dashed line. People use bullets for other lists
 * too, so a bullet's subject counts only if it is a revert; work is recognised by its trailers.
 */
function byForge(lines: readonly string[]): SquashedMessage | null {
  const isBlank = (index: number) => (lines[index] ?? '').trim() === ''
  const starts = lines.flatMap((line, index) => {
    return /^\* \S/.test(line) && isBlank(index - 1) && isBlank(index + 1) ? [index] : []
  })
  if (starts.length < 2) return null
  const divider = lines.findIndex((line, index) => index > starts.at(-1)! && /^-{3,}\s*$/.test(line))
  const end = divider === -1 ? lines.length : divider
  const inside = starts.map((start, index) => {
    const message = messageOf(lines.slice(start, starts[index + 1] ?? end))
    const subject = message.subject.slice(2)
    return { ...message, subject: /^re(vert|apply)\b/i.test(subject) ? subject : '' }
  })
  const own = [...lines.slice(0, starts[0]), ...lines.slice(end + 1)]
  return { own: own.join('\n'), inside: inside.reverse() }
}

function messageOf(lines: readonly string[]): { subject: string; body: string } {
  return { subject: lines[0] ?? '', body: lines.slice(1).join('\n') }
}
