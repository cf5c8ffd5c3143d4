/** Messages as people write them, in four languages, with what each asks for. Written before the phrases were tuned to any of them. */
import { describe, expect, it } from 'vitest'
import { planRound } from '../round.ts'

const agents = ['claude', 'gemini', 'gpt']

/** After an answer of claude and then one of gpt. */
function whoSpeaks(text: string): string {
  const plan = planRound({
    message: { id: 'm', text },
    agents,
    lastResponder: 'gpt',
    spoke: ['you', 'claude', 'you', 'gpt'],
  })
  switch (plan.kind) {
    case 'asked': {
      const { mode, responders } = plan.decision
      return responders.length === agents.length ? `${mode}: all` : `${mode}: ${responders.join(', ')}`
    }
    case 'route':
      return `named: ${plan.agents.join(', ')}`
    case 'solo':
      return `solo: ${plan.agent}`
    case 'propose':
      return 'open'
  }
}

const all: string[] = [
  'one word each: ship it or not?',
  'Thoughts from everyone?',
  'Two sentences each, please. What would you cut from the roadmap?',
  'a quick yes or no from each of you: is this migration reversible?',
  'I would like to hear from all three of you before I decide',
  'do all of you agree that the retry loop is the culprit?',
  'Can everybody give me a rough estimate in days',
  'all of you: what is the single biggest risk here',
  'Everyone, quick round: which database?',
  "I'm polling the room: monolith or services?",
  'what would each agent do about the flaky test?',
  'Rank these three options, each of you separately',
  'please each give me your favourite name for the library',
  'Give me your top pick, every one of you',
  'how confident are you each, 0-100?',
  "Let's hear three takes on the pricing page",
  'What do you all make of the outage report?',
  'Ein Wort von jedem: Kafka oder Redis?',
  'Was sagt ihr alle zu dem Entwurf?',
  'Jeder von euch nennt mir bitte ein Risiko',
  'Ich hätte gern von allen eine kurze Einschätzung',
  'Alle drei bitte: wie lange dauert das?',
  'Seid ihr euch alle einig, dass wir das Caching brauchen?',
  'Gebt mir bitte jeder eine Zahl',
  'Un mot chacun : on garde Redux ou pas ?',
  'Donnez-moi chacun une estimation en jours',
  "J'aimerais vos trois avis sur ce schéma",
  "Vous êtes tous d'accord pour supprimer la table ?",
  'Que pense chacun de vous de cette API ?',
  'Una palabra cada uno: ¿lo publicamos?',
  'Quiero oír a los tres antes de decidir',
  '¿Estáis todos de acuerdo en que sobra el índice?',
  'Dadme cada uno una estimación en días',
  '¿Qué haría cada uno de vosotros primero?',
]

const two: [string, string[]][] = [
  ["I'd like both gpt's and gemini's take on the cache layer", ['gpt', 'gemini']],
  ['claude and gemini, which index would you drop?', ['claude', 'gemini']],
  ['what do gpt and claude think of the new schema?', ['gpt', 'claude']],
  ['Can gemini and gpt each name one downside?', ['gemini', 'gpt']],
  ['claude & gpt: tabs or spaces', ['claude', 'gpt']],
  ['was meinen claude und gemini dazu?', ['claude', 'gemini']],
  ["j'aimerais l'avis de claude et de gpt", ['claude', 'gpt']],
  ['¿qué opinan gemini y claude?', ['gemini', 'claude']],
]

const theOthers: string[] = [
  'does anyone disagree?',
  'Any objections from the others?',
  'anybody against that?',
  'what do the other two say?',
  'How do the rest of you see it?',
  'Widerspricht jemand?',
  'Was meinen die anderen beiden?',
  'Ist jemand dagegen?',
  "Quelqu'un n'est pas d'accord ?",
  'Et les autres, vous en pensez quoi ?',
  '¿Alguien está en contra?',
  '¿Qué dicen los demás?',
]

const inTurn: string[] = [
  'Draft the changelog, then somebody else should tighten it.',
  'Write the SQL and have another agent double-check the joins.',
  'one of you sketches the API, another one attacks it',
  'Argue both sides of this against each other: GraphQL or REST?',
  'First a proposal, then a rebuttal from someone else, please',
  'Fight it out: spaces or tabs.',
  'Somebody propose a name and somebody else shoot it down',
  'Give me an answer and then let a second model poke holes in it',
  'Schreib die Funktion und lass sie danach von einem anderen prüfen',
  'Einer macht einen Vorschlag, ein anderer nimmt ihn auseinander.',
  'Streitet euch ruhig darüber: Monorepo ja oder nein?',
  "Écris le script, puis qu'un autre le relise",
  "L'un propose, l'autre critique.",
  'Escribe la consulta y que otro la revise después',
  'Uno propone y otro critica, por favor',
]

