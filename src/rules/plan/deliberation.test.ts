import { describe, expect, it } from 'vitest'
import { deliberate, roundTwoCalls } from './deliberation.ts'
import { resolveFlags } from './feature-flags.ts'

const flags = resolveFlags('complete')

describe('deliberation', () => {
  it('[ST5] full: designs are revised in phase 4, test strategies are criticised in phase 7', () => {
    expect(deliberate('4', 'full', 900, flags)).toEqual({ kind: 'full', roundTwo: 'revise' })
    expect(deliberate('7', 'full', 900, flags)).toEqual({ kind: 'full', roundTwo: 'critique' })
    expect(deliberate('2', 'full', 900, flags)).toEqual({ kind: 'full', roundTwo: 'revise' })
  })

  it('[ST5] first drafts above 2,400 tokens fall back to light, and say so', () => {
    expect(deliberate('4', 'full', 2_400, flags)).toEqual({ kind: 'full', roundTwo: 'revise' })
    expect(deliberate('4', 'full', 2_401, flags)).toEqual({ kind: 'light', fellBack: true })
    expect(deliberate('4', 'light', 9_000, flags)).toEqual({ kind: 'light', fellBack: false })
    expect(deliberate('4', 'full', 100, flags, { round_one_tokens: 99 })).toEqual({ kind: 'light', fellBack: true })
  })

  it('[ST5] there is none where the flag is off', () => {
    expect(deliberate('4', 'full', 100, resolveFlags('standard'))).toEqual({ kind: 'none' })
  })

  it('[ST5] each second call carries the agent’s own draft and all the others’', () => {
    const drafts = [
      { agent: 'a', text: 'A' },
      { agent: 'b', text: 'B' },
      { agent: 'c', text: 'C' },
    ]
    expect(roundTwoCalls(drafts)).toEqual([
      { agent: 'a', own: 'A', others: [drafts[1], drafts[2]] },
      { agent: 'b', own: 'B', others: [drafts[0], drafts[2]] },
      { agent: 'c', own: 'C', others: [drafts[0], drafts[1]] },
    ])
  })

  it('[ST5] an empty draft is not shared, and a single draft has no second round', () => {
    const drafts = [
      { agent: 'a', text: 'A' },
      { agent: 'b', text: ' ' },
    ]
    expect(roundTwoCalls(drafts)).toEqual([])
    expect(roundTwoCalls([...drafts, { agent: 'c', text: 'C' }]).map((call) => call.agent)).toEqual(['a', 'c'])
  })
})
