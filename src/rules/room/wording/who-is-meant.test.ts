/**
 * Messages that give each agent a part, ask the one that has been silent, correct who was meant, or side with one and ask another; and
 * messages in nearly the same words that do none of this. SPEC.md § DP9.
 */
import { describe, expect, it } from 'vitest'
import { expectWanted, type Want, whoSpeaks } from './who-speaks.fixture.ts'

/** `open`: the wording decides nothing. */
type Row = [text: string, want: Want]

const sided: Row[] = [
  ["I'm with gpt: keep null. claude, anything against it?", 'claude'],
  ['+1 to gpt: ship it. claude, anything missing?', 'claude'],
  ['According to gpt: null is documented. claude, is that so?', 'claude'],
  ['Ich bin bei gpt: null behalten. Claude, spricht was dagegen?', 'claude'],
  ["Je suis d'accord avec gpt : on garde null. claude, tu vois un problème ?", 'claude'],
  ['Estoy con gpt: dejamos null. claude, ¿algo en contra?', 'claude'],
  ["I'm with gpt: drop it. Any objections?", 'claude+gemini'],
  ['gpt: write the regex. claude: check it.', 'gpt>claude'],
  ['one for claude: why 256?', 'claude'],
]

const families = { sided }

describe.each(Object.entries(families))('[DP9] after an answer of gpt: %s', (_, rows) => {
  it.each(rows)('%s → %s', (text, want) => {
    const spoken = whoSpeaks(text, 'gpt')
    if (want === 'open') expect(spoken.mode).toBe('open')
    else expectWanted(want, spoken)
  })
})
