/** Labels and tones for builds, nodes and their evidence. */
import type { BuildLine, BuildStatus, BuildView, EvidenceView, NodeView } from '../../../../src/build/view.ts'
import type { Tone } from '../../ui/chip.tsx'
import { joinNames, shortCommit } from '../../ui/format.ts'
import { working } from '../../ui/work-labels.ts'

export type ShownStatus = BuildStatus

/** No event says that only a person's answer is missing: it follows from the open questions and idle work. */
export function statusOf(view: Pick<BuildView, 'status' | 'questions' | 'nodes'>): ShownStatus {
  if (view.status !== 'running' && view.status !== 'waiting') return view.status
  const atWork = view.nodes.some(({ state }) => state === 'working' || state === 'checking' || state === 'idle')
  return view.questions.length > 0 && !atWork ? 'waiting' : 'running'
}

/** What lists call a build: the title of its issue, which is the first line of the description, else the id of its spec. */
export const titleOf = ({ spec, description }: BuildLine, isIssue: boolean): string =>
  (isIssue && description.split('\n')[0]) || spec || 'Starting…'

/** The description without what the title says already. */
export const detailOf = ({ description }: BuildLine, isIssue: boolean): string =>
  isIssue ? description.split('\n').slice(1).join(' ').trim() : description

export const lineStatus = ({ status, questions }: BuildLine): ShownStatus =>
  status === 'running' && questions > 0 ? 'waiting' : status

export const statusLabel: Record<ShownStatus, { word: string; tone: Tone }> = {
  running: { word: 'building', tone: 'live' },
  waiting: { word: 'waiting for you', tone: 'warn' },
  stopped: { word: 'stopped', tone: 'plain' },
  done: { word: 'done', tone: 'ok' },
  failed: { word: 'failed', tone: 'bad' },
}

const checking: Record<string, string> = {
  scaffold: 'checking the plan',
  'write-tests': 'checking that the tests fail first',
  implement: 'running the tests',
  'review-impl': 'merging',
  merge: 'checking the merge',
  rebase: 'checking the rebase',
  'judge-child': 'recording the verdict',
}

/** Headings by the kind of ask. */
export const askLabel: Record<string, string> = {
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

/** What a node is doing. `over`: the build has ended. */
export function stateLabel(node: NodeView, attempts: number | undefined, over: boolean): string {
  if (node.state === 'merged') return node.merge ? `merged ${shortCommit(node.merge.commit)}` : 'merged'
  if (node.state === 'failed') return 'failed'
  if (node.state === 'question') return 'needs your answer'
  if (over) return 'not finished'
  if (node.state === 'waiting')
    return node.waiting_for.length > 0 ? `waiting for ${joinNames(node.waiting_for)}` : 'waiting'
  if (node.state === 'idle') return 'about to start'
  const words = (node.state === 'working' ? working : checking)[node.at] ?? node.at
  return node.attempt > 1 || node.at === 'implement' ? `${words}, ${attemptLabel(node.attempt, attempts)}` : words
}

export function attemptLabel(attempt: number, attempts: number | undefined): string {
  return attempts === undefined || attempt > attempts ? `attempt ${attempt}` : `attempt ${attempt} of ${attempts}`
}

const purposes: Record<string, string> = {
  red: 'Tests before the code exists: they must fail',
  claim: 'Re-run in a clean checkout',
  merge: 'The merged tree',
  rebase: 'After the rebase',
  before: 'The branch before the change',
  review: 'Tests that a review asked for, on the code that it saw',
  contract: 'Contract tests of all parts together',
  setup: 'Setup',
}

export const purposeLabel = (purpose: string) => purposes[purpose] ?? purpose

/** Before there is code, the tests must fail. */
export function evidenceTone({ purpose, exit_code, ended }: EvidenceView): Tone {
  if (ended !== 'exited') return 'bad'
  if (purpose === 'red') return exit_code === 0 ? 'bad' : 'ok'
  if (purpose === 'before' || purpose === 'review') return 'plain'
  return exit_code === 0 ? 'ok' : 'bad'
}

/** "3 of 4 passing", "2 failing, as expected". */
export function testLabel(tests: Counts, beforeCode: boolean): string {
  if (!tests.parsed) return 'tests not listed'
  const ran = tests.passed + tests.failed
  if (ran === 0) return 'no tests'
  if (beforeCode && tests.passed === 0) return `${tests.failed} failing, as expected`
  return `${tests.passed} of ${ran} passing`
}

export interface Counts {
  parsed: boolean
  passed: number
  failed: number
}

export const impactLabel: Record<string, string> = {
  Trivial: 'Nothing that other nodes use has changed.',
  Additive: 'New names only; other nodes are unaffected.',
  Breaking: 'Something that other nodes use has changed; running siblings adapt to it.',
}

export const changeLabel: Record<string, string> = {
  SignatureChange: 'signature changed',
  NewExport: 'new',
  RemovedExport: 'removed',
  BehaviorChange: 'behaves differently',
}

export const commitLabel: Record<string, string> = {
  scaffold: 'Plan and interface',
  test: 'Tests',
  impl: 'Code',
  rebase: 'Rebase',
  merge: 'Merge',
}
