/** Describes the project for its pages; resets a sample project so that it can be played again. */
import { basename, join } from 'node:path'
import type { ProjectWorkspace } from './build/workspace.ts'
import type { LoadedConfig } from './kernel/config/load.ts'
import { ConveneError } from './kernel/errors.ts'
import { packageRoot } from './kernel/package-root.ts'
import type { Mode } from './rules/plan/mode.ts'

export interface ProjectDescription {
  name: string
  /** The shell command that starts this Convene. */
  command: string
  sample: SampleDescription | null
}

export interface SampleDescription {
  goal: string
  mode: Mode
  answers: { match: string; answer: string }[]
  /** Something was merged since the start. */
  played: boolean
}

export class SampleProject {
  readonly #project: LoadedConfig
  readonly #workspace: () => Promise<ProjectWorkspace>
  readonly #isShipping: () => Promise<boolean>

  constructor(project: LoadedConfig, workspace: () => Promise<ProjectWorkspace>, isAtWork: () => Promise<boolean>) {
    this.#project = project
    this.#workspace = workspace
    this.#isShipping = isAtWork
  }

  async describe(): Promise<ProjectDescription> {
    const { config, folder } = this.#project
    const { sample } = config
    const project = { name: basename(folder), command: ownCommand() }
    if (!sample) return { ...project, sample: null }
    const { goal, mode, answers } = sample
    return { ...project, sample: { goal, mode, answers, played: await this.#isPlayed() } }
  }

  /** Resets the branch to the sample's start. The previous head stays reachable under `refs/sample/`. */
  async reset(): Promise<ProjectDescription> {
    const start = this.#project.config.sample?.start
    if (start === undefined)
      throw new ConveneError('no_sample', 'not a sample project: nothing to reset', {
        status: 409,
        path: 'sample.start',
      })
    if (await this.#isShipping())
      throw new ConveneError(
        'ship_at_work',
        'a ship is running; stop it or wait until it ends, then reset the sample',
        {
          status: 409,
        },
      )
    const [{ repository }, { git, runGit }] = await Promise.all([this.#workspace(), import('./workspace/git/git.ts')])
    const startCommit = await repository.resolve(start)
    if (startCommit === null)
      throw new ConveneError('no_sample', `there is no tag or commit '${start}'`, { status: 409, path: 'sample.start' })
    const head = await repository.head()
    const request = { folder: repository.root }
    const changed = await git(['status', '--porcelain', '--untracked-files=no'], request)
    if (changed !== '')
      throw new ConveneError('dirty_checkout', `your changes would be lost: ${changed.split('\n')[0]!.trim()}`, {
        status: 409,
        expected: 'a checkout without changes: commit or undo them',
      })
    await repository.setRef(`refs/sample/${head}`, head)
    const reset = await runGit(['reset', '--quiet', '--keep', startCommit], request)
    if (reset.code !== 0) throw new ConveneError('dirty_checkout', reset.complaint.trim(), { status: 409 })
    return this.describe()
  }

  async #isPlayed(): Promise<boolean> {
    const start = this.#project.config.sample?.start
    if (start === undefined) return false
    try {
      const { repository } = await this.#workspace()
      const startCommit = await repository.resolve(start)
      return startCommit !== null && startCommit !== (await repository.head())
    } catch {
      // No repository or no test command: shipping reports it, with a fix.
      return false
    }
  }
}

/** An installed package is on the PATH; a clone is run by its path. */
function ownCommand(): string {
  return packageRoot.split(/[\\/]/).includes('node_modules') ? 'convene' : join(packageRoot, 'bin/convene')
}
