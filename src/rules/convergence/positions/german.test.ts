import { describe, expect, it } from 'vitest'
import { gloss } from './german.ts'
import { extractAgreement } from './position-extraction.ts'

describe('[CV5] decisions in German', () => {
  it('puts small words into English, and leaves the others', () => {
    expect(gloss('statt')).toEqual(['instead', 'of'])
    expect(gloss('migration')).toBeUndefined()
  })

  it.each([
    [
      'Ich würde die Warteschlange auf Kafka umstellen.',
      'Ich würde die Warteschlange nicht auf Kafka umstellen, sondern warten.',
    ],
    ['Fazit: die Freigabe verpflichtend einführen.', 'Fazit: die Freigabe nicht verpflichtend einführen.'],
  ])('is opposed: %s', (one, other) => {
    expect(extractAgreement([one, other]).score).toBeLessThan(0.45)
  })

  it.each([
    [
      'Die Last ist hoch. Ich würde die Warteschlange auf Kafka umstellen.',
      'Kafka kennen wir. Also würde ich die Warteschlange auf Kafka umstellen.',
    ],
    ['Ergebnis: Protokolle in Loki ablegen.', 'Ich empfehle, die Protokolle in Loki abzulegen.'],
  ])('is alike: %s', (one, other) => {
    expect(extractAgreement([one, other]).score).toBeGreaterThan(0.6)
  })
})
