/** Watches what people do to issues on the forge, by polling and by webhooks. GH. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  changesBetween,
  commentedChange,
  type ForgeChange,
  isNews,
  isOnItsWay,
  isSameChange,
} from '../../forge/changes.ts'
import { type Forge, type ForgeComment, ForgeFailed, type ForgeIssue } from '../../forge/forge.ts'
import { type ForgeAccess, soleAccess } from '../../forge/forge-access.ts'
import type { Outbox } from '../../forge/outbox.ts'
import { changeFromWebhook, payloadFrom, verifySignature } from '../../forge/webhook.ts'
import type { Clock } from '../../kernel/clock.ts'
import { ConveneError } from '../../kernel/errors.ts'
import { privateFile, privateFolder } from '../../kernel/private-files.ts'
import { SerialQueue } from '../../kernel/serial-queue.ts'
import { ownLabels } from '../../rules/issues/labels.ts'

/** A change on the forge, with the local issue it concerns. */
export type Noticed = ForgeChange & { repo: string; feature: string; number: number }

export interface ForgeWatchParts {
  forge: Forge
  outbox: Outbox
  repo: string
  labelPrefix?: string
  clock: Clock
  /** Null: no polling. */
  pollSeconds: number | null
  webhook: { secret: string | undefined; variable: string }
  /** Stores the time of the last poll. */
  cursorFile: string
  access?: ForgeAccess
  /** Records the changes and what follows from them. */
  notice(noticed: readonly Noticed[]): Promise<void>
}

export interface Delivery {
  event: string
  signature: string | undefined
  body: Uint8Array
}

/** Clocks differ, so each poll overlaps the one before. */
const marginMs = 300_000

const mostLooks = 5

export class ForgeWatch {
  readonly #parts: ForgeWatchParts
  #callOff: () => void = () => {}
  #isStopped = false
  readonly #queue = new SerialQueue()

  constructor(parts: ForgeWatchParts) {
    this.#parts = parts
  }

  start(): void {
    const { pollSeconds, clock } = this.#parts
    if (pollSeconds === null || this.#isStopped) return
    const since = clock.now() - (this.#lastLook() ?? 0)
    const wait = Math.min(Math.max(0, pollSeconds * 1000 - since), pollSeconds * 1000)
    this.#callOff = clock.after(wait, () => {
      // The forge may be down: the outbox reports that, and the next poll finds the same changes.
      const looked = this.look().catch(() => {})
      void looked.then(() => this.start())
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#parts.access?.stop()
    this.#callOff()
    await this.#queue.settled()
  }

  /** Compares the issues on the forge with what we last sent. */
  look(): Promise<void> {
    return this.#withAccess(async () => {
      const { forge, outbox, clock, cursorFile, repo } = this.#parts
      const began = clock.now()
      const before = await outbox.known()
      if (before.size === 0) return
      const last = this.#lastLook()
      const since = last === undefined ? undefined : new Date(last - marginMs).toISOString()
      const issues = await forge.listIssues({ state: 'all', since })
      const comments: ForgeComment[] = []
      for (const { number } of issues)
        if (before.has(number)) comments.push(...(await forge.listComments(number, { since })))
      const after = await outbox.known()
      // Skip issues we changed on the forge since: their state is older than our change.
      const settled = new Map([...after].filter(([issue, left]) => before.get(issue)?.seq === left.seq))
      const changes = [...changesBetween(settled, issues), ...comments.map(commentedChange)]
      await this.#notice(changes)
      mkdirSync(dirname(cursorFile), privateFolder)
      writeFileSync(cursorFile, JSON.stringify({ repo, at: began }), privateFile)
    })
  }

