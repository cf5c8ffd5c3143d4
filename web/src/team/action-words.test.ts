import { expect, it } from 'vitest'
import { listedRoutes } from '../../../src/serve/openapi.ts'
import { actionWords, wordedActions } from './action-words.ts'

it('[US3] has words for everything that a person can do by the API', () => {
  const acts = listedRoutes.filter(({ method, role }) => method === 'POST' && (role === 'member' || role === 'owner'))
  expect([...wordedActions].sort()).toEqual(acts.map(({ name }) => name).sort())
  expect(actionWords('postMessage')).toBe('posted a message in')
  expect(actionWords('paintRoom')).toBe('paint room')
})
