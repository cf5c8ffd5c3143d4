import { describe, expect, it } from 'vitest'
import { languageOf } from './language.ts'
import { words } from './words.ts'

describe('the language of a text', () => {
  it.each([
    ['Why does the build take so long on the server?', 'en'],
    ['Wie lange dauert der Build auf dem Server?', 'de'],
    ['Combien de temps dure le build sur le serveur ?', 'fr'],
    ['¿Cuánto tarda la compilación en el servidor?', 'es'],
    ['Die hard is the name of the test that we also run', 'en'],
    ['Redis, Postgres, Kafka', 'en'],
    ['', 'en'],
  ])('[RD4] %s', (text, language) => {
    expect(languageOf(words(text))).toBe(language)
  })
})
