import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPassFilter, isPass } from './passing.ts'

describe('passing', () => {
  it.each([
    'PASS',
    ' pass\n',
    '**PASS**',
    '"PASS."',
    '[PASS]',
    'PASS: gpt covers it.',
    'PASS — nothing to add',
    'Nothing to add.',
    'I have nothing to add!',
    '',
    ' \n',
    '…',
  ])('[RD13] %j passes', (text) => expect(isPass(text)).toBe(true))

  it.each([
    'PASS the flag --force to rsync.',
    'Password resets need a second factor.',
    'PASS: the first\nand then a whole answer',
    'The tests pass.',
    'Nothing to add to the index, but the query needs a limit.',
    'No.',
    'ok',
  ])('[RD13] %j is an answer', (text) => expect(isPass(text)).toBe(false))

  it('[RD13] shows nothing of a pass while it streams, and all of any other reply', () => {
    const replies = fc.oneof(
      fc.constantFrom('PASS', 'Passwords', 'PASS: no', 'Nothing to add.', 'Nothing to add here'),
      fc.string(),
    )
    fc.assert(
      fc.property(replies, fc.integer({ min: 1, max: 5 }), (text, size) => {
        const filter = createPassFilter()
        const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []
        const shown = pieces.map(filter).join('')
        if (isPass(text)) expect(shown).toBe('')
        else expect(text.startsWith(shown)).toBe(true)
        expect(isPass(text) || shown === text || text.length <= 120).toBe(true)
      }),
    )
    const filter = createPassFilter()
    expect(['Pa', 'ss', 'words', ' leak'].map(filter)).toEqual(['', '', 'Passwords', ' leak'])
  })
})
