/** Messages to a room of three, each with ways to put it otherwise, and sentences that only look like it. SPEC.md § DP9. */
import { describe, expect, it } from 'vitest'
import { rule } from '../dispatch.ts'
import { planRound } from '../round.ts'
import { judgedIn } from './judged.ts'
import { expectWanted, type Want, whoSpeaksIn } from './who-speaks.fixture.ts'

const room = ['ada', 'bob', 'cyd']

/** The columns after the wish: who answered before. */
type Row = [message: string, want: Want, ...answered: string[]]

const opinions: Row[] = [
  ['Was meint ihr: sollten wir parse-numbers streng machen, oder bleibt es, wie es ist?', 'all', 'cyd'],
  ['Was meint ihr dazu?', 'all', 'cyd'],
  ['Was haltet ihr von einer Map?', 'all'],
  ['Was denkt ihr über das Schema?', 'all', 'ada'],
  ['Welche Datenbank meint ihr, ist hier besser?', 'all'],
  ['Was sagt ihr zu dem Namen?', 'all', 'bob'],
  ['Wie findet ihr den Namen?', 'all', 'bob'],
  ['Was glaubt ihr, woran liegt der Absturz?', 'all'],
  ['Was haltet ihr von bobs Vorschlag?', 'ada+cyd', 'bob'],
  ['¿Qué os parece el nombre?', 'all', 'bob'],
  ['¿Qué opináis de usar un Map?', 'all'],
  ['Wie seht ihr das?', 'second'],
  ['Was meint ihr anderen?', 'ada+bob', 'cyd'],
  ['Was meint ihr damit?', 'one', 'cyd'],
  ['Was sagt ihr Chef dazu?', 'one', 'cyd'],
  ['Was meint ihr Test mit „unreachable“?', 'one', 'cyd'],
]

const numbers: Row[] = [
  ["I'd like two views on this: a Map or an object for the flags?", 'two'],
  ['Ich hätte gern zwei Meinungen: Map oder Objekt für die Flags?', 'two'],
  ['Give me two opinions on the name', 'two', 'cyd'],
  ['Two answers please: tabs or spaces?', 'two'],
  ['Could I get 2 takes on this before I merge?', 'two', 'ada'],
  ['I want two independent estimates for the move', 'two'],
  ['We need a couple of opinions on the error format', 'two'],
  ['Gebt mir bitte zwei Einschätzungen zum Risiko', 'two'],
  ['Zwei Meinungen dazu bitte', 'two', 'bob'],
  ["J'aimerais deux avis sur ce nom", 'two'],
  ["Deux avis, s'il vous plaît : on garde le cache ?", 'two'],
  ['Quiero dos opiniones sobre el esquema', 'two'],
  ['Necesito dos puntos de vista: ¿Map u objeto?', 'two'],
  ['Three views, please', 'all'],
  ['two perspectives on this please', 'two'],
  ["I'd like two or three perspectives on this", 'all'],
  ['two of you: tabs or spaces?', 'two'],
  ['ada and bob, I need two opinions: tabs or spaces?', 'ada+bob'],
  ['ada, give me two answers: a short one and a long one', 'ada'],
  ['each of you: give me two opinions on the name', 'all'],
  ['The API gives two answers for one request, why?', 'one'],
  ['There are two opinions on tabs in our team. Which linter rule is safest?', 'one'],
  ['I need two views on the orders table, one per region. How do I name them?', 'one'],
  ['Im Team gibt es zwei Meinungen zu Tabs. Wie stellt man das im Linter ein?', 'one'],
]

const dismissed: Row[] = [
  ['cyd, forget it. ada, can you sum up this room in three bullets?', 'ada', 'cyd'],
  ['Never mind, cyd. Ada, can you sum up this room?', 'ada', 'cyd'],
  ['cyd, forget it. ada, summarize it', 'ada', 'cyd'],
  ["bob, don't bother. What do you think, cyd?", 'cyd', 'bob'],
  ['Schon gut, Cyd. Ada, kannst du das zusammenfassen?', 'ada', 'cyd'],
  ['Bob, vergiss es. Cyd soll die Tests prüfen.', 'cyd', 'bob'],
  ['Laisse tomber, cyd. Ada, tu peux résumer ?', 'ada', 'cyd'],
  ['cyd, déjalo. Ada, ¿puedes resumirlo?', 'ada', 'cyd'],
  ['cyd: forget that. ada: can you list the open points?', 'ada', 'cyd'],
  ['Forget it cyd, ada can you do it?', 'ada', 'cyd'],
  ['Cyd, lass gut sein, Ada, mach du das bitte', 'ada', 'cyd'],
  ['cyd, thanks, that is enough. ada, please go on', 'ada', 'cyd'],
  ['@cyd, never mind. @ada can you sum up this room?', 'ada', 'cyd'],
  ['@cyd, forget it. @ada, summarize it', 'ada', 'cyd'],
  ['cyd, forget it. What do the others say?', 'ada+bob', 'cyd'],
  ['cyd, forget it', 'cyd', 'bob'],
  ['@cyd forget it', 'cyd', 'bob'],
  ['cyd, drop it from the list. ada, sort the rest', 'cyd+ada', 'cyd'],
  ['cyd, never mind the tests and fix the import', 'cyd', 'bob'],
  ['cyd, forget the cache; ada, what about the lock?', 'cyd+ada', 'bob'],
]

