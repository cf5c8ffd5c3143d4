/** TR8: the parts of the machine that every sandboxed command sees: programs and libraries, and settings that hold no secret. */
import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'

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

/** `/etc` holds passwords and keys too, so its entries are listed one by one. */
const settings = [
  'alternatives',
  'ca-certificates',
  'ca-certificates.conf',
  'crypto-policies',
  'debian_version',
  'fonts',
  'gai.conf',
  'group',
  'host.conf',
  'hosts',
  'java',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'locale.alias',
  'locale.conf',
  'localtime',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'passwd',
  'perl',
  'pki/ca-trust',
  'pki/java',
  'pki/tls/cert.pem',
  'pki/tls/certs',
  'pki/tls/openssl.cnf',
  'protocols',
  'python3',
  'resolv.conf',
  'services',
  'shells',
  'ssl/certs',
  'ssl/cert.pem',
  'ssl/openssl.cnf',
  'static',
  'terminfo',
  'timezone',
].map((name) => `/etc/${name}`)

const others = ['/run/current-system', '/sys/devices/system/cpu', '/var/cache/fontconfig', '/var/lib/ca-certificates']

export interface SystemFolders {
  /** Arguments of bubblewrap. */
  mounts: string[]
  /** Everything at or below these paths is visible. */
  visible: string[]
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
  for (const path of [...programs, ...settings, ...others]) {
    const link = linkAt(path)
    if (link !== undefined && programs.includes(path)) mounts.push('--symlink', link, path)
    // The target of a link in /etc may lie in a folder that the sandbox does not have.
    else if (existsSync(path)) mounts.push('--ro-bind', realpathSync(path), path)
    else continue
    visible.push(path)
  }
  return { mounts, visible }
}

function linkAt(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined
  } catch {
    return undefined
  }
}
