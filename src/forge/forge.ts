/** The port to where issues live: labels, one comment an issue, open or closed, pull requests. */
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

export interface PullRequest {
  head: string
  base: string
  title: string
  body: string
  marker: string
}

/**
 * Every method may be called again after it failed or after nobody heard how it ended: the second call finds what the
 * first one did. All of them reject with `ForgeFailed` and with nothing else.
 */
export interface Forge {
  readonly kind: 'github' | 'memory'
  /** Makes these labels where they are missing. Those that exist stay as they are, whatever their colour and case. */
  ensureLabels(labels: ForgeLabel[]): Promise<void>
  /** Refuses a number that belongs to a pull request. */
  getIssue(number: number): Promise<ForgeIssue>
  /** Lowest number first; `state` is `open` unless told. Pull requests are no issues. */
  listIssues(query: {
    label?: string
    state?: 'open' | 'closed' | 'all'
    /** ISO time: only what was changed since then. More may be listed. */
    since?: string
  }): Promise<ForgeIssue[]>
  /** Oldest first: those that were written or changed since then. More may be listed. */
  listComments(issue: number, query: { since?: string }): Promise<ForgeComment[]>
  /** The whole list in one request. */
  setLabels(issue: number, labels: string[]): Promise<void>
  /** One comment for the issue's life, found by a hidden marker that it begins with: made or edited. */
  putComment(issue: number, marker: string, body: string): Promise<{ id: number; created: boolean }>
  closeIssue(issue: number): Promise<void>
  reopenIssue(issue: number): Promise<void>
  /**
   * The open pull request from `head` to `base`: made, or brought up to date where it begins with the marker. One that a
   * person opened is returned as it is.
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

/** What went wrong, as data the outbox can act on. */
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

/** The hidden line that one issue's comment begins with. */
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

/** A comment or description as it is stored: what carries no marker at its beginning is somebody else's. */
export function marked(marker: string, body: string): string {
  return `${marker}\n${body}`
}

export function isMarked(text: string, marker: string): boolean {
  return text.trimStart().startsWith(marker)
}
