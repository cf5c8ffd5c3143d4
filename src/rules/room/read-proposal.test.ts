import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dispatch } from './dispatch.ts'
import { readProposal } from './read-proposal.ts'

const good = {
  angle: 'schema first',
  confidence: 0.8,
  covers: ['storage'],
  solo_sufficient: false,
  builds_on_other: true,
}

describe('reading a proposal', () => {
  it('[RD4] takes the JSON; in a fence or with words around it, flagged loose', () => {
    const json = JSON.stringify(good)
    expect(readProposal(json)).toEqual({ malformed: false, proposal: good, loose: false })
    for (const text of [`\`\`\`json\n${json}\n\`\`\``, `Sure: ${json}`])
      expect(readProposal(text)).toEqual({ malformed: false, proposal: good, loose: true })
  })

  it('[RD4] keeps the known fields and drops unknown ones', () => {
    const least = { angle: '', confidence: 0.2, covers: [] }
    expect(readProposal(JSON.stringify({ ...least, mood: 'fine' }))).toMatchObject({
      malformed: false,
      proposal: least,
    })
  })

  it('[RD4] clamps a confidence out of range', () => {
    for (const [given, read] of [
      ['7', 1],
      ['-0.2', 0],
      ['1e999', 1],
    ] as const) {
      const reading = readProposal(`{"angle": "a", "confidence": ${given}, "covers": []}`)
      expect(reading).toMatchObject({ malformed: false, proposal: { confidence: read } })
    }
  })

  it('[RD4] turns anything else into a weak proposal, flagged with the problem', () => {
    for (const text of [
      'I would look at the schema.',
      `Sure: ${JSON.stringify({ ...good, covers: 'storage' })}`,
      JSON.stringify({ ...good, confidence: '0.8' }),
      JSON.stringify({ ...good, covers: 'storage' }),
      JSON.stringify({ angle: 'x', confidence: 1 }),
      '[]',
      'null',
      '"text"',
      '',
      '{"angle":"a","angle":"b","confidence":1,"covers":[]}',
    ]) {
      const reading = readProposal(text)
      expect(reading, text).toEqual({
        malformed: true,
        proposal: { angle: text.slice(0, 100), confidence: 0.5, covers: [], solo_sufficient: true },
        problem: expect.stringMatching(/./),
      })
    }
  })

  it('[RD4] keeps the first 100 characters, none of them cut in half', () => {
    expect(readProposal('x'.repeat(300)).proposal.angle).toBe('x'.repeat(100))
    expect(readProposal('👍'.repeat(300)).proposal.angle).toBe('👍'.repeat(100))
    expect(readProposal(`x${'👍'.repeat(300)}`).proposal.angle).toBe(`x${'👍'.repeat(99)}`)
  })

  it('[RD4] a malformed proposal never opens a shared round', () => {
    fc.assert(
      fc.property(fc.string(), fc.double({ min: 0, max: 1, noNaN: true }), fc.string(), (text, confidence, angle) => {
        const { proposal, malformed } = readProposal(`no json: ${text}`)
        expect(malformed).toBe(true)
        const decision = dispatch({ a: proposal, b: { angle, confidence, covers: [], builds_on_other: true } })
        expect(decision.mode).toBe('solo')
      }),
    )
  })
})
