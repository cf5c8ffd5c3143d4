/**
 * Messages with the agent that spoke before them, in four languages, and whom the sender wants to hear. Written before the phrases
 * were tuned; one half was kept unseen until then. SPEC.md § DP9.
 */
import { describe, expect, it } from 'vitest'
import { planRound } from '../round.ts'

const agents = ['claude', 'gemini', 'gpt']

/**
 * `gpt`: it alone, without proposals. `!gpt`: one of the others. `gpt+claude`: both. `gpt>claude`: one after the other. `second`: any two
 * in turn. `quiet`: at most one answer, without proposals. `one`: one answer; who gives it is left to the rules.
 */
type Want = string

function whoSpeaks(text: string, last: string | undefined): { mode: string; agents: string[] } {
  const spoke = last === undefined ? [] : ['you', last]
  const plan = planRound({ message: { id: 'm', text }, agents, lastResponder: last, spoke })
  switch (plan.kind) {
    case 'asked':
      return { mode: plan.decision.mode, agents: plan.decision.responders }
    case 'route':
      return { mode: plan.agents.length > 1 ? 'parallel' : 'solo', agents: plan.agents }
    case 'solo':
      return { mode: 'solo', agents: [plan.agent] }
    case 'propose':
      return { mode: 'open', agents: [] }
  }
}

function expectWanted(want: Want, spoken: { mode: string; agents: string[] }): void {
  const { mode } = spoken
  if (want === 'one') expect(['open', 'solo']).toContain(mode)
  else if (want === 'quiet') expect(mode).toBe('solo')
  else if (want === 'all') expect(spoken).toEqual({ mode: 'parallel', agents: expect.arrayContaining(agents) })
  else if (want === 'second') expect({ mode, count: spoken.agents.length }).toEqual({ mode: 'synthesis', count: 2 })
  else if (want.startsWith('!')) {
    expect(mode).toBe('solo')
    expect(spoken.agents).not.toContain(want.slice(1))
  } else if (want.includes('>')) expect(spoken).toEqual({ mode: 'synthesis', agents: want.split('>') })
  else if (want.includes('+'))
    expect({ mode, agents: spoken.agents.toSorted() }).toEqual({ mode: 'parallel', agents: want.split('+').toSorted() })
  else expect(spoken).toEqual({ mode: 'solo', agents: [want] })
}

