/** Builds `dist/web` from `web/` and the browser-safe sources, when they have changed since the last build. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './command.ts'

const stamp = 'dist/web/.built-from'

export async function buildWebApp(): Promise<number> {
  const sources = `production ${hashOf([
    'web',
    'src/rules',
    'src/room',
    'src/plan',
    'src/build',
    'src/ship',
    'src/forge',
    'src/kernel',
    'src/serve',
    'src/runs',
    'package-lock.json',
  ])}`
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return 0
  // A test that starts the product would otherwise build it for development: three times as large and as slow.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { code, output } = await runQuietly('vite', ['build', 'web', '--logLevel', 'warn'], env)
  if (code === 0) writeFileSync(stamp, sources)
  else console.error(output)
  return code
}

function hashOf(paths: string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) for (const file of filesIn(path)) hash.update(`${file}\0`).update(readFileSync(file))
  return hash.digest('hex')
}

function filesIn(path: string): string[] {
  if (!existsSync(path)) return []
  if (/\.(json|ts)$/.test(path)) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
