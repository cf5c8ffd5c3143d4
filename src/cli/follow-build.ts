/** Follows a build to its end, or to where it needs a person, and says how it stands. */
import { setTimeout as pause } from 'node:timers/promises'
import type { BuildReport } from '../build/builds.ts'
import { buildView } from '../build/view.ts'
import { questionAsked } from '../kernel/questions-events.ts'
import { runFinished, runParked } from '../kernel/run-events.ts'
import { answerHere } from './answer-here.ts'
import { buildDisplay } from './build-display.ts'
import type { Client } from './client.ts'
import type { Output } from './output.ts'

export async function followBuild(
  client: Client,
  id: string,
  output: Output,
  interrupted: AbortSignal,
): Promise<number> {
  const path = `/api/builds/${encodeURIComponent(id)}`
  const stop = () => void client.post(`/api/runs/${encodeURIComponent(id)}/stop`).catch(() => {})
  if (interrupted.aborted) stop()
  else interrupted.addEventListener('abort', stop, { once: true })
  client.onTakeOver(async () => {
    await client.post(`/api/runs/${encodeURIComponent(id)}/resume`)
  })
  const display = buildDisplay(output)
  let after = 0
  for (;;) {
    after = await watch(client, id, path, after, display)
    const report = await client.get<BuildReport>(`${path}/report`)
    if (report.status === 'running') continue
    display.over()
    if (report.status === 'waiting' && canAnswer(output) && (await answerHere(client, report.questions ?? [], output)))
      continue
    return say(report, output)
  }
}

/** Until the run has ended, was parked, or waits for a person; gives how far in the log that was. */
async function watch(
  client: Client,
  id: string,
  path: string,
  from: number,
  display: ReturnType<typeof buildDisplay>,
): Promise<number> {
  const over = new AbortController()
  const fold = buildView(id)
  let view = display.view ?? fold.initial()
  let after = from
  let asked = false
  const looking = abortWhenWaiting(client, path, over, () => asked)
  try {
    for await (const happening of client.follow({ run: id }, from, over.signal)) {
      if (!('event' in happening)) continue
      const { event } = happening
      after = event.seq
      view = fold.evolve(view, event)
      display.show(view, event)
      if (questionAsked.is(event)) asked = true
      if (event.run === id && (runFinished.is(event) || runParked.is(event))) break
    }
  } finally {
    over.abort()
    await looking
  }
  return after
}

/** A question alone does not end it: others may still be at work. */
async function abortWhenWaiting(
  client: Client,
  path: string,
  over: AbortController,
  asked: () => boolean,
): Promise<void> {
  for (let seen = 0; seen < 2; ) {
    await pause(100, undefined, { signal: over.signal }).catch(() => {})
    if (over.signal.aborted) return
    if (!asked()) continue
    const report = await client.get<BuildReport>(`${path}/report`).catch(() => null)
    seen = report?.status === 'waiting' ? seen + 1 : 0
  }
  over.abort()
}

const canAnswer = (output: Output) => !output.json && Boolean(process.stdin.isTTY && process.stderr.isTTY)

function say(report: BuildReport, output: Output): number {
  const { code: _code, ...shown } = report
  output.data(shown)
  output.print(inWords(report, output))
  return exitCodeOf(report)
}

export function exitCodeOf({ status, code }: BuildReport): number {
  if (status === 'done') return 0
  if (status === 'waiting') return 3
  if (status === 'stopped') return 130
  if (code === 'script_exhausted') return 2
  return code === 'out_of_time' ? 124 : 1
}

function inWords(report: BuildReport, output: Output): string {
  const { run, status, branch, commit, reason, questions = [], merged } = report
  const short = commit?.slice(0, 10) ?? ''
  switch (status) {
    case 'done': {
      const where = merged ? 'and merged' : `merge it with: git merge ${branch}`
      return `${output.style('green', 'done')}  ${branch} at ${short}, ${where}`
    }
    case 'waiting': {
      const lines = questions.flatMap(({ id, text, choices }) => [
        `  ${text}`,
        output.style('dim', `  convene answer ${id} "${(choices ?? ['…']).join('|')}|<text>"`),
      ])
      const next = output.style('dim', `then: convene resume ${run}`)
      return [output.style('yellow', 'waits for you'), ...lines, next].join('\n')
    }
    case 'stopped':
      return `${output.style('yellow', 'stopped')}  nothing is lost; go on with: convene resume ${run}`
    default: {
      const kept = commit ? `; what was built is on ${branch} at ${short}` : ''
      return `${output.style('red', 'failed')}  ${reason ?? 'no reason was given'}${kept}`
    }
  }
}
