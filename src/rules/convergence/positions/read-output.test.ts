import { describe, expect, it } from 'vitest'
import { readOutput } from './read-output.ts'

describe('where the decision is', () => {
  it.each([
    ['Both have merits. I would go with the queue. The dashboard can wait.', 'i would go with the queue'],
    ['Trains are slow here. Keep the buses. They are paid for.', 'keep the buses'],
    ['I first wanted tabs. After a week of reviews, my choice is spaces.', 'my choice is spaces'],
    ['I agree with B on cost. However, speed decides. So: rent the hall.', 'rent the hall'],
    ['We could paint it or leave it bare. Paint peels: leave it bare.', 'leave it bare'],
    ['Should we move? Prices rose. We should move in May.', 'we should move'],
    ['If it rains, we stay. On balance, take the umbrella.', 'take the umbrella'],
    ['Buses run late. If I had to choose today I would probably take the tram.', 'i would probably take the tram'],
    ['Between tram and bus I would go for the tram.', 'i would go for the tram'],
    ['I would lean, weakly, towards the tram.', 'i would lean towards the tram'],
    ['Rails last longer. The east side is where I would put it.', 'the east side is where i would put it'],
    ['Ten were too few. Fifteen is my number.', 'fifteen is my number'],
    ['We run two lines. I would ask for a third one.', 'i would ask for a third one'],
    ['**TL;DR** build the tram. The buses are full.', 'build the tram'],
    ['Trams. Buses stand in the same traffic as everyone.', 'trams'],
    ['A ferry for now. Bridges take ten years to build.', 'a ferry for now'],
    ['UUIDs: they are sortable and the clients can make them.', 'uuids'],
    ['Drop the bus: it has been empty for a year.', 'drop the bus'],
    ['Slow, dear, loud.\n\n=> Bikes', 'bikes'],
    ['| way | verdict |\n|---|---|\n| bus | no, too slow |\n| tram | yes |', 'tram'],
    ['### Ways\n- bus\n- tram\n\n### Choice\n**The tram**', 'the tram'],
    ['Between the bus and the tram it was close; the noise decides it for the latter.', 'decides it for the tram'],
    ['It was a long debate. Not the bridge after all. A ferry, then.', 'a ferry'],
  ])('[CV5] in %j it is %j', (output, decision) => {
    expect(decisionsIn(output).some((text) => text.includes(decision))).toBe(true)
  })

  it.each([
    ['a former view', 'My choice was the bus at first. We should walk.'],
    ['another agent conceded to', 'I agree that we should take the bus. We should walk.'],
    ['what could be done', 'We could walk or we should take the bus. We should walk.'],
    ['a reason', 'Because we should take the bus less often, we should walk.'],
    ['a regret', 'I would have liked the bus. We should walk.'],
    ['what one could accept', 'I could live with the bus. We should walk.'],
    ['what is granted', 'The bus should run at night, sure. We should walk.'],
    ['a state of things', 'We are at 71 buses. We should walk.'],
    ['a question', 'Should we take the bus? We should walk.'],
  ])('[CV5] does not take %s for the decision', (_, output) => {
    expect(decisionsIn(output).at(-1)).toContain('we should walk')
    expect(decisionsIn(output).join()).not.toContain('bus')
  })

  it('[CV5] trusts a heading that announces the decision', () => {
    const output = '# Context\n\nWe must act. Use more paper.\n\n## Decision\n\n**Digital forms.** Paper gets lost.\n'
    expect(decisionsIn(output)).toEqual(['digital forms'])
  })

  it('[CV5] does not take options, tables or code for decisions', () => {
    const output =
      '| Way | Cost |\n|---|---|\n| Use trains | 3 |\n\n```\nuse(planes)\n```\n\nOptions: use boats, use cars.\n\nI recommend bikes.'
    expect(decisionsIn(output)).toEqual(['i recommend bikes'])
  })

  it('[CV5] reads on where a code fence is never closed', () => {
    expect(decisionsIn('```\nI recommend bikes.')).toEqual(['i recommend bikes'])
  })

  it('[CV5] knows a sentence that only lists what there is', () => {
    const { listings } = readOutput('Boats, bikes, or cars. I would take the bikes.')
    expect(listings).toHaveLength(1)
  })

  it('[CV5] reads the ends of a text of any length', () => {
    const wall = 'the weather was fine and nobody minded it at all. '.repeat(20_000)
    const { clauses } = readOutput(`I recommend bikes. ${wall} My verdict is boats.`)
    const decisions = clauses.filter(({ weight }) => weight === 1).map(({ text }) => text)
    expect(decisions).toEqual(['i recommend bikes', 'my verdict is boats'])
    expect(clauses.length).toBeLessThan(4000)
  })
})

function decisionsIn(output: string): string[] {
  return readOutput(output)
    .clauses.filter(({ weight }) => weight >= 0.5)
    .map(({ text }) => text)
}
