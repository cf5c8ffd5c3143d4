/** Changes verified code in small ways and runs the node's own tests on it: what none of them notices is shown to the reviewer. VF12. */
import type { StepContext } from '../../kernel/engine.ts'
import { isWithin } from '../../rules/build/path-confinement.ts'
import { testIdentity } from '../../rules/build/test-facts.ts'
import { looksLikeTest } from '../../rules/build/test-paths.ts'
import { isRed } from '../../rules/evidence/claimed-tests.ts'
import {
  addedLines,
  chosenMutations,
  type MutableNode,
  type Mutation,
  mutationTime,
  noticesNothing,
} from '../../rules/review/mutations.ts'
import { mutableNodes } from '../../workspace/syntax/mutable-nodes.ts'
import type { TestRun } from '../../workspace/test-results/test-run.ts'
import { commandStarted, mutationsTried } from '../events.ts'
import { eventHeader, type Node, subjectOf, suitesOf, testsOf } from '../node.ts'
import { setupModeAt } from '../trust/changed-manifests.ts'
import { inProject, inRepository } from '../workspace.ts'

/** Work that was verified: the code is what changed between two commits, without what siblings merged meanwhile. */
export interface MutatedWork {
  from: string
  commit: string
}

export interface Unnoticed {
  file: string
  line: number
  change: string
  /** Set if the tests noticed no change at all. */
  none?: true
}

type Ran = Omit<TestRun, 'output'>

interface Tried extends Omit<Unnoticed, 'none'> {
  /** `unclear`: it did not build, or the run was no run of these tests. */
  outcome: 'unnoticed' | 'noticed' | 'unclear'
  commit: string
  exit_code?: number
  ended?: string
  milliseconds?: number
  because?: string
}

export interface TriedTests {
  unnoticed: Unnoticed[]
  /** How many changes the tests noticed. */
  noticed: number
  /** Why none, or no more, were tried. */
  because?: string
}

interface Trial {
  command?: string
  sandboxed?: boolean
  tried: Tried[]
  /** Why none, or no more, were tried. */
  because?: string
}

/** In milliseconds. After it no further mutation begins. */
const longestTogether = 120_000

/** It never refuses work, and trouble means no mutation. */
export function tryMutations(node: Node, work: MutatedWork): Promise<TriedTests> {
  return node.run.step(
    'try mutations',
    async (step) => {
      if (node.deps.settings.mutations === 0) return { unnoticed: [], noticed: 0 }
      const trial = await tryAll(node, step, work)
      const { tried, ...about } = trial
      step.emit(mutationsTried.create(eventHeader(node), { ...subjectOf(node), commit: work.commit, ...about, tried }))
      const unnoticed = tried.filter(({ outcome }) => outcome === 'unnoticed')
      const none = noticesNothing(tried) ? { none: true as const } : {}
      return {
        unnoticed: unnoticed.map(({ file, line, change }) => ({ file, line, change, ...none })),
        noticed: tried.filter(({ outcome }) => outcome === 'noticed').length,
        ...(about.because === undefined ? {} : { because: about.because }),
      }
    },
    { stoppable: true },
  )
}

async function tryAll(node: Node, step: StepContext, work: MutatedWork): Promise<Trial> {
  const trial: Trial = { tried: [] }
  try {
    await tryEach(node, step, work, trial)
  } catch (error) {
    if (step.signal.aborted) throw error
    trial.because = error instanceof Error ? error.message : String(error)
  }
  return trial
}

async function tryEach(node: Node, step: StepContext, { from, commit }: MutatedWork, trial: Trial): Promise<void> {
  const began = performance.now()
  const paths = ownTests(node)
  if (paths.length === 0) return none(trial, 'the work has no test file of its own')
  const mutations = await mutationsOf(node, from, commit)
  if (mutations.length === 0)
    return none(trial, 'no new JavaScript, TypeScript or Python can be mutated, and other languages are not tried')
  const about = { ...subjectOf(node), purpose: 'mutations', command: node.workspace.project.test }
  await step.append(commandStarted.create(eventHeader(node), about))
  const plain = await runAt(node, step, commit, paths)
  if (typeof plain === 'string') return none(trial, plain)
  trial.command = plain.command
  trial.sandboxed = plain.sandboxed
  if (!plain.narrowed) return none(trial, 'the test command runs other files too')
  if (!isUsable(plain)) return none(trial, 'the tests of the work alone are not green')
  const timeoutMs = mutationTime(plain.milliseconds)
  for (const mutation of mutations) {
    if (performance.now() - began > longestTogether) return none(trial, 'the mutations took too long')
    const mutated = await commitOf(node, commit, mutation)
    const ran = await runAt(node, step, mutated, paths, timeoutMs)
    const { file, line, change } = mutation
    // What does not build says nothing about the tests.
    if (typeof ran === 'string') {
      trial.tried.push({ file, line, change, outcome: 'unclear', commit: mutated, because: ran })
      continue
    }
    const { exitCode: exit_code, ended, milliseconds } = ran
    trial.tried.push({
      file,
      line,
      change,
      outcome: outcomeOf(ran, plain),
      commit: mutated,
      exit_code,
      ended,
      milliseconds,
    })
  }
}

