/** The sandbox on macOS: a profile for `sandbox-exec` that denies writing outside, the network, and reading credentials. */
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type HiddenPaths, hiddenPaths } from './hidden-paths.ts'
import type { Sandbox } from './sandbox.ts'
import { toolCaches } from './tool-caches.ts'

export function sandboxExec(hide: readonly string[]): Sandbox {
  return {
    kind: 'sandbox-exec',
    async prepare(request, env) {
      const temporary = await realpath(await mkdtemp(join(tmpdir(), 'convene-sandbox-')))
      await Promise.all((request.writable ?? []).map((path) => mkdir(path, { recursive: true })))
      const caches = await toolCaches(env, request)
      const writable = [request.folder, ...(request.writable ?? []), ...caches.writable].map((path) => realpath(path))
      const profile = sandboxProfile({
        writable: [...(await Promise.all(writable)), temporary],
        hidden: await hiddenPaths(env.HOME, hide),
        network: request.network ?? false,
      })
      return {
        argv: ['/usr/bin/sandbox-exec', '-p', profile],
        env: { ...caches.env, TMPDIR: temporary },
        remove: () => rm(temporary, { recursive: true, force: true }).catch(() => {}),
      }
    },
  }
}

interface Profile {
  writable: readonly string[]
  hidden: HiddenPaths
  network: boolean
}

/** The last matching rule wins, so a writable folder overrides a hidden one around it. */
export function sandboxProfile({ writable, hidden, network }: Profile): string {
  const folders = (paths: readonly string[]) => paths.map((path) => `(subpath ${quoted(path)})`).join(' ')
  const files = [...hidden.files, ...hidden.redacted.map(({ path }) => path)]
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    ...(hidden.folders.length > 0 ? [`(deny file-read* ${folders(hidden.folders)})`] : []),
    ...(files.length > 0 ? [`(deny file-read* ${files.map((path) => `(literal ${quoted(path)})`).join(' ')})`] : []),
    `(allow file-read* file-write* ${folders(writable)})`,
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper") (regex #"^/dev/tty") (subpath "/dev/fd"))',
    ...(network
      ? []
      : [
          '(deny network*)',
          '(allow network* (local ip "localhost:*") (remote ip "localhost:*"))',
          `(allow network* (remote unix-socket ${folders(writable)}) (local unix-socket ${folders(writable)}))`,
        ]),
  ].join('\n')
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}
