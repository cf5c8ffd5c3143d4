/** Builds made of events, for tests. */
import { type BuildView, buildView } from '../../../../src/build/view.ts'
import type { StoredEvent } from '../../../../src/kernel/events.ts'
import { foldEvents } from '../../../../src/kernel/fold.ts'

export const buildId = 'build-1'

export interface Fact {
  type: string
  data: Record<string, unknown>
  payload_ref?: string
}

export function storedFacts(facts: readonly Fact[]): StoredEvent[] {
  return facts.map(({ type, data, payload_ref }, index) => ({
    seq: index + 1,
    id: `e${index + 1}`,
    ts: new Date(Date.UTC(2030, 0, 1, 0, 0, index)).toISOString(),
    type,
    version: 1,
    stream: `build:${buildId}`,
    run: buildId,
    data,
    ...(payload_ref ? { payload_ref } : {}),
  }))
}

export function viewOf(facts: readonly Fact[]): BuildView {
  return foldEvents(buildView(buildId), storedFacts(facts))
}

export const started = (strategy: 'graph' | 'solo' = 'graph'): Fact => ({
  type: 'build.started',
  data: {
    spec: 'root',
    description: 'A root',
    strategy,
    because: 'as asked',
    base: 'b',
    branch: 'convene/root/main',
    target: 'main',
    merge: false,
    commands: { test: 'test' },
    rehearsal: true,
    attempts: 5,
  },
})

const whose = (path: readonly string[]) => ({ node: path.at(-1)!, path })

export const node = (path: string[], depends_on: string[] = []): Fact => ({
  type: 'node.started',
  data: {
    ...whose(path),
    description: `The ${path.at(-1)}`,
    criteria: [{ id: 'works', text: 'It works' }],
    depends_on,
    branch: `convene/root/+${path.slice(1).join('+')}`,
    base: 'b',
  },
})

const about = (path: string[], kind: string, attempt: number) => ({
  ...whose(path),
  ask: `${path.join('/')} ${kind} ${attempt}`,
  kind,
  agent: 'coder',
  rehearsal: true,
  attempt,
})

export const asked = (path: string[], kind: string, attempt = 1): Fact => ({
  type: 'ask.started',
  data: { ...about(path, kind, attempt), reserved: { tokens: 0, usd: 0 } },
})

export const replied = (path: string[], kind: string, exit: string, attempt = 1): Fact => ({
  type: 'ask.finished',
  data: {
    ...about(path, kind, attempt),
    exit,
    usage: { inputTokens: 10, outputTokens: 5, usd: 0.01 },
    tries: 1,
    milliseconds: 20,
  },
})

export const routed = (path: string[], from: string, exit: string, to: string[], action = 'route'): Fact => ({
  type: 'exit.routed',
  data: { ...whose(path), from, exit, to, action, envelope: { severity: 'INFO' } },
})

export const planned = (path: string[], tests: string[], children: Record<string, string[]> = {}): Fact => ({
  type: 'scaffold.accepted',
  data: {
    ...whose(path),
    interfaceFile: 'src/x.ts',
    contractSuite: 'test/x.contract.ts',
    testPlan: tests.map((plannedTestName) => ({ criterionId: 'works', plannedTestName, approach: 'so' })),
    children: Object.keys(children),
    dependencies: children,
  },
})

export const running = (path: string[], purpose: string, command: string): Fact => ({
  type: 'command.started',
  data: { ...whose(path), purpose, command },
})

export const seen = (path: string[], purpose: string, tests: Record<string, string>): Fact => {
  const list = Object.entries(tests).map(([name, outcome]) => ({ name, outcome }))
  const count = (is: boolean) => list.filter(({ outcome }) => (outcome === 'passed') === is).length
  return {
    type: 'evidence.recorded',
    data: {
      ...whose(path),
      purpose,
      command: 'test',
      exit_code: count(false) > 0 ? 1 : 0,
      ended: 'exited',
      commit: 'c',
      tree: 't',
      sandboxed: true,
      milliseconds: 5,
      tests: { parsed: true, passed: count(true), failed: count(false), skipped: 0, list },
      output_bytes: 0,
    },
  }
}

export const reviewed = (
  path: string[],
  signOff: string,
  covered: { criterionId: string; testName: string }[],
): Fact => ({ type: 'review.approved', data: { ...whose(path), signOff, covered } })

export const refused = (path: string[], kind: string, attempt = 1): Fact => ({
  type: 'reply.refused',
  data: { ...whose(path), kind, attempt, problems: [{ rule: 'VF5', message: 'not enough' }] },
})

export const merged = (path: string[]): Fact => ({
  type: 'merge.completed',
  data: {
    ...whose(path),
    into: 'main',
    mergeCommit: 'abcdef0123',
    author: path.at(-1),
    impactLevel: 'Additive',
    changes: [],
    unparsed: [],
  },
})

export const finished = (path: string[], status: 'merged' | 'failed'): Fact => ({
  type: 'node.finished',
  data: { ...whose(path), status },
})

export const waits = (path: string[], on: string[]): Fact => ({
  type: 'node.waiting',
  data: { ...whose(path), for: on },
})

export const forecast = (path: string[], other: string, files: string[]): Fact => ({
  type: 'conflict.forecast',
  data: { ...whose(path), with: other, files },
})

export const question = (path: string[], id: string): Fact => ({
  type: 'question.asked',
  data: { id, run: buildId, text: 'Which?', choices: ['retry', 'give up'], context: { ...whose(path) } },
})
