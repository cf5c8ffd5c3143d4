/** Reads whether an agent that answers second passes: it has nothing to add. SPEC.md § RD13. */

/** What an agent replies to pass. */
export const passWord = 'PASS'

/** The word alone, decorated or with a short reason on its line; "nothing to add"; or no words at all. */
export function isPass(text: string): boolean {
  const said = text.trim()
  return spoken(said) === '' || bare.has(spoken(said)) || withReason.test(said)
}

/** Whether a reply that has begun like this may still turn out to be a pass; until then nothing of it is shown. */
export function mayBecomePass(begun: string): boolean {
  const said = begun.trim()
  return [...bare].some((pass) => pass.startsWith(spoken(said))) || withReason.test(said)
}

/** Holds a streamed reply back until it is no pass. */
export function createPassFilter(): (piece: string) => string {
  let held: string | undefined = ''
  return (piece) => {
    if (held === undefined) return piece
    const begun: string = held + piece
    held = mayBecomePass(begun) ? begun : undefined
    return held === undefined ? begun : ''
  }
}

const bare = new Set(['pass', 'i pass', 'nothing to add', 'i have nothing to add', 'nothing more to add'])

/** `PASS: claude covers it.` but not `PASS the flag` or a longer reply that begins with the word. */
const withReason = /^[*_`[(]*PASS[*_`\])]*\s*[:;,.–—-][^\n]{0,100}$/

/** Words alone, in lower case. */
function spoken(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
}
