/** A real library in Python, built from one spec and tested by pytest. */
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { approved, buildProject, expectExit, ofType, specOf } from './project.ts'
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
      // Installed pytest plugins take longer to load than all of the tests.
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

  it('[VF2] [VF3] [VF4] [MG2] has parametrised tests that are red first and green later, not skipped, not those of the same name elsewhere, and not fewer', async () => {
    const spec = { ...specOf('slug', ['lower', 'dashes']), targetPath: 'slug.py', testPath: 'tests/test_slug.py' }
    const plan = ['lower', 'dashes'].map((id) => ({
      criterionId: id,
      plannedTestName: `test_${id}`,
      approach: 'call it',
    }))
    const slug = (...body: string[]) => ({ 'slug.py': `def slug(title: str) -> str:\n    ${body.join('\n    ')}\n` })
    const cases = (first: string, head = 'import pytest\nfrom slug import slug') => ({
      'tests/test_slug.py': `${head}


def test_lower():
    assert slug("ABC") == "abc"


@pytest.mark.parametrize("title", [${first}, "a [b] c", "[x]", 1.5], ids=str)
def test_dashes(title):
    assert " " not in slug(str(title))
`,
    })
    const pairs = (...rows: string[]) => ({
      'tests/test_pairs.py': `import pytest\n\n\n@pytest.mark.parametrize("pair, n", [${rows.join(', ')}])\ndef test_pairs(pair, n):\n    assert pair[0] == n\n`,
    })
    const tests = {
      when: { ask: 'write-tests' },
      reply: { TestsReady: { testFiles: ['tests/test_slug.py'], pendingCriteria: ['lower', 'dashes'] } },
    }
    const implementation = { when: { ask: 'implement' }, reply: { TestsPassed: { iterations: 1, passedTests: [] } } }
    const project = buildProject({
      spec,
      files: {
        '.gitignore': '__pycache__/\n.pytest_cache/\n',
        'conftest.py': '',
        'tests/test_old.py': 'import pytest\n\n\n@pytest.mark.skip\ndef test_old():\n    pass\n',
        ...pairs('([1], 1)', '([2], 2)', '([3], 3)'),
        'tests/test_speed.py': 'def test_dashes(no_such_fixture):\n    pass\n',
      },
      lines: [
        {
          when: { ask: 'scaffold' },
          files: {
            ...slug('raise NotImplementedError'),
            'contract/test_contract.py':
              'from slug import slug\n\n\ndef test_contract():\n    assert slug("A B") == "a-b"\n',
          },
          reply: {
            InitWork: { interfaceFile: 'slug.py', contractSuite: 'contract/test_contract.py', testPlan: plan },
          },
        },
        { ...tests, files: cases('"a  b"', 'import pytest\nfrom slugs import slug') },
        { ...tests, files: cases('pytest.param("a  b", marks=pytest.mark.skip)') },
        { ...tests, files: { ...cases('"a  b"'), ...pairs('([1], 1)', '([3], 3)') } },
        { ...tests, files: { ...cases('"a  b"'), ...pairs('([1], 1)', '([0], 0)', '([2], 2)', '([3], 3)') } },
        { ...implementation, files: slug('import pytest', 'pytest.skip()') },
        { ...implementation, files: slug('return "-".join(title.lower().split())') },
        { when: { ask: 'review-impl' }, reply: approved },
      ],
      build: { test: 'PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -m pytest -q' },
    })

    const built = await project.build('--strategy', 'graph')

    const refused = ofType(await project.events(), 'reply.refused').map(({ kind, problems }) => ({
      kind,
      said: (problems as { rule: string; message: string }[]).map(({ rule, message }) => `[${rule}] ${message}`),
    }))
    expect(refused).toEqual([
      {
        kind: 'write-tests',
        said: ['lower', 'dashes'].map((id) => `[VF2] test_${id} (for ${id}) fails because of its own import: slugs.py`),
      },
      { kind: 'write-tests', said: ['[VF2] test_dashes (for dashes) is skipped: test_dashes[a  b]'] },
      {
        kind: 'write-tests',
        said: ['[VF3] tests that were there before may not be removed: test_pairs (1 of 3 cases)'],
      },
      {
        kind: 'implement',
        said: [expect.stringMatching(/\[VF4\] .*\nThese tests were skipped, and must pass: test_lower, test_dashes$/)],
      },
    ])
    expectExit(built, 0)
    const evidence = ofType(await project.events(), 'evidence.recorded')
    expect(evidence.at(-1)).toMatchObject({ tests: { failed: 1 } })
  }, 400_000)

  it('[VF2] takes a case that one agent alone inserts between others, which pytest numbers anew', async () => {
    const spec = { ...specOf('slug', ['strip', 'keep']), targetPath: 'slug.py', testPath: 'tests/test_slug.py' }
    const slug = (result: string) => ({ 'slug.py': `def slug(title: str) -> str:\n    return ${result}\n` })
    const cases = (...rows: string[]) => ({
      'tests/test_slug.py': `import pytest
from slug import slug


@pytest.mark.parametrize("row", [${rows.join(', ')}])
def test_slug(row):
    assert slug(row[0]) == row[1]
`,
    })
    const written = (...rows: string[]) => ({
      when: { ask: 'implement' },
      files: { ...slug('title.lower().strip()'), ...cases(...rows) },
      reply: { TestsPassed: { summary: 'Strip.', keep: [{ criterionId: 'keep', reason: 'it does' }] } },
    })
    const more = {
      MoreTests: {
        critiques: [{ file: 'tests/test_slug.py', line: 5, issue: 'cases have no names', requiredFix: 'name them' }],
        additionalTests: [],
      },
    }
    const project = buildProject({
      spec,
      files: {
        '.gitignore': '__pycache__/\n.pytest_cache/\n',
        'conftest.py': '',
        ...slug('title.lower()'),
        ...cases('["A", "a"]', '["B", "b"]'),
      },
      lines: [
        written('["A", "a"]', '["C", "c"]', '["B", "b"]'),
        written('["A", "a"]', '[" C", "c"]', '["B", "b"]'),
        { when: { ask: 'review-impl' }, reply: more },
        written(
          '["A", "a"]',
          'pytest.param(["D", "d"], id="keep")',
          'pytest.param([" C", "c"], id="strip")',
          '["B", "b"]',
        ),
        { when: { ask: 'review-impl' }, reply: approved },
      ],
      build: { test: 'PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -m pytest -q' },
    })

    const built = await project.build('--strategy', 'solo')

    expectExit(built, 0)
    const refused = ofType(await project.events(), 'reply.refused').map(({ problems }) => problems)
    expect(refused).toMatchObject([[{ rule: 'VF2', message: expect.stringContaining('pass without the code') }]])
  }, 400_000)
})