const inOrder: [string, string[]][] = [
  ['gemini writes the intro, gpt then shortens it', ['gemini', 'gpt']],
  ['let claude start and gemini finish it', ['claude', 'gemini']],
  ['gpt should draft it; afterwards claude reviews', ['gpt', 'claude']],
  ['zuerst gemini, danach claude bitte', ['gemini', 'claude']],
  ["d'abord claude, ensuite gpt", ['claude', 'gpt']],
  ['primero gpt y después gemini', ['gpt', 'gemini']],
]

const somebodyElse: string[] = [
  'is that correct? asking someone other than gpt',
  'could someone double check gpt on this?',
  "I don't buy it. Second opinion?",
  'Can another one of you verify the numbers?',
  'gpt is wrong, right?',
  "What's wrong with gpt's answer?",
  'A fresh pair of eyes please',
  'Stimmt das, was gpt sagt?',
  'Kann das mal ein anderer nachrechnen?',
  'Liegt gpt da richtig?',
  "Est-ce que gpt s'est trompé ?",
  'Un autre avis là-dessus ?',
  '¿Se equivoca gpt?',
  '¿Otra opinión sobre esto?',
]

const addressed: [string, string][] = [
  ['hey gpt', 'gpt'],
  ['hey claude can you rename the helper', 'claude'],
  ['gemini - your view?', 'gemini'],
  ["let's ask claude about the licence", 'claude'],
  ['I want gemini to take this one', 'gemini'],
  ['claude what do you think', 'claude'],
  ['this one is for gemini', 'gemini'],
  ['thanks claude, and how would I test it?', 'claude'],
  ['only claude please: which file was it?', 'claude'],
  ['gpt, no need for the others: fix the typo', 'gpt'],
  ['Gemini, kannst du das zusammenfassen?', 'gemini'],
  ['Frag mal claude nach dem Schema', 'claude'],
  ['claude, wie würdest du das testen?', 'claude'],
  ['dis-moi, claude, où est le bug ?', 'claude'],
  ['Gemini, tu peux résumer ?', 'gemini'],
  ['oye claude, ¿dónde está el error?', 'claude'],
  ['gemini, resume esto en tres líneas', 'gemini'],
]

/** A correction belongs to the one who is corrected, a follow-up to the one who spoke. */
const lastSpeaker: string[] = [
  'Now do the same for the weekly report',
  'Kann man das auch ohne Docker testen?',
  'no, I meant the other table',
  'No, not that file. The one in src/api.',
  "that's not what I asked, I wanted the weekly numbers",
  'sorry, I meant staging',
  'nein, ich meinte die andere Datei',
  'Das war nicht die Frage, ich wollte den Mittelwert',
  "non, je parlais de l'autre fichier",
  'no, me refería a la otra tabla',
  'wait, I actually meant the read replica',
]

const smallTalk: string[] = [
  'good morning',
  'Good morning everyone!',
  'danke dir!',
  'thanks a lot, that helped',
  'hi there',
  'perfect, thank you so much',
  'ok, sounds good',
  'guten Morgen zusammen',
  'Super, vielen Dank!',
  'alles klar',
  'bonjour à tous',
  'merci beaucoup',
  "d'accord, merci !",
  'buenos días',
  'muchas gracias',
  'vale, perfecto',
  'great job',
  'see you tomorrow',
  'passt, danke',
]

