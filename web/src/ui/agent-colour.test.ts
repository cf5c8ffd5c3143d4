import { describe, expect, it } from 'vitest'
import { agentColour } from './agent-colour.ts'

describe('the colour of an agent', () => {
  it('is its own for the known names, however they are written', () => {
    expect(agentColour('gpt')).toBe('var(--gpt)')
    expect(agentColour('Claude')).toBe('var(--claude)')
    expect(agentColour('gemini')).toBe('var(--gemini)')
  })

  it('is one of eight for any other name, and always the same one', () => {
    const names = Array.from({ length: 200 }, (_, index) => `agent ${index} <script>`)
    const colours = names.map(agentColour)
    expect(colours).toEqual(names.map(agentColour))
    expect(new Set(colours).size).toBe(8)
    expect(colours.every((colour) => /^var\(--agent-[1-8]\)$/.test(colour))).toBe(true)
  })
})
