import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyRule } from '../schema/rule.ts'
import { type DuplicateDecision, dispatchStep, preparedAnswer, rule } from './duplicate.ts'

const work = { subject: 'feat(auth): Implement issue #1' }

function decide(input: Record<string, unknown>) {
  const ruling = applyRule(rule, { issue: 1, feature: 'auth', commits: [], ...input })
  if (!ruling.ok) throw new Error(ruling.error.message)
  return ruling.output
}

const kinds = ({ evidence }: DuplicateDecision) => evidence.map(({ kind }) => kind)

describe('is it implemented already', () => {
  it('[DU1] no, where nothing is found', () => {
    expect(decide({})).toEqual({ implemented: false, suspected: false, evidence: [] })
    expect(decide({ tests: { exist: false, pass: false }, files: { exist: false } })).toEqual(decide({}))
  })

  it('[DU1] yes by a commit, of this issue and feature only', () => {
    const decision = decide({ commits: [{ subject: 'Other' }, work] })
    expect(decision).toMatchObject({ implemented: true, suspected: false, evidence: [{ kind: 'commit' }] })
    expect(decision.evidence[0]!.detail).toContain(work.subject)
    expect(decide({ commits: [{ subject: 'feat(auth): Implement issue #12' }] }).implemented).toBe(false)
    expect(decide({ feature: 'a.th', commits: [work] }).implemented).toBe(false)
    expect(decide({ commits: [{ subject: 'Login', body: 'Convene-Issue: auth#1' }] }).implemented).toBe(true)
  })

  it('[DU1] not by a commit that was reverted, in the list or as the caller knows', () => {
    expect(decide({ commits: [{ ...work, reverted: true }] }).implemented).toBe(false)
    expect(decide({ commits: [{ subject: `Revert "${work.subject}"` }, work] }).implemented).toBe(false)
    expect(decide({ commits: [work, { subject: `Revert "${work.subject}"` }, work] }).implemented).toBe(true)
    expect(decide({ commits: [{ ...work, reverted: true }, work] }).implemented).toBe(true)
  })

  it('[DU1] yes by tests that exist and pass', () => {
    expect(decide({ tests: { exist: true, pass: true } })).toMatchObject({
      implemented: true,
      evidence: [{ kind: 'tests' }],
    })
    expect(decide({ tests: { exist: false, pass: true } }).implemented).toBe(false)
    expect(decide({ tests: { exist: true, pass: false } })).toEqual({
      implemented: false,
      suspected: false,
      evidence: [],
    })
  })

  it('[DU1] a file alone is only a suspicion, also beside failing tests', () => {
    for (const tests of [undefined, { exist: true, pass: false }]) {
      const decision = decide({ files: { exist: true }, ...(tests ? { tests } : {}) })
      expect(decision).toMatchObject({ implemented: false, suspected: true })
      expect(kinds(decision)).toEqual(['file'])
    }
  })

  it.each([
    ['absent', false, true],
    ['failed', false, true],
    ['passed', false, false],
    ['unknown', false, false],
    ['passed', true, true],
    ['unknown', true, true],
  ] as const)(
    '[DU1] tests that pass now and were %s at greenlight (carrying the criteria: %s) prove it: %s',
    (at_greenlight, carry_criteria, implemented) => {
      const decision = decide({ tests: { exist: true, pass: true, at_greenlight, carry_criteria } })
      expect(decision).toMatchObject({ implemented, suspected: false })
    },
  )

  it('[DU1] files and tests that were there at greenlight are no sign at all', () => {
    const tests = { exist: true, pass: true, at_greenlight: 'passed' }
    for (const at_greenlight of ['present', 'unknown'])
      expect(decide({ tests, files: { exist: true, at_greenlight } })).toEqual(decide({}))
    const ruling = applyRule(rule, {
      issue: 1,
      feature: 'auth',
      commits: [],
      tests,
      files: { exist: true, at_greenlight: 'present' },
    })
    expect(ruling.ok && ruling.explanation()).toContain('not counted: its tests passed at greenlight already')
    expect(ruling.ok && ruling.explanation()).toContain('not counted: its file existed at greenlight already')
  })

  it('[DU1] names the files it found', () => {
    const { evidence } = decide({
      tests: { exist: true, pass: true, path: 'test/a.js', at_greenlight: 'failed' },
      files: { exist: true, path: 'src/a.js' },
    })
    expect(evidence.map(({ detail }) => detail)).toEqual([
      'the tests of auth#1, test/a.js, exist and pass, and failed at greenlight',
      'the implementation file of auth#1, src/a.js, exists',
    ])
  })

  it('[DU1] the strongest evidence comes first', () => {
    const all = decide({ commits: [work, work], tests: { exist: true, pass: true }, files: { exist: true } })
    expect(kinds(all)).toEqual(['commit', 'tests', 'file'])
    expect(all).toMatchObject({ implemented: true, suspected: false })
  })

  it('[DU1] invalid input is refused with its path', () => {
    const refusal = (value: unknown) => {
      const ruling = applyRule(rule, value)
      return ruling.ok ? null : ruling.error.path
    }
    expect(refusal({ issue: 1, feature: 'auth', commits: [{ subject: 1 }] })).toBe('commits.0.subject')
    expect(refusal({ issue: 'one', feature: 'auth', commits: [] })).toBe('issue')
    expect(refusal({ issue: 1, feature: '', commits: [] })).toBe('feature')
    expect(refusal({ issue: 1, feature: 'auth' })).toBe('commits')
    expect(refusal({ issue: 1, feature: 'auth', commits: [], tests: { exist: 'yes', pass: true } })).toBe('tests.exist')
    expect(refusal({ issue: 1, feature: 'auth', commits: [], limits: { any: 1 } })).toBe('limits')
  })

  it('[DU1] nothing the schema accepts makes it throw, and it never both knows and suspects', () => {
    const piece = fc.constantFrom(
      'Revert "',
      '"',
      'Reapply "',
      work.subject,
      'This reverts commit abcd',
      '\n\n',
      '* ',
      'Convene-Issue: auth#1',
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(piece).map((pieces) => pieces.join('')),
    )
    const commit = fc.record(
      { subject: text, body: text, hash: fc.constantFrom('abcd', 'abcdef', ''), reverted: fc.boolean() },
      { requiredKeys: ['subject'] },
    )
    const flags = fc.record({ exist: fc.boolean(), pass: fc.boolean() })
    fc.assert(
      fc.property(fc.array(commit), flags, flags, (commits, tests, files) => {
        const ruling = applyRule(rule, { issue: 1, feature: 'auth', commits, tests, files })
        if (!ruling.ok) throw new Error(ruling.error.message)
        expect(ruling.output.implemented && ruling.output.suspected).toBe(false)
        expect(ruling.explanation()).toContain('[DU1]')
      }),
    )
  })

  it('[DU1] explains what it found and what it did not count', () => {
    const ruling = applyRule(rule, {
      issue: 1,
      feature: 'auth',
      commits: [
        { ...work, reverted: true },
        { ...work, reachable: false },
      ],
      tests: { exist: true, pass: false },
      files: { exist: true },
    })
    const text = ruling.ok ? ruling.explanation() : ''
    expect(text).toContain('auth#1 may be implemented')
    expect(text).toContain('not counted: its commit was reverted [SY1]')
    expect(text).toContain('1 commit(s) on other branches')
    expect(text).toContain('its tests exist and do not pass')
  })
})

