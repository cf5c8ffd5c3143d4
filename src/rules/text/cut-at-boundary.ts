/** Shortens a long text where a paragraph, a line or a word ends, and says that it goes on. */

/** The share of the room that a cut at a paragraph or a line may leave unused. */
const slack = 0.4

export function cutAtBoundary(text: string, characters: number, more = '… (cut)'): string {
  if (text.length <= characters) return text
  const start = text.slice(0, characters)
  const ends = ['\n\n', '\n', ' '].map((mark) => start.lastIndexOf(mark))
  const at = ends.find((end) => end >= characters * (1 - slack)) ?? Math.max(...ends)
  const kept = (at > 0 ? start.slice(0, at) : start.replace(/[\ud800-\udbff]$/, '')).trimEnd()
  return `${kept}${openFence(kept)}\n${more}`
}

/** Closes a code fence that the cut left open; it would swallow what follows. */
function openFence(text: string): string {
  let open: string | null = null
  for (const [, mark] of text.matchAll(/^ {0,3}(`{3,}|~{3,})/gm))
    open = open === null ? mark! : mark!.startsWith(open) ? null : open
  return open === null ? '' : `\n${open}`
}
