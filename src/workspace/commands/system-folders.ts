/**
 * TR8: the parts of the machine that every sandboxed command sees: programs and libraries, and settings that hold no secret.
 * `/etc` holds passwords and keys too, so its entries are listed one by one. Each mount costs a command time, so that small
 * files are copied into one folder, which all commands of this process share read-only.
 */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isAlive } from './is-alive.ts'
import { machineSettings, withoutSecrets } from './tool-settings.ts'

/** Programs and libraries of the system. */
const programs = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/opt',
  '/nix/store',
  '/gnu/store',
  '/snap',
]

const inEtc =
  /^(?:alternatives|ca-certificates|crypto-policies|fonts|group|hosts|java[\w.-]*|ld\.so\.cache|localtime|mime\.types|nsswitch\.conf|os-release|passwd|protocols|resolv\.conf|services|static)$/

/** Parts of folders in `/etc` that hold keys as well. */
const belowEtc = [
  'pki/ca-trust',
  'pki/java',
  'pki/tls/cert.pem',
  'pki/tls/certs',
  'pki/tls/openssl.cnf',
  'ssl/cert.pem',
  'ssl/certs',
  'ssl/openssl.cnf',
]

const others = ['/run/current-system', '/sys/devices/system/cpu', '/var/lib/ca-certificates']

export interface SystemFolders {
  /** Arguments of bubblewrap. */
  mounts: string[]
  /** Everything at or below these paths is visible. */
  visible: string[]
  /** Arguments that mount the commands' own `/etc`. */
  etc(): string[]
}

let found: SystemFolders | undefined

/** The machine's own layout, read once: on most, `/bin` is a link into `/usr`. */
export function systemFolders(): SystemFolders {
  found ??= readSystem()
  return found
}

function readSystem(): SystemFolders {
  const mounts: string[] = []
  const visible: string[] = []
  for (const path of [...programs, ...others]) {
    const link = linkAt(path)
    if (link !== undefined && programs.includes(path)) mounts.push('--symlink', link, path)
    else if (existsSync(path)) mounts.push('--ro-bind', realpathSync(path), path)
    else continue
    visible.push(path)
  }
  return { mounts, visible, etc: etcOf(readEtc()) }
}

interface EtcEntry {
  /** From `/etc`. */
  path: string
  folder?: string
  link?: string
  file?: string
}

function readEtc(): EtcEntry[] {
  const names = [...namesIn('/etc').filter((name) => inEtc.test(name)), ...belowEtc]
  return names.flatMap((path): EtcEntry[] => {
    const place = join('/etc', path)
    const link = linkAt(place)
    // A link into the system's folders works as it is.
    if (link !== undefined && /^(?:\/|(?:\.\.\/)+)usr\//.test(link)) return [{ path, link }]
    try {
      const file = realpathSync(place)
      return [statSync(file).isDirectory() ? { path, folder: file } : { path, file }]
    } catch {
      return []
    }
  })
}

/** Made on first use, and again if somebody cleans the temporary folder. */
function etcOf(entries: readonly EtcEntry[]): () => string[] {
  const folders = entries.filter(({ folder }) => folder !== undefined)
  let etc: string | undefined
  return () => {
    if (etc === undefined || !existsSync(join(etc, 'passwd'))) etc = makeEtc(entries)
    // The machine may move to another network while Convene runs.
    const resolvers = entries.find(({ path }) => path === 'resolv.conf')?.file
    if (resolvers !== undefined) copy(resolvers, join(etc, 'resolv.conf'))
    return [
      '--ro-bind',
      etc,
      '/etc',
      ...folders.flatMap(({ path, folder }) => ['--ro-bind', folder!, join('/etc', path)]),
    ]
  }
}

const prefix = 'convene-etc-'

function makeEtc(entries: readonly EtcEntry[]): string {
  sweep()
  const etc = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
  // Commands of root may run programs as another user.
  chmodSync(etc, 0o755)
  process.once('exit', () => rmSync(etc, { recursive: true, force: true }))
  for (const { path, folder, link, file } of entries) {
    const place = join(etc, path)
    mkdirSync(folder === undefined ? dirname(place) : place, { recursive: true })
    if (link !== undefined) symlinkSync(link, place)
    else if (file !== undefined) copy(file, place)
  }
  for (const path of machineSettings) {
    const text = textOf(path)
    if (text === undefined) continue
    const place = join(etc, path.slice('/etc/'.length))
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, withoutSecrets(text))
  }
  return etc
}

/** Removes the folders of killed processes. */
function sweep(): void {
  for (const name of namesIn(tmpdir())) {
    const id = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN
    if (!(id > 0) || isAlive(id)) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // It belongs to another user of this machine.
    }
  }
}

function copy(from: string, to: string): void {
  try {
    copyFileSync(from, to)
  } catch {
    // This user may not read it, or it is gone by now.
  }
}

/** Undefined if there is no such file, or this user may not read it. */
function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function linkAt(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined
  } catch {
    return undefined
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
