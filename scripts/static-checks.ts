/** Types and lint: the checks that need no running code. */
import { runQuietly } from './command.ts'

const checks: [name: string, command: string, args: string[]][] = [
  ['types', 'tsc', ['--noEmit', '-p', 'tsconfig.json']],
  ['types of the web app', 'tsc', ['--noEmit', '-p', 'web/tsconfig.json']],
  ['lint and format', 'biome', ['check', '.']],
]

export async function staticChecks(): Promise<{ passed: number; failed: number }> {
  const results = await Promise.all(checks.map(([, command, args]) => runQuietly(command, args)))
  let failed = 0
  results.forEach(({ code, output }, index) => {
    console.log(`${code === 0 ? '✓' : '✗'} ${checks[index]![0]}`)
    if (code === 0) return
    failed++
    console.log(output)
  })
  return { passed: checks.length - failed, failed }
}
