/**
 * The repository that the machines of a team have in common: `repository` of the configuration. Results travel there by
 * git; the user's own settings of git apply (ssh, credentials), but none of their hooks.
 */
import { GitFailed, runGit } from './git.ts'

export interface OriginSettings {
  /** The local clone. */
  folder: string
  url: string
  /** Throws if this process may no longer act: others have taken over its work. */
  mayAct?: () => Promise<void>
}

/** `ext::` and the like start programs. */
const protocols = 'file:git:http:https:ssh'
const tries = 5

export class Origin {
  readonly #settings: OriginSettings

  constructor(settings: OriginSettings) {
    this.#settings = settings
  }

  /** Copies it into an empty or missing folder. */
  static async clone(url: string, folder: string, into: string): Promise<void> {
    const args = [...noHooks, 'clone', '--quiet', '--', url, into]
    const answer = await runGit(args, { folder, settings: 'own', env: { GIT_ALLOW_PROTOCOL: protocols } })
    if (answer.code !== 0) throw new GitFailed(args, folder, answer)
  }

  /** The refs that begin with one of the given names. */
  async list(...names: string[]): Promise<{ ref: string; commit: string }[]> {
    const output = await this.#git(['ls-remote', '--quiet', '--', this.#settings.url, ...names])
    return output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [commit = '', ref = ''] = line.split('\t')
        return { commit, ref }
      })
  }

  async at(ref: string): Promise<string | null> {
    return (await this.list(ref)).find((found) => found.ref === ref)?.commit ?? null
  }

  /** Fetches a commit that some ref had or has there. False if it is not there. */
  async fetch(commit: string): Promise<boolean> {
    const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-gc']
    return (await this.#run([...args, '--', this.#settings.url, commit])).code === 0
  }

  /** False if the ref is not at `from` there; null means that it must not exist. */
  async move(ref: string, to: string, from: string | null): Promise<boolean> {
    await this.#settings.mayAct?.()
    const args = ['push', '--quiet', '--no-verify', `--force-with-lease=${ref}:${from ?? ''}`]
    const answer = await this.#run([...args, '--', this.#settings.url, `${to}:${ref}`])
    if (answer.code === 0) return true
    const now = await this.at(ref)
    // The answer to a push that took place may have been lost.
    if (now === to) return true
    if (now !== from) return false
    throw new GitFailed(args, this.#settings.folder, answer)
  }

  /** Moves the ref wherever it is. */
  async set(ref: string, to: string): Promise<void> {
    for (let tried = 1; ; tried++) {
      const from = await this.at(ref)
      if (from === to || (await this.move(ref, to, from))) return
      if (tried === tries) throw new GitFailed(['push', ref], this.#settings.folder, moving)
    }
  }

  /** Removes those that are there. */
  async remove(refs: readonly string[]): Promise<void> {
    if (refs.length === 0) return
    await this.#settings.mayAct?.()
    const there = (await this.list(...refs)).filter(({ ref }) => refs.includes(ref))
    if (there.length === 0) return
    const gone = there.map(({ ref }) => `:${ref}`)
    await this.#git(['push', '--quiet', '--no-verify', '--', this.#settings.url, ...gone])
  }

  async #git(args: string[]): Promise<string> {
    const answer = await this.#run(args)
    if (answer.code !== 0) throw new GitFailed(args, this.#settings.folder, answer)
    return answer.output.toString('utf8')
  }

  #run(args: string[]) {
    const { folder } = this.#settings
    return runGit([...noHooks, ...args], { folder, settings: 'own', env: { GIT_ALLOW_PROTOCOL: protocols } })
  }
}

const noHooks = ['-c', 'core.hooksPath=/dev/null', '-c', 'gc.auto=0', '-c', 'protocol.version=2']
const moving = { code: 1, complaint: 'the branch keeps moving' }
