import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAcceptanceCriteria } from './acceptance-criteria.ts'

const texts = (body: string) => parseAcceptanceCriteria(body).map(({ text }) => text)

describe('acceptance criteria', () => {
  it('are the list under their heading, numbered c1 onwards', () => {
    const body = '# Login\n- not this\n\n## Acceptance Criteria\n\n- one\n* two\n1. three\n\n## Notes\n- nor this'
    expect(parseAcceptanceCriteria(body)).toEqual([
      { id: 'c1', text: 'one' },
      { id: 'c2', text: 'two' },
      { id: 'c3', text: 'three' },
    ])
  })

  it.each([
    '**Acceptance criteria**',
    'Acceptance criteria:',
    '**Acceptance criteria:**',
    '###### Definition of done ##',
  ])('are found under %s', (heading) =>
    expect(texts(`Text\n\n${heading}\n- one\n- [x] two\r\n`)).toEqual(['one', 'two']),
  )

  it('a lower heading stays inside the section, the next one of the same level ends it', () => {
    expect(texts('## Acceptance criteria\n### Happy\n- a\n### Sad\n- b\n## Other\n- c')).toEqual(['a', 'b'])
  })

  it('without such a heading they are all task items', () => {
    expect(texts('Intro\n- plain\n- [ ] one\n  - [x] two\n\n## More\n1. [ ] three')).toEqual(['one', 'two', 'three'])
  })

  it('are the task items if the section has only prose', () => {
    expect(texts('## Acceptance criteria\nsee below\n## Tasks\n- [ ] a')).toEqual(['a'])
  })

  it('what is indented below an item belongs to it', () => {
    expect(texts('## Acceptance criteria\n- one\n  goes on\n  - detail\n- two\n\nprose')).toEqual([
      'one goes on detail',
      'two',
    ])
  })

  it('ignores code and hidden text', () => {
    expect(texts('```\n- [ ] code\n```\n<!--\n- [ ] hidden\n-->\n~~~~\n~~~\n- [ ] code\n~~~~\n- [ ] real')).toEqual([
      'real',
    ])
  })

  it('returns none if there are none', () => {
    expect(parseAcceptanceCriteria('')).toEqual([])
    expect(parseAcceptanceCriteria('## Acceptance criteria\n\n- [ ] \n-\n')).toEqual([])
  })

  it('accepts any text, with ids in order', () => {
    const piece = fc.constantFrom(
      '- [ ] x',
      '- ',
      '## Acceptance criteria',
      '```',
      '\n',
      '  ',
      '<!--',
      '\t- y',
      '**a**',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary-ascii' }),
          fc.array(piece).map((all) => all.join('\n')),
        ),
        (body) => {
          const found = parseAcceptanceCriteria(body)
          expect(found.map(({ id }) => id)).toEqual(found.map((_, index) => `c${index + 1}`))
          expect(found.every(({ text }) => text.trim() !== '')).toBe(true)
        },
      ),
    )
  })
})