const afterGpt: [string, Want][] = [
  ['As gpt wrote above, thirty minutes is enough. Claude: can you draft the config?', 'claude'],
  ['Thanks claude! gpt, now add the negative case.', 'gpt'],
  ['Hey gemini, gpt claims refresh on every request is cheap. Is it?', 'gemini'],
  ['What do you say to that, claude?', 'claude'],
  ['could you look into that, gemini? gpt is too verbose', 'gemini'],
  ["claude's version, but gpt please fix the imports in it", 'gpt'],
  ['Can claude explain this instead?', 'claude'],
  ['this one is for gemini. how do I make the button sticky?', 'gemini'],
  ['Danke gpt. Claude, siehst du das auch so?', 'claude'],
  ['Claude, kannst du gpts Vorschlag in Code gießen?', 'claude'],
  ['und du, claude?', 'claude'],
  ["Claude, d'accord avec gpt ?", 'claude'],
  ['Gracias gpt, ¿y tú qué opinas, claude?', 'claude'],
  ['gemini, ¿puedes resumir lo que dijo gpt?', 'gemini'],
  ["I'd like someone else to double-check gpt's numbers before I paste this", '!gpt'],
  ['is gpt right?', '!gpt'],
  ['a different opinion, please', '!gpt'],
  ['what would somebody else say about the TTL?', '!gpt'],
  ["poke holes in gpt's answer", '!gpt'],
  ['Bitte eine zweite Meinung dazu', '!gpt'],
  ['Hat gpt recht?', '!gpt'],
  ['gpt a raison ?', '!gpt'],
  ['¿Tiene razón gpt?', '!gpt'],
  ['what do the other two think?', 'claude+gemini'],
  ['I want to hear the other two on this before I decide', 'claude+gemini'],
  ['Sehen die anderen das auch so?', 'claude+gemini'],
  ["Les autres sont d'accord ?", 'claude+gemini'],
  ['everyone except gpt: would you ship this?', 'claude+gemini'],
  ["I'd like gemini's view and claude's view on this", 'gemini+claude'],
  ['claude et gemini, vos avis ?', 'claude+gemini'],
  ['go around the table: biggest risk?', 'all'],
  ['Ich hätte gern von allen eine kurze Einschätzung', 'all'],
  ['Chacun une phrase : on garde Redis ou pas ?', 'all'],
  ['lol', 'quiet'],
  ['FYI the deploy went out at noon, no action needed', 'quiet'],
  ['ok, will try that after lunch', 'quiet'],
  ['good point gpt', 'quiet'],
  ['Alles klar, mache ich morgen', 'quiet'],
  ["C'est bon, ça marche, merci gpt", 'quiet'],
  ["just thinking aloud here, don't answer: maybe the TTL should live in the config", 'quiet'],
  ['note to self: bump the TTL later', 'quiet'],
  ['why not 60 minutes?', 'gpt'],
  ['show me the code', 'gpt'],
  ["that doesn't compile: TS2345 on line 4", 'gpt'],
  ['can you give me an example?', 'gpt'],
  ['you forgot the import', 'gpt'],
  ['Kannst du das als Tabelle schreiben?', 'gpt'],
  ['Zeig mal den Code dazu', 'gpt'],
  ['Tu peux me montrer un exemple ?', 'gpt'],
  ['¿por qué?', 'gpt'],
  ['explícame eso otra vez, más despacio', 'gpt'],
  ['you said 30 minutes, but the docs say 15', 'gpt'],
  ['all of our tests fail since this morning with ENOSPC. what fills the disk?', 'one'],
  ['the other two endpoints return 500 as well. what could they share?', 'one'],
  ['new topic: how do I rotate the signing keys without logging everybody out?', 'one'],
  ['Merci gpt, et toi claude ?', 'claude'],
  ['Et toi gemini, tu ferais comment ?', 'gemini'],
  ["second opinion on gpt's test", '!gpt'],
  ['Können die anderen beiden das bestätigen?', 'claude+gemini'],
  ['Was meint ihr, jeder in einem Satz?', 'all'],
  ['Jeder bitte in einem Satz', 'all'],
  ['good work all of you', 'quiet'],
  ['can you write that test?', 'gpt'],
  ['make it shorter', 'gpt'],
  ['Was genau meinst du damit?', 'gpt'],
  ['why?', 'gpt'],
  ['is that true?', '!gpt'],
  ['Does that number hold up?', '!gpt'],
  ['Stimmt das?', '!gpt'],
  ['each of the services has its own database, how do I back them all up?', 'one'],
  ['claude you were right about the loop, gpt what do you say now?', 'gpt'],
]