const theSame: Row[] = [
  ['same question to ada', 'ada', 'bob', 'cyd'],
  ['the same for bob?', 'bob', 'cyd'],
  ['And now the same thing from bob, please', 'bob', 'cyd'],
  ['Same for ada and bob, please', 'ada+bob', 'cyd'],
  ['ditto for bob', 'bob', 'cyd'],
  ['Thanks. Same question again, to ada: what breaks first?', 'ada', 'cyd'],
  ['Gleiche Frage an Ada', 'ada', 'cyd'],
  ['Und dasselbe bitte von Bob', 'bob', 'cyd'],
  ['La même question pour ada', 'ada', 'cyd'],
  ['Pareil pour bob ?', 'bob', 'cyd'],
  ['La misma pregunta para ada', 'ada', 'cyd'],
  ['¿Y lo mismo para bob?', 'bob', 'cyd'],
  ['same as bob said', 'cyd', 'cyd'],
  ["the same for bob's patch?", 'cyd', 'cyd'],
  ['I ran the same for bob and it failed on line 4 of the importer', 'one', 'cyd'],
  ['same question to the API in staging', 'cyd', 'cyd'],
]

/** With an answer before it, about that answer, so its author is left out. */
const reasonsAgainst: Row[] = [
  ['anything against releasing main as a patch?', 'all'],
  ['anything against releasing main as a patch?', 'ada+bob', 'cyd'],
  ['Any reason not to merge this?', 'ada+bob', 'cyd'],
  ['Spricht etwas dagegen?', 'ada+bob', 'cyd'],
  ['Spricht etwas dagegen, den Branch heute noch als Patch zu veröffentlichen?', 'ada+bob', 'cyd'],
  ['is there anything that speaks against a patch release?', 'all'],
  ['Does anything speak against it?', 'ada+bob', 'cyd'],
  ['Any good reason we should wait?', 'all'],
  ['Is there a reason not to merge this?', 'ada+bob', 'cyd'],
  ['Any objection to merging?', 'ada+bob', 'cyd'],
  ['Any concerns?', 'ada+bob', 'cyd'],
  ['Y a-t-il une raison de ne pas livrer ?', 'ada+bob', 'cyd'],
  ['¿Veis algún inconveniente?', 'ada+bob', 'cyd'],
  ['Any reason this is async?', 'one', 'cyd'],
  ['Anything against?', 'ada+bob', 'cyd'],
  ['Do you see any reason not to drop the flag?', 'all'],
  ['Gibt es einen Grund, das nicht zu mergen?', 'ada+bob', 'cyd'],
  ['Spricht irgendwas gegen einen Patch?', 'all'],
  ['Hat jemand Bedenken?', 'ada+cyd', 'bob'],
  ['Une raison de ne pas fusionner ?', 'ada+bob', 'cyd'],
  ['Quelque chose contre une version corrective ?', 'all'],
  ['¿Algo en contra?', 'ada+bob', 'cyd'],
  ['¿Alguna razón para no fusionarlo?', 'ada+bob', 'cyd'],
  ['I would release main as a patch. Anything against it?', 'all', 'cyd'],
  ['Does express have anything against SQL injection built in?', 'one'],
  ['The guide gives no reason not to use a Map. How do I copy one?', 'one'],
  ['Was spricht gegen eine Map?', 'one'],
  ['I have no objections. How do I tag the release?', 'one'],
  ['Is there anything against XSS in the template engine we use?', 'one'],
]

const agreement: Row[] = [
  ['can ada and cyd agree on one name?', 'ada>cyd', 'bob'],
  ['ada and cyd, please settle on a name for the flag', 'ada>cyd', 'bob'],
  ['Let bob and ada agree on an error format', 'bob>ada', 'cyd'],
  ['bob and cyd should come to an agreement on the defaults', 'bob>cyd', 'ada'],
  ['@ada and @bob, agree on one name', 'ada>bob', 'cyd'],
  ['ada, agree on a name with cyd', 'ada>cyd', 'bob'],
  ['Could ada, bob and cyd reach a consensus on the API?', 'ada>bob>cyd'],
  ['Können sich Ada und Cyd auf einen Namen einigen?', 'ada>cyd', 'bob'],
  ['Ada und Bob, einigt euch bitte auf ein Format', 'ada>bob', 'cyd'],
  ["Ada et cyd peuvent-ils se mettre d'accord sur un nom ?", 'ada>cyd', 'bob'],
  ['¿Pueden ada y cyd ponerse de acuerdo en un nombre?', 'ada>cyd', 'bob'],
  ['ada, can you and cyd agree on one name?', 'ada>cyd', 'bob'],
  ['can ada agree with cyd on a name?', 'ada>cyd', 'bob'],
  ['Let ada and cyd work out one name together', 'ada>cyd', 'bob'],
  ['can you agree on one name?', 'second'],
  ['Könnt ihr euch auf einen Namen einigen?', 'second', 'bob'],
  ['Can you all agree on one name?', 'ada>bob>cyd'],
  ['do ada and cyd agree on the name?', 'ada+cyd', 'bob'],
  ['ada and cyd agree on the name. Which file has to change?', 'one', 'bob'],
  ['If ada and cyd agree on a name, which file has to change?', 'one', 'bob'],
  ['How can two services agree on a schema?', 'one'],
  ['ada, how do two services agree on a schema?', 'ada'],
  ['Können sich zwei Dienste auf ein Schema einigen?', 'one'],
]

