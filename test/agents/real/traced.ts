/** Runs the command under `strace`, which records every address that it or anything it starts sends to. */
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { command, type Finished, temporaryFolder, withoutKeys } from '../../support/convene.ts'

/** Filters in the kernel: only the calls that are recorded stop a program. */
const strace = ['-f', '--seccomp-bpf', '-qq', '-e', 'signal=none', '-e', 'trace=connect,sendto,sendmsg,sendmmsg']

/** Some machines have no `strace`, some forbid it. */
export const canTrace = spawnSync('strace', [...strace, '-o', '/dev/null', 'true']).status === 0

export interface Traced extends Finished {
  /** Each address of the network once; none where there is no `strace`. */
  addresses: string[]
}

export async function traced(words: string[], cwd: string): Promise<Traced> {
  const file = join(temporaryFolder(), 'calls')
  const [program, ...given] = canTrace ? ['strace', ...strace, '-o', file, command, ...words] : [command, ...words]
  const child = spawn(program!, given, { cwd, env: withoutKeys(process.env) })
  onTestFinished(() => void child.kill('SIGKILL'))
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  child.stdin.end()
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((done) => {
    child.on('close', (...ended) => done(ended))
  })
  return { code, signal, ...output, addresses: canTrace ? addressesIn(readFileSync(file, 'utf8')) : [] }
}

function addressesIn(calls: string): string[] {
  const found = calls.matchAll(/sa_family=AF_INET6?[^}]*?(?:inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)")/g)
  return [...new Set([...found].map(([, four, six]) => four ?? six!))].sort()
}

/** The models were reached, and nothing else was. */
export function expectLoopbackAlone({ addresses }: Traced): void {
  if (canTrace) expect(addresses).toContain('127.0.0.1')
  expect(addresses.filter((address) => !isLoopback(address))).toEqual([])
}

const isLoopback = (address: string) => /^(?:127\.|::1$|::ffff:127\.)/.test(address)
