/** A runner that ended before it ran a test: which test files it would have run, and why none of them could be. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { emptyReport, type TestReport } from './test-report.ts'
import { titlesInSource } from './titles-in-source.ts'

const looksLikeTest = /(?:^|[/._-])(?:__tests__|tests?|specs?)(?:[/._-]|$)/i

/**
 * The test files below a folder without those in `ran`. A file that cannot be loaded stops Mocha, Jasmine, uvu and tape
 * before all others, so each of them is red for that reason.
 */
export async function filesNotRun(folder: string, output: string, ran: ReadonlySet<string>): Promise<TestReport> {
  const files: string[] = []
  for (const file of await codeFiles(folder)) {
    if (!looksLikeTest.test(file) || ran.has(join(folder, file))) continue
    const text = await readFile(join(folder, file), 'utf8').catch(() => '')
    if (titlesInSource(text, file).length > 0) files.push(join(folder, file))
  }
  return { ...emptyReport(), broken: files.map((file) => ({ file, failure: output })) }
}

export async function codeFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const own = names.filter(({ name }) => name !== 'node_modules' && !name.startsWith('.'))
  const files = own.filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name)).map(({ name }) => name)
  const below = own.filter((entry) => entry.isDirectory())
  const inside = await Promise.all(
    below.map(async ({ name }) => (await codeFiles(join(folder, name))).map((file) => `${name}/${file}`)),
  )
  return [...files, ...inside.flat()]
}
