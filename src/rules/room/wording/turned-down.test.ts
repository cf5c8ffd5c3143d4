/** Agents turned down, and sentences that only look like it. SPEC.md § DP9, RD2. */
import { describe, it } from 'vitest'
import { expectWanted, type Want, whoSpeaks } from './who-speaks.fixture.ts'

const messages: [string, Want, ...string[]][] = [
  ['No one but gpt should answer: is the cache safe?', 'gpt'],
  ['no one but @gpt please: is the cache safe?', 'gpt'],
  ['No agent except claude, please: which port?', 'claude'],
  ['Keiner außer gpt bitte: welcher Port?', 'gpt'],
  ['anyone but gpt: which port?', '!gpt'],
]

describe('[DP9] whom a message turns down', () => {
  it.each(messages)('[DP9] %s → %s', (message, want, ...answered) => expectWanted(want, whoSpeaks(message, ...answered)))
})
