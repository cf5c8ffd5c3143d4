import { expect, it } from 'vitest'
import { endedEarly } from './ended-early.ts'

it('[VF9] says that Convene ended a command, at which limit, and the key that raises it', () => {
  const ran = { command: 'pnpm test', key: 'test' as const, commandSeconds: 900 }
  expect(endedEarly({ ...ran, ended: 'timed-out' })).toEqual({
    what: 'Convene ended `pnpm test` after 900 s: it reached the limit build.command_seconds',
    fix: 'write a larger build: {command_seconds: <seconds>} into convene.yaml, or a build.test that runs less',
  })
  expect(endedEarly({ ...ran, key: 'setup', ended: 'out-of-memory' })).toEqual({
    what: 'Convene ended `pnpm test`: it reached the limit build.limits.memory_mb',
    fix: 'write a larger build: {limits: {memory_mb: <MB>}} into convene.yaml, or a build.setup that needs less memory',
  })
  expect(endedEarly({ ...ran, ended: 'too-much-output' })?.fix).toBe('write a build.test that prints less')
  expect(endedEarly({ ...ran, ended: 'exited' })).toBeUndefined()
  expect(endedEarly(ran)).toBeUndefined()
})
