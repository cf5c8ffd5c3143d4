import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyRule } from '../schema/rule.ts'
import { type Finding, override, type ReviewVerdict, rule, severities } from './review.ts'

const decide = (input: unknown): ReviewVerdict => {
  const ruling = applyRule(rule, input)
  if (!ruling.ok) throw new Error(ruling.error.message)
  return ruling.output
}

const critical = { severity: 'CRITICAL', confidence: 95, text: 'SQL injection' }
const major = { severity: 'MAJOR', confidence: 80, text: 'N+1 queries' }
const minor = { severity: 'MINOR', text: 'naming' }

describe('findings', () => {
  it('[RV1] below 80 a finding is advice, at 80 it counts', () => {
    const unsure = { ...critical, confidence: 79.9 }
    expect(decide({ findings: [unsure, major] })).toMatchObject({
      outcome: 'pass_with_risk',
      blocking: [],
      carried: [major],
      advisory: [unsure],
    })
  })

  it('[RV1] a finding without a confidence counts as 80', () => {
    expect(decide({ findings: [{ severity: 'CRITICAL' }] }).outcome).toBe('fail')
    expect(decide({ findings: [{ severity: 'CRITICAL', confidence: null }] }).outcome).toBe('fail')
    expect(decide({ findings: [{ severity: 'CRITICAL' }], limits: { confidence_threshold: 81 } }).outcome).toBe('pass')
  })

  it('[RV1] findings come back just as they were given', () => {
    const finding = JSON.parse(
      '{"where":{"line":3},"severity":"MINOR","__proto__":{"polluted":true},"id":null}',
    ) as object
    const { noted } = decide({ findings: [finding] })
    expect(noted[0]).toBe(finding)
    expect(JSON.stringify(noted[0])).toBe(JSON.stringify(finding))
  })

  it('[RV1] every finding lands in exactly one list, in the order given', () => {
    const finding = fc.record(
      { severity: fc.constantFrom(...severities), confidence: fc.integer({ min: 0, max: 100 }), id: fc.uuid() },
      { requiredKeys: ['severity', 'id'] },
    )
    fc.assert(
      fc.property(fc.array(finding), (findings) => {
        const { blocking, carried, noted, advisory } = decide({ findings })
        for (const list of [blocking, carried, noted, advisory]) {
          expect(list).toEqual(findings.filter((one) => list.includes(one as Finding)))
        }
        expect(new Set([...blocking, ...carried, ...noted, ...advisory])).toEqual(new Set(findings))
        expect(blocking.length + carried.length + noted.length + advisory.length).toBe(findings.length)
      }),
    )
  })

  it('[RV1] an invalid finding is refused with its path', () => {
    const path = (findings: unknown) => {
      const ruling = applyRule(rule, { findings })
      return ruling.ok ? undefined : ruling.error.path
    }
    expect(path([minor, { severity: 'BLOCKER' }])).toBe('findings.1.severity')
    expect(path([{ severity: 'MAJOR', confidence: 101 }])).toBe('findings.0.confidence')
    expect(path([{ severity: 'MAJOR', confidence: '90' }])).toBe('findings.0.confidence')
    expect(path([null])).toBe('findings.0')
    expect(path('none')).toBe('findings')
  })
})

describe('verdict', () => {
  it('[RV2] any critical finding fails, and the user is asked', () => {
    expect(decide({ findings: [minor, critical, major] })).toEqual({
      outcome: 'fail',
      action: 'ask',
      blocking: [critical],
      carried: [major],
      noted: [minor],
      advisory: [],
      degraded: false,
    })
  })

  it('[RV2] any major finding passes with risk and is carried', () => {
    expect(decide({ findings: [minor, major] })).toMatchObject({
      outcome: 'pass_with_risk',
      action: 'carry',
      carried: [major],
    })
  })

  it('[RV2] minor findings pass and are noted', () => {
    expect(decide({ findings: [minor] })).toMatchObject({ outcome: 'pass', action: 'proceed', noted: [minor] })
    expect(decide({ findings: [] })).toMatchObject({ outcome: 'pass', action: 'proceed', degraded: false })
  })
})

describe('what may pass', () => {
  it('[RV2] so many findings may pass as the limits say', () => {
    const limits = { risk_max_critical: 1 }
    expect(decide({ findings: [critical, major], limits })).toMatchObject({
      outcome: 'pass_with_risk',
      blocking: [],
      carried: [critical, major],
    })
    expect(decide({ findings: [critical, critical], limits })).toMatchObject({
      outcome: 'fail',
      blocking: [critical, critical],
    })
    expect(decide({ findings: [major], limits: { pass_max_major: 1 } })).toMatchObject({
      outcome: 'pass',
      carried: [major],
    })
    expect(decide({ findings: [major, major], limits: { pass_max_major: 1 } }).outcome).toBe('pass_with_risk')
  })
})

describe('rounds', () => {
  it('[RV3] after two rounds the user has to decide', () => {
    expect(decide({ findings: [critical], iteration: 1 }).action).toBe('ask')
    expect(decide({ findings: [critical], iteration: 2 })).toMatchObject({ outcome: 'fail', action: 'decide' })
    expect(decide({ findings: [critical], iteration: 3 }).action).toBe('decide')
    expect(decide({ findings: [critical], iteration: 2, limits: { max_review_iterations: 3 } }).action).toBe('ask')
    expect(decide({ findings: [major], iteration: 2 }).action).toBe('carry')
  })

  it('[RV3] an override passes with risk, carries what blocked, and stays on record', () => {
    const failed = decide({ findings: [major, critical], iteration: 2 })
    expect(override(failed)).toEqual({
      ...failed,
      outcome: 'pass_with_risk',
      action: 'carry',
      blocking: [],
      carried: [critical, major],
      overridden: [critical],
    })
    const passed = decide({ findings: [minor] })
    expect(override(passed)).toEqual({ ...passed, overridden: [] })
  })

  it('[RV3] a missing reviewer degrades the verdict, given as names, a count or a yes', () => {
    for (const reviewers_missing of [['security-analyst'], 1, true]) {
      expect(decide({ findings: [], reviewers_missing })).toMatchObject({ outcome: 'pass', degraded: true })
    }
    for (const reviewers_missing of [[], 0, false])
      expect(decide({ findings: [], reviewers_missing }).degraded).toBe(false)
    expect(applyRule(rule, { findings: [], reviewers_missing: 'bob' })).toMatchObject({
      error: { path: 'reviewers_missing' },
    })
  })

  it('[RV3] the explanation says what to do', () => {
    const explain = (input: unknown) => {
      const ruling = applyRule(rule, input)
      return ruling.ok ? ruling.explanation() : ''
    }
    expect(explain({ findings: [critical] })).toContain('redesign, override, more context [RV3]')
    expect(explain({ findings: [critical], iteration: 2, reviewers_missing: 1 })).toMatch(/must decide.*\n.*degraded/)
    expect(explain({ findings: [{ ...minor, confidence: 10 }, major] })).toContain('confidence below 80: 1 [RV1]')
  })
})
