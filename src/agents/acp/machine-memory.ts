/** How much memory this process may use: the machine's, or that of its container. */
import { totalmem } from 'node:os'

export function machineMemoryMb(): number {
  const limit = process.constrainedMemory()
  return (limit > 0 ? Math.min(limit, totalmem()) : totalmem()) / 1_048_576
}
