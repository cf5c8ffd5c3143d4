import { describe, expect, it } from 'vitest'
import {
  type Amendment,
  amendmentFaults,
  changedRisks,
  countAmendment,
  dissentsToAmend,
  findingsToAmend,
  numberPoints,
  pointsForPerson,
  sameEnds,
} from './amendment.ts'

const points = numberPoints([
  { by: 'security-analyst', text: 'Anybody may read it', severity: 'MAJOR' },
  { by: 'judge-sceptic', text: 'The order is wrong', severity: 'MAJOR' },
])
const answer = (id: string, settled = true) => ({ id, settled, how: `how ${id.slice(1)}` })
const change = { file: 'design.md', summary: 'Checked.', sections: [{ heading: 'Approach', text: 'Check first.' }] }
const amendment = (values: Partial<Amendment> = {}): Amendment => ({
  points: [answer('a1'), answer('a2')],
  documents: [change],
  ...values,
})

describe('[RV4] what goes to the architect', () => {
  it('[RV4] carried findings go there, except those that the person overrode', () => {
    const [critical, major] = [{ severity: 'CRITICAL' as const }, { severity: 'MAJOR' as const }]
    expect(findingsToAmend([critical, major], [critical])).toEqual([major])
    expect(findingsToAmend([major])).toEqual([major])
  })

  it('[RV4] dissents go there after YELLOW only', () => {
    const dissents = [{ member: 'judge-sceptic', text: 'too large' }]
    expect(dissentsToAmend({ outcome: 'YELLOW', dissents })).toEqual(dissents)
    for (const outcome of ['GREEN', 'RED', null, undefined]) expect(dissentsToAmend({ outcome, dissents })).toEqual([])
    expect(dissentsToAmend({ outcome: 'YELLOW', dissents: null })).toEqual([])
  })
})

describe('[RV4] what an amendment must be', () => {
  it('[RV4] every point is answered once, and only the given documents change', () => {
    expect(amendmentFaults(amendment(), points, ['design.md'])).toEqual([])
    const wrong = amendment({
      points: [answer('a1'), answer('a1'), answer('a7')],
      documents: [{ ...change, file: 'spec.md' }],
    })
    expect(amendmentFaults(wrong, points, ['design.md', 'test-plan.md'])).toEqual([
      'a2 is not answered',
      'a1 is answered twice',
      'there is no a7',
      'spec.md may not be changed, only design.md, test-plan.md',
    ])
  })

  it('[RV4] [PH3] a question exists only where two options are held by somebody', () => {
    const option = (choice: string, more: object = {}) => ({ choice, follows: '', decision: choice, ...more })
    const asking = (...options: ReturnType<typeof option>[]) =>
      amendment({ points: [{ ...answer('a1', false), question: { text: 'Which way?', options } }, answer('a2')] })
    const open = [{ point: points[0]!, why: '' }]
    const unheld = asking(option('left', { as_designed: true }), option('right'))
    expect(amendmentFaults(unheld, points, ['design.md'])).toEqual([
      'the question of a1 needs two options that exclude each other, and who holds each',
    ])
    expect(pointsForPerson(unheld, open, [])).toEqual([])
    const held = asking(option('left', { as_designed: true }), option('right', { held_by: ['judge-sceptic'] }))
    expect(amendmentFaults(held, points, ['design.md'])).toEqual([])
    expect(pointsForPerson(held, open, [])).toMatchObject([{ points: [{ id: 'a1' }] }])
  })

  it('[RV4] an agent does not write the sections that Convene writes', () => {
    const sections = [{ heading: '## decisions', text: '- **D4-9**: mine' }]
    expect(amendmentFaults(amendment({ documents: [{ ...change, sections }] }), points, ['design.md'])).toEqual([
      'the section Decisions is written by Convene: list its items in the reply instead',
    ])
  })
})

describe('[RV4] what an amendment settles', () => {
  it('[RV4] a point that is not settled stays open with its reason', () => {
    const { settled, open } = countAmendment(amendment({ points: [answer('a1'), answer('a2', false)] }), points, 0)
    expect(settled.map(({ point }) => point.id)).toEqual(['a1'])
    expect(open).toEqual([{ point: points[1], why: 'how 2' }])
  })

  it('[RV4] names another point by its words, not by a number that people have not seen', () => {
    const given = amendment({ points: [answer('a1'), { id: 'a2', settled: true, how: 'same as a1, not a9 or `a1`' }] })
    expect(countAmendment(given, points, 0).settled[1]!.how).toBe('same as “Anybody may read it”, not a9 or `a1`')
  })

  it('[RV4] a claim without a change or a decision settles nothing', () => {
    const empty = amendment({ documents: [] })
    expect(countAmendment(empty, points, 0).open.map(({ why }) => why)).toEqual([
      'called settled without a change: how 1',
      'called settled without a change: how 2',
    ])
    expect(countAmendment(empty, points, 1).open).toEqual([])
  })

  it('[RV4] without a reply every point stays open', () => {
    expect(countAmendment(null, points, 0).open).toHaveLength(2)
    expect(countAmendment(amendment({ points: [answer('a1')] }), points, 0).open).toHaveLength(1)
  })
})

