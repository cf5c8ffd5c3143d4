/** Asks git for objects by name over one process that stays: a build asks thousands of times, and a process each is dear. */
import { type GitObject, readObject } from './git-output.ts'
import { GitTalk } from './git-talk.ts'

export class ObjectReader {
  readonly #talk: GitTalk

  constructor(folder: string) {
    this.#talk = new GitTalk(folder, ['cat-file', '--batch-command', '-z'])
  }

  /** What a name stands for now: refs are read anew each time. Null where it stands for nothing. */
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
    // Somebody may have ended it: a new one answers, or tells what is wrong.
    return this.#talk.ask(request, read).catch(() => this.#talk.ask(request, read))
  }
}
