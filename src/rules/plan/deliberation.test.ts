import { describe, expect, it } from 'vitest'
import { deliberate, inShort, roundTwoCalls, usualVariant } from './deliberation.ts'
import { resolveFlags } from './feature-flags.ts'
import { modes } from './mode.ts'

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

  it('[ST5] is full in complete mode and light in the others, unless the configuration says which', () => {
    expect(modes.map((mode) => [mode, usualVariant(mode)])).toEqual([
      ['rapid', 'light'],
      ['standard', 'light'],
      ['advanced', 'light'],
      ['complete', 'full'],
    ])
  })

  it('[ST5] light reads drafts in short: within the limit, every section heard, short drafts whole', () => {
    const count = (text: string) => text.split(/\s+/).filter(Boolean).length
    const long = ['Approach', 'Risks']
      .map((title) => `## ${title}\n\n${`${title} are told here. `.repeat(150)}`)
      .join('\n')
    const drafts = [
      { agent: 'a', text: 'A short one.' },
      { agent: 'b', text: long },
      { agent: 'c', text: long },
    ]
    const [first, second] = inShort(drafts, 400, count)
    expect(first).toEqual(drafts[0])
    expect(second!.text).toMatch(
      /^## Approach\n\nApproach are told here\.[\s\S]* …\n\n## Risks\n\nRisks are told[\s\S]* …$/,
    )
    expect(inShort(drafts, 400, count).reduce((sum, { text }) => sum + count(text), 0)).toBeLessThanOrEqual(410)
    expect(inShort(drafts, 10_000, count)).toEqual(drafts)
  })
})
