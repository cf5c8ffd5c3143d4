import { describe, expect, it } from 'vitest'
import { parseCollaborate } from './collaborate-command.ts'

const agents = ['gpt', 'claude', 'Ada']
const parse = (text: string) => parseCollaborate(text, agents)

describe('the collaborate command', () => {
  it('[TN10] names the participants in order and the goal as written', () => {
    expect(parse('@router collaborate gpt claude: Plan a hike: 5 steps.\nBe brief.')).toEqual({
      kind: 'collaborate',
      participants: ['gpt', 'claude'],
      goal: 'Plan a hike: 5 steps.\nBe brief.',
    })
  })

  it('[TN10] takes @names, commas, other case and repeats', () => {
    expect(parse('  @Router COLLABORATE @claude, ada,GPT claude : go')).toEqual({
      kind: 'collaborate',
      participants: ['claude', 'Ada', 'gpt'],
      goal: 'go',
    })
  })

  it('[TN10] is not found in other messages', () => {
    for (const text of [
      'collaborate gpt claude: x',
      'ask @router collaborate gpt: x',
      '@router collaborated: x',
      '@router help',
      '',
    ]) {
      expect(parse(text), text).toEqual({ kind: 'none' })
    }
  })

  it('[TN10] reports what is wrong', () => {
    const problem = (text: string) => {
      const command = parse(text)
      return command.kind === 'wrong' ? command.message : ''
    }
    expect(problem('@router collaborate gpt bob: x')).toContain('bob')
    expect(problem('@router collaborate gpt claude')).toContain('colon')
    expect(problem('@router collaborate gpt claude:  ')).toContain('goal is missing')
    expect(problem('@router collaborate: x')).toContain('no agents are named')
  })
})
