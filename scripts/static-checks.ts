/** Types and lint: the checks that need no running code. */
import { runQuietly } from './command.ts'
import type { TestCount } from './vitest-run.ts'

const checks: [name: string, command: string, args: string[]][] = [
  ['types', 'tsc', ['--noEmit', '-p', 'tsconfig.json']],
  ['types of the web app', 'tsc', ['--noEmit', '-p', 'web/tsconfig.json']],
  ['lint and format', 'biome', ['check', '.']],
]

export async function staticChecks(): Promise<TestCount> {
  const results = await Promise.all(
    checks.map(async ([name, command, args]) => ({ name, ...(await runQuietly(command, args)) })),
  )
  for (const { name, code, output } of results)
    console.log(`${code === 0 ? '✓' : '✗'} ${name}${code === 0 ? '' : `\n${output}`}`)
  const failed = results.filter(({ code }) => code !== 0)
  return {
    passed: checks.length - failed.length,
    failed: failed.map(({ name, output }) => ({ name, message: output })),
  }
}
