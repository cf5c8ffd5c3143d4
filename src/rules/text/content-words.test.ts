import { describe, expect, it } from 'vitest'
import { hasContentWords } from './content-words.ts'

describe('content words', () => {
  it('[RD3] are missing from assent, thanks, greetings and bare punctuation', () => {
    for (const text of [
      '?',
      '…',
      '👍',
      '',
      'ok',
      'OK!',
      'okay',
      'thanks',
      'Thanks!',
      'thank you so much',
      'yes please',
      'no',
      'why?',
      'and then?',
      'go on',
      'go ahead',
      'all good',
      'hi',
      'hello',
      "that's right",
      "I don't",
      'lgtm',
      '2',
      'good morning',
      'makes sense, thank you all',
      'danke dir!',
      'Guten Morgen zusammen',
      'alles klar, passt so',
      'merci beaucoup',
      'ça marche, merci à tous',
      'muchas gracias',
      'vale, está claro',
      'warum?',
      'pourquoi ?',
      '¿por qué?',
      '( 2 )',
    ]) {
      expect(hasContentWords(text), text).toBe(false)
    }
  })

  it('[RD3] are found as soon as a message is about something', () => {
    for (const text of [
      'ok, deploy it',
      'thanks, now the tests',
      'what is AI?',
      'is CI green',
      'what is 2+2?',
      'Why does Postgres lock?',
      '数据库',
      'refactor',
      'good morning, is staging green?',
      'danke, und jetzt die Tests',
      'merci, et les tests ?',
      'gracias, ahora los tests',
    ]) {
      expect(hasContentWords(text), text).toBe(true)
    }
  })
})