describe.each([
  ['asks agents to agree', agreement],
  ['asks for reasons against it', reasonsAgainst],
  ['withdraws what it asked of one agent', dismissed],
  ['asks another one the same', theSame],
  ['asks for opinions in the plural', opinions],
  ['asks for a number of views', numbers],
] as [string, Row[]][])('[DP9] a message to the room %s', (_, rows) => {
  it.each(rows)('[DP9] %s → %s', (message, want, ...answered) => {
    expectWanted(want, whoSpeaksIn(room, message, ...answered), room)
  })
})

/** Each line with its sender; who answers the last one, ada having spoken after bob. */
const opinionsOnJudgements: [question: string, message: string, winner: string][] = [
  ['cyd, is bob right?', 'give me a second opinion on that', 'ada'],
  ["cyd, what do you think of bob's answer?", 'Second opinion?', 'ada'],
  ['@cyd what did bob miss?', 'Can someone else check that?', 'ada'],
  ['Cyd, hat Bob recht?', 'Bitte eine zweite Meinung dazu', 'ada'],
  ['Cyd, bob a raison ?', 'Un autre avis ?', 'ada'],
  ['Cyd, ¿tiene razón bob?', 'Otra opinión, por favor', 'ada'],
  ['cyd, how do I tag a release?', 'give me a second opinion on that', 'bob'],
  ['cyd, how do I undo the change that bob made?', 'is that true?', 'bob'],
]

describe('[DP9] a further opinion on a judgement', () => {
  it.each(opinionsOnJudgements)('[DP9] %s … %s → %s', (question, message, winner) => {
    expect(decided(talk(question), message)).toMatchObject({ mode: 'solo', rule: 'asked_other', winner })
  })

  it('[DP9] is for the one whose words were judged where there is no third', () => {
    const history = talk('cyd, is bob right?').filter(({ sender }) => sender !== 'ada')
    expect(decided(history, 'Second opinion?', ['bob', 'cyd'])).toMatchObject({ winner: 'bob' })
  })

  it('[DP9] is for another than both after "cyd, do you agree?", which names nobody', () => {
    const history = talk('cyd, do you agree?').filter(({ sender }) => sender !== 'ada')
    expect(judgedIn(history, room)).toEqual(['bob'])
    expect(judgedIn(talk('who of you is right?'), room)).toEqual(['bob', 'ada'])
    expect(judgedIn(talk('cyd, which port?'), room)).toEqual([])
    expect(judgedIn(talk('anyone but bob: which port?'), room)).toEqual([])
    expect(judgedIn(talk('cyd, is bob right?').slice(0, -1), room)).toEqual([])
  })
})

function talk(question: string) {
  return [
    { sender: 'you', text: 'Which queue?' },
    { sender: 'bob', text: 'Postgres.' },
    { sender: 'ada', text: 'Postgres, too.' },
    { sender: 'you', text: question },
    { sender: 'cyd', text: 'Yes.' },
  ]
}

function decided(history: { sender: string; text: string }[], message: string, agents = room) {
  return rule.decide(rule.input.parse({ proposals: {}, agents, message, history }))
}

describe('[DP9] the reason of a decision', () => {
  it.each([
    ['Was meint ihr dazu?', '“was meint ihr” asks several to answer: ada, bob, cyd.'],
    ["I'd like two views on this", "“i'd like two views” asks several to answer: ada, bob."],
    ['Wie seht ihr das?', '“wie seht ihr” asks how several see it, the second after reading the first: ada, then bob.'],
    [
      'Can ada and cyd agree on a name?',
      '“ada, cyd … agree on” asks them to agree, each after reading the other: ada, then cyd.',
    ],
    ['Debate this: tabs or spaces?', '“debate this” asks them to answer each other: ada, then bob.'],
  ])('[DP9] says what the message asks for: %s', (text, reason) => {
    const plan = planRound({ message: { id: 'm', text }, agents: room })
    expect(plan).toMatchObject({ kind: 'asked', decision: { reason } })
  })
})
