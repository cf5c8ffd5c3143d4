import { describe, expect, it } from 'vitest'
import { checkerManifestParts } from './checker-settings.ts'
import { withPartsOf } from './manifest-parts.ts'
import { runnerManifestParts } from './test-settings.ts'

describe('parts of a manifest', () => {
  it('[TR7] are put back without the rest of the file', () => {
    const before = '{"name":"a","xo":{"space":true},"jest":{}}'
    const after = '{"name":"a","dependencies":{"left":"1"},"xo":{"ignores":["src"]},"eslintConfig":{},"jest":{"x":1}}'
    const checked = withPartsOf('package.json', before, after, checkerManifestParts)!
    expect(JSON.parse(checked)).toEqual({ name: 'a', dependencies: { left: '1' }, xo: { space: true }, jest: { x: 1 } })
    expect(JSON.parse(withPartsOf('package.json', before, checked, runnerManifestParts)!).jest).toEqual({})
    const toml = withPartsOf(
      'app/pyproject.toml',
      '[tool.ruff]\nline-length = 80\n',
      '[project]\nname = "a"\n[tool.ruff]\nexclude = ["src"]\n[tool.mypy]\nignore_errors = true\n[tool.uv]\nx = 1\n',
      checkerManifestParts,
    )
    expect(toml).toBe('[project]\nname = "a"\n[tool.uv]\nx = 1\n\n[tool.ruff]\nline-length = 80\n')
    const spaced = '{ "name": "a" }\n'
    expect(withPartsOf('package.json', spaced, '{"name":"a","xo":{}}', checkerManifestParts)).toBe(spaced)
    const table = '[project]\nname = "a"\n\n# kept\n'
    expect(withPartsOf('pyproject.toml', table, `${table}[tool.ruff]\nx = 1\n`, checkerManifestParts)).toBe(table)
    expect(withPartsOf('src/a.ts', '', '', checkerManifestParts)).toBe(null)
    expect(withPartsOf('package.json', '{}', 'no JSON', checkerManifestParts)).toBe(null)
  })
})
