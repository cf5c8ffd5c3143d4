/**
 * `npm run bench`: measures Convene against others and rewrites bench/RESULTS.md. Arguments after `--` choose benches.
 */
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { runTool } from './command.ts'
import { installSandbox } from './sandbox.ts'

const lock = 'bench/package-lock.json'
const installedLock = 'bench/node_modules/.convene-lock'

if (!isInstalled()) {
  console.error('installing what Convene is measured against …')
  // No peer needs an install script.
  const code = await runTool('npm', [
    'ci',
    '--prefix',
    'bench',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ])
  if (code !== 0) process.exit(code)
  copyFileSync(lock, installedLock)
}
installSandbox()
process.exitCode = await runTool(process.execPath, [...process.execArgv, 'bench/run.ts', ...process.argv.slice(2)])

function isInstalled(): boolean {
  return existsSync(installedLock) && readFileSync(lock).equals(readFileSync(installedLock))
}