const open: string[] = [
  'each request is logged twice, why?',
  'join both tables on user_id',
  'all of the tests are green locally and red in CI',
  'everybody on the team gets a 403 since noon',
  'How do two services agree on a schema with each other?',
  'the two of them never finish at the same time, is that a race?',
  'Does anyone on GitHub maintain a fork of this?',
  'write a function that gives each user one vote',
  'We had a debate about naming; what is the convention in Go?',
  'the reviewer said someone else should check it. who could that be in a CODEOWNERS file?',
  'How do I call gpt from a shell script?',
  'the claude CLI prints nothing, what can I do',
  '> @gemini please answer\nwhat does that syntax do?',
  'why is this not routed?\n```\n@claude each of you\n```',
  'In the docs it says "each of you must sign". Is that legally binding?',
  'what is the difference between each and map in ruby?',
  'no tests are found, why?',
  'The second opinion of the vendor was that we need a bigger box. Plausible?',
  'Users vote independently of each other; how do I prevent double votes?',
  'Both approaches work. Which one is easier to test?',
  'Wie bekomme ich alle drei Spalten nebeneinander?',
  'Jeder Request dauert zwei Sekunden, woran liegt das?',
  'Beide Tabellen haben denselben Schlüssel. Wie verbinde ich sie?',
  'Warum sehen alle Nutzer den Fehler?',
  'Pourquoi chaque test dure-t-il deux secondes ?',
  'Comment fusionner les deux branches ?',
  'Tous les tests passent sauf un, pourquoi ?',
  '¿Por qué cada prueba tarda dos segundos?',
  '¿Cómo comparo los dos archivos?',
  'Todos los usuarios ven el error, ¿qué hago?',
  'morning build failed again, what changed?',
  'thanks! next: add a flag for verbose output',
  'Give each column a default',
  'three opinions from customers are attached, cluster them by topic',
  'everyone keeps telling me to use Rust. Worth it for a CLI?',
  'my colleagues disagree on whether to squash. What do large projects do?',
  'can someone explain what a monad is?',
  'Someone changed the config last night, how do I find out who?',
  'What do you think of the attached design?',
  'If one worker writes and another one checks, do I need a lock?',
  'print one line each for every file',
]

describe('[DP9] fresh messages', () => {
  const rows: [string, string][] = [
    ...all.map((text): [string, string] => [text, 'parallel: all']),
    ...two.map(([text, names]): [string, string] => [text, `parallel: ${names.join(', ')}`]),
    ...theOthers.map((text): [string, string] => [text, 'parallel: claude, gemini']),
    ...inTurn.map((text): [string, string] => [text, 'synthesis: gpt, claude']),
    ...inOrder.map(([text, names]): [string, string] => [text, `synthesis: ${names.join(', ')}`]),
    ...somebodyElse.map((text): [string, string] => [text, 'solo: gemini']),
    ...addressed.map(([text, name]): [string, string] => [text, `solo: ${name}`]),
    ...lastSpeaker.map((text): [string, string] => [text, 'solo: gpt']),
    ...smallTalk.map((text): [string, string] => [text, 'solo: gpt']),
    ...open.map((text): [string, string] => [text, 'open']),
  ]
  it.each(rows)('%s', (text, expected) => {
    expect(whoSpeaks(text)).toBe(expected)
  })
})

