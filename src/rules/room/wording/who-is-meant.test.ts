/**
 * Messages that give each agent a part, ask the one that has been silent, correct who was meant, or side with one and ask another; and
 * messages in nearly the same words that do none of this. SPEC.md § DP9.
 */
import { describe, expect, it } from 'vitest'
import { dispatch } from '../dispatch.ts'
import { defaultDispatchLimits } from '../dispatch-limits.ts'
import { expectWanted, type Want, whoSpeaks } from './who-speaks.fixture.ts'

/** `open`: the wording decides nothing. */
type Row = [text: string, want: Want]

const sides: Row[] = [
  ['gpt, the pros of compiling the regexes in internal/re.js lazily; claude, the cons', 'gpt+claude'],
  ['pros from claude, cons from gemini', 'claude+gemini'],
  ['pros of renaming it to re-set from gpt and cons from claude please', 'gpt+claude'],
  ['@gpt pros, @claude cons: a Map subclass instead of our LRU', 'gpt+claude'],
  ['gpt takes the pros and claude the cons', 'gpt+claude'],
  ['can gpt do the upsides and claude the downsides of vendoring this?', 'gpt+claude'],
  ['claude, make the case for caching it; gpt, the case against', 'gpt+claude'],
  ['from gpt the benefits, from claude the costs', 'gpt+claude'],
  ['gpt die Vorteile, claude die Nachteile', 'gpt+claude'],
  ['Ich möchte von gpt die Vorteile und von claude die Nachteile hören', 'gpt+claude'],
  ['gpt le pour, claude le contre', 'gpt+claude'],
  ['gpt, los pros; claude, los contras de usar un Map', 'gpt+claude'],
  ['gpt lists the pros, then claude the cons', 'gpt>claude'],
  ["gpt's pros and cons list is fine", 'open'],
  ["gpt's pros and claude's cons both miss the point: memory", 'one'],
  ['the pros from gpt and the cons from claude were both useful', 'open'],
  ['gpt listed the pros, claude the cons, so I have what I need', 'open'],
  ['Was sind die Vorteile von gpt und die Nachteile von claude?', 'open'],
]

const objects: Row[] = [
  ['gpt lists what it would test first in coerce(), claude what it would leave alone', 'gpt+claude'],
  ['gpt covers classes/range.js and claude the subset logic', 'gpt+claude'],
  ['claude takes the parser, gpt the printer and gemini the docs', 'all'],
  ['gpt beschreibt, was es zuerst testen würde, claude, was es in Ruhe lassen würde', 'gpt+claude'],
  ["gpt liste ce qu'il testerait, claude ce qu'il laisserait tranquille", 'gpt+claude'],
  ['gpt enumera lo que probaría primero, claude lo que dejaría igual', 'gpt+claude'],
  ['gpt writes the test, then claude the code', 'gpt>claude'],
  ['gpt writes the tests, claude what do you think of the plan?', 'claude'],
  ['so gpt wants the strict default and claude the loose one', 'one'],
  ['gpt gives the shorter answer, claude the longer one', 'one'],
]

const silent: Row[] = [
  ['and what does the one who has not said anything about this think?', 'claude'],
  ['the one who has not spoken yet', 'claude'],
  ["I'd like to hear from the one who's been silent so far", 'claude'],
  ['I meant the one who has not spoken yet. claude has been quiet', 'claude'],
  ["claude hasn't said anything yet", 'claude'],
  ['Was sagt der, der noch nichts gesagt hat?', 'claude'],
  ['Was meint derjenige, der sich noch nicht geäußert hat?', 'claude'],
  ["Qu'en pense celui qui n'a encore rien dit ?", 'claude'],
  ['¿Qué opina el que todavía no ha dicho nada?', 'claude'],
  ["how do I email the one who hasn't answered the survey?", 'open'],
  ['keep the one that has not expired yet in the cache', 'one'],
  ['Der Prozess, der noch nichts geschrieben hat, soll warten. Wie mache ich das?', 'open'],
]

const meant: Row[] = [
  ['I meant claude', 'claude'],
  ['nope, meant claude', 'claude'],
  ['I was actually asking claude', 'claude'],
  ['sorry gpt, I meant claude', 'claude'],
  ['no no, I was asking claude, not you', 'claude'],
  ['hm, that question was meant for claude', 'claude'],
  ['Sorry, I meant claude for that: is the bare except too wide?', 'claude'],
  ['I meant claude with that last question', 'claude'],
  ['I asked claude for that. It wrote three lines.', 'one'],
  ['I asked claude for this, it said no; why?', '!claude'],
  ['I meant claude for the first question', 'claude'],
  ['Ich meinte Claude dafür: ist das except zu breit?', 'claude'],
  ['Ich meinte Claude, nicht dich', 'claude'],
  ['Ich habe Claude gefragt', 'claude'],
  ['Entschuldige, das war an Claude gerichtet', 'claude'],
  ['je parlais à claude, pas à toi', 'claude'],
  ['me refería a claude', 'claude'],
  ["I meant the cache, not claude's change", 'gpt'],
  ["I meant claude's second option", 'gpt'],
  ['I meant what claude wrote in the second paragraph', 'gpt'],
  ['I asked claude and it said the cache is fine', 'one'],
]

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

