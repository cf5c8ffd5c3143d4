/**
 * The tests that earlier builds saw pass and fail on a commit that no agent had changed, by test command. In a file of the
 * state folder: a build that begins tomorrow need not find out again (VF4). A file that cannot be read counts as empty.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { stillUnreliable, type UnreliableSince } from '../rules/evidence/unreliable-tests.ts'

const fileSchema = z.record(z.string(), z.record(z.string(), z.number()))

export class KnownUnreliable {
  readonly #file: string
  readonly #command: string
  readonly #now: () => number

  constructor(stateFolder: string, command: string, now: () => number = Date.now) {
    this.#file = join(stateFolder, 'cache', 'unreliable-tests.json')
    this.#command = command
    this.#now = now
  }

  /** Identities of tests, oldest first. */
  all(): string[] {
    return Object.keys(stillUnreliable(this.#read()[this.#command] ?? {}, this.#now()))
  }

  add(identities: readonly string[]): void {
    if (identities.length === 0) return
    const known = this.#read()
    const since: UnreliableSince = { ...known[this.#command] }
    for (const identity of identities) {
      delete since[identity]
      since[identity] = this.#now()
    }
    const text = JSON.stringify({ ...known, [this.#command]: stillUnreliable(since, this.#now()) })
    mkdirSync(dirname(this.#file), { recursive: true })
    writeFileSync(`${this.#file}.new`, text)
    renameSync(`${this.#file}.new`, this.#file)
  }

  #read(): Record<string, UnreliableSince> {
    try {
      return fileSchema.safeParse(JSON.parse(readFileSync(this.#file, 'utf8'))).data ?? {}
    } catch {
      return {}
    }
  }
}
