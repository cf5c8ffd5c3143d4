import { describe, expect, it } from 'vitest'
import { parseConfig } from './config/load.ts'
import { parseYaml } from './safe-yaml.ts'

describe('YAML that others wrote', () => {
  it.each([
    ['a cycle in a map', 'a: &a { b: *a }', /never ends/],
    ['a cycle in a list', '- &a [1, *a]', /never ends/],
    ['a deep cycle', 'a: &a\n  b:\n    c: [{ d: *a }]', /never ends/],
    ['unbounded depth', `${'['.repeat(5000)}${']'.repeat(5000)}`, /deep/i],
    ['depth beyond the limit', `${'['.repeat(150)}${']'.repeat(150)}`, /deep/],
    ['too many aliases', `a: &a [${'x,'.repeat(50)}]\nb: &b [${'*a,'.repeat(50)}]\nc: [${'*b,'.repeat(50)}]`, /alias/i],
  ])('[TR13] refuses %s with a clear error', (_, text, message) => {
    expect(() => parseYaml(text)).toThrow(message)
  })

  it('[TR13] refuses a configuration with a cycle, by line', () => {
    const parse = () => parseConfig('room:\n  x: &a { y: *a }\n', { folder: '/', env: {} })
    expect(parse).toThrow(/convene\.yaml:2:\d+: '\*a' stands inside '&a'/)
  })

  it('[TR13] accepts anchors that end, merged maps and ordinary depth', () => {
    expect(parseYaml('a: &a { x: 1 }\nb: *a\nc: { <<: *a, y: 2 }')).toMatchObject({ b: { x: 1 } })
    expect(parseYaml('')).toBeNull()
  })
})
