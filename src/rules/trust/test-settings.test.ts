import { describe, expect, it } from 'vitest'
import { isJudged, isNamedInSpec, mayBeSetting, settingsChanged } from './test-settings.ts'

const changed = (path: string, before: string | undefined, after: string | undefined) =>
  settingsChanged([{ path, before, after }]).length > 0

describe('settings of the tests', () => {
  it.each([
    ['.npmrc', undefined, 'script-shell=./yes.sh'],
    ['conftest.py', undefined, 'def pytest_runtest_call(item): pass'],
    ['tests/conftest.py', 'a', 'b'],
    ['vitest.config.ts', 'a', 'b'],
    ['jest.config.js', 'a', undefined],
    ['pytest.ini', undefined, '[pytest]\naddopts = --collect-only'],
    ['package.json', '{}', '{"jest":{"testMatch":[]}}'],
    ['pyproject.toml', '', '[tool.pytest.ini_options]\naddopts = "-k nothing"'],
    ['sitecustomize.py', undefined, 'import sys'],
    ['pytest.py', undefined, 'import sys'],
    ['src/unittest/__init__.py', undefined, 'class TestCase: ...'],
    ['tests/unit/hypothesis.py', undefined, 'def given(*_): ...'],
    ['package.json', '{"name":"a"}', '{"name":"chai","exports":"./src/chai.js"}'],
    ['package.json', '{"name":"a"}', '{"name":"a","bin":{"vitest":"./src/yes.js"}}'],
  ])('[TR7] %s belongs to the tests', (path, before, after) => {
    expect(mayBeSetting(path)).toBe(true)
    expect(changed(path, before, after)).toBe(true)
  })

  it.each([
    ['package.json', '{"version":"1"}', '{"version":"2","dependencies":{"a":"1"}}'],
    ['package.json', '{}', '{"scripts":{"lint":"x"}}'],
    ['pyproject.toml', '', '[tool.ruff]\nx = 1'],
    ['package.json', '{"name":"a"}', '{"name":"b","bin":{"b":"./cli.js"}}'],
    ['package.json', '{"name":"chai"}', '{"name":"chai","version":"2"}'],
    ['src/_pytest/__init__.py', 'a', 'b'],
    ['src/_pytest/assertion.py', undefined, 'x'],
    ['src/app/unittest.py', undefined, 'x'],
    ['src/app.ts', 'a', 'b'],
    // Yarn writes it with every dependency; the merge asks about it (TR2).
    ['.pnp.cjs', 'a', 'b'],
  ])('[TR7] %s does not', (path, before, after) => {
    expect(mayBeSetting(path) && changed(path, before, after)).toBe(false)
  })

  it('[TR7] lets those through whom tests do not judge, and files that the spec asks for', () => {
    expect((['impl', 'merger'] as const).every(isJudged)).toBe(true)
    expect((['scaffold', 'tdd', 'solo', 'rebaser'] as const).some(isJudged)).toBe(false)
    const spec = {
      description: 'Add a conftest.py with a database',
      acceptanceCriteria: [{ text: 'works' }],
      targetPath: 'src/db.py',
      testPath: 'tests/test_db.py',
    }
    expect(isNamedInSpec('tests/conftest.py', spec)).toBe(true)
    expect(isNamedInSpec('pytest.ini', spec)).toBe(false)
    expect(isNamedInSpec('pytest.ini', { ...spec, targetPath: 'pytest.ini' })).toBe(true)
  })
})