const afterClaude: [string, Want][] = [
  ["I find claude's idea cleaner than gpt's. claude, turn it into code.", 'claude'],
  ['gpt said Postgres and that convinces me. gemini, please write the docker-compose file for it.', 'gemini'],
  ["ok claude that's good. gemini your turn", 'gemini'],
  ['gpt, ignore what claude said and give me the SQL', 'gpt'],
  ["Let's go with gpt's proposal. Claude, any objections?", 'claude'],
  ['@claude same for the other file', 'claude'],
  ['gpt only: how many connections does that need?', 'gpt'],
  ['Next question goes to gpt: what is the default TTL of a Redis key?', 'gpt'],
  ['gpt? you there?', 'gpt'],
  ['Und was sagst du dazu, gemini?', 'gemini'],
  ['Frage an gpt: wie groß darf der Schlüssel sein?', 'gpt'],
  ['Kann gpt das bitte übernehmen?', 'gpt'],
  ['Merci claude. gpt, tu peux ajouter un test ?', 'gpt'],
  ["Et gemini, qu'en penses-tu ?", 'gemini'],
  ["Je préfère la réponse de claude à celle de gpt. Claude, écris le code s'il te plaît.", 'claude'],
  ['Question pour gpt : combien de mémoire faut-il ?', 'gpt'],
  ['¿Y tú, gemini?', 'gemini'],
  ['Pregunta para claude: ¿por qué SQLite?', 'claude'],
  ['Anyone disagree with claude here?', 'gpt+gemini'],
  ["get me a second pair of eyes on claude's finding", '!claude'],
  ['what did claude overlook in retry.ts?', '!claude'],
  ['Übersieht claude da etwas?', '!claude'],
  ['Sieht das jemand anders?', '!claude'],
  ["Un autre avis, s'il vous plaît", '!claude'],
  ['¿Alguien más puede revisar lo de claude?', '!claude'],
  ['and the rest of you?', 'gpt+gemini'],
  ["gpt and gemini, can you both check claude's claim?", 'gpt+gemini'],
  ['Was sagen die beiden anderen dazu?', 'gpt+gemini'],
  ['¿Qué piensan los otros dos?', 'gpt+gemini'],
  ['alle außer claude bitte kurz ja oder nein', 'gpt+gemini'],
  ['claude: the happy path, gemini: the error path', 'claude+gemini'],
  ['gpt und claude, wer von euch hat recht?', 'gpt+claude'],
  ['gpt y gemini, ¿lo haríais igual?', 'gpt+gemini'],
  ['Everybody: vote yes or no on merging today', 'all'],
  ["What's each agent's favourite here?", 'all'],
  ['Jeder ein Satz, bitte: mergen oder warten?', 'all'],
  ["J'aimerais l'avis de tout le monde sur ce point", 'all'],
  ['¿Qué opináis todos?', 'all'],
  ['thanks claude, that was it', 'quiet'],
  ['perfect, merged', 'quiet'],
  ['never mind, found it', 'quiet'],
  ['Super, danke claude, hat geklappt', 'quiet'],
  ['Nur zur Info: die Tests laufen jetzt auf Node 24', 'quiet'],
  ['see you tomorrow', 'quiet'],
  ['noted', 'quiet'],
  ['👍', 'quiet'],
  ['can you turn that into a patch?', 'claude'],
  ["what do you mean by 'resets the delay'?", 'claude'],
  ['in German please', 'claude'],
  ['do it', 'claude'],
  ['yes please', 'claude'],
  ['ok now with async/await', 'claude'],
  ['Bitte etwas kürzer', 'claude'],
  ['Bist du sicher?', 'claude'],
  ["plus court, s'il te plaît", 'claude'],
  ['¿Puedes escribir ese test?', 'claude'],
  ["I don't understand the last part", 'claude'],
  ['Rewrite it without the loop', 'claude'],
  ['Everyone on the team has push rights. How do I protect main?', 'one'],
  ['thanks gpt, great answer', 'gpt'],
]

const afterGemini: [string, Want][] = [
  ['gemini was wrong about the polling. claude, what does it really do?', 'claude'],
  ["I'd rather hear this from gemini: is polling acceptable here?", 'gemini'],
  ['Gemini meint, es schläft fünf Sekunden. Gpt, stimmt das?', 'gpt'],
  ['Ich glaube gemini hier nicht. claude, schau du bitte mal drauf', 'claude'],
  ['No me fío de lo que dice gemini. gpt, ¿es verdad?', 'gpt'],
  ['has gemini got this right?', '!gemini'],
  ['Could another one of you confirm that?', '!gemini'],
  ['Kann das mal jemand anders prüfen?', '!gemini'],
  ["Quelqu'un d'autre peut vérifier ce que dit gemini ?", '!gemini'],
  ['Quiero otra opinión sobre esto', '!gemini'],
  ['Do the others see it the same way?', 'gpt+claude'],
  ['Et les deux autres, vous en pensez quoi ?', 'gpt+claude'],
  ['¿Los demás están de acuerdo?', 'gpt+claude'],
  ['great, thank you all', 'quiet'],
  ['nice work everyone, calling it a day', 'quiet'],
  ['Danke euch allen!', 'quiet'],
  ['merci à tous, bonne soirée', 'quiet'],
  ['vale, gracias a todos', 'quiet'],
  ['perfecto, gracias gemini', 'quiet'],
  ['haha good one gemini', 'quiet'],
  ['shorter please', 'gemini'],
  ['and what happens on restart?', 'gemini'],
  ['are you sure?', 'gemini'],
  ['the second one', 'gemini'],
  ['elaborate', 'gemini'],
  ['warum?', 'gemini'],
  ['Und auf Windows?', 'gemini'],
  ['pourquoi cinq secondes ?', 'gemini'],
  ["t'es sûr ?", 'gemini'],
  ['más corto, por favor', 'gemini'],
  ['I trust gpt more than gemini here. gpt, write the test', 'gpt'],
  ["gemini's answer was too long, gpt can you shorten it?", 'gpt'],
  ['gpt: one word, claude: one sentence', 'gpt+claude'],
]

