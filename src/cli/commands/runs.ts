/** `convene runs`, `stop`, `resume` and `fork`: lists and controls durable runs. */
import { isUsageFault, isWork } from '../../kernel/run-events.ts'
import type { RunListing } from '../../runs/runs.ts'
import type { Client } from '../client/client.ts'
import { findRun } from '../client/run-named.ts'
import type { Output } from '../display/output.ts'
import type { CommandContext } from './command.ts'
import { untilInterrupted } from './interrupt.ts'
import { withClient } from './with-client.ts'

export async function runsCommand(context: CommandContext): Promise<number> {
  return withClient(context, { brief: true }, async (client, output) => {
    const { runs } = await client.call('GET /api/runs')
    output.data({ runs })
    if (runs.length === 0) output.print('No runs yet. `convene ask "…" --to <agent>` starts one.')
    for (const run of runs) output.print(line(run, output))
    return 0
  })
}

export async function stopCommand(context: CommandContext, named: string): Promise<number> {
  // It follows the run only to its end: no owner may leave the run to it.
  return withClient(context, { watches: true }, async (client, output) => {
    const id = await findRun(client, named)
    const before = await client.call('GET /api/runs/:run', { params: { run: id } })
    // A room's run posts a notice when it is stopped, so it must be running.
    if (before.status === 'running' && !isWork(before.kind))
      await client.call('POST /api/runs/:run/resume', { params: { run: id } })
    const run = await client.call('POST /api/runs/:run/stop', { params: { run: id } })
    const ended = run.status === 'running' ? await untilEnded(client, id) : run
    output.data(ended)
    output.print(line(ended, output))
    return 0
  })
}

export async function resumeCommand(
  context: CommandContext,
  named: string,
  options: { spec?: string } = {},
): Promise<number> {
  return withClient(context, {}, async (client, output) => {
    const id = await findRun(client, named)
    const before = await client.call('GET /api/runs/:run', { params: { run: id } })
    if (before.kind === 'build' && before.status !== 'done') {
      const chosen = await (await import('./changed-spec.ts')).chooseSpec(client, id, output, options.spec)
      if (chosen.kind === 'waiting') return 3
      if (chosen.kind === 'started-again') {
        const { followBuild } = await import('../follow/follow-build.ts')
        return untilInterrupted((interrupted) => followBuild(client, chosen.id, output, interrupted))
      }
    }
    const { events } = await client.call('GET /api/events', { query: { last: 1 } })
    const resumedAt = events[0]?.seq ?? 0
    const run = await client.call('POST /api/runs/:run/resume', { params: { run: id } })
    client.onNewOwner(() => client.continueWork(id))
    return untilInterrupted(async (interrupted) => {
      if (run.kind === 'build')
        return (await import('../follow/follow-build.ts')).followBuild(client, id, output, interrupted, resumedAt)
      if (run.kind === 'plan')
        return (await import('../follow/follow-plan.ts')).followPlan(client, id, output, interrupted, resumedAt)
      if (run.kind === 'ship') return (await import('./ship.ts')).followShip(client, id, output, interrupted, resumedAt)
      if (run.kind === 'compare')
        return (await import('./compare.ts')).followComparison(client, id, output, interrupted, resumedAt)
      if (run.kind === 'feature.run')
        return (await import('../follow/follow-feature.ts')).followFeature(client, id, output, interrupted, resumedAt)
      const stop = () => void client.call('POST /api/runs/:run/stop', { params: { run: id } }).catch(() => {})
      interrupted.addEventListener('abort', stop, { once: true })
      return say(run.status === 'running' ? await untilEnded(client, id) : run, output)
    })
  })
}

export async function forkCommand(context: CommandContext, named: string, options: { from?: string }): Promise<number> {
  return withClient(context, {}, async (client, output) => {
    const id = await findRun(client, named)
    const from =
      options.from === undefined ? undefined : /^\d+$/.test(options.from) ? Number(options.from) : options.from
    const forked = await client.call('POST /api/runs/:run/fork', {
      params: { run: id },
      body: from === undefined ? {} : { from },
    })
    output.note(`forked as ${forked.id}`)
    if (forked.kind === 'plan') {
      const { followPlan } = await import('../follow/follow-plan.ts')
      return untilInterrupted((interrupted) => followPlan(client, forked.id, output, interrupted))
    }
    return say(await untilEnded(client, forked.id), output)
  })
}

async function untilEnded(client: Client, id: string): Promise<RunListing> {
  const { runFinished, runParked } = await import('../../kernel/run-events.ts')
  const { abortWhenUnrecorded } = await import('../../calls/abort-when-unrecorded.ts')
  for (;;) {
    const run = await client.call('GET /api/runs/:run', { params: { run: id } })
    if (run.status !== 'running') return run
    const over = new AbortController()
    const looking = abortWhenUnrecorded(client, id, over)
    try {
      for await (const happening of client.follow({ run: id }, 0, over.signal)) {
        if ('event' in happening && (runFinished.is(happening.event) || runParked.is(happening.event))) break
      }
    } finally {
      over.abort()
      await looking
    }
  }
}

function say(run: RunListing, output: Output): number {
  output.data(run)
  output.print(line(run, output))
  if (run.status === 'done') return 0
  if (isUsageFault(run.code)) return 2
  return run.status === 'cancelled' ? 130 : 1
}

const colours = {
  running: 'blue',
  interrupted: 'yellow',
  done: 'green',
  failed: 'red',
  cancelled: 'yellow',
  stopped: 'yellow',
  'needs-attention': 'yellow',
} as const

function line(run: RunListing, output: Output): string {
  const colour = colours[run.status as keyof typeof colours]
  const ended = run.status === 'interrupted' ? `its process ended; continue with: convene resume ${run.id}` : ''
  const detail = run.reason || ended ? `  ${run.reason ?? ended}` : ''
  return `${output.style(colour, run.status.padEnd(15))} ${run.id}  ${run.kind}  ${run.steps} steps  ${output.style('dim', run.updated_at)}${detail}`
}
