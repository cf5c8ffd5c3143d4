import { describe, expect, it } from 'vitest'
import { cardsOf } from './phase-card.ts'
import * as make from './plan.fixture.ts'

const cards = (...facts: make.Fact[]) =>
  Object.fromEntries(cardsOf(make.viewOf(make.started(), ...facts), false).map((card) => [card.id, card]))

const judges = ['judge-neutral', 'judge-advocate', 'judge-sceptic']

describe('the board', () => {
  it('has all eleven phases, those that the mode leaves out among them', () => {
    const board = cards(make.begun('1'), make.ended('1'), make.begun('2', ['a', 'b']))
    expect(Object.keys(board)).toHaveLength(11)
    expect(board['5']).toMatchObject({ state: 'left-out', words: 'skipped in this mode' })
    expect(board['1']).toMatchObject({ state: 'done', tone: 'ok', words: 'done' })
    expect(board['2']).toMatchObject({ state: 'working', tone: 'live', team: '2 independent' })
    expect(board['9']).toMatchObject({ state: 'to-come', words: 'pending' })
  })

  it('never shows as whole what somebody is missing from', () => {
    const facts = [make.begun('6', judges), ...judges.slice(1).map((judge) => make.voted('6', judge, 8))]
    const ended = [make.tallied('6', 'GREEN', 2), make.ended('6', { flags: ['degraded'], answered: '2 of 3' })]
    const card = cards(...facts, make.missed('6', judges[0]!), ...ended)['6']!
    expect(card).toMatchObject({ state: 'degraded', tone: 'warn', team: 'panel of 3' })
    expect(card.words).toBe('degraded · GREEN 80 % · 2 of 3 answered')
    expect(cards(make.begun('2', ['a', 'b']), make.missed('2', 'b'))['2']!.words).toBe('working · 1 of 2 missing')
  })

  it('does not make a passable score green', () => {
    const facts = [
      make.begun('6', judges),
      make.tallied('6', 'YELLOW', 3),
      make.ended('6', { flags: ['rubric_yellow'] }),
    ]
    expect(cards(...facts)['6']).toMatchObject({ tone: 'warn', words: 'YELLOW 80 %' })
  })

  it('shows how many contradictions are open', () => {
    const end = (end: string) => ({ matter: 'm', first: side, second: side, end, how: '' })
    const side = { where: 'design.md', says: 'x' }
    const facts = (...ends: object[]): make.Fact[] => [
      make.begun('9'),
      { type: 'contradictions.settled', data: { phase: '9', ends } },
      make.ended('9'),
    ]
    expect(cards(...facts(end('repaired'), end('open')))['9']).toMatchObject({
      tone: 'warn',
      words: '1 contradiction open',
    })
    expect(cards(...facts(end('repaired')))['9']).toMatchObject({ tone: 'ok', words: 'done' })
  })

  it('shows what was sent back as to be done again, and counts the passes', () => {
    const sent = [make.begun('4', ['a']), make.ended('4'), make.returned('6', '4', ['4'])]
    expect(cards(...sent)['4']).toMatchObject({ state: 'to-come', tone: 'warn', words: 'will be redone' })
    expect(cards(...sent, make.begun('4', ['a'], 2))['4']).toMatchObject({ state: 'working', pass: 2 })
  })

  it('says which phases run at the same time', () => {
    const view = make.viewOf(make.started([['1'], ['8', '8b'], ['9']]))
    expect(cardsOf(view, false).find(({ id }) => id === '8')!.beside).toEqual(['8b'])
  })

  it('does not let anything move once the plan is over', () => {
    const view = make.viewOf(make.started(), make.begun('2', ['a']))
    const states = cardsOf(view, true).map(({ tone, words }) => `${tone} ${words}`)
    expect(states).toContain('plain not finished')
    expect(states.some((state) => state.startsWith('live'))).toBe(false)
  })
})
