/** TR6: an owner whose own work is done stays while other commands work through it. */
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../../app.ts'
import { isWithin, isWork } from '../../kernel/run-events.ts'
import { type HostedRun, ownerHandsOver, ownerStaysFor } from '../../rules/trust/owner.ts'
import type { RunningServer } from '../../serve/server.ts'

const lookEveryMs = 50

/**
 * Resolves when nobody needs this process any more, or when the commands that follow long work can continue it. Ctrl-C hands the others' runs over: their calls in flight are finished first.
 * A second one, or another signal, ends it at once.
 */
export async function stayForOthers(app: App, server: RunningServer, ownRuns: ReadonlySet<string>): Promise<void> {
  const left = new AbortController()
  let handingOver = false
  const leave = () => left.abort()
  const handOver = (words: string) => {
    handingOver = true
    app.engine.drain()
    process.stderr.write(`convene: ${words}\n`)
  }
  const interrupt = () => {
    if (handingOver) leave()
    else handOver('handing over after the calls in flight. Ctrl-C again leaves at once.')
  }
  process.on('SIGINT', interrupt)
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, leave)
  let said = false
  try {
    while (!left.signal.aborted) {
      const hosted = await hostedRuns(app, server, ownRuns)
      if (handingOver && hosted.every(({ atRest }) => atRest)) return
      const { clients, runs } = ownerStaysFor(server.clients(), hosted)
      if (clients === 0 && runs === 0) return
      if (!handingOver && ownerHandsOver(hosted))
        handOver(
          'finished here; the other command takes over its run once the calls in flight are done. Ctrl-C leaves at once.',
        )
      said ||= handingOver
      if (!said && runs > 0) process.stderr.write(note(runs, clients, hosted))
      said ||= runs > 0
      await pause(lookEveryMs, undefined, { signal: left.signal }).catch(() => {})
    }
  } finally {
    process.off('SIGINT', interrupt)
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.off(signal, leave)
  }
}

async function hostedRuns(
  app: App,
  server: RunningServer,
  ownRuns: ReadonlySet<string>,
): Promise<(HostedRun & { id: string })[]> {
  const tops = app.engine.underWay()
  const isOwn = (top: string) => [...ownRuns].some((run) => isWithin(run, top))
  if (tops.every(isOwn)) return []
  const waiting = (await app.questions.open()).map(({ run }) => run)
  const followed = server.clients().flatMap(({ alive, follows }) => (alive ? follows : []))
  const kinds = await Promise.all(tops.map(async (top) => (await app.engine.get(top))?.workflow ?? ''))
  return tops.map((top, index) => ({
    id: top,
    long: isWork(kinds[index]!),
    followed: followed.some((run) => isWithin(run, top)),
    own: isOwn(top),
    waits: waiting.some((run) => isWithin(run, top)),
    atRest: app.engine.isAtRest(top),
  }))
}

function note(runs: number, clients: number, hosted: readonly (HostedRun & { id: string })[]): string {
  const what = runs === 1 ? 'a run that is still under way' : `${runs} runs that are still under way`
  const ids = hosted.filter(({ own, waits, atRest }) => !own && !(waits && atRest)).map(({ id }) => id)
  const named = ids.length > 3 ? `${ids.slice(0, 3).join(', ')} …` : ids.join(', ')
  const safely =
    clients > 0
      ? 'Ctrl-C leaves safely: the calls in flight are finished, then the other command continues'
      : `Ctrl-C leaves safely: the calls in flight are finished, then convene resume ${ids[0]} continues`
  return `convene: finished here; this process stays for ${what} (${named}) until ${runs === 1 ? 'it ends' : 'they end'}. ${safely}.\n`
}