function none(trial: Trial, because: string): void {
  trial.because = because
}

/** A contract suite with a command of its own is not for the test runner. */
function ownTests({ state, workspace }: Node): string[] {
  const suites = workspace.project.contract === undefined ? suitesOf(state.scaffold) : []
  return [...new Set([...state.testFiles, ...suites])]
}

async function mutationsOf(node: Node, from: string, commit: string): Promise<Mutation[]> {
  const { workspace, deps } = node
  const { repository } = workspace
  const tests = testsOf(node)
  const files = (await repository.changes(from, commit))
    .filter(({ status, mode }) => status !== 'deleted' && mode.startsWith('100'))
    .flatMap(({ path }) => inProject(workspace, path) ?? [])
    .filter((path) => !looksLikeTest(path) && !tests.some((test) => isWithin(path, test)))
  const inTree = files.map((file) => inRepository(workspace, file))
  const [after, ...earlier] = await Promise.all(
    [commit, from, node.state.base].map((at) => repository.readFiles(at, inTree)),
  )
  const nodes: MutableNode[] = []
  const added = new Map<string, Set<number>>()
  for (const [index, file] of files.entries()) {
    const path = inTree[index]!
    const content = after?.get(path)
    const found = content && (await mutableNodes(file, content))
    if (!found) continue
    nodes.push(...found)
    const before = earlier.flatMap((texts) => texts.get(path)?.toString('utf8') ?? [])
    added.set(file, addedLines(before, content.toString('utf8')))
  }
  return chosenMutations({ nodes, added, most: deps.settings.mutations })
}

async function commitOf({ workspace, deps }: Node, commit: string, mutation: Mutation): Promise<string> {
  const { repository } = workspace
  const path = inRepository(workspace, mutation.file)
  const text = (await repository.readFiles(commit, [path])).get(path)!.toString('utf8')
  const content = text.slice(0, mutation.start) + mutation.replacement + text.slice(mutation.end)
  const tree = await repository.treeWith(await repository.treeOf(commit), [{ path, content }])
  const message = 'a mutation of the work\n'
  return repository.commit({ tree, parents: [commit], message, at: deps.clock.now() })
}

/** Why they could not run, in words; never the whole suite. */
async function runAt(
  { workspace, input }: Node,
  step: StepContext,
  commit: string,
  paths: string[],
  timeoutMs?: number,
): Promise<Ran | string> {
  const { worktrees, tests, repository } = workspace
  const slot = await worktrees.acquire(input.build, commit, await setupModeAt(repository, input, commit))
  try {
    if (slot.setup && slot.setup.exitCode !== 0) return 'the set-up failed'
    const where = { folder: slot.project, writable: [slot.folder], signal: step.signal }
    const within = timeoutMs === undefined ? {} : { timeoutMs }
    if (!(await tests.isNarrowed({ folder: slot.project, paths, alone: true })))
      return 'the test command runs everything'
    const built = await tests.build({ ...where, ...within })
    await built?.output.remove()
    step.signal.throwIfAborted()
    if (built && built.exitCode !== 0) return 'it does not build'
    const { output, ...ran } = await tests.run({ ...where, paths, alone: true, ...within })
    await output.remove()
    step.signal.throwIfAborted()
    return { ...ran, milliseconds: ran.milliseconds + (built?.milliseconds ?? 0) }
  } finally {
    worktrees.release(slot)
  }
}

/** Tests that were red before any change are left aside, and so is what fails beside the tests, such as a coverage threshold. */
function isUsable(ran: Ran): boolean {
  const isByName = ran.names === 'reported' && !ran.failedPart && ran.tests.some((test) => !isRed(test))
  return (ran.exitCode === 0 || isByName) && isWhole(ran)
}

function isWhole({ narrowed, isEmpty, ended }: Ran): boolean {
  return narrowed && !isEmpty && ended === 'exited'
}

function outcomeOf(ran: Ran, plain: Ran): Tried['outcome'] {
  if (plain.exitCode !== 0 && ran.names !== plain.names) return 'unclear'
  if (!isWhole(ran) || ran.exitCode !== plain.exitCode) return ran.exitCode === 0 ? 'unclear' : 'noticed'
  const red = new Set(ran.tests.filter(isRed).map(testIdentity))
  const before = new Set(plain.tests.filter(isRed).map(testIdentity))
  return [...red].some((test) => !before.has(test)) ? 'noticed' : 'unnoticed'
}
