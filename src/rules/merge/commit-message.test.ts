import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { issueInSubject, issuesInTrailers, issuesMentioned, revertLayers, trailersOf } from './commit-message.ts'
import { unsquash } from './squash-message.ts'

describe('subjects', () => {
  it('[SY1] name an issue, with text after the number or without', () => {
    expect(issueInSubject('auth', 'feat(auth): Implement issue #1')).toBe(1)
    expect(issueInSubject('auth', 'feat(auth): Implement issue #12 (#34)')).toBe(12)
    expect(issueInSubject('auth', 'feat(auth): Implement issue #1: log in')).toBe(1)
  })

  it('[SY1] the number has a boundary', () => {
    expect(issueInSubject('auth', 'feat(auth): Implement issue #12')).not.toBe(1)
    for (const tail of ['1a', '1_2', '1é', '01', '', 'one']) {
      expect(issueInSubject('auth', `feat(auth): Implement issue #${tail}`)).toBeNull()
    }
  })

  it('[SY1] the whole subject is compared, with case', () => {
    for (const subject of [
      'Merge: feat(auth): Implement issue #1',
      'fixup! feat(auth): Implement issue #1',
      'feat(auth): implement issue #1',
      'feat(Auth): Implement issue #1',
      'feat(auth2): Implement issue #1',
      'feat: Implement issue #1',
      'fix(auth): Implement issue #1',
    ]) {
      expect(issueInSubject('auth', subject)).toBeNull()
    }
  })

  it('[SY1] a feature name is text, not a pattern', () => {
    expect(issueInSubject('a.b', 'feat(axb): Implement issue #1')).toBeNull()
    for (const feature of ['a.b', 'c++', 'x(y)', '[z]', '$^', 'a|b', 'c#', '\\d']) {
      expect(issueInSubject(feature, `feat(${feature}): Implement issue #1`)).toBe(1)
      expect(issuesInTrailers(feature, `Convene-Issue: ${feature}#1`)).toEqual([1])
    }
  })
})

describe('trailers', () => {
  const body = (...paragraphs: string[]) => paragraphs.join('\n\n')

  it('[SY1] stand in the last paragraph', () => {
    expect(issuesInTrailers('auth', body('Adds login.', 'Convene-Run: r1\nConvene-Issue: auth#3'))).toEqual([3])
    expect(issuesInTrailers('auth', 'Convene-Issue: auth#3\n\n')).toEqual([3])
    expect(issuesInTrailers('auth', 'text\r\n\r\nConvene-Issue: auth#3\r\n')).toEqual([3])
    expect(issuesInTrailers('auth', 'Convene-Issue: auth#3\nConvene-Issue: auth#4')).toEqual([3, 4])
  })

  it('[SY1] are not what running text mentions', () => {
    expect(issuesInTrailers('auth', 'This prepares Convene-Issue: auth#3')).toEqual([])
    expect(issuesInTrailers('auth', body('Convene-Issue: auth#3', 'More text.'))).toEqual([])
    expect(issuesInTrailers('auth', 'We look for\nConvene-Issue: auth#3\nin the log.')).toEqual([])
    expect(issuesInTrailers('auth', '')).toEqual([])
  })

  it('[SY1] may have other lines between them where git wrote one of them', () => {
    const picked = 'Convene-Issue: auth#3\n(cherry picked from commit 0123456789abcdef)'
    expect(issuesInTrailers('auth', body('text', picked))).toEqual([3])
    expect(issuesInTrailers('auth', body('text', 'Convene-Issue: auth#3\n[adapted]\nSigned-off-by: A <a@b>'))).toEqual([
      3,
    ])
    expect(trailersOf('one\ntwo\nthree\nfour\nSigned-off-by: A <a@b>')).toEqual([])
  })

  it('[SY1] have keys without case and values with it, and go on in lines set in', () => {
    expect(issuesInTrailers('auth', 'convene-issue: auth#3')).toEqual([3])
    expect(issuesInTrailers('auth', 'Convene-Issue : auth#3')).toEqual([3])
    expect(issuesInTrailers('auth', 'Convene-Issue: Auth#3')).toEqual([])
    expect(trailersOf('Convene-Criteria: c1\n  c2')).toEqual([{ key: 'Convene-Criteria', value: 'c1 c2' }])
  })

  it('[SY1] name one issue of one feature', () => {
    for (const value of [
      'auth#3x',
      'auth#3 and more',
      'auth#',
      'auth',
      '#3',
      'my-auth#3',
      'auth#1, auth#3',
      'auth#03',
    ]) {
      expect(issuesInTrailers('auth', `Convene-Issue: ${value}`)).toEqual([])
    }
  })
})

