/** Postgres stores no NUL character in a text: a character that nobody uses stands for it. */
const nul = '\u{F0000}'

export function storable(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', nul) : value
}

/** Restores the texts of a row in place. */
export function restored<Row>(row: Row): Row {
  for (const [name, value] of Object.entries(row as Record<string, unknown>))
    if (typeof value === 'string' && value.includes(nul))
      (row as Record<string, unknown>)[name] = value.replaceAll(nul, '\0')
  return row
}
