/** The project as its pages know it; and, where it is a sample, what can be played in it again and again. */
import { basename, join } from 'node:path'
import type { ProjectWorkspace } from './build/workspace.ts'
import type { LoadedConfig } from './kernel/config/load.ts'
import { ConveneError } from './kernel/errors.ts'
import { packageRoot } from './kernel/package-root.ts'
import type { Mode } from './rules/plan/mode.ts'

export interface ProjectDescription {
  name: string
  /** How this Convene is called in a shell. */
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
  readonly #isAtWork: () => Promise<boolean>

  constructor(project: LoadedConfig, workspace: () => Promise<ProjectWorkspace>, isAtWork: () => Promise<boolean>) {
    this.#project = project
    this.#workspace = workspace
    this.#isAtWork = isAtWork
  }

  async describe(): Promise<ProjectDescription> {
    const { config, folder } = this.#project
    const { sample } = config
    const project = { name: basename(folder), command: ownCommand() }
    if (!sample) return { ...project, sample: null }
    const { goal, mode, answers } = sample
    return { ...project, sample: { goal, mode, answers, played: await this.#isPlayed() } }
  }

  /** Puts the branch back to where the sample began. What was there stays reachable below `refs/sample/`. */
  async reset(): Promise<ProjectDescription> {
    const start = this.#project.config.sample?.start
    if (start === undefined)
      throw new ConveneError('no_sample', 'this project is no sample that could be put back', {
        status: 409,
        path: 'sample.start',
      })
    if (await this.#isAtWork())
      throw new ConveneError('ship_at_work', 'a ship is under way; stop it or let it end, then put the sample back', {
        status: 409,
      })
    const [{ repository }, { git, runGit }] = await Promise.all([this.#workspace(), import('./workspace/git/git.ts')])
    const begin = await repository.resolve(start)
    if (begin === null)
      throw new ConveneError('no_sample', `there is no tag or commit '${start}'`, { status: 409, path: 'sample.start' })
    const head = await repository.head()
    const request = { folder: repository.root }
    const changed = await git(['status', '--porcelain', '--untracked-files=no'], request)
    if (changed !== '')
      throw new ConveneError('dirty_checkout', `changes of yours would be lost: ${changed.split('\n')[0]!.trim()}`, {
        status: 409,
        expected: 'a checkout without changes: commit or undo them',
      })
    await repository.setRef(`refs/sample/${head}`, head)
    const moved = await runGit(['reset', '--quiet', '--keep', begin], request)
    if (moved.code !== 0) throw new ConveneError('dirty_checkout', moved.complaint.trim(), { status: 409 })
    return this.describe()
  }

  async #isPlayed(): Promise<boolean> {
    const start = this.#project.config.sample?.start
    if (start === undefined) return false
    try {
      const { repository } = await this.#workspace()
      const begin = await repository.resolve(start)
      return begin !== null && begin !== (await repository.head())
    } catch {
      // No repository, or no command to test with: shipping says so, and how to put it right.
      return false
    }
  }
}

/** A package is on the path; a clone is called where it lies. */
function ownCommand(): string {
  return packageRoot.split(/[\\/]/).includes('node_modules') ? 'convene' : join(packageRoot, 'bin/convene')
}