describe('[RV4] a matter that is decided', () => {
  const option = (choice: string, decision: string) => ({ choice, follows: '', decision, held_by: ['somebody'] })
  const question = {
    text: 'Who may read it?',
    options: [option('all', 'Everybody reads it.'), option('staff', 'Only staff reads it.')],
  }
  const said = [
    { id: 'P2-1', decision: 'From now on only staff reads it.', confidence: 'HIGH' as const, answer: 'staff' },
  ]
  const ends = (first: object, persons = said) =>
    countAmendment(amendment({ points: [{ ...answer('a1', false), ...first }, answer('a2')] }), points, 0, persons)

  it('[RV4] by the person before is decided, whether the reply says so or asks for it in the same words again', () => {
    for (const first of [{ settled_by: 'P2-1' }, { question }])
      expect(ends(first)).toMatchObject({ open: [], decided: [{ point: { id: 'a1' }, how: 'staff (P2-1)' }] })
    expect(ends({ settled_by: 'P9-9' }).open).toMatchObject([{ point: { id: 'a1' } }])
    // What the agents decided is not the person's word.
    expect(ends({ settled_by: 'D2-1' }, [{ ...said[0]!, id: 'D2-1' }]).open).toHaveLength(1)
  })

  it('[RV4] ends all points that are the same: settled, decided or put to the person by one question', () => {
    const same = { ...answer('a2', false), how: 'the same matter', same_as: 'a1' }
    const both = (first: object) => amendment({ points: [{ ...answer('a1', false), ...first }, same] })
    expect(countAmendment(both({ settled: true }), points, 0).settled).toMatchObject([
      { how: 'how 1' },
      { how: 'how 1' },
    ])
    expect(countAmendment(both({ settled_by: 'P2-1' }), points, 0, said).decided).toHaveLength(2)
    const { open } = countAmendment(both({ question }), points, 0)
    expect(pointsForPerson(both({ question }), open, [])).toMatchObject([{ points: [{ id: 'a1' }, { id: 'a2' }] }])
    expect(amendmentFaults(both({ same_as: 'a7' }), points, ['design.md'])).toEqual([
      'a1 is the same as a7, which is no other point',
    ])
    // In a circle each point stands for itself.
    expect(countAmendment(both({ same_as: 'a2' }), points, 0).open).toHaveLength(2)
  })

  it('[RV4] lists points that one answer ends once; points that nobody answered are not the same', () => {
    const same = { ...answer('a2', false), same_as: 'a1' }
    const { settled } = countAmendment(amendment({ points: [answer('a1'), same] }), points, 0)
    const ids = (ends: (typeof settled)[]) => ends.map((all) => all.map(({ point }) => point.id))
    expect(ids(sameEnds(settled, ({ how }) => how))).toEqual([['a1', 'a2']])
    expect(sameEnds(countAmendment(null, points, 0).open, ({ why }) => why)).toHaveLength(2)
  })

  it('[RV5] a point about documents keeps its own end: what contradicts each other is decided by the comparison', () => {
    const [first, second] = [{ ...points[0]!, places: ['design.md', 'D4-1'] }, points[1]!]
    const reply = amendment({
      points: [
        { ...answer('a1', false), settled_by: 'P2-1', question },
        { ...answer('a2', false), same_as: 'a1' },
      ],
    })
    const { open } = countAmendment(reply, [first, second], 0, said)
    expect(open).toHaveLength(2)
    expect(pointsForPerson(reply, open, [])).toEqual([])
  })
})

describe('[RV4] a point about documents', () => {
  it('[RV4] is not settled by a change to another document', () => {
    const [point] = numberPoints([
      { by: 'check', text: 'How?', severity: 'MAJOR', places: ['spec.md', 'design.md § 2'] },
    ])
    const reply = (file: string) => amendment({ points: [answer('a1')], documents: [{ ...change, file }] })
    const outcome = (file: string, decided = 0) => countAmendment(reply(file), [point!], decided).settled.length
    expect(outcome('test-plan.md')).toBe(0)
    expect(outcome('design.md')).toBe(1)
    expect(outcome('test-plan.md', 1)).toBe(1)
    // A side without a document of its own can be settled anywhere.
    const other = { ...point!, places: ['spec.md', 'D4-1'] }
    expect(countAmendment(reply('test-plan.md'), [other], 0).settled).toHaveLength(1)
  })
})

describe('[RV4] risks of an amendment', () => {
  it('[RV4] with the id of an earlier risk say how it reads now; unchanged ones are no change', () => {
    const earlier = [
      { id: 'R4-1', risk: 'Files may be huge', severity: 'MAJOR', mitigation: 'read them whole' },
      { id: 'R4-2', risk: 'No index', severity: 'MINOR' },
    ]
    const streamed = { ...earlier[0]!, mitigation: 'read them by line' }
    const fresh = { id: 'R6b-1', risk: 'Slow', severity: 'MINOR' }
    expect(changedRisks([streamed, earlier[1]!, fresh], earlier)).toEqual({ changed: [streamed], added: [fresh] })
  })
})
