/** Newest first; what has not started yet comes before everything else. */
export function newestFirst<Line extends { started?: string | null | undefined }>(lines: readonly Line[]): Line[] {
  return lines.toSorted((one, other) => (other.started ?? '~').localeCompare(one.started ?? '~'))
}
