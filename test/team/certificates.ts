/** Certificates for tests of TLS, made by openssl: an authority of our own and what it signs. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Why certificates cannot be made here. */
export const noOpenssl =
  spawnSync('openssl', ['version'], { stdio: 'ignore' }).status === 0 ? undefined : 'needs openssl'

export interface Authority {
  /** The file with its certificate. */
  file: string
  /** A certificate that the authority signs, for these names: `DNS:db.example`, `IP:127.0.0.1`. */
  sign(name: string, names: string[]): { cert: string; key: string }
  remove(): void
}

export function createAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'convene-certificates-'))
  // The server runs as another user if the tests run as root.
  chmodSync(folder, 0o755)
  const at = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const keyed = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const subject = (name: string) => ['-subj', `/CN=${name}`]
  openssl(
    'req',
    '-x509',
    ...keyed,
    '-days',
    '2',
    ...subject('test authority'),
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca'),
  )
  return {
    file: at('ca'),
    sign(name, names) {
      const [cert, key, request, extensions] = ['crt', 'key', 'csr', 'ext'].map((end) => at(`${name}.${end}`)) as [
        string,
        string,
        string,
        string,
      ]
      openssl('req', '-new', ...keyed, ...subject(name), '-keyout', key, '-out', request)
      writeFileSync(extensions, `subjectAltName=${names.join(',')}\n`)
      const by = ['-CA', at('ca'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '2', '-extfile', extensions]
      openssl('x509', '-req', '-in', request, ...by, '-out', cert)
      chmodSync(key, 0o600)
      if (process.getuid?.() === 0) chownSync(key, 65534, 65534)
      return { cert, key }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
