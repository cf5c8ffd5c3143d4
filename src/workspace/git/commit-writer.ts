/** Writes commit objects through one long-lived git process: no hooks, no signature, no ref. */
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GitTalk, readLines } from './git-talk.ts'
import type { Identity } from './identity.ts'

export interface CommitRequest {
  tree: string
  parents: readonly string[]
  message: string
  /** Milliseconds. Makes the hash of equal requests equal. */
  at: number
}

export class CommitWriter {
  readonly #talk: GitTalk
  #number = 0

  constructor(folder: string) {
    this.#talk = new GitTalk(folder, ['hash-object', '-t', 'commit', '-w', '--no-filters', '--stdin-paths'])
  }

  /** Null if the commit needs `git commit-tree`, which validates its input. */
  async write(request: CommitRequest, identity: Identity): Promise<string | null> {
    const text = commitText(request, identity)
    if (text === null) return null
    const file = join(tmpdir(), `convene-commit-${process.pid}-${this.#number++}`)
    try {
      await writeFile(file, text, { mode: 0o600, flag: 'wx' })
      const [hash = ''] = await this.#talk.ask(`${file}\n`, readLines(1))
      return fullHash.test(hash) ? hash : null
    } catch {
      return null
    } finally {
      await rm(file, { force: true })
    }
  }
}

const fullHash = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** The commit as `git commit-tree` writes it. Git strips some characters from names, so unknown names are left to git. */
export function commitText({ tree, parents, message, at }: CommitRequest, identity: Identity): string | null {
  const hashes = [tree, ...parents]
  if (!identity.configured || message.includes('\0') || !hashes.every((hash) => fullHash.test(hash))) return null
  const who = `${identity.name} <${identity.email}> ${Math.floor(at / 1000)} +0000`
  const lines = [
    `tree ${tree}`,
    ...[...new Set(parents)].map((parent) => `parent ${parent}`),
    `author ${who}`,
    `committer ${who}`,
  ]
  return `${lines.join('\n')}\n\n${message}`
}
