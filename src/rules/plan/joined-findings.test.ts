import { describe, expect, it } from 'vitest'
import { groupFaults, joinFindings, needsJoining, weighFindings } from './joined-findings.ts'
import { type Finding, review } from './review.ts'

const finding = (severity: Finding['severity'], by: string, title: string, confidence?: number): Finding => ({
  severity,
  by,
  title,
  ...(confidence === undefined ? {} : { confidence }),
})
const findings = [
  finding('MAJOR', 'security-analyst', 'Anybody may read it', 85),
  finding('MINOR', 'security-analyst', 'A name'),
  finding('CRITICAL', 'simplicity-reviewer', 'No check of rights', 81),
  finding('MAJOR', 'simplicity-reviewer', 'Two parsers'),
]

describe('[RV6] the same point of several reviewers', () => {
  it('[RV6] is one finding: the gravest, with everybody who found it and the highest confidence', () => {
    expect(joinFindings(findings, [['f1', 'f3']])).toEqual([
      { ...findings[2], confidence: 85, by: 'security-analyst, simplicity-reviewer' },
      findings[1],
      findings[3],
    ])
    expect(joinFindings(findings, [['f4'], []])).toEqual(findings)
  })

  it('[RV6] is looked for only if two reviewers found something grave', () => {
    expect(needsJoining(findings)).toBe(true)
    expect(needsJoining(findings.slice(0, 2))).toBe(false)
    expect(needsJoining([findings[1]!, findings[3]!])).toBe(false)
  })

  it('[RV6] is not looked for among findings about different files in different words', () => {
    const about = (by: string, title: string, detail: string) => ({ ...finding('MAJOR', by, title), detail })
    const one = about('a', 'No check of rights', 'src/users.ts:12 answers anybody')
    expect(needsJoining([one, about('b', 'Two parsers', 'src/read.ts and lib/parse.ts read dates')])).toBe(false)
    expect(needsJoining([one, about('b', 'Two parsers', 'users.ts:40 has its own')])).toBe(true)
    expect(needsJoining([one, about('b', 'Rights without a check', 'src/read.ts')])).toBe(true)
    expect(needsJoining([one, about('b', 'Anybody may read it', 'every row')])).toBe(true)
  })

  it('[RV6] groups that name unknown findings, or one twice, are faults', () => {
    expect(groupFaults([['f1', 'f3']], findings)).toEqual([])
    expect(groupFaults([['f1', 'f9'], ['f1']], findings)).toEqual(['there is no f9', 'f1 is in two groups'])
  })
})

describe('[RV4] weighing challenge against defence', () => {
  it('[RV4] lowers, raises or dismisses a finding with a reason, and drops nothing', () => {
    const weighed = weighFindings(findings, [
      { id: 'f1', severity: 'NONE', reason: 'the server checks it' },
      { id: 'f3', severity: 'MAJOR', reason: 'only inside the network' },
      { id: 'f4', severity: 'NONE', reason: ' ' },
    ])
    expect(weighed).toEqual([
      { ...findings[0], dismissed: 'the server checks it' },
      findings[1],
      { ...findings[2], severity: 'MAJOR', rated: 'CRITICAL', weighed: 'only inside the network' },
      findings[3],
    ])
    const verdict = review(weighed)
    expect(verdict.outcome).toBe('pass_with_risk')
    expect(verdict.advisory).toEqual([weighed[0]])
    expect(verdict.carried).toEqual([weighed[2], weighed[3]])
  })
})
