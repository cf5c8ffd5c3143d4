/** Refuses state in `.convene/` that the repository brought along. SPEC.md § TR4. */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { ConveneError } from '../errors.ts'
import { isTracked } from './is-tracked.ts'

/** State that came with a clone was written by somebody else: its address would receive the token, its log be resumed. */
export function refuseForeignState(stateFolder: string): void {
  const isLink = lstatSync(stateFolder, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  const state = ['owner.json', 'owner.lock', 'convene.db'].map((name) => join(stateFolder, name))
  const foreign = (isLink ? [stateFolder] : state).find(
    (path) => lstatSync(path, { throwIfNoEntry: false }) && isTracked(path),
  )
  if (foreign === undefined) return
  const message = `${foreign} came with the repository, so it is not used; remove it with: git rm -r --cached ${foreign} && rm -r ${foreign}`
  throw new ConveneError('untrusted_state', message, { path: foreign })
}
