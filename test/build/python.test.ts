/** A real library in Python, built from one spec and tested by pytest. */
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildProject, expectExit, ofType } from './project.ts'
import { rehearse } from './rehearsed-part.ts'
import { timespan } from './timespan-library.ts'
import { watchCheckout } from './watch-checkout.ts'

const isThere = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0
const missing = 'python3 -m pytest does not run; `npm test` as root brings it'
const title = 'a Python library'
if (!isThere) console.warn(`skipped: ${title}: ${missing}`)

describe.skipIf(!isThere)(isThere ? title : `${title} (${missing})`, () => {
  it('[GR2] of three parts in two levels is built, and its result passes by hand', async () => {
    const project = buildProject({
      spec: timespan.spec,
      lines: rehearse(timespan),
      files: { '.gitignore': '__pycache__/\n.pytest_cache/\n', 'notes.txt': 'mine\n' },
      // Plugins that happen to be installed take longer to load than all of the tests.
      build: { test: 'PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -m pytest -q' },
    })
    project.write({ 'notes.txt': 'mine, and changed\n' })

    const { value: built, states } = await watchCheckout(project.folder, () => project.build('--strategy', 'graph'))

    expectExit(built, 0)
    expect(states).toBe(1)
    const result = join(project.folder, '../result')
    execFileSync('git', ['clone', '--quiet', '--branch', built.report.branch, project.folder, result])
    const run = (...args: string[]) => execFileSync('python3', args, { cwd: result, encoding: 'utf8' })
    expect(run('-m', 'pytest', '-q')).toMatch(/^8 passed/m)
    expect(run('-c', 'import timespan; print(timespan.parse_seconds("1d 0,5h"))')).toBe('88200.0\n')
    const files = execFileSync('git', ['ls-files', '--', 'timespan'], { cwd: result, encoding: 'utf8' }).trim()
    expect(files.split('\n')).toEqual([
      'timespan/__init__.py',
      'timespan/numbers.py',
      'timespan/tokens.py',
      'timespan/units.py',
    ])

    const events = await project.events()
    expect(ofType(events, 'reply.refused')).toEqual([])
    const red = ofType(events, 'evidence.recorded').filter(({ purpose }) => purpose === 'red')
    expect(red).toHaveLength(4)
    for (const { tests } of red) expect(tests).toMatchObject({ parsed: true, passed: 0, failed: 1 })
    const changes = ofType(events, 'merge.completed').map(({ node, changes, impactLevel }) => ({
      node,
      impactLevel,
      symbols: (changes as { symbol: string }[]).map(({ symbol }) => symbol).sort(),
    }))
    expect(changes).toContainEqual({ node: 'numbers', impactLevel: 'Additive', symbols: ['read_amount'] })
    expect(changes).toContainEqual({ node: 'units', impactLevel: 'Additive', symbols: ['seconds_in'] })
    expect(changes.at(-1)).toMatchObject({ node: 'timespan', impactLevel: 'Additive' })
    expect(changes.at(-1)!.symbols).toEqual(expect.arrayContaining(['Token', 'parse_seconds', 'tokenize']))
  }, 400_000)
})
