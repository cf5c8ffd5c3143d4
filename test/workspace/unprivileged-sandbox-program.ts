/** Proves the sandbox as an ordinary user: `<folder>`. Everything is loaded before privileges are dropped. */
import { createRequire } from 'node:module'
import { proveSandbox } from '../../src/build/sandbox-proof.ts'
import { parseConfig } from '../../src/kernel/config/load.ts'

createRequire(import.meta.url)('node:net')
const nobody = 65534
const [folder = '', home = '', path = ''] = process.argv.slice(2)
const config = parseConfig(undefined, { folder, env: {} })
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(nobody)
  process.setuid?.(nobody)
}
console.log(JSON.stringify(await proveSandbox({ folder, config }, { HOME: home, PATH: path })))