/** Written after the phrases above were read, and before these were. */
describe('[DP9] more fresh messages', () => {
  it.each([
    ["I'd like three opinions on this before Monday: rewrite or refactor?", 'parallel: all'],
    ["Everybody's gut reaction to the new logo?", 'parallel: all'],
    ['Could each of you list your assumptions?', 'parallel: all'],
    ['let me hear it from all of you', 'parallel: all'],
    ['Independent guesses, no peeking: how many lines is the parser?', 'parallel: all'],
    ["what's everyone's favourite approach here", 'parallel: all'],
    ['Tell me your estimate, all three', 'parallel: all'],
    ['Ich will von jedem von euch eine Schätzung in Stunden.', 'parallel: all'],
    ['Was würde jeder von euch als Erstes tun?', 'parallel: all'],
    ['Stimmt bitte ab: Variante A oder B', 'parallel: all'],
    ['Bitte unabhängig voneinander schätzen: wie viele Nutzer hält das aus?', 'parallel: all'],
    ['Chacun son avis : on passe à Kubernetes ?', 'parallel: all'],
    ["Je veux l'avis de tous avant de trancher", 'parallel: all'],
    ['Necesito la opinión de los tres', 'parallel: all'],
    ['Votad: ¿A o B?', 'parallel: all'],
    ['Opinad todos, por favor: ¿merece la pena?', 'parallel: all'],
    ["can I get claude's and gpt's opinion on the index?", 'parallel: claude, gpt'],
    ['gpt, gemini: which of you would approve this PR?', 'parallel: gpt, gemini'],
    ['I want to hear gemini and claude on this', 'parallel: gemini, claude'],
    ['claude und gpt, was haltet ihr davon?', 'parallel: claude, gpt'],
    ['is anyone opposed?', 'parallel: claude, gemini'],
    ['and the other two?', 'parallel: claude, gemini'],
    ['Would the others do it the same way?', 'parallel: claude, gemini'],
    ['Hat jemand Einwände?', 'parallel: claude, gemini'],
    ['Des objections ?', 'parallel: claude, gemini'],
    ['¿Alguna objeción?', 'parallel: claude, gemini'],
    ['Sketch a schema, then get someone else to attack it', 'synthesis: gpt, claude'],
    ['I want a draft and a critique of that draft by another agent', 'synthesis: gpt, claude'],
    ['two of you debate this, please: is the ORM worth it?', 'synthesis: gpt, claude'],
    ['Have one of you write the test and another the code', 'synthesis: gpt, claude'],
    ['Make the case for Rust, then let somebody else make the case against', 'synthesis: gpt, claude'],
    ['Macht einen Entwurf und lasst ihn dann von jemand anderem prüfen', 'synthesis: gpt, claude'],
    ['Debattiert bitte: SQL oder NoSQL', 'synthesis: gpt, claude'],
    ["Propose un plan, ensuite quelqu'un d'autre le critique", 'synthesis: gpt, claude'],
    ['Haz un borrador y después que alguien lo critique', 'synthesis: gpt, claude'],
    ['claude first, then gemini', 'synthesis: claude, gemini'],
    ['have gpt write it and claude review it', 'synthesis: gpt, claude'],
    ['gpt entwirft das Schema, claude prüft es', 'synthesis: gpt, claude'],
    ['are you sure gpt has that right?', 'solo: gemini'],
    ["I'd like a second pair of eyes on gpt's query", 'solo: gemini'],
    ["do you buy gpt's explanation?", 'solo: gemini'],
    ['somebody please sanity check this before I merge', 'solo: gemini'],
    ['Hat gpt da etwas übersehen?', 'solo: gemini'],
    ["Quelqu'un peut relire ça ?", 'solo: gemini'],
    ['¿Puede otro revisar lo que dijo gpt?', 'solo: gemini'],
    ['claude? you there?', 'solo: claude'],
    ['question for gemini: does the cache survive a restart?', 'solo: gemini'],
    ["I'd prefer claude to answer", 'solo: claude'],
    ['gemini, bitte nochmal kürzer', 'solo: gemini'],
    ['claude : peux-tu détailler ?', 'solo: claude'],
    ['gpt, explícame el segundo paso', 'solo: gpt'],
    ['nope, wrong file', 'solo: gpt'],
    ['oh sorry, I was talking about the mobile app', 'solo: gpt'],
    ['Nein, die zweite Spalte', 'solo: gpt'],
    ['oui, fais-le', 'solo: gpt'],
    ['sí, hazlo', 'solo: gpt'],
    ['thank you both!', 'solo: gpt'],
    ['nice, works like a charm', 'solo: gpt'],
    ['gracias, eso es todo', 'solo: gpt'],
    ["ok merci, c'est parfait", 'solo: gpt'],
    ['hallo zusammen', 'solo: gpt'],
    ['haha, good one', 'solo: gpt'],
    ['See you on Monday!', 'solo: gpt'],
    ['all good, thanks everyone', 'solo: gpt'],
    ['How can all of my workers read from both queues?', 'open'],
    ['Every test fails with ECONNREFUSED', 'open'],
    ['the client wants a second opinion on our architecture, how do I find an auditor?', 'open'],
    ['Two developers disagree about tabs. Write an editorconfig that ends the debate.', 'open'],
    ['Explain the difference between the two versions you gave me', 'solo: gpt'],
    ['I have three estimates: 3, 5 and 8 days. Which one goes into the plan?', 'open'],
    ['each of the three nodes logs the same error, why?', 'open'],
    ['why did everyone stop using Bower?', 'open'],
    ['One of the pods crashes and another one takes over. Is that expected?', 'open'],
    ['Make sure that both of them get an email and that someone is notified', 'open'],
    ['Wie vergleiche ich zwei unabhängige Messreihen?', 'open'],
    ['Alle Tests laufen, aber das Deployment hängt', 'open'],
    ['Est-ce que les deux services peuvent partager la base ?', 'open'],
    ['¿Cómo hago que cada usuario tenga su propia clave?', 'open'],
    ['What would you do about the vote counting bug in polls.ts?', 'open'],
    ['Write release notes. Mention everyone who contributed.', 'open'],
    ['Yes or no: is Redis single threaded?', 'open'],
    ["No module named 'requests' — what now?", 'open'],
    ['Someone else wrote this code and then left. Where do I start?', 'open'],
    ['Write the query so that it returns one row each for open and closed tickets', 'open'],
    ['The others in my team use vim. Convince me.', 'open'],
  ])('%s', (text, expected) => {
    expect(whoSpeaks(text)).toBe(expected)
  })
})
