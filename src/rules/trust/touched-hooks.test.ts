import { describe, expect, it } from 'vitest'
import { type HookSituation, isSettingOf, toolParts, touchedHooks } from './touched-hooks.ts'

const touched = (changed: string[], more: Partial<HookSituation> = {}) =>
  touchedHooks({ changed, linked: [], manifests: [], ...more })

describe('work that touches the user’s hooks', () => {
  it('[TR1] is work on the effective hooks folder, or on a file that a hook is a link to', () => {
    expect(touched(['tools/hooks/post-merge', 'src/a.js'], { hooksFolder: 'tools/hooks' })).toEqual([
      'tools/hooks/post-merge',
    ])
    expect(touched(['Tools/Hooks/post-merge'], { hooksFolder: 'tools/hooks' })).toEqual(['Tools/Hooks/post-merge'])
    expect(touched(['.husky/pre-commit'], { hooksFolder: '.husky/_' })).toEqual(['.husky/pre-commit'])
    expect(touched(['scripts/check.sh'], { linked: ['scripts/check.sh'] })).toEqual(['scripts/check.sh'])
    expect(touched(['scripts'], { linked: ['scripts/check.sh'] })).toEqual(['scripts'])
  })

  it('[TR1] is work on the settings of a hook tool', () => {
    const files = [
      '.husky/post-merge',
      '.huskyrc.json',
      'lefthook.yml',
      '.lefthook/commit-msg/check',
      '.pre-commit-config.yaml',
      'packages/a/.lintstagedrc.mjs',
      'lint-staged.config.js',
      '.simple-git-hooks.json',
      'commitlint.config.js',
      '.githooks/post-merge',
    ]
    expect(touched(files)).toEqual(files)
  })

  it('[TR1] is a package.json whose keys for hooks differ, and only then', () => {
    const manifest = (more: object) => JSON.stringify({ name: 'a', ...more })
    const change = (before: object | undefined, after: object | undefined) =>
      touched(['package.json'], {
        manifests: [
          {
            path: 'package.json',
            ...(before ? { before: manifest(before) } : {}),
            ...(after ? { after: manifest(after) } : {}),
          },
        ],
      })
    const hooks = { 'simple-git-hooks': { 'post-merge': 'sh evil.sh' } }
    expect(change({}, hooks)).toEqual(['package.json'])
    expect(change(hooks, {})).toEqual(['package.json'])
    expect(change(undefined, hooks)).toEqual(['package.json'])
    expect(change(hooks, { ...hooks, version: '2.0.0' })).toEqual([])
    expect(change({}, { scripts: { test: 'node --test' } })).toEqual([])
    expect(
      touched(['package.json'], { manifests: [{ path: 'package.json', before: '{}', after: '{ husky' }] }),
    ).toEqual(['package.json'])
  })

  it('[TR1] is work on code that a hook runs, or on a file that it starts', () => {
    const changed = ['src/a.ts', 'test/a.test.ts', 'docs/a.md', 'scripts/check.sh']
    const scripts = { test: 'vitest run' }
    expect(touched(changed, { texts: ['#!/bin/sh\nnpm test'], scripts })).toEqual([
      'src/a.ts',
      'test/a.test.ts',
      'scripts/check.sh',
    ])
    expect(touched(changed, { texts: ['sh scripts/check.sh'] })).toEqual(['scripts/check.sh'])
    expect(touched(changed, { texts: ['npx commitlint --edit $1'], scripts })).toEqual([])
  })

  it('[TR1] finds what the tools of a hook are told', () => {
    const hooks = ['npx lint-staged', 'lefthook run post-merge']
    expect(['lefthook.yml', '.lintstagedrc.json', '.pre-commit-config.yaml'].map((p) => isSettingOf(hooks, p))).toEqual(
      [true, true, false],
    )
    expect(toolParts(hooks, '{"lint-staged": {"*.ts": "vitest"}, "husky": {}}')).toEqual(['{"*.ts":"vitest"}'])
    expect(toolParts(hooks, 'no manifest')).toEqual([])
  })

  it('[TR1] is not work on files with similar names', () => {
    expect(touched(['src/hooks/use-state.ts', 'docs/husky.md', 'src/lefthook-parser.ts', '.gitignore'])).toEqual([])
  })
})
