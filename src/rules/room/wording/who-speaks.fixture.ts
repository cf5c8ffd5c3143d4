/** Says who would answer a message, and compares it with whom the sender wants to hear. */
import { expect } from 'vitest'
import { planRound } from '../round.ts'

const usual = ['claude', 'gemini', 'gpt']

/**
 * `gpt`: it alone, without proposals. `!gpt`: one of the others. `gpt+claude`: both. `gpt>claude`: one after the other. `second`: any two
 * in turn. `two`: any two at once. `quiet`, `single`: one answer, without proposals. `one`: one answer; who gives it is left to the rules.
 */
export type Want = string

interface Spoken {
  mode: string
  agents: string[]
}

export function whoSpeaks(text: string, ...answered: readonly (string | undefined)[]): Spoken {
  return whoSpeaksIn(usual, text, ...answered)
}

export function whoSpeaksIn(
  agents: readonly string[],
  text: string,
  ...answered: readonly (string | undefined)[]
): Spoken {
  const spoken = answered.filter((name) => name !== undefined)
  const spoke = spoken.length === 0 ? [] : ['you', ...spoken]
  const plan = planRound({ message: { id: 'm', text }, agents, lastResponder: spoken.at(-1), spoke })
  switch (plan.kind) {
    case 'asked':
      return { mode: plan.decision.mode, agents: plan.decision.responders }
    case 'route':
      return { mode: plan.agents.length > 1 ? 'parallel' : 'solo', agents: plan.agents }
    case 'solo':
      return { mode: 'solo', agents: [plan.agent] }
    case 'propose':
      return { mode: 'open', agents: [] }
  }
}

export function expectWanted(want: Want, spoken: Spoken, agents: readonly string[] = usual): void {
  const { mode } = spoken
  if (want === 'one') expect(['open', 'solo']).toContain(mode)
  else if (want === 'quiet' || want === 'single') expect(mode).toBe('solo')
  else if (want === 'all') expect(spoken).toEqual({ mode: 'parallel', agents: expect.arrayContaining([...agents]) })
  else if (want === 'two') expect({ mode, count: spoken.agents.length }).toEqual({ mode: 'parallel', count: 2 })
  else if (want === 'second') expect({ mode, count: spoken.agents.length }).toEqual({ mode: 'synthesis', count: 2 })
  else if (want.startsWith('!')) {
    expect(mode).toBe('solo')
    expect(spoken.agents).not.toContain(want.slice(1))
  } else if (want.includes('>')) expect(spoken).toEqual({ mode: 'synthesis', agents: want.split('>') })
  else if (want.includes('+'))
    expect({ mode, agents: spoken.agents.toSorted() }).toEqual({ mode: 'parallel', agents: want.split('+').toSorted() })
  else expect(spoken).toEqual({ mode: 'solo', agents: [want] })
}
