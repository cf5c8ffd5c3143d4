/**
 * Runs the project's commands on the untouched tree before any agent is asked (VF9): a build or test command that fails there is
 * the person's to repair, and parks the run. What fails beside the tests is said to the person and to the agents.
 */
import type { StepContext } from '../../kernel/engine.ts'
import { configurationFault } from '../../rules/build/configuration-fault.ts'
import type { Spec } from '../../rules/build/spec.ts'
import { looksLikeTest } from '../../rules/build/test-paths.ts'
import type { FailsAlready } from '../../rules/context/commands-in-force.ts'
import { causeOf } from '../../rules/evidence/refusal-line.ts'
import type { FailedPart } from '../../workspace/test-results/test-run.ts'
import { type CleanCheckout, inCheckout, type Verifier } from '../clean-checkout.ts'
import { evidenceRecorded, readerChecked, warningGiven } from '../events.ts'
import { failedParts } from '../judge-tests.ts'
import { eventHeader } from '../node.ts'
import { unfoundBy, verdictOf } from '../reader-state.ts'

/** The commit that nobody has touched, and where the work goes. */
interface Untouched {
  commit: string
  spec: Pick<Spec, 'targetPath' | 'testPath'>
}

export async function checkReader(
  verifier: Verifier,
  step: StepContext,
  { commit, spec }: Untouched,
): Promise<FailsAlready[]> {
  const request = { commit, purpose: 'before', isBuilt: true, isUntouched: true }
  const { blocked, failing = [] } = await inCheckout(verifier, step, request, async (checkout): Promise<Found> => {
    const isRead = await isChecked(verifier, commit)
    if (isRead && (await hasBuilt(verifier, checkout.tree))) return {}
    // Parks the run if the build fails. A failing set-up parks it at the first ask.
    const { setup } = await checkout.prepare()
    return setup || isRead ? {} : readTests(verifier, step, checkout, { commit, spec })
  })
  const { run, deps } = verifier
  if (blocked) await deps.parking.park(run, step, { code: configurationFault, message: blocked })
  return failing
}

interface Found {
  /** Why no work could be judged. */
  blocked?: string
  failing?: FailsAlready[]
}

/** The build command needs no second run on a tree on which it has passed. */
async function hasBuilt({ workspace, deps }: Verifier, tree: string): Promise<boolean> {
  const { build } = workspace.project
  if (build === undefined) return true
  const seen = await deps.store.read({ types: [evidenceRecorded.type], text: tree })
  return seen.some(
    (event) =>
      evidenceRecorded.is(event) &&
      event.data.tree === tree &&
      event.data.command === build &&
      event.data.exit_code === 0,
  )
}

/** The reader was checked with these commands, or the project has no tests to read yet. */
async function isChecked({ workspace, deps }: Verifier, commit: string): Promise<boolean> {
  const commands = commandsOf(workspace.project)
  const checked = await deps.store.read({ types: [readerChecked.type] })
  const last = checked.findLast((event) => readerChecked.is(event) && event.data.commands === commands)
  // A linter that failed may be repaired by now; the agents have to know if it is not.
  // So may be what kept it from finding tests, or these go elsewhere.
  if (last && readerChecked.is(last)) return !last.data.failing?.length && !last.data.empty
  return !(await workspace.repository.listFiles(commit)).some(looksLikeTest)
}

/** Tells the person what fails before any work. */
async function readTests(
  verifier: Verifier,
  step: StepContext,
  checkout: CleanCheckout,
  { commit, spec: { targetPath: awaited, testPath } }: Untouched,
): Promise<Found> {
  const { workspace } = verifier
  const ran = await checkout.run({})
  const unfound = await unfoundBy(workspace, ran, commit, [testPath])
  const { blocks, ...verdict } = verdictOf(ran, { awaited, commandSeconds: workspace.commandSeconds, ...unfound })
  if (blocks) return { blocked: `build.test: before any work, ${verdict.detail}. No agent was asked: ${verdict.fix}` }
  const commands = commandsOf(workspace.project)
  const failing = failedParts(ran).map(inWords)
  const names = failing.length > 0 ? { failing: failing.map(({ command }) => command) } : {}
  step.emit(
    readerChecked.create(eventHeader(verifier), {
      commands,
      ...verdict,
      ...names,
      ...(ran.isEmpty ? { empty: true } : {}),
    }),
  )
  if (verdict.state !== 'broken') return {}
  const text = `before any work, ${verdict.detail}. Only new failures count against the work. To fix it: ${verdict.fix}`
  step.emit(warningGiven.create(eventHeader(verifier), { text }))
  return { failing }
}

const mostSaid = 5

function inWords({ command, exitCode, complaints = [], excerpt = '' }: FailedPart): FailsAlready {
  const cause = causeOf(excerpt)
  const said = complaints.length > 0 ? complaints.map(({ shown }) => shown) : cause === undefined ? [] : [cause]
  return { command, exitCode, said: said.slice(0, mostSaid), more: Math.max(0, said.length - mostSaid) }
}

function commandsOf({ setup = '', build = '', test }: Verifier['workspace']['project']): string {
  return [setup, build, test].filter((command) => command !== '').join(' && ')
}
