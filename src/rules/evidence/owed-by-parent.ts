/** Contract tests that fail for what the parent of the parts has yet to write. SPEC.md § GR7. */
import type { TestFacts } from '../build/test-facts.ts'
import { saysMissing } from './missing-code.ts'

/**
 * Children are never accepted with stubs, and each was seen to bring what it owes: what is not implemented or does not exist is the
 * parent's own code, which is written later.
 */
export function isOwedByParent(test: Pick<TestFacts, 'outcome' | 'message'>): boolean {
  if (test.outcome === 'not-implemented' || test.outcome === 'import-error') return true
  return test.outcome === 'error' && saysMissing(test.message ?? '')
}