const atFirst: [string, Want][] = [
  ['hey claude', 'claude'],
  ['claude wrote this yesterday: `if (a = b) return`. find the bug it left in there', 'one'],
  ['claude and gpt, one line each: tabs or spaces?', 'claude+gpt'],
  ['gpt, you take the frontend; claude, you take the API. How would each of you start?', 'gpt+claude'],
  ['both gpt and claude please: what would you charge for it?', 'gpt+claude'],
  ["claude for security, gpt for speed: what's wrong with this endpoint?", 'claude+gpt'],
  ['quick poll: tabs or spaces? everyone please', 'all'],
  ['one sentence from each of you: what worries you most about the launch?', 'all'],
  ["What do you all think of the name 'patchwork'?", 'all'],
  ['I want three independent estimates for this migration', 'all'],
  ['all three of you, in one line: Redis or Memcached?', 'all'],
  ['thoughts from everyone on dropping Node 18?', 'all'],
  ['Jede und jeder von euch: eine Zahl, wie viele Wochen?', 'all'],
  ['Was würdet ihr alle drei hier nehmen?', 'all'],
  ['Stimmt mal ab: Redis oder Postgres?', 'all'],
  ["Qu'en pensez-vous tous les trois ?", 'all'],
  ['Cada uno en una frase: ¿monorepo sí o no?', 'all'],
  ['Quiero saber la opinión de cada uno de vosotros', 'all'],
  ['claude drafts the release note, gpt shortens it afterwards', 'claude>gpt'],
  ['gpt, propose an API. Then claude should tear it apart.', 'gpt>claude'],
  ['Write the migration and have a second one of you review it before I run it', 'second'],
  ['Erst gemini einen Entwurf, dann soll claude ihn kürzen', 'gemini>claude'],
  ["D'abord gpt écrit le code, ensuite claude le relit", 'gpt>claude'],
  ['Primero claude escribe el texto y luego gpt lo corrige', 'claude>gpt'],
  ['one of you writes the function, another one writes its test', 'second'],
  ['every request logs both the body and the headers, how do I turn one of them off?', 'one'],
  ['how do I let two people edit the same row without both overwriting each other?', 'one'],
  ['each worker opens its own connection, is that a problem with 40 of them?', 'one'],
  ["What's the difference between gpt-4o and gpt-4o-mini in price?", 'one'],
  ['our CI uses the claude CLI in a Docker image, it exits with 127. Which package is missing?', 'one'],
  ['Jeder Request dauert 3 Sekunden, seit wir auf HTTP/2 sind. Woran kann das liegen?', 'one'],
  ['Beide Tabellen haben denselben Index. Kann einer weg?', 'one'],
  ['Alle Nutzer sehen plötzlich ein leeres Dashboard, was prüfe ich zuerst?', 'one'],
  ['Chaque requête ouvre une connexion, comment la partager ?', 'one'],
  ['Todos los tests fallan en Windows, ¿qué puede ser?', 'one'],
  ['Does anyone know how to pin a transitive dependency in pnpm?', 'one'],
  ['Write a function that asks each player for a name and then has another player confirm it.', 'one'],
  ['Can one of you tell me what SIGHUP does by default?', 'one'],
  ['somebody please explain monads in two sentences', 'one'],
  ['Can you guys help me with a regex for IPv4?', 'one'],
  ['Könnt ihr mir sagen, wie man in Go einen Kontext mit Timeout macht?', 'one'],
  ["Vous pouvez m'expliquer les closures en deux phrases ?", 'one'],
  ['¿Podéis decirme cómo se revierte un commit ya publicado?', 'one'],
  ['What would you each-way bet on in CSS, `:has()` or a class?', 'all'],
]

describe.each([
  { rows: afterGpt, last: 'gpt' },
  { rows: afterClaude, last: 'claude' },
  { rows: afterGemini, last: 'gemini' },
  { rows: atFirst, last: undefined },
])('[DP9] after an answer of $last', ({ rows, last }) => {
  it.each(rows)('%s', (text, want) => {
    expectWanted(want, whoSpeaks(text, last))
  })
})
