/** Runs what has to be seen: in a clean worktree of exactly that commit, every result written down as evidence (VF4, VF7). */
import type { StepContext } from '../kernel/engine.ts'
import type { Store } from '../kernel/store.ts'
import type { TestFacts } from '../rules/build/test-facts.ts'
import { findTests } from '../rules/build/test-facts.ts'
import { type CheckRun, type ClaimVerdict, claimVerdict } from '../rules/build/verification.ts'
import type { CommandResult } from '../workspace/commands/command.ts'
import type { TestRun } from '../workspace/test-results/test-runner.ts'
import type { Slot } from '../workspace/worktrees/worktrees.ts'
import { evidenceRecorded } from './events.ts'
import { placeOf, type Whose, whose } from './node.ts'
import type { ProjectWorkspace } from './workspace.ts'

/** For whom something is looked at: a node of a build, or whoever merges a result. */
export interface Verifier extends Whose {
  workspace: ProjectWorkspace
  deps: { store: Store }
}

/** What was seen of one tree. */
export interface Verified {
  tree: string
  runs: CheckRun[]
  verdict: ClaimVerdict
  /** All tests of the tree, as far as the runner names them. */
  tests: TestFacts[]
  parsed: boolean
  contract: TestFacts[]
  /** The end of what the failing command printed. */
  output: string
}

export interface ToVerify {
  commit: string
  purpose: string
  /** Test files of the node's own, run alone where not everything is green. */
  own: string[]
  ownTests: string[]
  /** The runner named these tests when they were seen red: it must name them again. */
  named?: boolean
  /** Planned, and red once: they may not be skipped now. */
  planned?: boolean
  contractSuite?: string
  /** Contract tests of criteria that were given up: they may fail. */
  forgiven?: (test: TestFacts) => boolean
}

export async function verify(node: Verifier, step: StepContext, what: ToVerify): Promise<Verified> {
  const { workspace, input } = node
  const tree = await workspace.repository.treeOf(what.commit)
  const runs: CheckRun[] = []
  for (;;) {
    const slot = await workspace.worktrees.acquire(input.build, what.commit)
    try {
      const seen = await verifyIn(node, step, slot, { ...what, tree })
      runs.push(seen.run)
      const verdict = claimVerdict(runs)
      if (verdict.verdict !== 'run-again') return { tree, runs, verdict, ...seen.result }
    } finally {
      workspace.worktrees.release(slot)
    }
  }
}

interface Seen {
  run: CheckRun
  result: Pick<Verified, 'tests' | 'parsed' | 'contract' | 'output'>
}

async function verifyIn(
  node: Verifier,
  step: StepContext,
  slot: Slot,
  what: ToVerify & { tree: string },
): Promise<Seen> {
  const { workspace } = node
  const { signal } = step
  const run: CheckRun = {}
  const nothing = { tests: [], parsed: false, contract: [] }
  if (slot.setup) {
    run.setup = slot.setup.exitCode
    const said = slot.setup.tail ? `\n${slot.setup.tail}` : ''
    if (run.setup !== 0)
      return { run, result: { ...nothing, output: `${slot.setup.command} ended with ${run.setup}${said}` } }
  }
  const built = await workspace.tests.build({ ...inSlot(slot), signal })
  if (built) {
    await record(node, step, { ...what, command: workspace.project.build! }, built)
    run.build = built.exitCode
    if (run.build !== 0) return { run, result: { ...nothing, output: built.tail } }
  }
  const all = await runTests(node, step, slot, what)
  const isDone = (name: string) => isSeen(name, all) && !(what.planned && isSkipped(name, all))
  const allSeen = all.parsed && what.ownTests.every(isDone)
  let output = all.exitCode === 0 ? '' : all.tail
  run.test = 0
  // Green as a whole, with everything planned in it: nothing more to see. Else others may be red, so its own are run alone.
  if (all.exitCode !== 0 || !allSeen) {
    const own = what.own.length > 0 ? await runTests(node, step, slot, what, what.own) : all
    run.test = own.exitCode
    if (own.exitCode !== 0) output = own.tail
    const unseen = what.named ? what.ownTests.filter((name) => !isSeen(name, all, own)) : []
    if (run.test === 0 && unseen.length > 0) {
      // A test command that was bent ends well without having run anything.
      run.test = 1
      output = `These tests did not run: ${unseen.join(', ')}`
    }
    const skipped = what.planned ? what.ownTests.filter((name) => isSkipped(name, own)) : []
    if (run.test === 0 && skipped.length > 0) {
      // Code that lets its own tests be skipped has not made them pass.
      run.test = 1
      output = `These tests were skipped, and must pass: ${skipped.join(', ')}`
    }
  }
  const contract =
    what.contractSuite === undefined ? null : await runContract(node, step, slot, what, what.contractSuite)
  if (contract) {
    const failing = contract.tests.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped')
    const isForgiven = contract.parsed && failing.length > 0 && failing.every((test) => what.forgiven?.(test))
    run.contract = isForgiven ? 0 : contract.exitCode
    if (run.contract !== 0 && run.test === 0) output = contract.tail
  }
  return { run, result: { tests: all.tests, parsed: all.parsed, contract: contract?.tests ?? [], output } }
}

