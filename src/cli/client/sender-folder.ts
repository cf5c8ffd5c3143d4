/** Where a person is in the project: `@path` in a message is relative to it. */
import { realpathSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { findConfig } from '../../kernel/config/find.ts'

/** The folder relative to the project's, or nothing at its top. */
export function senderFolder({ folder, env }: { folder: string; env: NodeJS.ProcessEnv }): { folder?: string } {
  const project = realpathSync(findConfig(folder, env).folder)
  const here = relative(project, realpathSync(resolve(folder)))
    .split(sep)
    .join('/')
  return here === '' || here.startsWith('..') ? {} : { folder: here }
}
