/** The addresses of what MCP clients can read: `convene://rooms/…`, `convene://plans/…`, `convene://runs/…`. */

export type ResourceAddress =
  | { kind: 'transcript'; room: string }
  | { kind: 'plan-file'; plan: string; file: string }
  | { kind: 'run'; run: string }

export const transcriptUri = (room: string) => `convene://rooms/${encodeURIComponent(room)}/transcript`
export const planFileUri = (plan: string, file: string) =>
  `convene://plans/${encodeURIComponent(plan)}/${encodeURIComponent(file)}`
export const runUri = (run: string) => `convene://runs/${encodeURIComponent(run)}`

/** Null for any other address. A slash in the name of a file or a run may be written as it is. */
export function readUri(uri: string): ResourceAddress | null {
  const [, kind, rest] = /^convene:\/\/(rooms|plans|runs)\/(.+)$/.exec(uri) ?? []
  if (rest === undefined) return null
  try {
    if (kind === 'runs') return { kind: 'run', run: decodeURIComponent(rest) }
    if (kind === 'rooms') {
      const [, room] = /^([^/]+)\/transcript$/.exec(rest) ?? []
      return room === undefined ? null : { kind: 'transcript', room: decodeURIComponent(room) }
    }
    const [, plan, file] = /^([^/]+)\/(.+)$/.exec(rest) ?? []
    if (plan === undefined || file === undefined) return null
    return { kind: 'plan-file', plan: decodeURIComponent(plan), file: decodeURIComponent(file) }
  } catch {
    return null
  }
}
