/** What happens in a build, in words a person says. */

import type { BuildStatus, BuildView, EvidenceView, NodeView } from '../../../../src/build/view.ts'
import type { Tone } from '../../ui/chip.tsx'
import { joinNames, shortCommit } from '../../ui/format.ts'
import { working } from '../../ui/work-labels.ts'

export type ShownStatus = BuildStatus

/** The log does not say when all that is left is to wait for a person; it can be seen. */
export function statusOf(view: Pick<BuildView, 'status' | 'questions' | 'nodes'>): ShownStatus {
  if (view.status !== 'running' && view.status !== 'waiting') return view.status
  const atWork = view.nodes.some(({ state }) => state === 'working' || state === 'checking' || state === 'idle')
  return view.questions.length > 0 && !atWork ? 'waiting' : 'running'
}

export const statusWords: Record<ShownStatus, { word: string; tone: Tone }> = {
  running: { word: 'building', tone: 'live' },
  waiting: { word: 'waits for you', tone: 'warn' },
  stopped: { word: 'stopped', tone: 'plain' },
  done: { word: 'done', tone: 'ok' },
  failed: { word: 'failed', tone: 'bad' },
}

const checking: Record<string, string> = {
  scaffold: 'plan is checked',
  'write-tests': 'tests must be red first',
  implement: 'tests are run',
  'review-impl': 'being merged',
  merge: 'merge is checked',
  rebase: 'rebase is checked',
  'judge-child': 'verdict is noted',
}

/** What was asked, as a heading. */
export const askWords: Record<string, string> = {
  scaffold: 'Plan',
  'write-tests': 'Write tests',
  implement: 'Write code',
  'review-impl': 'Review',
  merge: 'Repair the merge',
  rebase: 'Rebase',
  'judge-child': 'Judge a part',
  'child-failed': 'Decide on a failed part',
}

export const nodeTones: Record<NodeView['state'] | 'halted' | 'planned', Tone> = {
  planned: 'plain',
  idle: 'plain',
  working: 'live',
  checking: 'live',
  waiting: 'plain',
  question: 'warn',
  merged: 'ok',
  failed: 'bad',
  halted: 'plain',
}

/** One line that says what a node does now. `over` is set once the build no longer goes on. */
export function stateWords(node: NodeView, attempts: number | undefined, over: boolean): string {
  if (node.state === 'merged') return node.merge ? `merged ${shortCommit(node.merge.commit)}` : 'merged'
  if (node.state === 'failed') return 'failed'
  if (node.state === 'question') return 'asks you'
  if (over) return 'left where it was'
  if (node.state === 'waiting')
    return node.waiting_for.length > 0 ? `waits for ${joinNames(node.waiting_for)}` : 'waits'
  if (node.state === 'idle') return 'about to begin'
  const words = (node.state === 'working' ? working : checking)[node.at] ?? node.at
  return node.attempt > 1 || node.at === 'implement' ? `${words}, ${attemptWords(node.attempt, attempts)}` : words
}

export function attemptWords(attempt: number, attempts: number | undefined): string {
  return attempts === undefined ? `attempt ${attempt}` : `attempt ${attempt} of ${attempts}`
}

const purposes: Record<string, string> = {
  red: 'Tests before the code: they must fail',
  claim: 'The claim, in a clean checkout',
  merge: 'The merged tree',
  rebase: 'After the rebase',
  before: 'The branch as it was before',
  contract: 'The contract of all parts together',
  setup: 'Set-up',
}

export const purposeWords = (purpose: string) => purposes[purpose] ?? purpose

/** Before there is code, red is what is wanted. */
export function evidenceTone({ purpose, exit_code, ended }: EvidenceView): Tone {
  if (ended !== 'exited') return 'bad'
  if (purpose === 'red') return exit_code === 0 ? 'bad' : 'ok'
  if (purpose === 'before') return 'plain'
  return exit_code === 0 ? 'ok' : 'bad'
}

/** "3 of 4 green", "2 red, as they must". */
export function testWords(tests: Counts, beforeCode: boolean): string {
  if (!tests.parsed) return 'tests not named'
  const ran = tests.passed + tests.failed
  if (ran === 0) return 'no tests'
  if (beforeCode && tests.passed === 0) return `${tests.failed} red, as they must`
  return `${tests.passed} of ${ran} green`
}

export interface Counts {
  parsed: boolean
  passed: number
  failed: number
}

export const impactWords: Record<string, string> = {
  Trivial: 'Nothing that others use has changed.',
  Additive: 'Others can go on as they are; there is more to use.',
  Breaking: 'Something that others use has changed: siblings at work adapt to it.',
}

export const changeWords: Record<string, string> = {
  SignatureChange: 'signature changed',
  NewExport: 'new',
  RemovedExport: 'removed',
  BehaviorChange: 'behaves differently',
}

export const commitWords: Record<string, string> = {
  scaffold: 'Plan and interface',
  test: 'Tests',
  impl: 'Code',
  rebase: 'Rebase',
  merge: 'Merge',
}
