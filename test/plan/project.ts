/** A project with a rehearsal that plans in it: four agents that agree, unless a test's own lines say otherwise. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parse } from 'yaml'
import type { StoredEvent } from '../../src/kernel/events.ts'
import type { Question } from '../../src/kernel/runs/question-events.ts'
import { splitFrontMatter, summaryFile } from '../../src/plan/artefacts.ts'
import type { PlanReport } from '../../src/plan/pipeline/plans.ts'
import type { PhaseView, PlanView } from '../../src/plan/view.ts'
import type { PhaseSummary } from '../../src/rules/plan/phase-summary.ts'
import type { PhaseId } from '../../src/rules/plan/phase-table.ts'
import { type Finished, temporaryFolder } from '../support/convene.ts'
import { runResident } from '../support/resident-command.ts'
import { type Served, serve } from '../support/server.ts'

export interface Line {
  when: {
    ask?: string
    agent?: string
    phase?: string
    round?: number
    attempt?: number
    contains?: string
  }
  reply?: unknown
  text?: string
  fail?: string
  after_ms?: number
  repeat?: boolean
}

export interface PlanOptions {
  /** Take precedence over the default lines. */
  lines?: Line[]
  /** `plan` in `convene.yaml`. */
  plan?: Record<string, unknown>
  config?: Record<string, unknown>
  files?: Record<string, string>
  /** False: the folder is not a repository. */
  repository?: boolean
}

export const full = { scores: { value: 2, scope: 2, acceptance: 2, constraints: 2, risk: 2 } }
export const scored = (scores: Partial<(typeof full)['scores']>) => ({ scores: { ...full.scores, ...scores } })
export const vote = (points: number, dissent?: string) => ({ points, out_of: 10, ...(dissent ? { dissent } : {}) })
export const view = (output: string, choice = 'the small one', question = 'Which design') => ({
  output,
  positions: [{ question, choice, confidence: 0.9 }],
})
export const as = (role: string) => `You are ${role}:`
/** A line for one role in one round. */
export const part = (phase: string, role: string, line: Omit<Line, 'when'>, round?: number): Line => ({
  when: { phase, contains: as(role), ...(round === undefined ? {} : { round }) },
  repeat: true,
  ...line,
})
export const synthesis = 'Reply in this form: a synthesis'

const agreed = (output: string): Line['reply'] => view(output)

/** Everyone agrees and every gate passes. */
export const agreeable: Line[] = [
  { when: { ask: 'phase', phase: '3' }, reply: full },
  {
    when: { ask: 'phase', phase: '9' },
    reply: {
      summary: 'Two issues, one after the other.',
      issues: [
        {
          number: 1,
          title: 'Read the file',
          body: 'Reads it line by line.',
          acceptance_criteria: [{ id: 'reads', text: 'A file of three lines gives three rows' }],
          size: 'small',
          business_value: 0.4,
          risk: 0.1,
          target_path: 'src/read.js',
          test_path: 'test/read.test.js',
        },
        {
          number: 2,
          title: 'Write the report',
          body: 'Writes it.',
          acceptance_criteria: [{ id: 'writes', text: 'The report has a row for each line' }],
          depends_on: [1],
          size: 'medium',
          business_value: 0.9,
          risk: 0.3,
        },
      ],
    },
  },
  {
    when: { ask: 'phase', contains: synthesis },
    reply: {
      artefact: '## Approach\n\nRead, then write.\n\n```mermaid\ngraph LR\n  read --> write\n```',
      summary: 'Read first, then write.',
      key_decisions: [{ decision: 'Reading comes first', rationale: 'writing needs it', confidence: 'HIGH' }],
      open_questions: [{ question: 'How large are the files?', priority: 'LOW' }],
      risks_identified: [{ risk: 'Files may be huge', severity: 'MEDIUM', mitigation: 'read line by line' }],
      files_affected: ['src/a.js', 'src/b.js', 'src/c.js', 'src/d.js'],
    },
  },
  { when: { ask: 'phase', agent: 'bob' }, reply: agreed('I concur with the others: the small one. It is consistent.') },
  { when: { ask: 'phase' }, reply: agreed('I agree: the small one. This aligns with the code and supports it.') },
  { when: { ask: 'review', contains: 'Reply in this form: a vote' }, reply: vote(9) },
  { when: { ask: 'review', contains: 'Reply in this form: contradictions' }, reply: { contradictions: [] } },
  {
    when: { ask: 'review' },
    reply: { findings: [{ severity: 'MINOR', confidence: 85, title: 'A name', detail: 'could be shorter' }] },
  },
  { when: { ask: 'defend', contains: 'Reply in this form: weighed findings' }, reply: { findings: [] } },
  { when: { ask: 'defend' }, reply: agreed('Conceded, and noted.') },
].map((line) => ({ ...line, repeat: true }))

export function planFiles({
  lines = [],
  plan = {},
  config = {},
  files = {},
}: PlanOptions = {}): Record<string, string> {
  const agents = ['lead', 'ada', 'bob', 'cyd'].map((name) => [name, { provider: 'rehearsal', script: 'script.yaml' }])
  return {
    'convene.yaml': JSON.stringify({
      agents: Object.fromEntries(agents),
      roles: { coordinator: 'lead', panel: ['ada', 'bob', 'cyd'] },
      plan,
      ...config,
    }),
    'script.yaml': JSON.stringify([...lines, ...agreeable]),
    'AGENTS.md': '# Rules\n\nWrite tests first.\n',
    'src/read.js': 'export const read = () => []\n',
    '.gitignore': '.convene/\n',
    ...files,
  }
}

