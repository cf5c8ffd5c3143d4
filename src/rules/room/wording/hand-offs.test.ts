/**
 * Turned-down agents, hand-offs between two, pairs and calls for objections, beside ordinary messages that look like them. Written before
 * the predicates for them. SPEC.md § DP9.
 */
import { describe, it } from 'vitest'
import { expectWanted, type Want, whoSpeaks } from './who-speaks.fixture.ts'

const atFirst: [string, Want][] = [
  ['Not you, gpt. Someone else: why would a mutex be slower than an atomic here?', '!gpt'],
  ['Anyone except claude, please: what does EXPLAIN ANALYZE cost on a busy primary?', '!claude'],
  ['gemini, ask gpt whether the lock is needed and sum up what he says', 'gpt>gemini'],
  ['claude, could you find out from gemini if the schema is final, and let me know?', 'gemini>claude'],
  ['gpt, you and claude should each name one risk', 'gpt+claude'],
  ['claude, you and gemini write one test each for the parser', 'claude+gemini'],
  ['Have claude sketch the API and gemini tear it to pieces', 'claude>gemini'],
  ['I would drop Python 3.8 with the next release. Any objections?', 'all'],
  ['Plan: freeze on Thursday, release on Monday. Does anyone object?', 'all'],
  ['gpt, what is your estimate? claude, comment on it.', 'gpt>claude'],
  ['Nicht du, Claude. Wer anders: warum ist der Build auf ARM langsamer?', '!claude'],
  ['Lass Claude die Migration schreiben und GPT sie prüfen', 'claude>gpt'],
  ['Gemini, frag bitte Claude, ob der Index reicht, und fass mir seine Antwort zusammen', 'claude>gemini'],
  ['GPT, was hältst du von Redis Streams? Claude, bewerte bitte seine Antwort.', 'gpt>claude'],
  ['Claude, du und Gemini sollt jeweils ein Risiko nennen.', 'claude+gemini'],
  ['Ich würde den alten Endpunkt am Freitag abschalten. Einwände?', 'all'],
  ['Gemini soll einen Entwurf machen und Claude ihn kürzen', 'gemini>claude'],
  ["Pas toi, gpt. Quelqu'un d'autre : pourquoi le cache se vide-t-il la nuit ?", '!gpt'],
  ['Demande à gemini si la file est bornée, et dis-moi ce que tu penses de sa réponse, claude', 'gemini>claude'],
  ['Claude, écris la requête ; gpt, relis-la.', 'claude>gpt'],
  ['gpt, toi et gemini, donnez-moi chacun une estimation en jours', 'gpt+gemini'],
  ['Je supprimerais la branche demain matin. Des objections ?', 'all'],
  ['Laisse claude proposer un plan et gemini le critiquer', 'claude>gemini'],
  ['Tú no, gemini. Que responda otro: ¿por qué falla el índice parcial?', '!gemini'],
  ['gpt, pregunta a claude si el token caduca y resume su respuesta', 'claude>gpt'],
  ['Que gemini escriba el borrador y gpt lo acorte', 'gemini>gpt'],
  ['claude, tú y gpt decidme cada uno un riesgo', 'claude+gpt'],
  ['Yo quitaría el soporte de Node 18. ¿Alguna objeción?', 'all'],
]

const ordinary: [string, Want][] = [
  ['gpt, not a long answer please: what does fsync do?', 'gpt'],
  ["claude, don't change the tests, just tell me why the second one hangs", 'claude'],
  ['gemini, ask me whatever you need before you start on the importer', 'gemini'],
  ['How do I let Postgres and Redis share one volume?', 'one'],
  [
    "My colleague asked Otto whether the port is open and reported back that it isn't. What else could block it?",
    'one',
  ],
  ['Should I check with legal whether we can log the IP, or is there a default?', 'one'],
  ['the client has objections to the price page, how do I answer them?', 'one'],
  ['You and your team should each rotate the keys, says the mail. What does rotating mean?', 'one'],
  ['claude, you should not use `any` here. What type fits?', 'claude'],
  ['Kannst du mir sagen, warum der Test nur nachts rot ist?', 'one'],
  ['Claude, lass die Tests bitte in Ruhe und sag mir nur, was der Fehler bedeutet', 'claude'],
  ['GPT, frag mich, wenn dir etwas fehlt: schreib ein Skript, das alte Logs löscht', 'gpt'],
  ['Warum lässt Docker den Container laufen und den Host ihn beenden?', 'one'],
  ['Wir haben Einwände vom Datenschutz bekommen. Wie anonymisiere ich IPs in nginx?', 'one'],
  ['Nicht du musst das machen, sondern die CI. Wie starte ich den Job von Hand?', 'one'],
  ['Gemini, was kostet ein Index auf drei Spalten?', 'gemini'],
  ['Claude, ne touche pas au schéma, dis-moi seulement ce que fait cette requête', 'claude'],
  ['Comment demander à git si une branche est déjà fusionnée ?', 'one'],
  ["gpt, demande-moi ce qu'il te manque avant d'écrire le script", 'gpt'],
  ['Pas de panique, gpt : pourquoi le build est-il rouge ?', 'gpt'],
  ["J'ai des objections du client sur le devis, comment les présenter ?", 'one'],
  ['gemini, no borres nada, solo dime qué ocupa tanto en /var', 'gemini'],
  ['¿Cómo le pregunto a Postgres si un índice se usa?', 'one'],
  ['No tú, sino el cron debería borrar los logs. ¿Cómo lo configuro?', 'one'],
  ['claude, tú que conoces Go: ¿por qué se bloquea este canal?', 'claude'],
]

/** The last column: who answered before. */
const afterwards: [string, Want, string][] = [
  ['not you again, gpt: who else has an idea?', '!gpt', 'gpt'],
  ['Diesmal nicht du, GPT: was kostet der Umzug?', '!gpt', 'gpt'],
  ['I would release 2.0 on Friday. Any objections?', 'all', 'gpt'],
  ['Ich würde die Tabelle heute noch löschen. Hat jemand etwas dagegen?', 'all', 'claude'],
  ['hmm, the import order feels off', 'one', 'gpt'],
  ['Non, pas ça : je voulais la version courte', 'gpt', 'gpt'],
  ['Nein, nicht so. Bitte als Tabelle.', 'gpt', 'gpt'],
  ['and does that hold with two writers?', 'gpt', 'gpt'],
  ['gracias gpt, ¿y tú, claude?', 'claude', 'gpt'],
]

describe('[DP9] turned down, handed over, paired or asked to object', () => {
  it.each(atFirst)('%s → %s', (message, want) => expectWanted(want, whoSpeaks(message)))
})

describe('[DP9] ordinary messages that look like them', () => {
  it.each(ordinary)('%s → %s', (message, want) => expectWanted(want, whoSpeaks(message)))
})

describe('[DP9] after an answer', () => {
  it.each(afterwards)('%s → %s', (message, want, last) => expectWanted(want, whoSpeaks(message, last)))
})