describe('reverts', () => {
  it('[SY1] nest, and each turns the last round', () => {
    const base = 'feat(auth): Implement issue #1'
    expect(revertLayers(base)).toEqual({ base, flips: 0 })
    expect(revertLayers(`Revert "${base}"`)).toEqual({ base, flips: 1 })
    expect(revertLayers(`Revert "Revert "${base}""`)).toEqual({ base, flips: 2 })
    expect(revertLayers(`Revert "Revert \\"${base}\\""`)).toEqual({ base, flips: 2 })
    expect(revertLayers(`Reapply "${base}"`)).toEqual({ base, flips: 2 })
    expect(revertLayers(`Revert "Reapply "${base}""`)).toEqual({ base, flips: 3 })
    expect(revertLayers(`revert: ${base}`)).toEqual({ base, flips: 1 })
  })

  it('[SY1] may have text after the quote, and quotes inside', () => {
    expect(revertLayers('Revert "Add login (#34)" (#35)')).toEqual({ base: 'Add login (#34)', flips: 1 })
    expect(revertLayers('Revert "Say "hello""')).toEqual({ base: 'Say "hello"', flips: 1 })
  })

  it('[SY1] are not what only begins like one', () => {
    for (const subject of ['Revert "half a quote', 'Reverting to the old way', 'Revert the login', 'Revert']) {
      expect(revertLayers(subject)).toEqual({ base: subject, flips: 0 })
    }
  })

  it('[SY1] quoted subjects are found in text, with the boundary', () => {
    const text = 'Undoes "feat(auth): Implement issue #1" and feat(auth): Implement issue #23.'
    expect(issuesMentioned('auth', text)).toEqual([1, 23])
  })

  it('[SY1] any text can be read, and a trailer after any text is found', () => {
    const feature = fc.string({ minLength: 1 }).filter((name) => !/^\s|[\r\n]/.test(name))
    fc.assert(
      fc.property(fc.string(), fc.string(), feature, (subject, body, name) => {
        expect(revertLayers(subject).flips).toBeGreaterThanOrEqual(0)
        expect(issuesInTrailers(name, body).every(Number.isSafeInteger)).toBe(true)
        expect(issuesInTrailers(name, `${body}\n\nConvene-Issue: ${name}#5`)).toEqual([5])
      }),
    )
  })

  it('[SY1] a subject nested a hundred thousand times is read at once', () => {
    const depth = 100_000
    const subject = `${'Revert "'.repeat(depth)}x${'"'.repeat(depth)}`
    expect(revertLayers(subject)).toEqual({ base: 'x', flips: depth })
  })
})

describe('squashed messages', () => {
  it('[SY1] ordinary bodies are their own', () => {
    const list = 'Adds:\n\n* login\n* logout\n\nConvene-Issue: auth#1'
    expect(unsquash('feat: login', list)).toEqual({ own: list, inside: [] })
    const single = '* one bullet\n\nConvene-Issue: auth#1'
    expect(unsquash('feat: login', single)).toEqual({ own: single, inside: [] })
  })

  it('[SY1] git lists what it squashed, newest first', () => {
    const body = [
      'commit 2222222222222222222222222222222222222222',
      'Author: A <a@b>',
      'Date:   now',
      '',
      '    second',
      '',
      '    Convene-Issue: auth#2',
      '',
      'commit 1111111111111111111111111111111111111111',
      'Author: A <a@b>',
      'Date:   now',
      '',
      '    first',
    ].join('\n')
    const { inside } = unsquash('Squashed commit of the following:', body)
    expect(inside.map(({ subject }) => subject)).toEqual(['second', 'first'])
    expect(inside[0]!.hash).toBe('2'.repeat(40))
    expect(issuesInTrailers('auth', inside[0]!.body)).toEqual([2])
    expect(unsquash('Login', `Our words.\n\nSquashed commit of the following:\n\n${body}`)).toMatchObject({
      own: 'Our words.\n',
      inside,
    })
  })

  it('[SY1] a forge lists it as bullets, oldest first, co-authors at the end', () => {
    const body = '* first\n\nConvene-Issue: auth#1\n\n* second\n\ntext\n\n---------\n\nCo-authored-by: B <b@c>'
    const { own, inside } = unsquash('Login (#3)', body)
    expect(inside.map((message) => issuesInTrailers('auth', message.body))).toEqual([[], [1]])
    expect(trailersOf(own)).toEqual([{ key: 'Co-authored-by', value: 'B <b@c>' }])
  })
})
