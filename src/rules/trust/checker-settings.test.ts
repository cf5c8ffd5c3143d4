import { describe, expect, it } from 'vitest'
import {
  checkerSettingsAmong,
  looseningAmong,
  mayBeCheckerSetting,
  neededSettings,
  settingsMatter,
  settingsQuestion,
  settingsRefused,
} from './checker-settings.ts'

const isChanged = (path: string, before: string | undefined, after: string | undefined) =>
  mayBeCheckerSetting(path) && checkerSettingsAmong([{ path, before, after }]).length > 0

describe('settings of checkers', () => {
  it.each([
    ['tsconfig.json', '{}', '{"include":[]}'],
    ['tsconfig.build.json', '{}', undefined],
    ['src/.eslintrc.json', undefined, '{"root":true}'],
    ['packages/a/.eslintrc', undefined, '{}'],
    ['eslint.config.js', 'a', 'b'],
    ['.eslintignore', undefined, 'src'],
    ['src/biome.json', undefined, '{"root":false}'],
    ['.oxlintrc.json', undefined, '{}'],
    ['mypy.ini', 'a', 'b'],
    ['package.json', '{}', '{"xo":{"ignores":["src"]}}'],
    ['package.json', '{}', '{"eslintConfig":{"rules":{}}}'],
    ['package.json', '{"prettier":{}}', '{}'],
    ['pyproject.toml', '[project]\nname = "a"', '[project]\nname = "a"\n[tool.ruff]\nexclude = ["src"]'],
    ['pyproject.toml', '', '[[tool.mypy.overrides]]\nignore_errors = true'],
    ['setup.cfg', '', '[flake8]\nignore = E501'],
    ['tox.ini', '', '[flake8]\nignore = E501'],
    ['Cargo.toml', '', '[lints.rust]\nunused = "allow"'],
  ])('[TR7] are changed in %s', (path, before, after) => {
    expect(isChanged(path, before, after)).toBe(true)
  })

  it.each([
    ['package.json', '{}', '{"version":"2","dependencies":{"a":"1"}}'],
    ['pyproject.toml', '', '[project]\nversion = "2"'],
    ['src/config.ts', 'a', 'b'],
    ['src/.eslintrc.json', '{}', '{}'],
  ])('[TR7] are not changed in %s', (path, before, after) => {
    expect(isChanged(path, before, after)).toBe(false)
  })

  it.each([
    [
      '{"compilerOptions":{"strict":true}}',
      '{"compilerOptions":{"strict":true,"jsx":"react-jsx"}}',
      ['jsx "react-jsx"'],
    ],
    [
      '// why\n{"compilerOptions":{"lib":["es2022"],},}',
      '{"compilerOptions":{"lib":["es2022","dom"]}}',
      ['lib ["es2022","dom"]'],
    ],
    [
      '{"include":["src"]}',
      '{"include":["src","app"],"compilerOptions":{"resolveJsonModule":true}}',
      ['resolveJsonModule true', 'include ["src","app"]'],
    ],
    ['{"compilerOptions":{"strict":false}}', '{"compilerOptions":{"strict":true}}', ['strict true']],
    [
      undefined,
      '{"extends":"../tsconfig.json","compilerOptions":{"jsx":"preserve"}}',
      ['jsx "preserve"', 'extends "../tsconfig.json"'],
    ],
  ])('[TR7] of a compiler may be needed: %s becomes %s', (before, after, lines) => {
    const change = { path: 'tsconfig.json', before, after }
    expect(neededSettings(change)).toEqual(lines.map((line) => `tsconfig.json: ${line}`))
    expect(looseningAmong([change])).toEqual([])
  })

  it.each([
    ['{"compilerOptions":{"strict":true}}', '{"compilerOptions":{}}'],
    ['{"compilerOptions":{"jsx":"react","strict":true}}', '{"compilerOptions":{"jsx":"preserve","strict":false}}'],
    ['{}', '{"compilerOptions":{"noImplicitAny":false}}'],
    ['{}', '{"compilerOptions":{"skipLibCheck":true}}'],
    ['{}', '{"exclude":["src"]}'],
    ['{"include":["src","test"]}', '{"include":["test"]}'],
    ['{"extends":"./strict.json"}', '{"extends":"./loose.json"}'],
    [undefined, '{"compilerOptions":{"strict":false}}'],
    ['{}', undefined],
    ['{}', 'no JSON'],
  ])('[TR7] of a compiler are loosened: %s becomes %s', (before, after) => {
    const change = { path: 'a/tsconfig.json', before, after }
    expect(neededSettings(change)).toBe(null)
    expect(looseningAmong([change])).toEqual([change])
  })

  it('[TR7] of a linter are never needed, and say so', () => {
    expect(neededSettings({ path: '.eslintrc.json', before: '{}', after: '{"env":{}}' })).toBe(null)
    expect(looseningAmong([{ path: '.eslintrc.json', before: '{}', after: '' }])).toEqual([])
    expect(settingsMatter(['pytest.ini'])).toContain('(pytest.ini)')
    expect(settingsQuestion('inc', ['tsconfig.json: jsx "react"'])).toEqual({
      text: 'inc: the work passes its checks only with a changed setting of a checker. Allow the change?',
      detail: '- tsconfig.json: jsx "react"',
    })
    expect(settingsRefused(['a', 'b'])).toContain('(a; b)')
  })
})