/** Where commands run: in the project's folder, with the whole worktree around it at hand. */
export function inSlot({ project, folder }: Slot): { folder: string; writable: string[] } {
  return { folder: project, writable: [folder] }
}

function isSeen(name: string, ...runs: TestRun[]): boolean {
  return runs.some(({ tests }) => findTests(tests, name).length > 0)
}

function isSkipped(name: string, { tests }: TestRun): boolean {
  return findTests(tests, name).some(({ outcome }) => outcome === 'skipped')
}

/** All tests, or those in some files. */
export async function runTests(
  node: Verifier,
  step: StepContext,
  slot: Slot,
  what: { commit: string; tree: string; purpose: string },
  paths?: string[],
): Promise<TestRun> {
  const ran = await node.workspace.tests.run({ ...inSlot(slot), signal: step.signal, ...(paths ? { paths } : {}) })
  await record(node, step, what, ran)
  return ran
}

export async function runContract(
  node: Verifier,
  step: StepContext,
  slot: Slot,
  what: { commit: string; tree: string; purpose: string },
  suite: string,
): Promise<TestRun> {
  const ran = await node.workspace.tests.contract({ ...inSlot(slot), suite, signal: step.signal })
  await record(node, step, what, ran)
  return ran
}

type Ran = (TestRun | CommandResult) & { command?: string }

async function record(
  node: Verifier,
  step: StepContext,
  what: { commit: string; tree: string; purpose: string; command?: string },
  ran: Ran,
): Promise<void> {
  const { store } = node.deps
  const output_ref = ran.output.bytes > 0 ? await store.putPayload(ran.output.stream()) : undefined
  const tests = 'tests' in ran ? { parsed: ran.parsed, ...ran.counts, list: shown(ran.tests) } : undefined
  step.emit(
    evidenceRecorded.create(placeOf(node), {
      ...whose(node),
      purpose: what.purpose,
      command: ran.command ?? what.command ?? '',
      exit_code: ran.exitCode,
      ended: ran.ended,
      commit: what.commit,
      tree: what.tree,
      sandboxed: ran.sandboxed,
      milliseconds: ran.milliseconds,
      output_bytes: ran.output.bytes,
      ...(output_ref === undefined ? {} : { output_ref }),
      ...(tests === undefined ? {} : { tests }),
    }),
  )
  await ran.output.remove()
}

/** Red ones first; a project may have thousands, and all of them are in the output. */
function shown(tests: readonly TestFacts[]) {
  const isGreen = ({ outcome }: TestFacts) => outcome === 'passed'
  return [...tests.filter((test) => !isGreen(test)), ...tests.filter(isGreen)]
    .slice(0, 200)
    .map(({ name, fullName, outcome }) => ({ name: fullName ?? name, outcome }))
}
