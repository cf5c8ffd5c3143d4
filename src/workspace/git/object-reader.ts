/** Reads git objects through one long-lived process: a build reads thousands. */
import { type GitObject, readObject } from './git-output.ts'
import { GitTalk } from './git-talk.ts'

export class ObjectReader {
  readonly #talk: GitTalk

  constructor(folder: string) {
    this.#talk = new GitTalk(folder, ['cat-file', '--batch-command', '-z'])
  }

  /** Resolves a name; refs are read anew each time. Null if there is no such object. */
  async find(name: string): Promise<Omit<GitObject, 'content'> | null> {
    return this.#ask(name, false)
  }

  read(name: string): Promise<GitObject | null> {
    return this.#ask(name, true)
  }

  async #ask(name: string, withContent: boolean): Promise<GitObject | null> {
    if (name === '' || name.includes('\0')) return null
    const request = `${withContent ? 'contents' : 'info'} ${name}\0`
    const read = (bytes: Buffer) => {
      const found = readObject(bytes, name, withContent)
      return 'needed' in found ? found : { answer: found.object, length: found.length }
    }
    // The process may have been killed: retry with a new one.
    return this.#talk.ask(request, read).catch(() => this.#talk.ask(request, read))
  }
}
