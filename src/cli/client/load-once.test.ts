import { expect, it } from 'vitest'
import { loadOnce } from './load-once.ts'

it('loads once for all callers, and again after a failure', async () => {
  let loads = 0
  const thing = loadOnce(async () => {
    if (++loads === 1) throw new Error('too many open files')
    return `load ${loads}`
  })
  expect(await thing.loaded()).toBeUndefined()
  await expect(thing.get()).rejects.toThrow('too many open files')
  expect(await thing.loaded()).toBeUndefined()
  expect(await Promise.all([thing.get(), thing.get()])).toEqual(['load 2', 'load 2'])
  expect(await thing.loaded()).toBe('load 2')
})
