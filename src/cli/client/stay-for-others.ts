/** TR6: an owner whose own work is done stays while other commands work through it. */
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { isWithin } from '../../kernel/run-events.ts'
import { type HostedRun, ownerStaysFor } from '../../rules/trust/owner.ts'
import type { RunningServer } from '../../serve/server.ts'

const lookEveryMs = 50
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Resolves when nobody needs this process any more, or a signal asks it to end. */
export async function stayForOthers(app: App, server: RunningServer, ownRuns: ReadonlySet<string>): Promise<void> {
  const told = new AbortController()
  const leave = () => told.abort()
  for (const signal of signals) process.on(signal, leave)
  let said = false
  try {
    while (!told.signal.aborted) {
      const { clients, runs } = ownerStaysFor(server.clients(), await hostedRuns(app, ownRuns))
      if (clients === 0 && runs === 0) return
      if (!said && runs > 0) process.stderr.write(note(runs))
      said ||= runs > 0
      await pause(lookEveryMs, undefined, { signal: told.signal }).catch(() => {})
    }
  } finally {
    for (const signal of signals) process.off(signal, leave)
  }
}

async function hostedRuns(app: App, ownRuns: ReadonlySet<string>): Promise<HostedRun[]> {
  const tops = app.engine.underWay()
  const isOwn = (top: string) => [...ownRuns].some((run) => isWithin(run, top))
  if (tops.every(isOwn)) return []
  const waiting = (await app.questions.open()).map(({ run }) => run)
  return tops.map((top) => ({
    own: isOwn(top),
    waits: waiting.some((run) => isWithin(run, top)),
    atRest: app.engine.isAtRest(top),
  }))
}

function note(runs: number): string {
  const whose = runs === 1 ? 'a run of another command' : `${runs} runs of other commands`
  return `convene: finished here; this process stays for ${whose}. Ctrl-C ends it at once; they continue elsewhere, but repeat the call in flight.\n`
}
