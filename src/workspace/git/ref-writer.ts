/** Moves refs through one long-lived git process. */
import { GitTalk, readLines } from './git-talk.ts'

export class RefWriter {
  readonly #talk: GitTalk

  constructor(folder: string) {
    this.#talk = new GitTalk(folder, ['update-ref', '--stdin'])
  }

  /** True if it moved. Otherwise the caller runs a separate git to find out why. */
  async move(ref: string, to: string, from?: string): Promise<boolean> {
    if (!plainName.test(ref) || !hash.test(to)) return false
    const update = `update ${ref} ${to}${from === undefined ? '' : ` ${from}`}`
    try {
      const said = await this.#talk.ask(`start\n${update}\ncommit\n`, readLines(2))
      return said[1] === 'commit: ok'
    } catch {
      return false
    }
  }
}

/** Spaces and quotes have a meaning in the input protocol. */
const plainName = /^refs\/[\w./+@-]+$/
const hash = /^[0-9a-f]{40,64}$/
