import { describe, expect, it } from 'vitest'
import { readOutput } from './read-output.ts'
import { vocabularyOf } from './vocabulary.ts'

describe('the words of a round', () => {
  it.each([
    ['an alternative', 'We could take the ferry or the bridge.', ['ferri', 'bridg']],
    ['a choice between two', 'Between the ferry and the bridge, cost decides.', ['ferri', 'bridg']],
    ['a list at the start', 'Ferry, bridge, tunnel. The tunnel floods.', ['ferri', 'bridg', 'tunnel']],
    ['announced options', 'Options: a ferry, some kind of bridge.', ['ferri', 'bridg']],
    ['a table', '| Way | Cost |\n|---|---|\n| Ferry | 3 |\n| Bridge | 9 |', ['ferri', 'bridg']],
    ['labels in a list', '- Ferry: slow\n- Bridge: dear', ['ferri', 'bridg']],
  ])('[CV5] knows options from %s', (_, output, options) => {
    const vocabulary = vocabularyOf([readOutput(output)])
    expect(options.filter((option) => !vocabulary.isOption(option))).toEqual([])
  })

  it('[CV5] does not take every word for an option', () => {
    const vocabulary = vocabularyOf([readOutput('The ferry is slow. We could take the bus or the bridge.')])
    expect(vocabulary.isOption('ferri')).toBe(false)
  })

  it('[CV5] knows names by their capitals and topics by their being everywhere', () => {
    const vocabulary = vocabularyOf(['The ferry to Malta is slow.', 'Ferry tickets are dear.'].map(readOutput))
    expect(vocabulary.isName('malta')).toBe(true)
    expect(vocabulary.isName('ferri')).toBe(false)
    expect([...vocabulary.topics]).toEqual(['ferri'])
  })
})
