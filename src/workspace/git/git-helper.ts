/** A small helper process that starts git for Convene. It exits with Convene. */

import type { Ready } from '../commands/helper-process.ts'
import { type GitAnswer, type GitStart, startGit } from './git-process.ts'

export interface HelperRequest {
  number: number
  start: GitStart
}

export type HelperAnswer =
  | { number: number; process: number }
  | { number: number; answer: GitAnswer }
  | { number: number; error: { name: string; message: string; code?: string } }

const say = (answer: HelperAnswer | Ready) => {
  if (process.connected) process.send!(answer)
}

delete process.env.NODE_COMPILE_CACHE
process.on('disconnect', () => process.exit())
process.on('message', ({ number, start }: HelperRequest) => {
  startGit(start, (process) => say({ number, process })).then(
    (answer) => say({ number, answer }),
    ({ name, message, code }: NodeJS.ErrnoException) =>
      say({ number, error: { name, message, ...(code === undefined ? {} : { code }) } }),
  )
})
say({ ready: true })
