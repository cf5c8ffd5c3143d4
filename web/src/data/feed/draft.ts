/** A reply that is still streaming, assembled from its deltas. */
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

/** A higher attempt replaces a lower one. A delta beyond the end is ignored until the whole text is sent again. */
export function addDelta(draft: Draft | undefined, { attempt, offset, text }: Delta): Draft | undefined {
  if (draft && attempt < draft.attempt) return draft
  const before = draft?.attempt === attempt ? draft.text : ''
  if (offset > before.length) return draft
  return { attempt, text: before.slice(0, offset) + text }
}
