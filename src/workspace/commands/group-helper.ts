/** A small helper process that starts commands for Convene. It exits with Convene, and its commands with it. */
import type { ReachedLimit } from '../../rules/trust/command-limits.ts'
import type { Ready } from './helper-process.ts'
import { type GroupSettings, type ProcessGroup, startProcessGroup } from './process-group.ts'

export type GroupRequest =
  | ({ number: number; do: 'start'; argv: readonly string[] } & GroupSettings)
  | { number: number; do: 'read' }
  | { number: number; do: 'signal'; signal: NodeJS.Signals }
  | { number: number; do: 'end' }

export type GroupAnswer =
  | { number: number; started: true }
  | { number: number; failed: { message: string; code?: string } }
  /** Null at the end of the output. */
  | { number: number; piece: Uint8Array | null }
  | { number: number; exitCode: number; reached?: ReachedLimit }
  | { number: number; ended: true }

interface Started {
  group: ProcessGroup
  output: AsyncIterator<Uint8Array>
}

const started = new Map<number, Started>()

const say = (answer: GroupAnswer | Ready) => {
  if (process.connected) process.send!(answer)
}

delete process.env.NODE_COMPILE_CACHE
process.on('disconnect', () => process.exit())
process.on('message', (request: GroupRequest) => {
  handle(request).catch(({ message, code }: NodeJS.ErrnoException) =>
    say({ number: request.number, failed: { message, ...(code === undefined ? {} : { code }) } }),
  )
})
say({ ready: true })

async function handle(request: GroupRequest): Promise<void> {
  const { number } = request
  if (request.do === 'start') {
    const group = await startProcessGroup(request.argv, request)
    started.set(number, { group, output: group.output[Symbol.asyncIterator]() })
    say({ number, started: true })
    group.exitCode.then((exitCode) => {
      const reached = group.reached()
      say({ number, exitCode, ...(reached === undefined ? {} : { reached }) })
    })
    return
  }
  const known = started.get(number)
  if (!known) return
  switch (request.do) {
    case 'read': {
      const { done, value } = await known.output.next()
      return say({ number, piece: done ? null : value })
    }
    case 'signal':
      return known.group.signal(request.signal)
    case 'end':
      await known.group.end()
      started.delete(number)
      return say({ number, ended: true })
    default:
      return request satisfies never
  }
}
