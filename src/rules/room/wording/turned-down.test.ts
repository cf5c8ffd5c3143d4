/** Agents turned down, and sentences that only look like it. SPEC.md § DP9, RD2. */
import { describe, it } from 'vitest'
import { expectWanted, type Want, whoSpeaks } from './who-speaks.fixture.ts'

const messages: [string, Want, ...string[]][] = [
  ['No one but gpt should answer: is the cache safe?', 'gpt'],
  ['no one but @gpt please: is the cache safe?', 'gpt'],
  ['No agent except claude, please: which port?', 'claude'],
  ['Keiner außer gpt bitte: welcher Port?', 'gpt'],
  ['anyone but gpt: which port?', '!gpt'],
  ['@gpt should not answer in more than two sentences: what does the parser do?', 'gpt'],
  ['gpt should not answer with code: what does the parser do?', 'one', 'gpt'],
  ['gpt must not answer before it has read src/parser.ts. What does it do?', 'one', 'gpt'],
  ['gpt should not answer this one: what does the parser do?', '!gpt'],
  ['gpt must not answer this time, who else knows the parser?', '!gpt'],
  ['Claude soll darauf nicht antworten: welcher Port?', '!claude'],
  ['It is not you, gpt, it is my config. Can you try again?', 'gpt', 'gpt'],
  ['Why is it not you, gpt?', 'gpt', 'gpt'],
  ['Das warst nicht du, gpt. Kannst du es nochmal versuchen?', 'gpt', 'gpt'],
  ['just not you, gpt: which port?', '!gpt', 'gpt'],
  ['Not you, claude. What do the others say?', 'gemini', 'gpt'],
  ["I'd drop the cache. Any objections? Not you, gpt.", 'claude+gemini', 'claude'],
  ['@all except @gpt: what is the best queue?', 'claude+gemini'],
  ['@all but not you, @gpt: what is the best queue?', 'claude+gemini'],
  ['Debate this, but not you, gpt', 'claude>gemini', 'claude'],
  ['Not you, gpt: how would you two settle it?', 'claude', 'gpt', 'claude'],
  ['Can one of you check it? Not you, gpt.', '!gpt', 'gpt'],
  ['Not you, gpt. Is there somebody who has not answered yet?', '!gpt', 'claude'],
]

const objections: [string, Want, ...string[]][] = [
  ['Nice answer. Any objections?', 'claude+gemini', 'gpt'],
  ['Good point, thanks. Any objections?', 'claude+gemini', 'gpt'],
  ['Great, so we go with your list. Any objections?', 'claude+gemini', 'gpt'],
  ['Sehr gute Antwort. Irgendwelche Einwände?', 'claude+gemini', 'gpt'],
  ["Good point. I'd still drop the cache. Any objections?", 'all', 'gpt'],
  ["I'd go with gpt's draft. Any objections?", 'claude+gemini', 'claude'],
  ['What do the others say?', 'gemini', 'gpt', 'claude'],
  ['What do the others say?', 'gpt+claude', 'gpt', 'claude', 'gemini'],
]

describe('[DP9] whom a message turns down', () => {
  it.each(messages)('[DP9] %s → %s', (message, want, ...answered) =>
    expectWanted(want, whoSpeaks(message, ...answered)),
  )
})

describe('[DP9] whom a call for objections leaves out', () => {
  it.each(objections)('[DP9] %s → %s', (message, want, ...answered) =>
    expectWanted(want, whoSpeaks(message, ...answered)),
  )
})
