import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boundedPrompt, promptLimits } from './prompt-size.ts'

describe('the size of a prompt', () => {
  it('[TR5] keeps ordinary prompts, and both ends of a message that is too long', () => {
    const ordinary = [{ content: 'a' }, { content: 'b'.repeat(promptLimits.message) }]
    expect(boundedPrompt(ordinary)).toEqual(ordinary)
    const [huge] = boundedPrompt([{ content: `Begin${'x'.repeat(10_000_000)}End` }])
    expect(huge!.content.length).toBeLessThanOrEqual(promptLimits.message)
    expect(huge!.content).toMatch(/^Beginx[\s\S]*characters left out[\s\S]*xEnd$/)
  })

  it('[TR5] bounds all messages together, whatever their number and size', () => {
    const limits = { message: 500, whole: 2000 } as never
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 2000 }), { maxLength: 12 }), (texts) => {
        const bounded = boundedPrompt(
          texts.map((content) => ({ content })),
          limits,
        )
        expect(bounded).toHaveLength(texts.length)
        expect(bounded.every(({ content }) => content.length <= 500)).toBe(true)
        expect(bounded.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThanOrEqual(2000)
      }),
    )
  })
})
