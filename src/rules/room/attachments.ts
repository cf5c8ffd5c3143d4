/** How attachments are shown to agents, and in a transcript. SPEC.md § RD15. */

export interface AttachmentFacts {
  /** Written in the message as `@path`. First, since the TypeScript grammar takes a later line that starts with `in_` for an operator. */
  in_text?: boolean
  /** The path in the project, or the name that the sender gave: `stdin`. */
  name: string
  kind: 'file' | 'folder' | 'text'
  /** The part of the file, and how many lines the whole file has. Absent: all of it. */
  lines?: { from: number; to: number; of: number }
  line_count: number
  /** The file differs from the last commit, which is what an agent's own tools read. */
  uncommitted?: boolean
}

/** The message as agents read it: the person's words, then each attachment between two marked lines. */
export function withAttachments(text: string, attachments: readonly (AttachmentFacts & { text: string })[]): string {
  if (attachments.length === 0) return text
  return [text, ...attachments.map((each) => block(each, contentOf(each)))].join('\n\n')
}

/** The message for a proposal: names and sizes, and the beginning of the attachments, as far as `characters` go. */
export function withExcerpts(
  text: string,
  attachments: readonly (AttachmentFacts & { text: string })[],
  characters = 3000,
): string {
  const share = Math.floor(characters / Math.max(1, attachments.length))
  const excerpts = attachments.map((each) => {
    const content = contentOf(each)
    return block(each, content.length <= share ? content : `${content.slice(0, share).toWellFormed()}\n[…]`)
  })
  return [text, ...excerpts].join('\n\n')
}

/** The message in a transcript. What the text does not name itself follows as one line. */
export function transcriptText(text: string, attachments: readonly AttachmentFacts[] = []): string {
  const others = attachments.filter((each) => !each.in_text)
  return others.length === 0 ? text : `${text}\n\n[attached: ${others.map(describeAttachment).join(', ')}]`
}

/** `src/a.ts, lines 10 to 40` · `stdin, 12 lines` */
export function describeAttachment({ name, kind, lines, line_count }: AttachmentFacts): string {
  if (lines) return `${name}, ${lines.from === lines.to ? `line ${lines.from}` : `lines ${lines.from} to ${lines.to}`}`
  const noun = kind === 'folder' ? 'file' : 'line'
  return `${name}, ${line_count} ${noun}${line_count === 1 ? '' : 's'}`
}

/** Lines out of a file carry their numbers there, as the `read` tool shows them, so that an answer can name one. */
function contentOf({ text, lines }: AttachmentFacts & { text: string }): string {
  const content = text.replace(/\n$/, '')
  if (!lines) return content
  return content
    .split('\n')
    .map((line, index) => `${lines.from + index}\t${line}`)
    .join('\n')
}

/** The mark before and after the content lets an agent tell it from the person's words. */
function block(attachment: AttachmentFacts, content: string): string {
  const { name, kind, lines, uncommitted } = attachment
  const whole = `${lines ? ` of ${lines.of}` : ''}${uncommitted ? ', with uncommitted changes' : ''}`
  const what =
    kind === 'folder' ? `files in ${describeAttachment(attachment)}` : `${describeAttachment(attachment)}${whole}`
  return `--- attached: ${what} ---\n${content}\n--- end of ${name} ---`
}
