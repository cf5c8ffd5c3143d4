/** Reads issues and reverts from a single commit message. SPEC.md § SY. */

export interface Trailer {
  key: string
  value: string
}

/**
 * [SY1] The trailers of a message body, found as git finds them: in the last paragraph, if every line is a trailer,
 * or at least a quarter are and one of them is git's own. A similar line in running text does not count.
 */
export function trailersOf(body: string): Trailer[] {
  const block = lastParagraph(body)
  const trailers: Trailer[] = []
  let others = 0
  let gitsOwn = false
  let open: Trailer | null = null
  for (const line of block) {
    if (open && isContinuation(line)) {
      open.value += ` ${line.trim()}`
      continue
    }
    open = trailerIn(line)
    if (open) trailers.push(open)
    else others++
    gitsOwn ||= line.startsWith('Signed-off-by: ') || line.startsWith(cherryPicked)
  }
  const isTrailerBlock = others === 0 || (gitsOwn && trailers.length * 3 >= others)
  return isTrailerBlock ? trailers.filter((trailer) => trailer.key !== cherryPicked) : []
}

/** [SY1] The issues of a feature that the trailers name. Keys ignore case, as in git; feature names do not. */
export function issuesInTrailers(feature: string, body: string): number[] {
  return trailersOf(body).flatMap(({ key, value }) => {
    const hash = value.lastIndexOf('#')
    if (key.toLowerCase() !== 'convene-issue' || value.slice(0, hash) !== feature) return []
    return issueNumber(value.slice(hash + 1)) ?? []
  })
}

/** [SY1] The issue that a subject implements. `#1` is not `#12`; text may follow the number. */
export function issueInSubject(feature: string, subject: string): number | null {
  const start = subjectStart(feature)
  return subject.startsWith(start) ? leadingIssueNumber(subject.slice(start.length)) : null
}

/** Issues whose subject appears anywhere in a text, as in a hand-written revert. */
export function issuesMentioned(feature: string, text: string): number[] {
  const pieces = text.split(subjectStart(feature)).slice(1)
  return pieces.flatMap((piece) => leadingIssueNumber(piece) ?? [])
}

export interface RevertLayers {
  /** The subject inside all the quotes. */
  base: string
  /** How often the base was reverted: odd means undone, even and above 0 means restored. */
  flips: number
}

/** [SY1] `Revert "…"` undoes, `Reapply "…"` is git's short form of reverting a revert; they nest. */
export function revertLayers(subject: string): RevertLayers {
  let base = subject.replaceAll('\\"', '"').trim()
  let flips = 0
  for (;;) {
    const wrapper = wrappers.find(({ prefix }) => base.startsWith(prefix))
    if (!wrapper) return { base, flips }
    const end = base.lastIndexOf('"')
    if (wrapper.quoted && end < wrapper.prefix.length) return { base, flips }
    base = base.slice(wrapper.prefix.length, wrapper.quoted ? end : undefined).trim()
    flips += wrapper.flips
  }
}

/** [SY1] The commits in git's own "This reverts commit" lines. */
export function revertedHashes(body: string): string[] {
  return [...body.matchAll(/^This reverts commit ([0-9a-z]+)/gim)].map((match) => match[1]!.toLowerCase())
}

const cherryPicked = '(cherry picked from commit '

const wrappers = [
  { prefix: 'Revert "', flips: 1, quoted: true },
  { prefix: 'Reapply "', flips: 2, quoted: true },
  { prefix: 'revert: ', flips: 1, quoted: false },
]

function subjectStart(feature: string): string {
  return `feat(${feature}): Implement issue #`
}

function leadingIssueNumber(text: string): number | null {
  const digits = /^\d{1,16}(?![\p{L}\p{N}_])/u.exec(text)
  return digits ? issueNumber(digits[0]) : null
}

function issueNumber(text: string): number | null {
  if (!/^(0|[1-9]\d{0,15})$/.test(text)) return null
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : null
}

function lastParagraph(body: string): string[] {
  const lines = body.trimEnd().split(/\r?\n/)
  const blank = lines.findLastIndex((line) => line.trim() === '')
  return body.trim() === '' ? [] : lines.slice(blank + 1)
}

function isContinuation(line: string): boolean {
  return /^\s/.test(line)
}

function trailerIn(line: string): Trailer | null {
  if (line.startsWith(cherryPicked)) return { key: cherryPicked, value: '' }
  const match = /^([A-Za-z0-9-]+)[ \t]*:(.*)$/.exec(line)
  return match ? { key: match[1]!, value: match[2]!.trim() } : null
}
