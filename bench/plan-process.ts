/** Plans once in complete mode, in a separate process: `<folder> <reply delay> <parallel>`. Prints a PlanRun. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createApp } from '../src/app.ts'
import { loadConfig } from '../src/kernel/config/load.ts'
import type { StoredEvent } from '../src/kernel/events.ts'

export interface PlanRun {
  wall: number
  calls: number
  /** How long it would take if only agents took time. */
  path: number
}

if (import.meta.main) {
  const [folder, milliseconds, beside] = process.argv.slice(2) as [string, string, string]
  console.log(JSON.stringify(await planOnce(folder, Number(milliseconds), beside === 'true')))
}

async function planOnce(folder: string, after_ms: number, sideBySide: boolean): Promise<PlanRun> {
  layProject(folder, after_ms, sideBySide)
  const app = await createApp(loadConfig({ folder, env: {} }), {})
  const began = performance.now()
  const { id } = await app.plans.start({ goal: 'Turn a file of rows into a report', mode: 'complete' })
  const { status } = (await app.engine.result(id)) as { status: string }
  const wall = performance.now() - began
  const events = await app.store.read({ run: id })
  await app.close()
  if (status !== 'done') throw new Error(`the plan is ${status}`)
  const calls = events.filter(({ type }) => type === 'ask.started').length
  return { wall, calls, path: criticalPath(events, id) * after_ms }
}

/** The number of sequential calls: those of one round run concurrently, and so do parallel phases. */
function criticalPath(events: readonly StoredEvent[], root: string): number {
  const longest = new Map<string, number>()
  const open = new Map<string, number>()
  let beside = 0
  for (const { type, run = root } of events) {
    if (type === 'ask.started') {
      const waiting = open.get(run) ?? 0
      if (waiting === 0) longest.set(run, (longest.get(run) ?? 0) + 1)
      open.set(run, waiting + 1)
    }
    if (type === 'ask.finished') open.set(run, open.get(run)! - 1)
  }
  for (const [run, rounds] of longest) if (run !== root) beside = Math.max(beside, rounds)
  return (longest.get(root) ?? 0) + beside
}

function layProject(folder: string, after_ms: number, sideBySide: boolean): void {
  const line = (when: object, reply: object) => ({ when, reply, after_ms, repeat: true })
  const names = ['lead', 'ada', 'bob', 'cyd']
  const files = {
    'convene.yaml': {
      agents: Object.fromEntries(names.map((name) => [name, { provider: 'rehearsal', script: 'script.yaml' }])),
      roles: { coordinator: 'lead', panel: ['ada', 'bob', 'cyd'] },
      plan: { feature_flags: { s11_parallel_dispatch: sideBySide } },
    },
    'script.yaml': [
      line({ ask: 'phase', phase: '3' }, { scores: { value: 2, scope: 2, acceptance: 2, constraints: 2, risk: 2 } }),
      line(
        { ask: 'phase', phase: '9' },
        { issues: [{ title: 'All of it', acceptance_criteria: [{ id: 'a', text: 'it works' }] }] },
      ),
      line(
        { ask: 'phase', contains: 'Reply in this form: a synthesis' },
        { artefact: '## Approach\n\n'.padEnd(6000, 'word '), summary: 'Done.' },
      ),
      line(
        { ask: 'phase' },
        { output: 'I agree. '.padEnd(3000, 'word '), positions: [{ question: 'how', choice: 'so' }] },
      ),
      line({ ask: 'review', contains: 'Reply in this form: a vote' }, { points: 9, out_of: 10 }),
      line({ ask: 'review', contains: 'Reply in this form: contradictions' }, { contradictions: [] }),
      line({ ask: 'review' }, { findings: [] }),
      line({ ask: 'defend' }, { output: 'I agree.' }),
    ],
    'src/read.js': 'export const read = () => []',
  }
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder })
  git('init', '--quiet')
  git('add', '--all')
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '--quiet', '--message=first')
}