export function planFolder(options: PlanOptions = {}): string {
  const folder = temporaryFolder()
  writeInto(folder, planFiles(options))
  if (options.repository === false) return folder
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--all')
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '--quiet', '--message=first')
  return folder
}

export function writeInto(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** What a plan wrote to a folder. */
export class Plan {
  readonly folder: string

  constructor(project: string, plan: string) {
    this.folder = join(project, '.convene/plans', plan)
  }

  has(file: string): boolean {
    return existsSync(join(this.folder, file))
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8')
  }

  write(file: string, text: string): void {
    writeInto(this.folder, { [file]: text })
  }

  front(file: string): Record<string, unknown> {
    return parse(splitFrontMatter(this.read(file)).front!) as Record<string, unknown>
  }

  summary(phase: PhaseId): PhaseSummary {
    return this.front(summaryFile(phase)) as unknown as PhaseSummary
  }
}

// Through the command.

export interface Planned extends Finished {
  report: PlanReport & { error?: { code: string; message: string; path?: string; expected?: string } }
}

/** Runs `convene <args> --json` to its end. */
export async function convene(folder: string, ...args: string[]): Promise<Planned> {
  const ended = await runResident([...args, '--json'], { cwd: folder })
  const last = ended.stdout.trim().split('\n').at(-1) ?? ''
  return { ...ended, report: (last ? JSON.parse(last) : {}) as Planned['report'] }
}

export async function eventsOf(folder: string): Promise<StoredEvent<Record<string, unknown>>[]> {
  const { stdout } = await runResident(['events', '--json'], { cwd: folder })
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

// In this process.

export interface Asked {
  agent: string
  kind: string
  phase?: string
  round?: number
  system: string
  prompt: string
}

export class ServedPlan {
  readonly served: Served
  readonly id: string
  readonly files: Plan
  readonly asked: Asked[]

  constructor(served: Served, id: string, plan: string, asked: Asked[]) {
    this.served = served
    this.id = id
    this.files = new Plan(served.folder, plan)
    this.asked = asked
  }

  async report(): Promise<PlanReport> {
    return this.served.app.plans.report(this.id)
  }

  async view(): Promise<PlanView & { seq: number }> {
    return (await this.served.call('GET', `/api/plans/${this.id}`)).body
  }

  async phase(id: PhaseId): Promise<PhaseView> {
    return (await this.view()).phases.find((phase) => phase.id === id)!
  }

  /** Waits until the plan is done, failed, stopped or waits for a person. */
  async settled(): Promise<PlanReport> {
    for (;;) {
      const report = await this.report()
      if (report.status !== 'running') return report
      await pause(10)
    }
  }

  /** Answers every question by a part of its text until none is open; returns how the plan ended. */
  async answering(answers: Record<string, string | string[]>): Promise<PlanReport> {
    const left = new Map(Object.entries(answers).map(([match, said]) => [match, [said].flat()]))
    for (;;) {
      const report = await this.settled()
      if (report.status !== 'waiting') return report
      for (const question of report.questions!) {
        const [, said] = [...left].find(([match]) => question.text.includes(match)) ?? []
        if (!said || said.length === 0) return report
        await this.answer(question, said.length > 1 ? said.shift()! : said[0]!)
      }
      await pause(10)
    }
  }

  async answer(question: Question, text: string): Promise<void> {
    const { status, body } = await this.served.call('POST', `/api/questions/${question.id}/answer`, { text })
    if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`)
  }

  async events(type?: string): Promise<StoredEvent<Record<string, unknown>>[]> {
    const all = (await this.served.app.store.read({ run: this.id })) as StoredEvent<Record<string, unknown>>[]
    return type === undefined ? all : all.filter((event) => event.type === type)
  }

  /** The asks of a phase. */
  of(phase: string): Asked[] {
    return this.asked.filter((one) => one.phase === phase)
  }
}

export interface Start {
  goal?: string
  mode?: string
  preset?: string
  answers?: { match: string; answer: string }[]
  yes?: boolean
}

export async function startPlan(options: PlanOptions & Start = {}): Promise<ServedPlan> {
  const { goal = 'Turn a file into a report', mode = 'standard', preset, answers, yes, ...project } = options
  const served = await serve({}, { folder: planFolder(project) })
  const asked = recordPrompts(served)
  const { body } = await served.call('POST', '/api/plans', {
    goal,
    mode,
    ...(preset === undefined ? {} : { preset }),
    ...(answers === undefined ? {} : { answers }),
    ...(yes === undefined ? {} : { yes }),
  })
  const { id, plan } = body as { id: string; plan: string }
  return new ServedPlan(served, id, plan, asked)
}

/** Simulates another process: closes what was served, and first writes the given files. */
export async function restart(plan: ServedPlan, files: Record<string, string> = {}): Promise<ServedPlan> {
  await plan.served.close()
  writeInto(plan.served.folder, files)
  const served = await serve({}, { folder: plan.served.folder })
  const asked = recordPrompts(served)
  const [, name] = /plans\/(.*)$/.exec(plan.files.folder)!
  return new ServedPlan(served, plan.id, name!, asked)
}

function recordPrompts({ app }: Served): Asked[] {
  const received: Asked[] = []
  for (const name of app.agents.names()) {
    const agent = app.agents.get(name)
    const call = agent.call.bind(agent)
    agent.call = (request, options) => {
      const [system, ...rest] = request.messages.map(({ content }) => content)
      const { phase, round } = request.facts ?? {}
      received.push({ agent: name, kind: request.kind, phase, round, system: system!, prompt: rest.join('\n\n') })
      return call(request, options)
    }
  }
  return received
}
