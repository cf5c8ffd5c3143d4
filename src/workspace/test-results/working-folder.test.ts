import { expect, it } from 'vitest'
import { commandElsewhere } from './working-folder.ts'

it.each([
  ['cd web && npm test', 'web', 'npm test', 'cd web && X'],
  ['npm run build && cd "web app" && xo && ava', 'web app', 'xo && ava', "npm run build && cd 'web app' && X"],
  ['(cd web && npm test)', 'web', 'npm test', 'cd web && X'],
  ['npm --prefix web test', 'web', 'npm test', 'cd web && X'],
  ['CI=1 npm run unit --prefix=web/', 'web', 'CI=1 npm run unit', 'cd web && X'],
  ['pnpm -C web test', 'web', 'pnpm test', 'cd web && X'],
  ['yarn --cwd web test', 'web', 'yarn test', 'cd web && X'],
  ['make -C web test', 'web', 'make test', 'cd web && X'],
])('[VF9] %j runs its tests in %s', (command, folder, inner, around) => {
  const found = commandElsewhere(command)
  expect(found).toMatchObject({ folder, command: inner })
  expect(found?.around('X')).toBe(around)
})

it.each([
  'npm test',
  'cd ..',
  'cd /web && npm test',
  'cd "$HOME" && npm test',
  'cd .. && npm test',
  'cd web || npm test',
])('[VF9] of %j nothing is known', (command) => {
  expect(commandElsewhere(command)).toBeUndefined()
})
