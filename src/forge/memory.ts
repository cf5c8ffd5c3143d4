/** An in-memory forge for rehearsals and tests. */
import {
  type Forge,
  type ForgeComment,
  ForgeFailed,
  type ForgeIssue,
  type ForgeLabel,
  isMarked,
  marked,
  type NewIssue,
  type PullRequest,
} from './forge.ts'

export interface MemoryComment {
  id: number
  body: string
}

export interface MemoryPullRequest extends Omit<PullRequest, 'marker'> {
  number: number
}

export class MemoryForge implements Forge {
  readonly kind = 'memory'
  /** As a person would see them. */
  readonly labels: ForgeLabel[] = []
  readonly pullRequests: MemoryPullRequest[] = []
  readonly #issues = new Map<number, ForgeIssue & { comments: MemoryComment[] }>()
  #lastNumber = 0
  #lastComment = 0

  /** A person opens an issue. */
  addIssue({ title, body = '', labels = [] }: { title: string; body?: string; labels?: string[] }): number {
    const number = ++this.#lastNumber
    this.#issues.set(number, { number, title, body, labels: [], state: 'open', comments: [] })
    this.#replaceLabels(number, labels)
    return number
  }

  addPullRequest(request: Omit<MemoryPullRequest, 'number'>): number {
    const number = ++this.#lastNumber
    this.pullRequests.push({ ...request, number })
    return number
  }

  addComment(issue: number, body: string): number {
    const comment = { id: ++this.#lastComment, body }
    this.#find(issue).comments.push(comment)
    return comment.id
  }

  /** A person closes it as not planned. */
  dropIssue(issue: number): void {
    Object.assign(this.#find(issue), { state: 'closed', dropped: true })
  }

  commentsOf(issue: number): MemoryComment[] {
    return this.#find(issue).comments.map((comment) => ({ ...comment }))
  }

  async ensureLabels(labels: ForgeLabel[]): Promise<void> {
    for (const label of labels) if (!this.#label(label.name)) this.labels.push({ ...label })
  }

  async getIssue(number: number): Promise<ForgeIssue> {
    return seen(this.#find(number))
  }

  async listIssues({ label, state = 'open' }: Parameters<Forge['listIssues']>[0]): Promise<ForgeIssue[]> {
    return [...this.#issues.values()]
      .filter((issue) => state === 'all' || issue.state === state)
      .filter((issue) => label === undefined || issue.labels.some((name) => sameName(name, label)))
      .map(seen)
  }

  async listComments(issue: number): Promise<ForgeComment[]> {
    return this.#find(issue).comments.map(({ id, body }) => ({ id, issue, body }))
  }

  async setLabels(issue: number, labels: string[]): Promise<void> {
    this.#replaceLabels(issue, labels)
  }

  async putComment(issue: number, marker: string, body: string): Promise<{ id: number; created: boolean }> {
    const { comments } = this.#find(issue)
    const [first, ...others] = comments.filter((comment) => isMarked(comment.body, marker))
    if (!first) return { id: this.addComment(issue, marked(marker, body)), created: true }
    first.body = marked(marker, body)
    for (const other of others) comments.splice(comments.indexOf(other), 1)
    return { id: first.id, created: false }
  }

  async createIssue({ title, body, marker }: NewIssue): Promise<{ number: number; created: boolean }> {
    const known = [...this.#issues.values()].find((issue) => isMarked(issue.body, marker))
    if (known) return { number: known.number, created: false }
    return { number: this.addIssue({ title, body: marked(marker, body) }), created: true }
  }

  async closeIssue(issue: number): Promise<void> {
    this.#find(issue).state = 'closed'
  }

  async reopenIssue(issue: number): Promise<void> {
    Object.assign(this.#find(issue), { state: 'open', dropped: false })
  }

  async openPullRequest({ marker, ...request }: PullRequest): ReturnType<Forge['openPullRequest']> {
    const open = this.pullRequests.find(({ head, base }) => head === request.head && base === request.base)
    if (!open) {
      const number = this.addPullRequest({ ...request, body: marked(marker, request.body) })
      return { number, url: `memory:pull/${number}`, created: true }
    }
    if (isMarked(open.body, marker)) Object.assign(open, { title: request.title, body: marked(marker, request.body) })
    return { number: open.number, url: `memory:pull/${open.number}`, created: false }
  }

  /** Creates missing labels; label names are case-insensitive. */
  #replaceLabels(issue: number, names: string[]): void {
    const known = names.map((name) => this.#label(name) ?? this.#makeLabel(name))
    this.#find(issue).labels = [...new Set(known.map((label) => label.name))]
  }

  #label(name: string): ForgeLabel | undefined {
    return this.labels.find((label) => sameName(label.name, name))
  }

  #makeLabel(name: string): ForgeLabel {
    const label = { name, color: 'ededed', description: '' }
    this.labels.push(label)
    return label
  }

  #find(number: number) {
    const issue = this.#issues.get(number)
    if (issue) return issue
    throw new ForgeFailed('forge_not_found', `there is no issue #${number}`, { retryable: false })
  }
}

function seen({ number, title, body, labels, state, dropped }: ForgeIssue): ForgeIssue {
  const url = `memory:issues/${number}`
  return { number, title, body, labels: [...labels], state, ...(dropped ? { dropped } : {}), url }
}

function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
