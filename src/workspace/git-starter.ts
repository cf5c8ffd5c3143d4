/**
 * Starts git through a helper once there is much of it to start: a fork copies the page tables of the process that forks, so
 * that each start costs a large one several milliseconds in which it does nothing else.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { HelperAnswer } from './git-helper.ts'
import { type GitAnswer, type GitStart, startGit } from './git-process.ts'
import { isRunning } from './is-alive.ts'

/** Commands that start git a few times do without. */
const startsBeforeHelp = 30
const idleMs = 30_000

interface Waiting {
  start: GitStart
  /** git's own, once it runs. */
  process?: number
  resolve(answer: GitAnswer): void
  reject(error: Error): void
}

class GitStarter {
  #starts = 0
  #helper: Helper | undefined

  run(start: GitStart): Promise<GitAnswer> {
    const helper = start.signal || ++this.#starts < startsBeforeHelp ? undefined : this.#help()
    return helper?.isReady ? helper.run(start) : startGit(start)
  }

  #help(): Helper {
    if (!this.#helper?.isOpen) this.#helper = new Helper()
    return this.#helper
  }
}

/** One for the whole process, which is what a fork copies. */
export const gitStarter = new GitStarter()

class Helper {
  isOpen = true
  isReady = false
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  #number = 0
  #idle?: NodeJS.Timeout

  constructor() {
    // What differs is the ending alone: `.ts` as it is written, `.js` as it is shipped.
    const program = fileURLToPath(import.meta.url).replace('git-starter', 'git-helper')
    this.#child = fork(program, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // A signal to everyone in the terminal must not end it before those who still ask.
      detached: true,
    })
    this.#child.on('message', (answer: HelperAnswer) => this.#hear(answer))
    this.#child.once('error', () => this.#end())
    this.#child.once('exit', () => this.#end())
    this.#rest()
  }

  run(start: GitStart): Promise<GitAnswer> {
    clearTimeout(this.#idle)
    this.#hold(true)
    return new Promise((resolve, reject) => {
      const number = this.#number++
      this.#waiting.set(number, { start, resolve, reject })
      this.#child.send({ number, start }, (error) => {
        // Nothing was started, so it can be started here.
        if (error && this.#waiting.delete(number)) startGit(start).then(resolve, reject)
      })
    })
  }

  #hear(answer: HelperAnswer): void {
    if ('ready' in answer) {
      this.isReady = true
      return
    }
    const waiting = this.#waiting.get(answer.number)
    if ('process' in answer) {
      if (waiting) waiting.process = answer.process
      return
    }
    this.#waiting.delete(answer.number)
    if (this.#waiting.size === 0) this.#rest()
    if ('error' in answer) {
      const { name, message, code } = answer.error
      waiting?.reject(Object.assign(new Error(message), { name, ...(code === undefined ? {} : { code }) }))
    } else waiting?.resolve({ ...answer.answer, output: Buffer.from(answer.answer.output) })
  }

  #rest(): void {
    this.#hold(false)
    this.#idle = setTimeout(() => {
      this.isOpen = false
      this.isReady = false
      if (this.#child.connected) this.#child.disconnect()
    }, idleMs).unref()
  }

  /** While nobody asks, it keeps no program from ending. */
  #hold(isNeeded: boolean): void {
    const action = isNeeded ? 'ref' : 'unref'
    this.#child[action]()
    this.#child.channel?.[action]()
  }

  #end(): void {
    this.isOpen = false
    this.isReady = false
    clearTimeout(this.#idle)
    for (const waiting of this.#waiting.values()) startAgain(waiting)
    this.#waiting.clear()
  }
}

/**
 * The helper was ended alone, and its git goes on without anybody to hear the answer. All that Convene asks of git can be
 * asked twice, one after the other.
 */
function startAgain({ start, process, resolve, reject }: Waiting): void {
  const gone = process === undefined ? Promise.resolve() : untilGone(process)
  gone.then(() => startGit(start)).then(resolve, reject)
}

async function untilGone(id: number): Promise<void> {
  for (let tries = 0; tries < 1000; tries++) {
    if (!isRunning(id)) return
    await sleep(10)
  }
}
