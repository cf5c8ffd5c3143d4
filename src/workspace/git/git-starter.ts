/** Starts git through a helper process, once a process has started git often. */

import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { HelperProcess } from '../commands/helper-process.ts'
import { isRunning } from '../commands/is-alive.ts'
import type { HelperAnswer, HelperRequest } from './git-helper.ts'
import { type GitAnswer, type GitStart, startGit } from './git-process.ts'

/** Short commands need no helper. */
const startsBeforeHelp = 30

interface Waiting {
  start: GitStart
  /** The process id of git, once it runs. */
  process?: number
  resolve(answer: GitAnswer): void
  reject(error: Error): void
}

class GitStarter {
  #starts = 0
  #helper: Helper | undefined

  run(start: GitStart): Promise<GitAnswer> {
    const helper = start.signal || ++this.#starts < startsBeforeHelp ? undefined : this.#help()
    return helper?.process.isReady ? helper.run(start) : startGit(start)
  }

  #help(): Helper {
    if (!this.#helper?.process.isOpen) this.#helper = new Helper()
    return this.#helper
  }
}

/** One helper per process: a fork copies the page tables of the whole process. */
export const gitStarter = new GitStarter()

class Helper {
  // `.ts` in a checkout, `.js` in the package, where the bundle has the helper as an entry of its own.
  readonly process = new HelperProcess<HelperRequest, HelperAnswer>(
    fileURLToPath(new URL(`./git-helper${extname(import.meta.url)}`, import.meta.url)),
    { answer: (answer) => this.#receive(answer), gone: () => this.#end() },
  )
  readonly #waiting = new Map<number, Waiting>()
  #number = 0

  run(start: GitStart): Promise<GitAnswer> {
    this.process.work()
    return new Promise((resolve, reject) => {
      const number = this.#number++
      this.#waiting.set(number, { start, resolve, reject })
      this.process.send({ number, start }, () => {
        // The helper started nothing, so start git here.
        if (this.#waiting.delete(number)) startGit(start).then(resolve, reject)
      })
    })
  }

  #receive(answer: HelperAnswer): void {
    const waiting = this.#waiting.get(answer.number)
    if ('process' in answer) {
      if (waiting) waiting.process = answer.process
      return
    }
    this.#waiting.delete(answer.number)
    if (this.#waiting.size === 0) this.process.rest()
    if ('error' in answer) {
      const { name, message, code } = answer.error
      waiting?.reject(Object.assign(new Error(message), { name, ...(code === undefined ? {} : { code }) }))
    } else waiting?.resolve({ ...answer.answer, output: Buffer.from(answer.answer.output) })
  }

  #end(): void {
    for (const waiting of this.#waiting.values()) startAgain(waiting)
    this.#waiting.clear()
  }
}

/**
 * Only the helper was killed; its git keeps running, but the answer is lost. Everything Convene runs with git is safe to
 * run again.
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
