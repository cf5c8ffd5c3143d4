/** Moves refs over one git process that stays. */
import { GitTalk, readLines } from './git-talk.ts'

export class RefWriter {
  readonly #talk: GitTalk

  constructor(folder: string) {
    this.#talk = new GitTalk(folder, ['update-ref', '--stdin'])
  }

  /** Whether it is moved. Where not, or where nobody can tell, a git of its own has to look at it and say why. */
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

/** In a line of input, spaces and quotes have a meaning of their own. */
const plainName = /^refs\/[\w./+@-]+$/
const hash = /^[0-9a-f]{40,64}$/
