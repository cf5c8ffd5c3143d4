/** Links from an event to its message, plan, build, issue or commit, and its payloads. */
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { buildAddress, buildRunOf, nodeAddress } from '../../data/addresses/build.ts'
import { planAddress, planRunOf } from '../../data/addresses/plan.ts'
import { runAddress } from '../../data/addresses/run.ts'
import { featureAddress, issueAddress, issueOfRun } from '../../data/addresses/ship.ts'

export interface EventLink {
  label: string
  href: string
}

export interface Payload {
  /** The name of the field it stands in. */
  name: string
  reference: string
}

export function linksOf(event: StoredEvent, shown: string): EventLink[] {
  const { run, feature, stream, data } = event
  const facts = (data ?? {}) as Record<string, unknown>
  const links: EventLink[] = []
  const room = stream.startsWith('room:') ? stream.slice('room:'.length) : facts.room
  if (typeof room === 'string') links.push({ label: 'Message', href: messageAddress(room, facts) })
  if (run !== undefined) {
    const plan = planRunOf(run)
    if (plan) links.push({ label: 'Plan', href: planAddress(plan) })
    const build = buildRunOf(run)
    if (build) links.push({ label: nodeIn(facts) ? 'Node' : 'Build', href: buildPlace(build, facts) })
  }
  if (feature !== undefined && isShipped(event)) {
    const issue = typeof facts.issue === 'number' ? facts.issue : issueOfRun(run)
    if (issue === null) links.push({ label: 'Feature', href: featureAddress(feature) })
    else links.push({ label: `Issue #${issue}`, href: issueAddress(feature, issue) })
  }
  if (run !== undefined && run !== shown) links.push({ label: 'Run', href: runAddress(run) })
  const commit = facts.mergeCommit ?? facts.commit
  links.push({
    label: 'Why',
    href: runAddress(shown, {
      tab: 'why',
      what: typeof commit === 'string' && commit !== '' ? commit : String(event.seq),
    }),
  })
  return links
}

/** A build or a plan by itself has a name for a feature too, but none that was greenlit. */
const isShipped = ({ stream, run = '' }: StoredEvent) => stream.startsWith('feature:') || /^(ship|run)-/.test(run)

export function payloadsOf({ data, payload_ref }: StoredEvent): Payload[] {
  const found: Payload[] = payload_ref === undefined ? [] : [{ name: 'payload', reference: payload_ref }]
  for (const [name, value] of Object.entries((data ?? {}) as object))
    if (name.endsWith('_ref') && typeof value === 'string' && value.startsWith('sha256:'))
      found.push({ name: name.slice(0, -'_ref'.length), reference: value })
  const { envelope } = (data ?? {}) as { envelope?: { payload_ref?: unknown } }
  if (typeof envelope?.payload_ref === 'string') found.push({ name: 'exit', reference: envelope.payload_ref })
  return found
}

function messageAddress(room: string, { message_id }: Record<string, unknown>): string {
  const message = typeof message_id === 'string' ? `/messages/${encodeURIComponent(message_id)}` : ''
  return `/rooms/${encodeURIComponent(room)}${message}`
}

function nodeIn({ path }: Record<string, unknown>): string[] | null {
  return Array.isArray(path) && path.length > 0 && path.every((id) => typeof id === 'string') ? path : null
}

function buildPlace(build: string, facts: Record<string, unknown>): string {
  const node = nodeIn(facts)
  return node ? nodeAddress(build, node.join('/')) : buildAddress(build)
}
