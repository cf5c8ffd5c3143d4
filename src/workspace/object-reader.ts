/** Asks git for objects by name over one process that stays: a build asks thousands of times, and a process each is dear. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { ConveneError } from '../kernel/errors.ts'
import { gitEnvironment, quietArguments } from './git.ts'
import { type GitObject, readObject } from './git-output.ts'

interface Asked {
  name: string
  withContent: boolean
  resolve(found: GitObject | null): void
  reject(error: Error): void
}

/** Without a question for so long, the process is let go of. */
const idleMs = 10_000

export class ObjectReader {
  readonly #folder: string
  #talk?: Talk

  constructor(folder: string) {
    this.#folder = folder
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
    try {
      return await this.#current().ask(name, withContent)
    } catch {
      // Somebody ended it: a new one answers, or tells what is wrong.
      return this.#current().ask(name, withContent)
    }
  }

  #current(): Talk {
    if (!this.#talk?.isOpen) this.#talk = new Talk(this.#folder)
    return this.#talk
  }
}

/** One process and the questions it has not answered yet, in the order they were put. */
class Talk {
  isOpen = true
  readonly #child: ChildProcess
  readonly #waiting: Asked[] = []
  #pieces: Buffer[] = []
  #bytes = 0
  /** No answer is complete before there are so many. */
  #needed = 1
  #idle?: NodeJS.Timeout

  constructor(folder: string) {
    this.#child = spawn('git', [...quietArguments, 'cat-file', '--batch-command', '-z'], {
      cwd: folder,
      env: gitEnvironment(process.env),
      stdio: ['pipe', 'pipe', 'ignore'],
      // A signal to everyone in the terminal must not end it before those who still ask.
      detached: true,
    })
    this.#child.stdin!.on('error', () => undefined)
    this.#child.stdout!.on('data', (piece: Buffer) => this.#take(piece))
    this.#child.once('error', (error) => this.#end(error))
    this.#child.once('close', () => this.#end(new Error('git ended')))
    this.#hold(false)
  }

  ask(name: string, withContent: boolean): Promise<GitObject | null> {
    clearTimeout(this.#idle)
    this.#hold(true)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ name, withContent, resolve, reject })
      this.#child.stdin!.write(`${withContent ? 'contents' : 'info'} ${name}\0`)
    })
  }

  #take(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#bytes += piece.length
    if (this.#bytes < this.#needed) return
    let rest = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces)
    this.#needed = 1
    while (this.#waiting.length > 0) {
      const { name, withContent, resolve } = this.#waiting[0]!
      const answer = readObject(rest, name, withContent)
      if ('needed' in answer) {
        this.#needed = answer.needed
        break
      }
      this.#waiting.shift()
      resolve(answer.object)
      rest = rest.subarray(answer.length)
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

  /** While nobody asks, it keeps no program from ending. */
  #hold(isNeeded: boolean): void {
    const action = isNeeded ? 'ref' : 'unref'
    this.#child[action]()
    for (const stream of [this.#child.stdin, this.#child.stdout]) (stream as Socket | null)?.[action]()
  }

  #end(error: Error): void {
    this.isOpen = false
    clearTimeout(this.#idle)
    for (const { reject } of this.#waiting.splice(0))
      reject(new ConveneError('git_failed', `git cat-file: ${error.message}`, { exitCode: 1, status: 500 }))
  }
}
