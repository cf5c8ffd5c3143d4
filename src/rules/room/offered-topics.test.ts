import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { offeredTopics } from './offered-topics.ts'

describe('offered topics', () => {
  it.each([
    ['Which queue should we use?', ['queue']],
    ['Review the retry design.', ['retry design']],
    [
      'Should we cache the Postgres queries, or is caching in Redis enough for 3 of them?',
      ['postgres queries', 'redis'],
    ],
    ['How do I list the ten biggest tables in MySQL?', ['tables', 'mysql']],
    ['Write a shell function that keeps the exit code of the last attempt', ['shell function', 'exit code', 'attempt']],
    [
      'The connection pool is empty since the deploy of our payment service',
      ['connection pool', 'deploy', 'payment service'],
    ],
    ['Wie bekomme ich den Auth-Server auf die neue Keycloak-Version?', ['auth-server', 'neue keycloak-version']],
    [
      'Sollen wir für die Bestellungen eine Warteschlange einführen, oder reicht ein Cronjob, der oft läuft?',
      ['bestellungen', 'warteschlange', 'cronjob'],
    ],
    [
      'Seit gestern schlägt das Deployment fehl, weil das Zertifikat des internen Proxys abgelaufen ist.',
      ['deployment', 'zertifikat', 'internen proxys'],
    ],
    ['Zertifikate sind abgelaufen. Schreib mir bitte ein Skript dafür', ['zertifikate', 'skript']],
    [
      'Comment réduire le temps de démarrage de notre service de paiement sans toucher à la base de données ?',
      ['temps de démarrage', 'service de paiement', 'base de données'],
    ],
    ['Faut-il chiffrer les sauvegardes avant de les envoyer ?', ['sauvegardes']],
    ['¿Conviene cifrar las copias de seguridad antes de enviarlas a la nube?', ['copias de seguridad', 'nube']],
    ['Escribe una prueba unitaria para el servicio de pagos', ['prueba unitaria', 'servicio de pagos']],
  ])('[RD4] are the noun phrases of a message: %s', (text, topics) => {
    expect(offeredTopics(text)).toEqual(expect.arrayContaining(topics))
    expect(offeredTopics(text).length).toBeLessThanOrEqual(topics.length + 1)
  })

  it.each([
    ['What speaks for strings against keys? Is a Map itself against keys?', ['strings', 'keys', 'map']],
    ['anything against releasing main as a patch?', ['patch']],
    ["Qu'en pensez-vous ?", []],
    ['Vous en pensez quoi ?', []],
    ['¿Qué creéis?', []],
    ['Who broke it?', []],
    ['the test broke after the rename', ['test']],
    ['can ada and cyd agree on one name?', ['ada', 'cyd', 'name']],
    ['It throws when parsing an empty line', ['empty line']],
    ['The import crashed and nothing was logged', ['import']],
    ['Sollten wir parse-numbers streng machen, oder bleibt es dabei?', ['parse-numbers']],
    ['Was spricht gegen eine Map?', ['map']],
    ['Une table de hachage contre un objet ?', ['table de hachage', 'objet']],
    ['Is error handling an add-on of the merge queue?', ['error handling', 'add-on', 'queue']],
  ])('[RD4] hold no preposition, pronoun or verb: %s', (text, topics) => {
    expect(offeredTopics(text)).toEqual(topics)
  })

  it('[RD4] are no verbs, small talk, figures or pasted hashes', () => {
    expect(offeredTopics('thanks, ok?')).toEqual([])
    expect(offeredTopics('Could you please explain and review it?')).toEqual([])
    expect(offeredTopics(`2024 404 ${'deadbeef'.repeat(8)} outage`)).toEqual(['outage'])
  })

  it('[RD4] are paths, identifiers, and terms in code or quotation marks, as written', () => {
    const topics = offeredTopics('Why does `parseRow` in src/import/csv.ts ignore max_rows and "header row"?')
    expect(topics).toEqual(['parseRow', 'header row', 'src/import/csv.ts', 'max_rows'])
    expect(offeredTopics('ECONNRESET from the proxy in useSocket.ts')).toEqual(['ECONNRESET', 'useSocket.ts', 'proxy'])
  })

  it('[RD4] include the files of the message', () => {
    expect(offeredTopics('What is wrong here?', ['src/queue.ts'])).toEqual(['src/queue.ts'])
  })

  it('[RD4] leave out a phrase that stands in a longer one, and the words of pasted code', () => {
    expect(offeredTopics('The retry. The retry budget! Retries?')).toEqual(['retry budget'])
    expect(offeredTopics('Slow startup:\n```js\nconst broker = connect()\n```')).toEqual(['slow startup'])
  })

  it('[RD4] are single words where the message is nothing but code', () => {
    expect(offeredTopics('```\nbroker refused\n```')).toEqual(['broker', 'refused'])
  })

  it('[RD4] are the most frequent of a long message, never more than asked for', () => {
    const filler = Array.from({ length: 40 }, (_, at) => `filler${String.fromCharCode(97 + (at % 26))}${at}`).join(', ')
    const topics = offeredTopics(`${filler}, latency. Budget; latency, budget!`, [], 3)
    expect(topics).toEqual(['fillera0', 'latency', 'budget'])
    expect(offeredTopics(filler)).toHaveLength(12)
  })

  it('[RD4] never throw, whatever is written', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => offeredTopics(text).length <= 12))
  })
})
