import { describe, expect, it } from 'vitest'
import { extractAgreement } from './position-extraction.ts'

const score = (...outputs: string[]) => extractAgreement(outputs).score

describe('[CV5] reading decisions', () => {
  it('takes two negations for none', () => {
    expect(score('Vendored fonts should not be banned.', 'I would allow vendored fonts.')).toBeGreaterThan(0.6)
    expect(score('Vendored fonts should not be banned.', 'Vendored fonts should be banned.')).toBeLessThan(0.4)
  })

  it('reads a verdict on a plan as a decision', () => {
    const one = 'Renting the second warehouse is the way to go.'
    expect(score(one, 'Renting the second warehouse would be a mistake.')).toBeLessThan(0.4)
    expect(score(one, 'After the audit: renting the second warehouse is the way to go.')).toBeGreaterThan(0.6)
  })

  it('rejects only the pronoun where one stands for the thing', () => {
    expect(
      score(
        'The fax gateway is dead. Remove the fax gateway in March.',
        'Nobody faxes. Announce it, then remove it in March.',
      ),
    ).toBeGreaterThan(0.6)
  })

  it('does not hold against one who only rejects that it names no choice', () => {
    expect(
      score(
        'A pair of SOAP calls costs little. I would not adopt gRPC.',
        'I prefer to keep SOAP, as every partner speaks it.',
      ),
    ).toBeGreaterThanOrEqual(0.5)
  })

  it('counts joining the others as agreement', () => {
    const one = 'Split the invoices table, oldest years first.'
    const apart = 'Partition by year, beginning at the far end.'
    expect(score(one, `${apart} Here I side with A.`)).toBeGreaterThan(score(one, apart))
  })

  it('counts giving in as agreement unless it is taken back, and differing as disagreement', () => {
    const one = 'Limits belong in the gateway.'
    expect(score(one, 'I withdraw my proposal.')).toBeGreaterThan(0.6)
    expect(score(one, 'Agreed with A. However, the cost is too high.')).toBeLessThan(0.6)
    expect(score(one, 'A and I still differ.')).toBeLessThan(0.4)
  })

  it('reads what is rejected under its label', () => {
    const one = 'I would choose the ferry.'
    expect(score(one, 'Decision: bridge\n\nRejected: ferry')).toBeLessThan(0.4)
  })

  it('takes no decision from asides: a second choice, a former view, a description', () => {
    const lit = 'The form has nine fields. My second preference is Lit. Alpine.'
    expect(score(lit, 'Few fields, so I would use Alpine.')).toBeGreaterThan(0.6)
    expect(score(lit, 'I would use Lit.')).toBeLessThan(0.45)
  })

  it('reads a yes or no that names nothing', () => {
    expect(
      score(
        'The landlord offers a longer lease. We should not.',
        'The landlord offers a longer lease. We should do it.',
      ),
    ).toBeLessThan(0.5)
  })
})

describe('[CV5] what a decision refers to', () => {
  it('takes a view that somebody else has, or that the speaker had, for no decision', () => {
    const one = 'Move the archive to the cellar.'
    expect(
      score(one, 'The caretaker wants the attic. I came here for the attic. Move it to the cellar.'),
    ).toBeGreaterThan(score(one, 'The caretaker wants the cellar. I came here for the cellar. Move it to the attic.'))
  })

  it('rejects the subject of a negated verb', () => {
    const one = 'I would build the stage on Rails.'
    expect(score(one, 'Rails should not be part of this.')).toBeLessThan(0.4)
    expect(score(one, 'There is nothing against Rails, so I would build it on Rails.')).toBeGreaterThan(0.6)
  })

  it('lets the words after a reference say what it means, with its sign', () => {
    const one = 'Remove the fence and the gate.'
    expect(score(one, 'I would take both out, fence and gate.')).toBeGreaterThan(0.6)
  })

  it('takes putting off for keeping what there is', () => {
    const one = 'The roof leaks. I would replace it this spring.'
    expect(score(one, 'The roof leaks. Not this year.')).toBeLessThan(0.45)
    expect(score('The roof leaks. I would hold off.', 'The roof leaks. Not this year.')).toBeGreaterThan(0.5)
  })

  it('reads no answer to a question of the text itself as the decision', () => {
    const one = 'Sell the van.'
    expect(score(one, 'Does the van earn its keep? No. Does anybody miss it? No. Sell the van.')).toBeGreaterThan(0.6)
  })
})
