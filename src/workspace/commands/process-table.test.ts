import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { endianness } from 'node:os'
import { expect, it } from 'vitest'
import { pageBytesOf, readProcesses } from './process-table.ts'

function vectorOf(...pairs: [type: bigint, value: bigint][]): Buffer {
  const bytes = Buffer.alloc(pairs.length * 16)
  for (const [index, number] of pairs.flat().entries())
    if (endianness() === 'LE') bytes.writeBigUInt64LE(number, index * 8)
    else bytes.writeBigUInt64BE(number, index * 8)
  return bytes
}

it('[TR11] knows the size of a page from the kernel', () => {
  expect(pageBytesOf(vectorOf([33n, 7n], [6n, 65_536n], [0n, 0n]))).toBe(65_536)
  expect(pageBytesOf(vectorOf([33n, 6n], [0n, 0n]))).toBe(4096)
  expect(pageBytesOf(Buffer.alloc(0))).toBe(4096)
  if (!existsSync('/proc/self/auxv')) return
  const told = execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' })
  expect(pageBytesOf(readFileSync('/proc/self/auxv'))).toBe(Number(told))
})

it('[TR11] counts the memory of a process in bytes', () => {
  const own = readProcesses().find(({ id }) => id === process.pid)
  if (own === undefined) return expect(existsSync('/proc/self/stat')).toBe(false)
  // Node alone takes tens of megabytes; a page size that is wrong by its factor of four or more is not near that.
  const kilobytes = Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
  expect(own.memoryBytes).toBeGreaterThan(10 * 1024 * 1024)
  expect(own.memoryBytes).toBeLessThanOrEqual(kilobytes * 1024 * 1.5)
})