const contradicted: Row[] = [
  ['I disagree with claude: the cache must stay', 'claude'],
  ['I think claude is wrong: the cache must stay', 'claude'],
  ['Ich bin anderer Meinung als claude: der Cache muss bleiben', 'claude'],
  ['Da muss ich claude widersprechen: der Cache ist nötig', 'claude'],
  ["Je ne suis pas d'accord avec claude : le cache doit rester", 'claude'],
  ['No estoy de acuerdo con claude: la caché se queda', 'claude'],
  ["I disagree with claude. gemini, what's your take?", 'gemini'],
  ['is claude wrong about the cache?', '!claude'],
  ['is what gpt just said true?', '!gpt'],
]

const both: Row[] = [
  ["I have to decide. Let me hear both sides, then I'll decide.", 'second'],
  ['should we drop the cache? both sides please', 'second'],
  ['Ich möchte beide Seiten hören, dann entscheide ich', 'second'],
  ["J'aimerais entendre les deux côtés avant de trancher", 'second'],
  ['Quiero escuchar las dos partes antes de decidir', 'second'],
  ['claude, give me both sides', 'claude'],
  ['check both sides of the range boundary', 'one'],
  ['does the regex need anchors on both sides?', 'one'],
  ["there are good reasons on both sides, so I'll sleep on it", 'one'],
  ['beide Seiten der Gleichung stimmen nicht', 'one'],
]

const counted: Row[] = [
  ['Two of you, please: which entry is missing?', 'gpt+claude'],
  ['any two of you, what is missing in the changelog?', 'gpt+claude'],
  ['the three of you: what is missing?', 'all'],
  ['Zwei von euch bitte: was fehlt im Changelog?', 'gpt+claude'],
  ["Deux d'entre vous, s'il vous plaît : que manque-t-il ?", 'gpt+claude'],
  ['Dos de vosotros, por favor: ¿qué falta?', 'gpt+claude'],
  ['two of you said null is fine, is that documented?', 'one'],
  ["Deux d'entre vous pensent que null est correct, est-ce documenté ?", 'one'],
  ["Deux d'entre vous m'ont dit que c'est bon. Est-ce vrai ?", 'one'],
  ['Dos de vosotros dijeron que null vale. ¿Es verdad?', 'one'],
  ['Dos de ustedes ya respondieron. ¿Es correcto?', 'one'],
]

const families = { counted, sides, objects, meant, sided, contradicted, both }

describe.each(Object.entries(families))('[DP9] after an answer of gpt: %s', (_, rows) => {
  it.each(rows)('%s → %s', (text, want) => {
    const spoken = whoSpeaks(text, 'gpt')
    if (want === 'open') expect(spoken.mode).toBe('open')
    else expectWanted(want, spoken)
  })
})

describe('[DP9] the one that has been silent', () => {
  it.each(silent)('%s → %s', (text, want) => {
    const spoken = whoSpeaks(text, 'gemini', 'gpt')
    if (want === 'open') expect(spoken.mode).toBe('open')
    else expectWanted(want, spoken)
  })

  it('is, once all have spoken, the one that spoke longest ago; none if that was in answer to the last message', () => {
    const message = 'what would the one who has not said anything prefer?'
    const decided = (spoke: string[]) =>
      dispatch({}, ['ada', 'bob'], defaultDispatchLimits, { message, spoke: ['you', ...spoke] })
    expect(decided(['ada', 'you', 'bob', 'you', 'bob']).responders).toEqual(['ada'])
    expect(decided(['ada', 'bob']).rule).toBe('none')
    expect(decided([]).rule).toBe('none')
  })
})

describe('[DP9] the reason, in words', () => {
  it.each([
    ['ada takes the pros and bob the cons', '“ada takes the pros … bob the cons” gives each a part: ada, bob.'],
    ['the one who has not spoken yet', '“the one who has not spoken” asks for the one that has been silent: ada.'],
    ['let me hear both sides', '“both sides” asks for one side and then the other: bob, then ada.'],
    ['sorry, I meant ada', '“i meant ada” addresses ada.'],
    ['I disagree with ada: it must stay', '“i disagree with ada” addresses ada.'],
  ])('%s', (message, reason) => {
    expect(dispatch({}, ['ada', 'bob'], defaultDispatchLimits, { message, spoke: ['you', 'bob'] }).reason).toBe(reason)
  })
})
