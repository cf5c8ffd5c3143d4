/** A long-lived git process that answers requests in order. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { ConveneError } from '../../kernel/errors.ts'
import { withoutPrograms } from './foreign-programs.ts'
import { gitEnvironment, quietArguments } from './git.ts'

/** Parses the first answer in the buffer; `needed` is the number of bytes to wait for. */
export type ReadAnswer<Answer> = (bytes: Buffer) => { answer: Answer; length: number } | { needed: number }

interface Asked {
  read: ReadAnswer<unknown>
  resolve(answer: unknown): void
  reject(error: Error): void
}

/** The process ends after this long without a request. */
const idleMs = 10_000

export class GitTalk {
  readonly #folder: string
  readonly #args: readonly string[]
  #process?: TalkingProcess

  constructor(folder: string, args: readonly string[]) {
    this.#folder = folder
    this.#args = args
  }

  /** Rejects if git ends before it answers; the request may or may not have been carried out. */
  ask<Answer>(request: string, read: ReadAnswer<Answer>): Promise<Answer> {
    if (!this.#process?.isOpen) this.#process = new TalkingProcess(this.#folder, this.#args)
    return this.#process.ask(request, read)
  }
}

/** Parses an answer of this many lines. */
export function readLines(count: number): ReadAnswer<string[]> {
  return (bytes) => {
    let length = 0
    for (let line = 0; line < count; line++) {
      length = bytes.indexOf(0x0a, length) + 1
      if (length === 0) return { needed: bytes.length + 1 }
    }
    return { answer: bytes.toString('utf8', 0, length - 1).split('\n'), length }
  }
}

/** One process and its unanswered requests, in order. */
class TalkingProcess {
  isOpen = true
  readonly #child: ChildProcess
  readonly #name: string
  readonly #waiting: Asked[] = []
  #pieces: Buffer[] = []
  #bytes = 0
  /** The number of bytes to wait for before parsing again. */
  #needed = 1
  #idle?: NodeJS.Timeout

  constructor(folder: string, args: readonly string[]) {
    this.#name = `git ${args[0]}`
    const own = gitEnvironment(process.env)
    const env = { ...own, ...withoutPrograms(own) }
    this.#child = spawn('git', [...quietArguments, ...args], {
      cwd: folder,
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
      // Detached: a signal to the terminal's group must not end it before its callers.
      detached: true,
    })
    this.#child.stdin!.on('error', () => undefined)
    this.#child.stdout!.on('data', (piece: Buffer) => this.#take(piece))
    this.#child.once('error', (error) => this.#end(error))
    this.#child.once('close', () => this.#end(new Error('it ended')))
    this.#hold(false)
  }

  ask<Answer>(request: string, read: ReadAnswer<Answer>): Promise<Answer> {
    clearTimeout(this.#idle)
    this.#hold(true)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ read, resolve: resolve as Asked['resolve'], reject })
      this.#child.stdin!.write(request)
    })
  }

  #take(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#bytes += piece.length
    if (this.#bytes < this.#needed) return
    let rest = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces)
    this.#needed = 1
    while (this.#waiting.length > 0) {
      const found = this.#waiting[0]!.read(rest)
      if ('needed' in found) {
        this.#needed = found.needed
        break
      }
      this.#waiting.shift()!.resolve(found.answer)
      rest = rest.subarray(found.length)
    }
    this.#pieces = rest.length > 0 ? [rest] : []
    this.#bytes = rest.length
    if (this.#waiting.length === 0) this.#rest()
  }

  #rest(): void {
    this.#hold(false)
    this.#idle = setTimeout(() => {
      this.isOpen = false
      this.#child.stdin!.end()
    }, idleMs).unref()
  }

  /** While idle, it does not keep the process alive. */
  #hold(isNeeded: boolean): void {
    const action = isNeeded ? 'ref' : 'unref'
    this.#child[action]()
    for (const stream of [this.#child.stdin, this.#child.stdout]) (stream as Socket | null)?.[action]()
  }

  #end(error: Error): void {
    this.isOpen = false
    clearTimeout(this.#idle)
    for (const { reject } of this.#waiting.splice(0))
      reject(new ConveneError('git_failed', `${this.#name}: ${error.message}`, { exitCode: 1, status: 500 }))
  }
}
