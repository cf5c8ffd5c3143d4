/** Runs the project's tests on a clean checkout of one commit, and records every result as evidence (VF7). */
import type { StepContext } from '../kernel/engine.ts'
import type { Parking } from '../kernel/runs/parking.ts'
import type { Store } from '../kernel/store.ts'
import { cannotStart, configurationFault } from '../rules/build/configuration-fault.ts'
import { type TestFacts, testKey } from '../rules/build/test-facts.ts'
import { describeFailedCommand, failingTests } from '../rules/evidence/failed-command.ts'
import { failsUntouched } from '../rules/evidence/fails-untouched.ts'
import { outputExcerpt } from '../rules/evidence/output-excerpt.ts'
import { readerCheck } from '../rules/evidence/reader-check.ts'
import { decidesTests, rewrittenTests, watchedFolders } from '../rules/trust/rewritten-tests.ts'
import type { CommandResult } from '../workspace/commands/command.ts'
import type { FailedPart } from '../workspace/test-results/test-run.ts'
import { touchedSince, writtenAfter } from '../workspace/worktrees/touched-since.ts'
import type { Slot } from '../workspace/worktrees/worktrees.ts'
import { commandStarted, evidenceRecorded, warningGiven } from './events.ts'
import type { ResultKey, TestRequest, TestResult } from './kept-test-results.ts'
import { type EventSubject, eventHeader, subjectOf } from './node.ts'
import { groundOf, setupModeAt } from './trust/changed-manifests.ts'
import { sensitiveWork } from './trust/sensitive-work.ts'
import { inRepository, type ProjectWorkspace } from './workspace.ts'

/** On whose behalf commands run: a node of a build, or a merge into the user's branch. */
export interface Verifier extends EventSubject {
  /** `base`: the commit that the work started from, where there is one; `ground`: the one that the user had then. */
  input: EventSubject['input'] & { base?: string; ground?: string }
  workspace: ProjectWorkspace
  deps: { store: Store; parking: Pick<Parking, 'park'> }
}

export interface CheckoutRequest {
  commit: string
  /** What the results are evidence for: `red`, `claim`, `merge` … */
  purpose: string
  /** Run the build command before the tests. */
  isBuilt?: boolean
  /** The commit that work starts from: no agent's change can matter there, whichever command runs. */
  isUntouched?: boolean
}

/** How preparing a checkout ended: exit codes of what ran, and what failed, in words. */
export interface Prepared {
  setup?: number
  build?: number
  failure?: string
}

export async function inCheckout<Value>(
  verifier: Verifier,
  step: StepContext,
  request: CheckoutRequest,
  work: (checkout: CleanCheckout) => Promise<Value>,
): Promise<Value> {
  const { workspace, input } = verifier
  const { repository } = workspace
  const tree = await repository.treeOf(request.commit)
  const sensitive = input.base === undefined ? [] : await sensitiveWork(repository, input.base, request.commit)
  const checkout = new CleanCheckout(verifier, step, { ...request, tree, sensitive: sensitive.map(({ path }) => path) })
  try {
    return await work(checkout)
  } finally {
    checkout.release()
  }
}

interface RunOptions {
  /** The command runs although the build has its result for this tree. */
  isFresh?: boolean
  /** Look for tests that were rewritten, on an untouched commit too. */
  isWatched?: boolean
}

/** Neither a failing set-up nor a build that ran out of time counts. */
async function hasBuilt(checkout: CleanCheckout): Promise<boolean> {
  const { setup = 0, build } = await checkout.prepare()
  return setup === 0 && build === 0
}

/** All tests of a commit, or those that the request names. */
export function testsAt(
  verifier: Verifier,
  step: StepContext,
  checkout: CheckoutRequest,
  request: TestRequest = {},
  how: RunOptions = {},
): Promise<TestResult> {
  return inCheckout(verifier, step, checkout, (opened) => opened.run(request, how))
}

/** The worktree is taken when the first command has to run; a result that the build has for this tree needs none. */
export class CleanCheckout {
  readonly tree: string
  readonly #verifier: Verifier
  readonly #step: StepContext
  readonly #request: CheckoutRequest
  readonly #sensitive: readonly string[]
  readonly #key: ResultKey
  #slot?: Promise<Slot>
  #taken?: Slot
  /** When the worktree was ready, and no command of the work had run in it yet. */
  #since = 0
  #prepared?: Promise<Prepared>

  constructor(
    verifier: Verifier,
    step: StepContext,
    { tree, sensitive, ...request }: CheckoutRequest & { tree: string; sensitive: readonly string[] },
  ) {
    const { workspace, input } = verifier
    this.#sensitive = sensitive
    this.#verifier = verifier
    this.#step = step
    this.#request = request
    this.tree = tree
    this.#key = { build: input.build, tree, built: request.isBuilt === true && workspace.project.build !== undefined }
  }

