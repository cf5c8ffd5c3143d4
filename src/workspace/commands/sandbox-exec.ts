/**
 * The sandbox on macOS: a profile for `sandbox-exec`. It keeps TR8's promises as far as a profile can: home folders and the
 * user's checkout cannot be read, nothing outside can be written, and there is no network. It cannot hide other parts of
 * the machine, rewrite a file (`.git/config` is shown as it is), or separate processes.
 */
import { mkdir, mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gitData } from './git-data.ts'
import { type HiddenPaths, hiddenPaths } from './hidden-paths.ts'
import { removeLater } from './remove-later.ts'
import type { Sandbox } from './sandbox.ts'
import { toolCaches } from './tool-caches.ts'
import { toolchains } from './toolchains.ts'

export function sandboxExec(hide: readonly string[]): Sandbox {
  return {
    kind: 'sandbox-exec',
    async prepare(request, env) {
      const own = await realpath(await mkdtemp(join(tmpdir(), 'convene-sandbox-')))
      const { folder, network = false, writable = [], readable = [] } = request
      await Promise.all([join(own, 'home'), ...writable].map((path) => mkdir(path, { recursive: true })))
      const git = gitData([folder, ...writable])
      const caches = await toolCaches(env, { network, repository: git.common })
      const profile = sandboxProfile({
        private: await existing(['/Users', '/Volumes', ...(env.HOME ? [env.HOME] : []), ...hide]),
        readable: await existing([
          ...toolchains(env),
          ...readable,
          ...git.shown,
          ...git.rewritten.map(({ path }) => path),
          ...caches.readable,
        ]),
        hidden: hiddenPaths(env.HOME, hide),
        writable: await existing([folder, ...writable, ...caches.writable, own]),
        network,
      })
      return {
        argv: ['/usr/bin/sandbox-exec', '-p', profile],
        env: { ...caches.env, ...homesOf(env), HOME: join(own, 'home'), TMPDIR: own },
        remove: () => removeLater(own),
      }
    },
  }
}

/** Toolchains that look below the home folder, which is another one for the command. */
function homesOf({ HOME: home, ...env }: NodeJS.ProcessEnv): Record<string, string> {
  const places = {
    RUSTUP_HOME: '.rustup',
    PYENV_ROOT: '.pyenv',
    NVM_DIR: '.nvm',
    VOLTA_HOME: '.volta',
    ASDF_DATA_DIR: '.asdf',
  }
  const unset = Object.entries(places).filter(([name]) => home !== undefined && !env[name])
  return Object.fromEntries(unset.map(([name, folder]) => [name, join(home!, folder)]))
}

interface Profile {
  /** Folders that cannot be read, except for what follows. */
  private: readonly string[]
  readable: readonly string[]
  hidden: HiddenPaths
  writable: readonly string[]
  network: boolean
}

/** The last matching rule wins, so a writable folder overrides a hidden one around it. */
export function sandboxProfile({ private: denied, readable, hidden, writable, network }: Profile): string {
  const folders = (paths: readonly string[]) => paths.map((path) => `(subpath ${quoted(path)})`).join(' ')
  const rule = (action: string, paths: readonly string[]) => (paths.length > 0 ? [`(${action} ${folders(paths)})`] : [])
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    ...rule('deny file-read*', denied),
    // Programs ask for the status of every folder above their own.
    '(allow file-read-metadata)',
    ...rule('allow file-read*', readable),
    ...rule(
      'deny file-read*',
      [...hidden.folders, ...hidden.files].filter((path) => !denied.includes(path)),
    ),
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

async function existing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => realpath(path).catch(() => undefined)))
  return [...new Set(found.filter((path) => path !== undefined))]
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}
