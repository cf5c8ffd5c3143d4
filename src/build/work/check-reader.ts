/**
 * Runs the project's commands on the untouched tree before any agent is asked (VF9): a build or test command that fails there is
 * the person's to repair, and parks the run.
 */
import type { StepContext } from '../../kernel/engine.ts'
import { configurationFault } from '../../rules/build/configuration-fault.ts'
import { looksLikeTest } from '../../rules/build/test-paths.ts'
import { type CleanCheckout, inCheckout, type Verifier } from '../clean-checkout.ts'
import { evidenceRecorded, readerChecked, warningGiven } from '../events.ts'
import { eventHeader } from '../node.ts'
import { verdictOf } from '../reader-state.ts'

/** `awaited` is the file that the work will write. */
export async function checkReader(
  verifier: Verifier,
  step: StepContext,
  { commit, awaited }: { commit: string; awaited: string },
): Promise<void> {
  const request = { commit, purpose: 'before', isBuilt: true, isUntouched: true }
  const blocked = await inCheckout(verifier, step, request, async (checkout) => {
    const isRead = await isChecked(verifier, commit)
    if (isRead && (await hasBuilt(verifier, checkout.tree))) return undefined
    // Parks the run if the build fails. A failing set-up parks it at the first ask.
    const { setup } = await checkout.prepare()
    return setup || isRead ? undefined : readTests(verifier, step, checkout, awaited)
  })
  const { run, deps } = verifier
  if (blocked) await deps.parking.park(run, step, { code: configurationFault, message: blocked })
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
  if (checked.some((event) => readerChecked.is(event) && event.data.commands === commands)) return true
  return !(await workspace.repository.listFiles(commit)).some(looksLikeTest)
}

/** Tells the person what no agent can repair. Returns why no work could be judged, if that is so. */
async function readTests(
  verifier: Verifier,
  step: StepContext,
  checkout: CleanCheckout,
  awaited: string,
): Promise<string | undefined> {
  const { blocks, ...verdict } = verdictOf(await checkout.run({}), { awaited })
  if (blocks) return `build.test: before any work, ${verdict.detail}. No agent was asked: ${verdict.fix}`
  const commands = commandsOf(verifier.workspace.project)
  step.emit(readerChecked.create(eventHeader(verifier), { commands, ...verdict }))
  if (verdict.state !== 'broken') return undefined
  const text = `before any work, ${verdict.detail}. No agent can repair that: ${verdict.fix}`
  step.emit(warningGiven.create(eventHeader(verifier), { text }))
  return undefined
}

function commandsOf({ setup = '', build = '', test }: Verifier['workspace']['project']): string {
  return [setup, build, test].filter((command) => command !== '').join(' && ')
}
