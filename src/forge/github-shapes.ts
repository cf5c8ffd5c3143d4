/** Schemas of the parts of GitHub's answers that are used. Anything else at that address fails them. */
import { z } from 'zod'
import type { ForgeComment, ForgeIssue } from './forge.ts'

const label = z.union([z.string(), z.object({ name: z.string().nullish() })])

export const issueShape = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  labels: z.array(label).default([]),
  state: z.string(),
  state_reason: z.string().nullish(),
  html_url: z.string().optional(),
  /** Only on pull requests, which GitHub lists among the issues. */
  pull_request: z.unknown().optional(),
  author_association: z.string().optional(),
  user: z.object({ login: z.string(), type: z.string().optional() }).nullish(),
})

export const commentShape = z.object({
  id: z.int(),
  body: z.string().nullish(),
  html_url: z.string().optional(),
  author_association: z.string().optional(),
  user: z.object({ login: z.string(), type: z.string().optional() }).nullish(),
})
export type GitHubComment = z.infer<typeof commentShape>

export const pullShape = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  html_url: z.string(),
})
export type GitHubPull = z.infer<typeof pullShape>

export const labelShape = z.object({ name: z.string() })
export const userShape = z.object({ login: z.string() })

export function issueFrom(given: z.infer<typeof issueShape>): ForgeIssue {
  return {
    number: given.number,
    title: given.title,
    body: given.body ?? '',
    labels: labelNames(given.labels),
    state: given.state === 'closed' ? 'closed' : 'open',
    ...(given.state === 'closed' && isDropped(given.state_reason) ? { dropped: true } : {}),
    ...(given.html_url ? { url: given.html_url } : {}),
  }
}

/** GitHub closes what is done as `completed`. */
export function isDropped(reason: string | null | undefined): boolean {
  return reason === 'not_planned' || reason === 'duplicate'
}

export function commentFrom(issue: number, { id, body, html_url, user }: GitHubComment): ForgeComment {
  return { id, issue, body: body ?? '', ...(user ? { by: user.login } : {}), ...(html_url ? { url: html_url } : {}) }
}

export function labelNames(labels: z.infer<typeof label>[]): string[] {
  return labels.flatMap((each) => (typeof each === 'string' ? each : (each.name ?? [])))
}
