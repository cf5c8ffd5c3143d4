/** The GitHub forge, through Octokit. It only translates; the outbox decides when to retry. */
import type { z } from 'zod'
import { createRedactor } from '../kernel/redaction/redact.ts'
import { type Forge, ForgeFailed, type ForgeLabel, isMarked, marked, type NewIssue, type PullRequest } from './forge.ts'
import { type Connection, connect, once } from './github-connection.ts'
import { type FailingPlace, failureFrom } from './github-failure.ts'
import {
  commentFrom,
  commentShape,
  type GitHubComment,
  type GitHubPull,
  issueFrom,
  issueShape,
  labelShape,
  pullShape,
  userShape,
} from './github-shapes.ts'

export interface GitHubSettings {
  /** `owner/name` */
  repo: string
  /** Defaults to `https://api.github.com`. */
  apiUrl?: string
  token: string
  /** What to call the token in messages. */
  tokenName?: string
  timeoutMs?: number
  retryWaitMs?: number
  /** Aborts running requests, which then count as unreachable. */
  signal?: AbortSignal
  now?: () => number
}

export function createGitHubForge(settings: GitHubSettings): Forge {
  return new GitHubForge(settings)
}

/** Reads at most 10,000 issues or comments. */
const mostPages = 100

type RequestParameters = Record<string, unknown>
type Answer = Awaited<ReturnType<Connection['request']>>

class GitHubForge implements Forge {
  readonly kind = 'github'
  readonly #connection: Connection
  readonly #place: FailingPlace
  readonly #owner: string
  readonly #repo: string
  #login: Promise<string | null> | undefined

  constructor({ repo, apiUrl = 'https://api.github.com', token, tokenName = 'GITHUB_TOKEN', ...more }: GitHubSettings) {
    const { timeoutMs = 10_000, retryWaitMs = 1000, signal, now = Date.now } = more
    const [owner = '', name = ''] = repo.split('/')
    this.#owner = owner
    this.#repo = name
    const { redactText } = createRedactor({ env: {}, values: { [tokenName]: token } })
    this.#place = { repo, host: new URL(apiUrl).host, tokenName, redactText, now }
    this.#connection = connect({ apiUrl: apiUrl.replace(/\/+$/, ''), token, timeoutMs, retryWaitMs, signal })
  }

  async ensureLabels(labels: ForgeLabel[]): Promise<void> {
    const doing = 'read the state labels'
    const existing = await this.#all(doing, 'GET /repos/{owner}/{repo}/labels', {}, labelShape)
    const names = new Set(existing.map(({ name }) => name.toLowerCase()))
    for (const label of labels) if (!names.has(label.name.toLowerCase())) await this.#makeLabel(label)
  }

