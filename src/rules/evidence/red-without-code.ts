/** Checks the tests of an agent that wrote tests and code together: without the code, those of new criteria fail. SPEC.md § VF2. */

import { criteriaOf } from '../build/criterion-names.ts'
import { type TestFacts, testKey, testOfCase } from '../build/test-facts.ts'
import type { Problem } from '../schema/problem.ts'
import { greenTooEarly } from './tests-red.ts'

export interface TestsWithoutCode {
  /** Those that need a test. */
  criteria: readonly string[]
  /** Criteria that hold already. */
  keep: readonly string[]
  /** The new tests, as they ran without the code. */
  fresh: readonly TestFacts[]
}

export function redWithoutCode({ criteria, keep, fresh }: TestsWithoutCode): Problem[] {
  // VF14: tests of criteria that the reviewer checks may fail or pass.
  if (criteria.length === 0) return []
  const wanted = criteria.filter((id) => !keep.includes(id))
  if (wanted.length === 0) return fresh.flatMap((test) => brokenPromise(test, keep))
  if (fresh.length > 0 && fresh.every(isGreen) && !fresh.some((test) => isForKeptOnly(test, criteria, keep)))
    return [problem(`the tests pass without the code: each ${greenTooEarly(wanted[0]!)}`)]
  const isRed = new Set(fresh.filter((test) => !isGreen(test)).flatMap((test) => criteriaOf(test, criteria)))
  return fresh.flatMap((test) => {
    const named = criteriaOf(test, criteria)
    if (isForKeptOnly(test, criteria, keep)) return brokenPromise(test, named)
    // It guards what holds already, beside a test, or another case of the same test, that shows what is new.
    if (!isGreen(test) || (named.length > 0 && named.every((id) => keep.includes(id) || isRed.has(id)))) return []
    if (named.length === 0 && fresh.some((other) => !isGreen(other) && areCases(test, other))) return []
    // It names no criterion: where each new one has a test of its own, it is for what is to be kept.
    if (named.length === 0 && keep.length > 0 && wanted.every((one) => isRed.has(one))) return []
    const id = named.find((one) => !keep.includes(one)) ?? wanted[0]!
    return [problem(`${testKey(test)} passes without the code: it ${greenTooEarly(id)}`)]
  })
}

/** A file that does not load without the new code shows nothing about its other tests. */
function brokenPromise(test: TestFacts, ids: readonly string[]): Problem[] {
  if (test.hinted || ['passed', 'skipped', 'import-error'].includes(test.outcome)) return []
  return [
    problem(`${testKey(test)} fails without the code, but ${ids.join(', ')} is to be kept, so it must pass there`),
  ]
}

export function isForKeptOnly(test: TestFacts, criteria: readonly string[], keep: readonly string[]): boolean {
  const named = criteriaOf(test, criteria)
  return named.length > 0 && named.every((id) => keep.includes(id))
}

function areCases(one: TestFacts, other: TestFacts): boolean {
  return one.file === other.file && testOfCase(one) === testOfCase(other)
}

function isGreen({ outcome }: TestFacts): boolean {
  return outcome === 'passed'
}

function problem(message: string): Problem {
  return { rule: 'VF2', message }
}