  /** The result the build has for this tree already, recorded as evidence for this purpose too. A red one refuses nothing. */
  kept(request: TestRequest): TestResult | undefined {
    const result = this.#verifier.workspace.testResults.forRequest(this.#key, request)
    if (result) this.#record(result, true)
    return result && { ...result, reused: true }
  }

  async run(
    request: TestRequest,
    { isFresh = false, isWatched = !this.#request.isUntouched }: RunOptions = {},
  ): Promise<TestResult> {
    const { workspace, deps } = this.#verifier
    const { testResults, tests } = workspace
    const kept = isFresh ? undefined : this.kept(request)
    if (kept) return kept
    const prepared = await this.prepare()
    const slot = await this.#acquire()
    const command = await tests.commandFor({ folder: slot.project, ...request })
    const same = testResults.forCommand(this.#key, command)
    if (same && !isFresh) {
      testResults.keep(this.#key, request, same)
      this.#record(same, true)
      return { ...same, reused: true }
    }
    await this.#announce(command)
    const { output, ...ran } = await tests.run({ ...inSlot(slot), signal: this.#step.signal, ...request })
    // Without its own words, those of a linter come first; each failing test is described by its own message.
    const isLinted = ran.failedPart !== undefined && ran.failedPart.excerpt === undefined
    const failing = isLinted ? [] : failingTests(ran.tests).flatMap((test) => [testKey(test), test.name])
    const excerpt = await excerptOf(ran.exitCode, output, failing)
    const written = isWatched && this.#mayBeRewritten(slot, ran, request) ? await this.#written(slot, ran) : {}
    const result: TestResult = {
      ...ran,
      excerpt,
      ...(await stored(deps.store, output)),
      ...written,
    }
    // With these paths the runner finds nothing; the whole suite may.
    if (ran.isEmpty && (request.paths ?? []).length > 0) {
      this.#record(result, false)
      const whole = await this.run({}, { isFresh, isWatched })
      if (!prepared.setup && !prepared.build && whole.ended === 'exited') testResults.keep(this.#key, request, whole)
      return whole
    }
    // A result counts again only where the set-up held and the command came to its own end.
    const isOwnEnd = !prepared.setup && !prepared.build && ran.ended === 'exited'
    if (isOwnEnd) testResults.keep(this.#key, request, result)
    const unreliable = isOwnEnd && ran.names === 'reported' ? this.#compare(result) : []
    this.#record(result, false)
    await this.#parkIfMissing('build.test', result, ran.tail)
    for (const test of unreliable) this.#warnOf(test)
    this.#warnIfUnread(result)
    return result
  }

  /** TR7: looks at the times of the tests' files first; git is asked only if one was written. */
  #mayBeRewritten(
    { project }: Slot,
    { tests, names }: Pick<TestResult, 'tests' | 'names'>,
    { paths = [], suite }: TestRequest,
  ): boolean {
    if (names !== 'reported') return true
    const files = new Set([
      ...tests.flatMap(({ file }) => file ?? []),
      ...paths,
      ...(suite === undefined ? [] : [suite]),
    ])
    return touchedSince(project, { ...watchedFolders([...files]), counts: decidesTests }, this.#since)
  }

  async #written(slot: Slot, { tests }: Pick<TestResult, 'tests'>): Promise<Pick<TestResult, 'rewritten' | 'putBack'>> {
    const { workspace } = this.#verifier
    const rewritten = rewrittenTests(await slot.changedFiles())
    const ran = [...new Set(tests.flatMap(({ file }) => file ?? []))].filter(decidesTests)
    const touched = writtenAfter(slot.project, ran, this.#since).map((file) => inRepository(workspace, file))
    // What a build makes is no committed test.
    const committed = touched.length === 0 ? [] : await workspace.repository.listFiles(this.#request.commit, touched)
    const putBack = committed.filter((path) => !rewritten.includes(path))
    return { ...(rewritten.length > 0 ? { rewritten } : {}), ...(putBack.length > 0 ? { putBack } : {}) }
  }

  /**
   * AS3: a command whose program cannot be started is for the person to repair, and no agent's fault, unless only the
   * agent's tree lacks it.
   */
  async #parkIfMissing(key: string, { command, exitCode }: { command: string; exitCode: number }, said: string) {
    const message = cannotStart(key, command, exitCode, said)
    if (message !== null) await this.#parkIfUntouched(message, (ground) => ground.run({}))
  }

  /** VF4: a build command that fails where no agent has changed anything is for the person to repair. */
  async #parkIfNeverBuilt(ran: { command: string; exitCode: number; excerpt: string }): Promise<void> {
    const { workspace, input } = this.#verifier
    const ground = groundOf(input)
    if (ground === undefined || workspace.buildsUntouched.get(input.build) === ground) return
    const { base = ground } = input
    const trees = await Promise.all([base, ground].map((commit) => workspace.repository.treeOf(commit)))
    const builds = trees.includes(this.tree)
      ? await this.#parkIfUntouched(failsUntouched('build.build', ran), hasBuilt)
      : await this.#atUntouched(base, hasBuilt)
    if (builds) workspace.buildsUntouched.set(input.build, ground)
  }

  #atUntouched<Value>(commit: string, work: (checkout: CleanCheckout) => Promise<Value>): Promise<Value> {
    // It may need this worktree.
    this.release()
    const request = { commit, purpose: 'before', isBuilt: true, isUntouched: true }
    return inCheckout(this.#verifier, this.#step, request, work)
  }

  /** Parks the run if this is the tree that the user had; else does the same there, where it may end here too. */
  async #parkIfUntouched<Value>(message: string, again: (ground: CleanCheckout) => Promise<Value>): Promise<Value> {
    const { run, workspace, deps, input } = this.#verifier
    const ground = groundOf(input)
    const isGround = ground === undefined || this.tree === (await workspace.repository.treeOf(ground))
    if (!isGround) return this.#atUntouched(ground, again)
    // Steps that wait for the worktree must end before the run can be parked.
    this.release()
    return deps.parking.park(run, this.#step, { code: configurationFault, message })
  }

  /** Compares a run with earlier ones of the same code, and returns the tests that turn out to be unreliable. */
  #compare({ command, tests }: TestResult): TestFacts[] {
    const { workspace, input } = this.#verifier
    const { tree, built } = this.#key
    // Elsewhere a test may fail in the whole suite alone because of the work.
    const { isUntouched = false } = this.#request
    const code = isUntouched ? tree : `${tree}\n${built}\n${command}`
    return workspace.seenTests.add(input.build, code, tests, { isUntouched })
  }

  /** VF4: no agent is blamed for such a test. */
  #warnOf(test: TestFacts): void {
    const where = test.file === undefined ? '' : ` (${test.file})`
    const text = `unreliable test: "${testKey(test)}"${where} passed and failed on the same code; it refuses nothing in this build`
    this.#step.emit(warningGiven.create(eventHeader(this.#verifier), { text }))
  }

  /** VF9: a runner that cannot be read is the person's to know, once for a build; no agent is blamed for it. */
  #warnIfUnread({ exitCode, names, counts, parts }: TestResult): void {
    const { workspace, input } = this.#verifier
    if (exitCode !== 0 || names === 'reported' || workspace.unread.has(input.build)) return
    workspace.unread.add(input.build)
    const runners = parts.flatMap(({ runner }) => runner ?? [])
    const { detail, fix } = readerCheck({ names, exitCode, counts, runners })
    const text = `${detail}; the work is judged by exit codes. To change that: ${fix}`
    this.#step.emit(warningGiven.create(eventHeader(this.#verifier), { text }))
  }

  /** Sets the worktree up and builds it, once. */
  prepare(): Promise<Prepared> {
    this.#prepared ??= this.#setUpAndBuild()
    return this.#prepared
  }

  release(): void {
    if (this.#taken) this.#verifier.workspace.worktrees.release(this.#taken)
    this.#taken = undefined
    this.#slot = undefined
    this.#prepared = undefined
  }

  async #setUpAndBuild(): Promise<Prepared> {
    const { workspace, deps } = this.#verifier
    const { setup, ...slot } = await this.#acquire()
    if (setup && setup.exitCode !== 0) {
      const { command, exitCode, tail = '' } = setup
      const failure = describeFailedCommand({ command, exitCode, failing: [], excerpt: outputExcerpt(tail) })
      return { setup: exitCode, failure }
    }
    const prepared: Prepared = setup ? { setup: setup.exitCode } : {}
    if (!this.#key.built) return prepared
    if (workspace.project.build !== undefined) await this.#announce(workspace.project.build, 'build')
    const built = await workspace.tests.build({ ...inSlot(slot), signal: this.#step.signal })
    if (!built) return prepared
    const { output, ...ran } = built
    const command = workspace.project.build!
    const excerpt = await excerptOf(ran.exitCode, output)
    this.#record({ ...ran, command, ...(await stored(deps.store, output)) }, false)
    if (ran.exitCode === 0) return { ...prepared, build: 0 }
    await this.#parkIfMissing('build.build', { command, exitCode: ran.exitCode }, ran.tail)
    if (ran.ended === 'exited') await this.#parkIfNeverBuilt({ command, exitCode: ran.exitCode, excerpt })
    return {
      ...prepared,
      build: ran.exitCode,
      failure: describeFailedCommand({ ...ran, command, failing: [], excerpt }),
    }
  }

  async #openSlot(): Promise<Slot> {
    const { workspace, input } = this.#verifier
    const { commit } = this.#request
    const mode = await setupModeAt(workspace.repository, input, commit)
    return workspace.worktrees.acquire(input.build, commit, mode, () =>
      this.#announce(workspace.project.setup ?? '', 'setup'),
    )
  }

  async #acquire(): Promise<Slot> {
    this.#slot ??= this.#openSlot().then((slot) => {
      this.#since = Date.now()
      return slot
    })
    this.#taken = await this.#slot
    return this.#taken
  }

  /** For people who wait: a suite may run for minutes. */
  #announce(command: string, purpose = this.#request.purpose): Promise<void> {
    const about = { ...subjectOf(this.#verifier), purpose, command }
    return this.#step.append(commandStarted.create(eventHeader(this.#verifier), about))
  }

  #unreliableAmong(tests: readonly TestFacts[]): { unreliable?: string[] } {
    const { workspace, input } = this.#verifier
    const found = tests.filter((test) => workspace.seenTests.isUnreliable(input.build, test))
    return found.length === 0 ? {} : { unreliable: found.map(testKey) }
  }

  #record(ran: Ran, isReused: boolean): void {
    const { commit, purpose } = this.#request
    this.#step.emit(
      evidenceRecorded.create(eventHeader(this.#verifier), {
        ...subjectOf(this.#verifier),
        purpose,
        command: ran.command,
        exit_code: ran.exitCode,
        ended: ran.ended,
        commit,
        tree: this.tree,
        sandboxed: ran.sandboxed,
        milliseconds: isReused ? 0 : ran.milliseconds,
        output_bytes: ran.outputBytes,
        ...(ran.outputRef === undefined ? {} : { output_ref: ran.outputRef }),
        ...(ran.tests && ran.counts
          ? {
              tests: {
                parsed: ran.names === 'reported',
                names: ran.names ?? 'unknown',
                ...ran.counts,
                list: shown(ran.tests),
                ...this.#unreliableAmong(ran.tests),
              },
            }
          : {}),
        ...(this.#sensitive.length > 0 ? { sensitive: [...this.#sensitive] } : {}),
        ...(isReused ? { reused: true } : {}),
      }),
    )
  }
}

type Ran = Omit<CommandResult, 'output'> &
  Pick<TestResult, 'command' | 'outputBytes' | 'outputRef'> &
  Partial<Pick<TestResult, 'tests' | 'counts' | 'names'>>

/** Commands run in the project's folder and may write to the whole worktree. */
function inSlot({ project, folder }: Pick<Slot, 'project' | 'folder'>): { folder: string; writable: string[] } {
  return { folder: project, writable: [folder] }
}

/** The most of an output that is searched for its cause. */
const mostSearched = 4_000_000

async function excerptOf(
  exitCode: number,
  output: CommandResult['output'],
  failing: readonly string[] = [],
): Promise<string> {
  return exitCode === 0 ? '' : outputExcerpt(await output.text(mostSearched), failing)
}

/**
 * A failed test run in words, for the agent whose work it checked: `failing` are the tests that it has to answer for, `part`
 * the linter.
 */
export function describeTestRun(
  { command, exitCode, ended, tests, excerpt, failedPart, failedToo = [] }: TestResult,
  failing: readonly TestFacts[] = failingTests(tests),
  parts: readonly FailedPart[] = failedPart ? [failedPart, ...failedToo] : [],
): string {
  return describeFailedCommand({ command, exitCode, ended, failing, excerpt, parts })
}

async function stored(
  store: Store,
  output: CommandResult['output'],
): Promise<Pick<TestResult, 'outputBytes' | 'outputRef'>> {
  const outputRef = output.bytes > 0 ? await store.putPayload(output.stream()) : undefined
  const outputBytes = output.bytes
  await output.remove()
  return { outputBytes, ...(outputRef === undefined ? {} : { outputRef }) }
}

/** Red tests first; a project may have thousands, and the output lists all of them. */
function shown(tests: readonly TestFacts[]) {
  const isGreen = ({ outcome }: TestFacts) => outcome === 'passed'
  return [...tests.filter((test) => !isGreen(test)), ...tests.filter(isGreen)]
    .slice(0, 200)
    .map(({ name, fullName, outcome }) => ({ name: fullName ?? name, outcome }))
}
