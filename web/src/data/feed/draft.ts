/** A reply while it is being written, put together from the pieces that stream in. */

/** A piece as the server sends it. `offset` counts UTF-16 units, as strings do here. */
export interface Delta {
  ask: string
  attempt: number
  offset: number
  text: string
}

export interface Draft {
  attempt: number
  text: string
}

/** A higher attempt replaces what a lower one sent; a piece that begins beyond the end waits for the whole to be sent again. */
export function addDelta(draft: Draft | undefined, { attempt, offset, text }: Delta): Draft | undefined {
  if (draft && attempt < draft.attempt) return draft
  const before = draft?.attempt === attempt ? draft.text : ''
  if (offset > before.length) return draft
  return { attempt, text: before.slice(0, offset) + text }
}
