/** Connects the forge, if one is configured: the tracker sends what changes here, the watch notices what changes there. */
import { join } from 'node:path'
import { sharedAccess, soleAccess } from '../forge/forge-access.ts'
import { openForge } from '../forge/open-forge.ts'
import { Outbox } from '../forge/outbox.ts'
import { ConveneError } from '../kernel/errors.ts'
import type { ShipDeps } from '../ship/deps.ts'
import type { FeatureViews } from '../ship/feature-views.ts'
import { type Delivery, ForgeWatch, type ForgeWatchParts } from '../ship/tracker/forge-watch.ts'
import { IssueOpener } from '../ship/tracker/issue-opener.ts'
import { Tracker } from '../ship/tracker/tracker.ts'
import type { FloorParts } from './floor-parts.ts'

export interface ConnectedForge {
  /** Why the configured forge receives no updates; null if it does, or if none is configured. */
  off: string | null
  /** What the ship floor knows of the forge. */
  forShip: Pick<ShipDeps, 'flushForge' | 'pendingOnForge' | 'forge' | 'repo' | 'tokenName' | 'forgeOff'>
  start(notice: ForgeWatchParts['notice']): Promise<void>
  receive(delivery: Delivery): Promise<{ noticed: boolean }>
  stop(): Promise<void>
}

export async function connectForge(parts: FloorParts, views: FeatureViews): Promise<ConnectedForge> {
  const { project, env, store, stateFolder, askDeps } = parts
  const { forge: configured, coordination, ship } = project.config
  const closing = new AbortController()
  const opened = coordination.github_sync_enabled
    ? await openForge(configured, env, closing.signal)
    : { forge: null, reason: null }
  if (!opened.forge) return noForge(opened.reason)
  const { forge, repo } = opened
  const {
    poll_seconds,
    webhook_secret_env: variable,
    label_prefix: labelPrefix,
    token_env,
    create_issues,
  } = configured.github!
  const { clock } = askDeps
  const access = project.config.engine.url === undefined ? soleAccess : sharedAccess({ store, repo, clock })
  const outbox = new Outbox({ store, forge, repo, labelPrefix, access })
  const tracker = new Tracker({ store, outbox, views, retries: ship.retries })
  const opener = create_issues ? new IssueOpener({ store, forge, repo, views, clock, access }) : null
  let watch: ForgeWatch | undefined
  return {
    off: null,
    forShip: {
      flushForge: async (timeoutMs) => {
        // First, because an issue that was just opened gets its label and comment from the tracker.
        await opener?.flush(timeoutMs)
        await tracker.flush(timeoutMs)
      },
      pendingOnForge: async (feature) => (await outbox.behind(feature)) ?? opener?.behind(feature) ?? null,
      forge: async () => forge,
      repo,
      tokenName: token_env,
    },
    async start(notice) {
      await tracker.start()
      await opener?.start()
      watch = new ForgeWatch({
        forge,
        outbox,
        repo,
        labelPrefix,
        clock,
        access,
        pollSeconds: poll_seconds,
        webhook: { secret: env[variable]?.trim(), variable },
        cursorFile: join(stateFolder, 'cache', 'forge-looked.json'),
        notice,
      })
      watch.start()
    },
    receive: (delivery) => watch!.receive(delivery),
    async stop() {
      closing.abort()
      access.stop()
      await watch?.stop()
      await opener?.stop()
      await tracker.stop()
    },
  }
}

function noForge(reason: string | null): ConnectedForge {
  return {
    off: reason,
    forShip: reason === null ? {} : { forgeOff: reason },
    async start() {},
    async receive() {
      throw new ConveneError('no_forge', reason ?? 'there is no forge: forge.github.repo is not set', { status: 404 })
    },
    async stop() {},
  }
}
