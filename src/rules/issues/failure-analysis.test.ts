import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorClasses, errorClassesIn } from '../text/error-class.ts'
import { analyseFailure, type FailureFacts, failureAnalysisReply, whyConsult } from './failure-analysis.ts'

const occasion = { smart: false, enabled: true, failedRetries: 0, dependencies: { blocked: 0, total: 0 } }

describe('asking a coordinator', () => {
  it('[FA1] happens when the user asks for it', () => {
    expect(whyConsult({ ...occasion, enabled: false, smart: true })).toContain('--smart')
  })

  it('[FA1] or, if enabled, after two failed retries', () => {
    expect(whyConsult({ ...occasion, failedRetries: 1 })).toBeNull()
    expect(whyConsult({ ...occasion, failedRetries: 2 })).toBe('2 retries failed')
    expect(whyConsult({ ...occasion, failedRetries: 2, enabled: false })).toBeNull()
  })

  it('[FA1] or with dependencies blocked in part, not all and not none', () => {
    expect(whyConsult({ ...occasion, dependencies: { blocked: 1, total: 3 } })).toContain('1 of 3')
    expect(whyConsult({ ...occasion, dependencies: { blocked: 3, total: 3 } })).toBeNull()
    expect(whyConsult({ ...occasion, dependencies: { blocked: 0, total: 3 } })).toBeNull()
  })

  it('[FA1] its reply has a diagnosis, a recommendation and a reason, and an approach where it modifies', () => {
    const reply = { diagnosis: 'implementation_bug', recommendation: 'retry', reason: 'a slip' }
    expect(failureAnalysisReply.safeParse(reply).success).toBe(true)
    expect(failureAnalysisReply.safeParse({ ...reply, modified_approach: null }).success).toBe(true)
    expect(failureAnalysisReply.safeParse({ ...reply, recommendation: 'modify' }).success).toBe(false)
    expect(failureAnalysisReply.safeParse({ ...reply, recommendation: 'modify', modified_approach: 'b' }).success).toBe(
      true,
    )
    expect(failureAnalysisReply.safeParse({ ...reply, diagnosis: 'bad luck' }).success).toBe(false)
    expect(failureAnalysisReply.safeParse({ ...reply, recommendation: 'pray' }).success).toBe(false)
  })
})

const facts: FailureFacts = { attempt: 1, failingTests: ['logs in'], errors: ['assertion'], blockedDependencies: [] }

describe('without a model', () => {
  it('[FA2] a blocked dependency means skip', () => {
    expect(analyseFailure({ ...facts, attempt: 9, blockedDependencies: [4, 2] })).toEqual({
      diagnosis: 'missing_dependency',
      recommendation: 'skip',
      reason: 'needs #2, #4, which is blocked',
    })
  })

  it('[FA2] escalates without a retry left, and retries after the first failure', () => {
    expect(analyseFailure(facts)).toMatchObject({ diagnosis: 'implementation_bug', recommendation: 'retry' })
    expect(analyseFailure({ ...facts, attempt: 4 })).toMatchObject({ diagnosis: 'blocked', recommendation: 'escalate' })
    expect(analyseFailure({ ...facts, attempt: 4 }, { retries: 5 }).recommendation).toBe('retry')
  })

  it('[FA2] commands that did not run are tried once more, then a person is needed', () => {
    const broken: FailureFacts = { ...facts, errors: ['environment'], failingTests: [] }
    expect(analyseFailure(broken)).toMatchObject({ diagnosis: 'blocked', recommendation: 'retry' })
    expect(analyseFailure({ ...broken, attempt: 2 })).toMatchObject({
      diagnosis: 'blocked',
      recommendation: 'escalate',
    })
  })

  it('[FA2] a missing import asks for another approach', () => {
    const analysis = analyseFailure({ ...facts, errors: ['missing_module'] })
    expect(analysis).toMatchObject({ diagnosis: 'missing_dependency', recommendation: 'modify' })
    expect(analysis.modified_approach).toBeTruthy()
  })

  it('[FA2] the same assertions failing again put the expectation in doubt, other errors the code', () => {
    const again = { ...facts, attempt: 2, failedBefore: ['logs in'] }
    expect(analyseFailure(again)).toMatchObject({ diagnosis: 'test_expectation', recommendation: 'modify' })
    expect(analyseFailure(again).modified_approach).toContain('"logs in"')
    expect(analyseFailure({ ...again, errors: ['assertion', 'timeout'] })).toMatchObject({
      diagnosis: 'implementation_bug',
      recommendation: 'modify',
    })
  })

  it('[FA2] problems are never presented as test names', () => {
    const said = ['it does not build in a clean checkout:']
    const again = { ...facts, attempt: 2, failingTests: said, failedBefore: said, areNamed: false }
    expect(analyseFailure(again).modified_approach).toMatch(/^Read what the failing tests expect/)
    const other = analyseFailure({ ...again, errors: ['syntax'] })
    expect(other).toMatchObject({ diagnosis: 'implementation_bug', recommendation: 'modify' })
    expect(other.modified_approach).toContain('fix this first: it does not build in a clean checkout.')
  })

  it('[FA2] fewer failures are progress, more are a wrong way', () => {
    const before = { ...facts, attempt: 2, failedBefore: ['logs in', 'logs out'] }
    expect(analyseFailure(before)).toMatchObject({ recommendation: 'retry', reason: '1 failing (2 before)' })
    const more = { ...before, failedBefore: ['logs in'], failingTests: ['a', 'b', 'c'] }
    expect(analyseFailure(more)).toMatchObject({
      recommendation: 'modify',
      reason: 'it got worse: 3 failing (1 before)',
    })
  })

  it('[FA2] errors are recognised in what a command printed', () => {
    expect(errorClassesIn('FAILED test_user_login - AssertionError: expected 200, got 401')).toEqual(['assertion'])
    expect(errorClassesIn("Error: Cannot find module './login.ts'")).toEqual(['missing_module'])
    expect(errorClassesIn('ModuleNotFoundError: No module named x')).toEqual(['missing_module'])
    expect(errorClassesIn('Error: not implemented')).toEqual(['not_implemented'])
    expect(errorClassesIn('SyntaxError: Unexpected token')).toEqual(['syntax'])
    expect(errorClassesIn('Test timed out in 5000ms')).toEqual(['timeout'])
    expect(errorClassesIn('sh: 1: vitest: command not found')).toEqual(['environment'])
    expect(errorClassesIn('12 passed')).toEqual([])
  })

  it('[FA2] any facts give advice of the form a coordinator would give', () => {
    const tests = fc.array(fc.string(), { maxLength: 8 })
    const anyFacts = fc.record(
      {
        attempt: fc.integer({ min: 1, max: 6 }),
        failingTests: tests,
        failedBefore: tests,
        errors: fc.uniqueArray(fc.constantFrom(...errorClasses)),
        blockedDependencies: fc.array(fc.nat()),
      },
      { requiredKeys: ['attempt', 'failingTests', 'errors', 'blockedDependencies'] },
    )
    fc.assert(
      fc.property(anyFacts, (given) => {
        const analysis = analyseFailure(given)
        expect(failureAnalysisReply.safeParse(analysis).success).toBe(true)
        expect(analyseFailure(given)).toEqual(analysis)
      }),
    )
  })
})
