/** When git was last checked, and what has not reached GitHub yet. */
import { type OutboxEntry, outboxView } from '../../../../src/forge/outbox-view.ts'
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { checkFeature } from '../../data/calls/features.ts'
import { live } from '../../data/feed/live.ts'
import { LogReader } from '../../data/feed/log-reader.ts'
import { frameBatch } from '../../data/frame-batch.ts'
import { type Settable, watched } from '../../data/watched.ts'
import type { GitCheck } from './sync-labels.ts'

/** The latest git check of each feature. */
export const gitChecks: Settable<ReadonlyMap<string, GitCheck | 'checking'>> = watched<
  ReadonlyMap<string, GitCheck | 'checking'>
>(new Map())

export async function checkGit(feature: string): Promise<void> {
  if (gitChecks.get().get(feature) === 'checking') return
  note(feature, 'checking')
  try {
    const { synced } = await checkFeature(feature)
    note(feature, { at: Date.now(), synced })
  } catch (error) {
    note(feature, { at: Date.now(), synced: 0, problem: error instanceof Error ? error.message : String(error) })
  }
}

function note(feature: string, check: GitCheck | 'checking'): void {
  gitChecks.set(new Map([...gitChecks.get(), [feature, check]]))
}

/** Changes that have not reached the forge, oldest first. Null: not read yet. */
export const forgeWaiting: Settable<readonly OutboxEntry[] | null> = watched<readonly OutboxEntry[] | null>(null)

const types = ['forge.queued', 'forge.sent', 'forge.failed']
let view = outboxView.initial()
let lastSeq = 0

const reader = new LogReader({
  types: types.join(','),
  lastSeq: () => lastSeq,
  take(event: StoredEvent) {
    lastSeq = event.seq
    view = outboxView.evolve(view, event)
  },
})

const publish = () => forgeWaiting.set([...view.waiting.values()])
const publishSoon = frameBatch(publish)

export async function readOutbox(): Promise<void> {
  try {
    await reader.catchUp()
    publish()
  } catch {
    // Read again when the connection is there again.
  }
}

live.listen({
  event: (event) => {
    if (types.includes(event.type) && reader.receive(event)) publishSoon()
  },
  opened: () => void readOutbox(),
})
