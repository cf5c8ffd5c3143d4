/** Settings of package managers that set-ups need (registries, certificates), without lines that hold secrets. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface ToolSetting {
  path: string
  text: string
}

const inHome = [
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.bunfig.toml',
  '.pip/pip.conf',
  '.config/pip/pip.conf',
  '.config/pnpm/rc',
  '.config/uv/uv.toml',
  '.config/go/env',
  '.cargo/config.toml',
  '.cargo/config',
]

/** The machine's own settings. */
export const machineSettings = ['/etc/npmrc', '/etc/pip.conf', '/etc/uv/uv.toml', '/etc/yarnrc']

const secret = /auth|password|passwd|username|token|secret|certfile|keyfile|credential|:\/\/[^/\s'"]*@/i

export async function toolSettings(home: string | undefined): Promise<ToolSetting[]> {
  const paths = home ? inHome.map((path) => join(home, path)) : []
  const found = await Promise.all(
    paths.map(async (path) => {
      const text = await readFile(path, 'utf8').catch(() => undefined)
      return text === undefined ? undefined : { path, text: withoutSecrets(text) }
    }),
  )
  return found.filter((setting) => setting !== undefined)
}

export function withoutSecrets(text: string): string {
  return text
    .split('\n')
    .filter((line) => !secret.test(line))
    .join('\n')
}
