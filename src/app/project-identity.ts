/** By which name a project is known in a shared database. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LoadedConfig } from '../kernel/config/load.ts'
import { ConveneError } from '../kernel/errors.ts'
import { privateFile, privateFolder } from '../kernel/private-files.ts'

/** `project` of the configuration, else the repository's first commit; without commits a name kept in `.convene/`. */
export async function projectIdentity({ config, folder }: LoadedConfig, stateFolder: string): Promise<string> {
  const known = config.project ?? (await firstCommit(folder))
  if (known !== null) return known
  if (config.repository === undefined) return ownName(stateFolder)
  throw new ConveneError('no_project', 'project: this folder is not in the repository; name the project here too', {
    path: 'project',
    expected: "the project's name, as the other machines have it",
  })
}

async function firstCommit(folder: string): Promise<string | null> {
  try {
    const roots = await promisify(execFile)('git', ['rev-list', '--max-parents=0', 'HEAD'], { cwd: folder })
    return roots.stdout.trim().split('\n').at(-1) || null
  } catch {
    return null
  }
}

function ownName(stateFolder: string): string {
  const file = join(stateFolder, 'project')
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    mkdirSync(stateFolder, privateFolder)
    try {
      writeFileSync(file, `${randomUUID()}\n`, { flag: 'wx', ...privateFile })
    } catch (error) {
      // Another process was first.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    return readFileSync(file, 'utf8').trim()
  }
}
