/** Tests the reader before the agents: the first build with a test command runs it once on the untouched tree (VF9). */
import type { StepContext } from '../../kernel/engine.ts'
import { looksLikeTest } from '../../rules/build/test-paths.ts'
import { testsAt, type Verifier } from '../clean-checkout.ts'
import { readerChecked, warningGiven } from '../events.ts'
import { eventHeader } from '../node.ts'
import { verdictOf } from '../reader-state.ts'

/** Tells the person what no agent can repair. A project without tests has nothing to read yet. */
export async function checkReader(verifier: Verifier, step: StepContext, commit: string): Promise<void> {
  const { workspace, deps } = verifier
  const { setup = '', build = '', test } = workspace.project
  const commands = [setup, build, test].filter((command) => command !== '').join(' && ')
  const checked = await deps.store.read({ types: [readerChecked.type] })
  if (checked.some((event) => readerChecked.is(event) && event.data.commands === commands)) return
  if (!(await workspace.repository.listFiles(commit)).some(looksLikeTest)) return
  const ran = await testsAt(verifier, step, { commit, purpose: 'before', isBuilt: true, isUntouched: true })
  const verdict = verdictOf(ran)
  step.emit(readerChecked.create(eventHeader(verifier), { commands, ...verdict }))
  if (verdict.state !== 'broken') return
  const text = `before any work, ${verdict.detail}. No agent can repair that: ${verdict.fix}`
  step.emit(warningGiven.create(eventHeader(verifier), { text }))
}
