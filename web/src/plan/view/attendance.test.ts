import { describe, expect, it } from 'vitest'
import { absenteesOf, attendanceOf, shortfallsOf } from './attendance.ts'
import * as make from './plan.fixture.ts'

const cast = ['one', 'two', 'three']
const research = (...facts: make.Fact[]) => {
  const view = make.viewOf(make.started(), make.begun('2', cast), ...facts)
  return { view, phase: view.phases.find(({ id }) => id === '2')! }
}

describe('who was meant to speak and did', () => {
  it('is counted while a phase is at work, and as its summary says afterwards', () => {
    const { view, phase } = research(make.said('2', 'one'), make.missed('2', 'three'))
    expect(attendanceOf(phase, view.reviews)).toEqual({ answered: 2, expected: 3 })
    const after = research(make.missed('2', 'three'), make.ended('2', { flags: ['degraded'], answered: '1 of 3' }))
    expect(attendanceOf(after.phase, [])).toEqual({ answered: 1, expected: 3 })
    expect(attendanceOf(research(make.said('2', 'one')).phase, [])).toBeNull()
  })

  it('does not count whoever only joins what the others said', () => {
    const view = make.viewOf(make.started(), make.begun('6b', ['a', 'b', 'coordinator']), make.missed('6b', 'b'))
    expect(attendanceOf(view.phases.find(({ id }) => id === '6b')!, [])).toEqual({ answered: 1, expected: 2 })
  })

  it('takes somebody who answered when asked again as present', () => {
    const { phase } = research(
      make.missed('2', 'one'),
      make.said('2', 'one'),
      make.missed('2', 'two'),
      make.missed('2', 'two'),
    )
    expect(absenteesOf(phase).map(({ role }) => role)).toEqual(['two'])
  })

  it('names the round that somebody is missing from who spoke in another', () => {
    const { phase, view } = research(make.said('2', 'one'), make.missed('2', 'one', 2))
    expect(absenteesOf(phase)).toMatchObject([{ role: 'one', round: 2, spokeElsewhere: true }])
    expect(shortfallsOf(view)).toEqual([{ phase: '2', words: ['one is missing from round 2'] }])
  })
})

describe('what is not as it should be', () => {
  it('is told with numbers, names and reasons in words', () => {
    const summary = { flags: ['degraded', 'research_degraded', 'synthesis_missing'], answered: '2 of 3' }
    const { view } = research(
      make.said('2', 'one'),
      make.said('2', 'two'),
      make.missed('2', 'three'),
      make.ended('2', summary),
    )
    expect(shortfallsOf(view)).toEqual([
      {
        phase: '2',
        words: [
          '2 of 3 answered; three is missing',
          'research is incomplete',
          'the views were not merged; they are listed side by side',
        ],
      },
    ])
  })

  it('is never left without a word, also where nothing says what it is', () => {
    const { view } = research(make.ended('2', { flags: ['degraded'] }))
    expect(shortfallsOf(view)).toEqual([{ phase: '2', words: ['part of it could not be done as planned'] }])
    expect(shortfallsOf(research(make.ended('2')).view)).toEqual([])
  })

  it('names what was skipped, and forgets a pass that was sent back', () => {
    const skipped = { status: 'skipped', flags: ['degraded', 'consensus_skipped'], answered: '0 of 3' }
    const facts = [make.started(), make.begun('6', cast), make.missed('6', 'one'), make.ended('6', skipped)]
    expect(shortfallsOf(make.viewOf(...facts))[0]!.words).toContain('skipped')
    expect(shortfallsOf(make.viewOf(...facts, make.returned('6', '4', ['4', '6'])))).toEqual([])
  })
})