describe('before work starts', () => {
  const clear = decide({})
  const found = decide({ commits: [work] })
  const suspected = decide({ files: { exist: true } })

  it('[DU2] both checks come first, the second under the claim', () => {
    expect(dispatchStep({})).toBe('check')
    expect(dispatchStep({ before: clear })).toBe('lock-and-check')
    expect(dispatchStep({ before: clear, underLock: clear })).toBe('implement')
  })

  it('[DU2] what either finds done is not done again', () => {
    expect(dispatchStep({ before: found })).toBe('done')
    expect(dispatchStep({ before: clear, underLock: found })).toBe('done')
    expect(dispatchStep({ before: suspected, underLock: found, answer: 'implement' })).toBe('done')
  })

  it('[DU2] a suspicion leads to a question, and the answer is checked again under the claim', () => {
    expect(dispatchStep({ before: suspected })).toBe('ask')
    expect(dispatchStep({ before: clear, underLock: suspected })).toBe('ask')
    expect(dispatchStep({ before: suspected, answer: 'done' })).toBe('done')
    expect(dispatchStep({ before: suspected, answer: 'implement' })).toBe('lock-and-check')
    expect(dispatchStep({ before: suspected, underLock: suspected, answer: 'implement' })).toBe('implement')
  })

  it('[DU2] answers given with the command decide a suspicion, and --yes alone builds', () => {
    const question = 'Issue #1 of auth may be implemented already: src/a.js exists'
    const answers = [{ match: 'SRC/A.JS', answer: ' Done ' }]
    expect(preparedAnswer(question, {})).toBeNull()
    expect(preparedAnswer(question, { yes: true })).toEqual({ answer: 'implement', by: '--yes' })
    expect(preparedAnswer(question, { answers, yes: true })).toEqual({ answer: 'done', by: 'answers file' })
    expect(preparedAnswer(question, { answers: [{ match: 'other', answer: 'done' }] })).toBeNull()
    expect(preparedAnswer(question, { answers: [{ match: 'src', answer: 'perhaps' }] })).toBeNull()
  })
})