  async getIssue(number: number) {
    const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}'
    const issue = await this.#one(`read issue #${number}`, route, { issue_number: number }, issueShape)
    if (!issue.pull_request) return issueFrom(issue)
    const message = `#${number} of ${this.#place.repo} is a pull request: correct the issue's github number`
    throw new ForgeFailed('forge_not_found', message, { retryable: false })
  }

  async listIssues({ label, state = 'open', since }: Parameters<Forge['listIssues']>[0]) {
    // GitHub treats a comma as the end of a label's name.
    const labels = label === undefined || label.includes(',') ? {} : { labels: label }
    const query = { state, sort: 'created', direction: 'asc', ...labels, ...(since === undefined ? {} : { since }) }
    const found = await this.#all('list the issues', 'GET /repos/{owner}/{repo}/issues', query, issueShape)
    const issues = found.filter((issue) => !issue.pull_request).map(issueFrom)
    // If a person changes issues while the pages are read, one issue can appear on two pages.
    return [...new Map(issues.map((issue) => [issue.number, issue])).values()]
      .filter((issue) => label === undefined || issue.labels.some((name) => sameName(name, label)))
      .sort((a, b) => a.number - b.number)
  }

  async listComments(issue: number, { since }: { since?: string }) {
    const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments'
    const query = { issue_number: issue, ...(since === undefined ? {} : { since }) }
    const found = await this.#all(`read the comments of issue #${issue}`, route, query, commentShape)
    return found.map((comment) => commentFrom(issue, comment)).sort((a, b) => a.id - b.id)
  }

  async setLabels(issue: number, labels: string[]): Promise<void> {
    const route = 'PUT /repos/{owner}/{repo}/issues/{issue_number}/labels'
    await this.#request(`label issue #${issue}`, route, { issue_number: issue, labels })
  }

  async putComment(issue: number, marker: string, text: string): Promise<{ id: number; created: boolean }> {
    const doing = `comment on issue #${issue}`
    const body = marked(marker, text)
    const [first, ...others] = await this.#ownComments(issue, marker)
    if (!first) {
      const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments'
      const { id } = await this.#one(doing, route, { issue_number: issue, body, ...once }, commentShape)
      return { id, created: true }
    }
    // A request that timed out may still have succeeded, in addition to its retry.
    for (const other of others) await this.#deleteComment(other.id)
    const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}'
    // GitHub may convert line endings.
    if (unixLines(first.body ?? '') !== unixLines(body))
      await this.#request(doing, route, { comment_id: first.id, body })
    return { id: first.id, created: false }
  }

  async createIssue({ title, body, marker }: NewIssue): Promise<{ number: number; created: boolean }> {
    const doing = `open the issue "${title}"`
    const list = 'GET /repos/{owner}/{repo}/issues'
    const query = { state: 'all', sort: 'created', direction: 'asc' }
    for (const issue of await this.#all(doing, list, query, issueShape))
      if (!issue.pull_request && isMarked(issue.body ?? '', marker) && (await this.#mayBeOurs(issue)))
        return { number: issue.number, created: false }
    const route = 'POST /repos/{owner}/{repo}/issues'
    const { number } = await this.#one(doing, route, { title, body: marked(marker, body), ...once }, issueShape)
    return { number, created: true }
  }

  async closeIssue(issue: number): Promise<void> {
    const route = 'PATCH /repos/{owner}/{repo}/issues/{issue_number}'
    const closed = { issue_number: issue, state: 'closed', state_reason: 'completed' }
    await this.#request(`close issue #${issue}`, route, closed)
  }

  async reopenIssue(issue: number): Promise<void> {
    const route = 'PATCH /repos/{owner}/{repo}/issues/{issue_number}'
    await this.#request(`reopen issue #${issue}`, route, { issue_number: issue, state: 'open' })
  }

  async openPullRequest(request: PullRequest): ReturnType<Forge['openPullRequest']> {
    const { head, base, title } = request
    const doing = `open a pull request from ${head} to ${base}`
    const body = marked(request.marker, request.body)
    let open = await this.#findPull(doing, request)
    if (!open) {
      const route = 'POST /repos/{owner}/{repo}/pulls'
      try {
        const { number, html_url } = await this.#one(doing, route, { head, base, title, body, ...once }, pullShape)
        return { number, url: html_url, created: true }
      } catch (error) {
        // A pull request created a moment ago may be missing from the list, and GitHub refuses a second one.
        if (!(error instanceof ForgeFailed) || error.code !== 'forge_refused') throw error
        open = await this.#findPull(doing, request)
        if (!open) throw error
      }
    }
    const isOurs = isMarked(open.body ?? '', request.marker)
    if (isOurs && (open.title !== title || unixLines(open.body ?? '') !== unixLines(body))) {
      const route = 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}'
      await this.#request(doing, route, { pull_number: open.number, title, body })
    }
    return { number: open.number, url: open.html_url, created: false }
  }

  async #findPull(doing: string, { head, base }: PullRequest): Promise<GitHubPull | undefined> {
    const query = { state: 'open', head: `${this.#owner}:${head}`, base }
    const [open] = await this.#all(doing, 'GET /repos/{owner}/{repo}/pulls', query, pullShape)
    return open
  }

  /** Another process may just have created it; GitHub then refuses a second one. */
  async #makeLabel(label: ForgeLabel): Promise<void> {
    const doing = `create the label ${label.name}`
    try {
      await this.#request(doing, 'POST /repos/{owner}/{repo}/labels', { ...label, ...once })
    } catch (error) {
      if (!(error instanceof ForgeFailed) || error.code !== 'forge_refused') throw error
      const route = 'GET /repos/{owner}/{repo}/labels/{name}'
      await this.#request(doing, route, { name: label.name }).catch(() => Promise.reject(error))
    }
  }

  /** Oldest first. */
  async #ownComments(issue: number, marker: string): Promise<GitHubComment[]> {
    const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments'
    const comments = await this.#all(`read issue #${issue}`, route, { issue_number: issue }, commentShape)
    const own: GitHubComment[] = []
    for (const comment of comments)
      if (isMarked(comment.body ?? '', marker) && (await this.#mayBeOurs(comment))) own.push(comment)
    return own.sort((a, b) => a.id - b.id)
  }

  /**
   * Anyone can write a comment or an issue that starts with our marker, and authors can edit them. So the marker counts only
   * in those by people with write access, by apps, and by ourselves.
   */
  async #mayBeOurs({
    user,
    author_association: association = '',
  }: Pick<GitHubComment, 'user' | 'author_association'>): Promise<boolean> {
    if (user?.type === 'Bot' || ['OWNER', 'MEMBER', 'COLLABORATOR'].includes(association)) return true
    this.#login ??= this.#ownLogin()
    return user != null && user.login === (await this.#login)
  }

  /** `null` for an app's token, which has no user. */
  async #ownLogin(): Promise<string | null> {
    try {
      return (await this.#one('look up the owner of the token', 'GET /user', {}, userShape)).login
    } catch (error) {
      if (error instanceof ForgeFailed && !error.retryable) return null
      this.#login = undefined
      throw error
    }
  }

  /** Failing to delete a duplicate does not prevent updating the other comment. */
  async #deleteComment(id: number): Promise<void> {
    const route = 'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}'
    try {
      await this.#request('remove a duplicate comment', route, { comment_id: id })
    } catch (error) {
      if (!(error instanceof ForgeFailed) || error.retryable) throw error
    }
  }

  /** Reads all pages by number. Links in the answers are not followed, since they would receive the token too. */
  async #all<Item>(doing: string, route: string, query: RequestParameters, shape: z.ZodType<Item>): Promise<Item[]> {
    const items: Item[] = []
    for (let page = 1; page <= mostPages; page++) {
      const answer = await this.#request(doing, route, { ...query, per_page: 100, page })
      items.push(...this.#read(doing, answer, shape.array()))
      if (!/rel="?next"?/.test(String(answer.headers.link ?? ''))) break
    }
    return items
  }

  async #one<Item>(doing: string, route: string, parameters: RequestParameters, shape: z.ZodType<Item>): Promise<Item> {
    return this.#read(doing, await this.#request(doing, route, parameters), shape)
  }

  async #request(doing: string, route: string, parameters: RequestParameters): Promise<Answer> {
    try {
      return await this.#connection.request(route, { owner: this.#owner, repo: this.#repo, ...parameters })
    } catch (error) {
      throw failureFrom(error, doing, this.#place)
    }
  }

  #read<Value>(doing: string, answer: Answer, shape: z.ZodType<Value>): Value {
    const read = shape.safeParse(answer.data)
    if (read.success) return read.data
    const message = `Cannot ${doing}: ${this.#place.host} does not answer like GitHub. Is forge.github.api_url right?`
    throw new ForgeFailed('forge_refused', message, { retryable: false })
  }
}

function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function unixLines(text: string): string {
  return text.replaceAll('\r\n', '\n').trimEnd()
}
