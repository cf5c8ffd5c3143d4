import { expect, it } from 'vitest'
import { isPrivateTarget } from './private-target.ts'

it.each([
  '.env',
  'app/.env.local',
  '.convene/token',
  'sub/.Convene/convene.db',
  'certs/server.key',
  '.npmrc',
  'id_rsa',
])('[VF6] a link to %s would show what only the user has', (path) => expect(isPrivateTarget(path)).toBe(true))

it.each(['dist/cli.js', 'node_modules/.bin/vitest', 'src/env.js', 'docs/convene.md', 'keyboard.js'])(
  '[VF6] a link to %s does not',
  (path) => expect(isPrivateTarget(path)).toBe(false),
)