  /**
   * [GH4] Accepts only deliveries signed with the secret. [GH1] Deliveries come late, twice and in any order, so one only
   * says which issue to read again from the forge. Comments are deduplicated by their id.
   */
  async receive({ event, signature, body }: Delivery): Promise<{ noticed: boolean }> {
    const { secret, variable } = this.#parts.webhook
    if (!secret)
      throw new ConveneError('webhooks_off', `webhooks are off: ${variable} is not set`, {
        status: 404,
        expected: `the webhook's secret in ${variable}`,
      })
    if (!verifySignature(secret, body, signature))
      throw new ConveneError('invalid_signature', 'the signature is not that of the webhook', { status: 401 })
    const change = changeFromWebhook(event, payloadFrom(body), this.#parts.repo)
    if (!change) return { noticed: false }
    const noticed = await this.#withAccess(async () => {
      const changes = change.change === 'commented' ? [change] : await this.#lookAt(change)
      return { noticed: (await this.#notice(changes)) > 0 }
    })
    return noticed ?? { noticed: false }
  }

  /** What another process noticed meanwhile is then in the log, and no news. */
  #withAccess<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    const { access = soleAccess } = this.#parts
    return this.#queue.run('forge', () => access.run(work))
  }

  /** How the issue now differs from what we last sent. Only the delivery says who changed it. */
  async #lookAt(told: ForgeChange): Promise<ForgeChange[]> {
    const { outbox, labelPrefix } = this.#parts
    // Most deliveries are echoes of our own changes.
    if (!(await this.#isTheirs(told, ownLabels(labelPrefix)))) return []
    for (let looks = 0; looks < mostLooks; looks++) {
      const before = (await outbox.known()).get(told.issue)
      const issue = await this.#issueNow(told.issue)
      const left = (await outbox.known()).get(told.issue)
      if (!issue || !left) return []
      // Skip issues we changed on the forge since: their state is older than our change.
      if (before?.seq !== left.seq) continue
      const changes = changesBetween(new Map([[told.issue, left]]), [issue])
      return changes.map((change) => (isSameChange(change, told) ? { ...change, ...by(told) } : change))
    }
    throw unheard('forge_busy', `issue #${told.issue} keeps changing`)
  }

  /** Null if the issue was deleted. */
  async #issueNow(issue: number): Promise<ForgeIssue | null> {
    try {
      return await this.#parts.forge.getIssue(issue)
    } catch (error) {
      if (!(error instanceof ForgeFailed)) throw error
      if (error.code === 'forge_not_found') return null
      throw unheard(error.retryable ? 'forge_unreachable' : error.code, error.message)
    }
  }

  async #notice(changes: readonly ForgeChange[]): Promise<number> {
    const { outbox, repo, labelPrefix, notice } = this.#parts
    const known = await outbox.known()
    const own = ownLabels(labelPrefix)
    const noticed: Noticed[] = []
    for (const change of changes) {
      const about = known.get(change.issue)
      if (!about || !(await this.#isTheirs(change, own))) continue
      noticed.push({ ...change, repo, feature: about.feature, number: about.number })
    }
    if (noticed.length > 0) await notice(noticed)
    return noticed.length
  }

  /** Ignores labels without our prefix, and our own comments, which carry a marker. */
  async #isTheirs(change: ForgeChange, own: readonly string[]): Promise<boolean> {
    const { outbox } = this.#parts
    if (change.change === 'commented')
      return (
        !change.comment.text.trimStart().startsWith('<!-- convene:') && !(await outbox.hasNoticed(change.comment.id))
      )
    if ('label' in change && !own.some((label) => label.toLowerCase() === change.label.toLowerCase())) return false
    if (isOnItsWay(change, await outbox.wanted(change.issue), own)) return false
    // Read in this order, so that changes in transit are already recorded.
    return isNews(change, await outbox.known())
  }

  #lastLook(): number | undefined {
    try {
      const { repo, at } = JSON.parse(readFileSync(this.#parts.cursorFile, 'utf8')) as { repo: string; at: number }
      return repo === this.#parts.repo && Number.isFinite(at) ? at : undefined
    } catch {
      return undefined
    }
  }
}

/** GitHub shows the delivery as failed and can resend it; the next poll finds the same change. */
function unheard(code: string, message: string): ConveneError {
  return new ConveneError(code, message, { status: 503, expected: 'the same delivery, sent again later' })
}

function by(change: ForgeChange): { by?: string } {
  return change.by === undefined ? {} : { by: change.by }
}
