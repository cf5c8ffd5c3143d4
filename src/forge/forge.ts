/** The port to a forge: issues, labels, one comment per issue, and pull requests. */
import { ConveneError } from '../kernel/errors.ts'

export interface ForgeIssue {
  number: number
  title: string
  body: string
  labels: string[]
  state: 'open' | 'closed'
  /** Closed without having been done. */
  dropped?: boolean
  url?: string
}

export interface ForgeComment {
  id: number
  issue: number
  body: string
  by?: string
  url?: string
}

export interface ForgeLabel {
  name: string
  color: string
  description: string
}

export interface NewIssue {
  title: string
  body: string
  marker: string
}

export interface PullRequest {
  head: string
  base: string
  title: string
  body: string
  marker: string
}

/**
 * Every method is idempotent: it may be called again after a failure or a lost answer, and finds what the first call
 * did. All of them reject only with `ForgeFailed`.
 */
export interface Forge {
  readonly kind: 'github' | 'memory'
  /** Creates missing labels. Existing ones stay unchanged, whatever their colour and case. */
  ensureLabels(labels: ForgeLabel[]): Promise<void>
  /** Refuses a number that belongs to a pull request. */
  getIssue(number: number): Promise<ForgeIssue>
  /** Lowest number first, without pull requests; `state` defaults to `open`. */
  listIssues(query: {
    label?: string
    state?: 'open' | 'closed' | 'all'
    /** ISO time: only issues changed since then. May list more. */
    since?: string
  }): Promise<ForgeIssue[]>
  /** Comments written or changed since then, oldest first. May list more. */
  listComments(issue: number, query: { since?: string }): Promise<ForgeComment[]>
  /** The whole list in one request. */
  setLabels(issue: number, labels: string[]): Promise<void>
  /** Creates or edits the issue's single comment, which starts with a hidden marker. */
  putComment(issue: number, marker: string, body: string): Promise<{ id: number; created: boolean }>
  /** Opens an issue whose text starts with a hidden marker, or finds the one that does, open or closed. */
  createIssue(request: NewIssue): Promise<{ number: number; created: boolean }>
  closeIssue(issue: number): Promise<void>
  reopenIssue(issue: number): Promise<void>
  /**
   * Creates the pull request from `head` to `base`, or updates it if its text starts with the marker. One that a
   * person opened is returned unchanged.
   */
  openPullRequest(request: PullRequest): Promise<{ number: number; url: string; created: boolean }>
}

export type ForgeFailure =
  | 'forge_unreachable'
  | 'forge_unavailable'
  | 'forge_rate_limited'
  | 'forge_unauthorized'
  | 'forge_forbidden'
  | 'forge_not_found'
  | 'forge_refused'

/** A failure of the forge, as data for the outbox. */
export class ForgeFailed extends ConveneError {
  declare readonly code: ForgeFailure
  readonly retryable: boolean
  readonly retryAfterMs?: number

  constructor(code: ForgeFailure, message: string, wait: { retryable: boolean; retryAfterMs?: number }) {
    super(code, message, { exitCode: 1, status: 502 })
    this.name = 'ForgeFailed'
    this.retryable = wait.retryable
    if (wait.retryAfterMs !== undefined) this.retryAfterMs = wait.retryAfterMs
  }
}

/** The hidden first line of an issue's comment. */
export function markerFor(feature: string, number: number): string {
  return `<!-- convene:${nameIn(feature)}#${number} -->`
}

export function pullRequestMarker(feature: string): string {
  return `<!-- convene:${nameIn(feature)} -->`
}

/** Nothing in a feature's name can end the HTML comment early. */
function nameIn(feature: string): string {
  return feature.toWellFormed().replace(/[^\p{L}\p{N}._-]/gu, encodeURIComponent)
}

/** A stored comment or description. Without our marker at its start it is someone else's. */
export function marked(marker: string, body: string): string {
  return `${marker}\n${body}`
}

export function isMarked(text: string, marker: string): boolean {
  return text.trimStart().startsWith(marker)
}
