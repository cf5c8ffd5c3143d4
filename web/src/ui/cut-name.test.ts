import { expect, it } from 'vitest'
import { cutAt } from './cut-name.tsx'

const end = (name: string) => name.slice(cutAt(name))

it('keeps the end that tells names apart, and leaves short names whole', () => {
  expect(end('stringify-ini-accepts-option-6dcfa9-solo')).toBe('-6dcfa9-solo')
  expect(end('stringify-ini-accepts-option-6dcfa9-graph')).toBe('-6dcfa9-graph')
  expect(end('convene/stringify-ini-accepts/main')).toBe('-accepts/main')
  expect(end('retry-policy')).toBe('')
  expect(end('averyveryverylongnamewithoutanybreak')).toBe('anybreak')
})
