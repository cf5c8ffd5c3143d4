import { expect, it } from 'vitest'
import { ConveneError } from '../../kernel/errors.ts'
import type { ApiClient } from '../../serve/call.ts'
import { findRun, runNamed } from './run-named.ts'

const runs = ['build-1a2b', 'build-1a2b/inc', 'build-1a2b/inc/part', 'build-1aff', 'ship-77', 'build-1'].map((id) => ({
  id,
}))

it.each([
  ['ship-7', 'ship-77'],
  ['build-1a2', 'build-1a2b'],
  ['build-1', 'build-1'],
  ['build-1a2b/i', 'build-1a2b/inc'],
  ['plan-1', 'plan-1'],
  ['sh', 'sh'],
])('takes %s for %s', (named, id) => {
  expect(runNamed(named, runs)).toBe(id)
})

it('refuses a beginning that several runs share, and names them', () => {
  expect(() => runNamed('build-1a', runs)).toThrow("2 runs begin with 'build-1a': build-1a2b, build-1aff. Give more")
})

it('lists all runs only for an id that is not whole', async () => {
  const called: string[] = []
  const client = {
    call: async (route: string, { params }: { params?: { run: string } } = {}) => {
      called.push(route)
      if (!params) return { runs }
      if (runs.every(({ id }) => id !== params.run)) throw new ConveneError('unknown_run', 'there is no such run')
      return { id: params.run }
    },
  } as unknown as Pick<ApiClient, 'call'>
  expect(await findRun(client, 'build-1a2b')).toBe('build-1a2b')
  expect(called).toEqual(['GET /api/runs/:run'])
  expect(await findRun(client, 'build-1a2')).toBe('build-1a2b')
  expect(called).toContain('GET /api/runs')
})
