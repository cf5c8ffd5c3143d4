import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { scriptsOf } from './project-scripts.ts'
import { packageCommand } from './workspace-packages.ts'

const top = {
  test: 'turbo run test',
  check: 'npm run build && pnpm -r test',
  ci: 'pnpm -r test',
  preci: 'pnpm run build',
}

function commandFor(command: string, paths: string[], more: Record<string, string> = {}): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'workspace-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const scripts = { test: 'vitest run', unit: 'vitest run' }
  const files = { 'packages/a/package.json': JSON.stringify({ scripts }), 'packages/b/package.json': '{}', ...more }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return packageCommand(command, scriptsOf(JSON.stringify({ scripts: top }), ''), { folder, paths })?.command
}

const a = ['packages/a/test/x.test.ts']

it.each([
  ['pnpm -r test', 'cd packages/a && pnpm test test/x.test.ts'],
  ['npm test --workspaces', 'cd packages/a && npm test -- test/x.test.ts'],
  ['npm run unit -ws --if-present', 'cd packages/a && npm run unit -- test/x.test.ts'],
  ['yarn workspaces run test', 'cd packages/a && yarn test test/x.test.ts'],
  ['yarn workspaces foreach -A run test', 'cd packages/a && yarn test test/x.test.ts'],
  ['pnpm --filter a test', 'cd packages/a && pnpm test test/x.test.ts'],
  ['npx lerna run test', 'cd packages/a && npm test -- test/x.test.ts'],
  ['nx run-many -t unit', 'cd packages/a && npm run unit -- test/x.test.ts'],
  ['npm test', 'cd packages/a && npm test -- test/x.test.ts'],
  ['CI=1 pnpm -r test', 'cd packages/a && CI=1 pnpm test test/x.test.ts'],
  ['corepack pnpm -r test', 'cd packages/a && corepack pnpm test test/x.test.ts'],
  ['CI=1 npx -y pnpm@10.14.0 -r test', 'cd packages/a && CI=1 npx -y pnpm@10.14.0 test test/x.test.ts'],
  ['npm run check', 'npm run build && cd packages/a && pnpm test test/x.test.ts'],
  ['corepack pnpm run ci', 'corepack pnpm run preci && cd packages/a && pnpm test test/x.test.ts'],
])('[VF9] a test of a package runs in its folder: %s', (command, expected) => {
  expect(commandFor(command, a)).toBe(expected)
})

it('[VF9] leaves other commands and files outside a package alone', () => {
  expect(commandFor('vitest run', a)).toBeUndefined()
  expect(commandFor('pnpm -r test', ['test/top.test.ts'])).toBeUndefined()
  expect(commandFor('pnpm -r test', ['packages/b/x.test.ts'])).toBeUndefined()
  expect(commandFor('pnpm -r test', [])).toBeUndefined()
  expect(commandFor('pnpm -r test | tee log', a)).toBeUndefined()
})
