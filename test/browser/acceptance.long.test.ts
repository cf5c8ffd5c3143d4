/** Collaboration as its first users described it, in a browser: five acceptance tests and their prompts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Line } from '../room/open-room.ts'
import { eventually, inBrowser } from '../support/browser.ts'
import { root } from '../support/convene.ts'
import { holdAgents } from './held-agents.ts'
import {
  chip,
  collaborate,
  composer,
  enterProject,
  enterRoom,
  itemBy,
  say,
  sessionEnd,
  shown,
  speakers,
  stopButton,
  textOf,
  watchText,
} from './room-page.ts'

const fairyTale = 'Write a 2\u2011paragraph fairy tale—Claude drafts, GPT edits, alternate until done (≤4 rounds).'
const hikingTrip = 'Collaborate to outline and refine a 5\u2011step plan for a weekend hiking trip. Keep it concise.'
const oneSentence = 'Summarize this in 1 sentence, then stop.'

const lost: Line = { when: { ask: 'turn' }, repeat: true, text: 'Which story?' }
const handTo = (to: string, task: string) => ({ to, task })

/** A turn that only matches an agent whose prompt contains `knowing`. */
function turn(agent: string, round: number, knowing: string, reply: unknown): Line {
  return { when: { ask: 'turn', agent, round, contains: knowing }, reply }
}

inBrowser('collaboration, on the page', () => {
  describe('acceptance', () => {
    it('[TN7] A: turns appear in order, each with its round, and no agent asks which story', async () => {
      const { page, room } = await enterRoom([
        turn('claude', 1, fairyTale, { message: 'A fox found a lantern.', handoff: handTo('gpt', 'Edit it.') }),
        turn('gpt', 2, 'A fox found a lantern', { message: 'A fox kept it.', handoff: handTo('claude', 'Go on.') }),
        turn('claude', 3, 'A fox kept it', { message: 'It lit her way home.', handoff: handTo('gpt', 'Close it.') }),
        turn('gpt', 4, 'It lit her way home', { message: 'Both paragraphs stand.', final: true }),
        lost,
      ])
      const agents = holdAgents(room.served)
      await collaborate(page, { speaker: 'claude', rounds: 4 })
      await eventually(() => textOf(chip(page))).toBe('Collab: 0/4')
      await say(page, fairyTale)
      const order = ['claude', 'gpt', 'claude', 'gpt']
      for (const [index, agent] of order.entries()) {
        await eventually(() => textOf(chip(page))).toBe(`Collab: ${index + 1}/4`)
        await page.getByRole('article', { name: `${agent}, round ${index + 1} of 4, writing` }).waitFor()
        await agents.letSpeak(agent)
        await page.getByRole('article', { name: `${agent}, round ${index + 1} of 4`, exact: true }).waitFor()
      }
      await eventually(() => textOf(sessionEnd(page))).toContain('4 of 4 turns')
      expect((await shown(page)).map(({ sender, target, round }) => [sender, target, round])).toEqual([
        ['you', 'router', 1],
        ['claude', 'all', 1],
        ['router', 'gpt', 2],
        ['gpt', 'all', 2],
        ['router', 'claude', 3],
        ['claude', 'all', 3],
        ['router', 'gpt', 4],
        ['gpt', 'all', 4],
      ])
      expect(await endings(page)).toEqual(['final'])
      expect(await textOf(page.getByRole('log'))).not.toContain('Which story?')
      expect(await stopButton(page).count()).toBe(0)
    })

    it('[TN6] B: with two rounds there are exactly two turns, and the page shows the end', async () => {
      const handOver = (to: string) => ({ message: `over to ${to}`, handoff: handTo(to, 'Do the next step.') })
      const { page } = await enterRoom([
        { when: { ask: 'turn', agent: 'gpt' }, repeat: true, reply: handOver('claude') },
        { when: { ask: 'turn', agent: 'claude' }, repeat: true, reply: handOver('gpt') },
      ])
      await collaborate(page, { rounds: 2 })
      await say(page, 'Plan, write and test a parser.')
      await eventually(() => endings(page)).toEqual(['cap'])
      expect(await textOf(sessionEnd(page))).toMatch(/Collaboration ended.*2 of 2 turns/)
      expect(await speakers(page)).toEqual(['you', 'gpt', 'router', 'claude'])
      expect(await textOf(chip(page))).toBe('Collab: 2/2')
    })

    it('[TN5] [TN3] C: a hand-off is shown and followed; final ends at once, even with a hand-off', async () => {
      const { page } = await enterRoom([
        turn('gpt', 1, 'Name three birds', { message: 'Wren, owl.', handoff: handTo('claude', 'Add one more bird.') }),
        turn('claude', 2, 'Add one more bird.', {
          message: 'Heron.',
          handoff: handTo('gpt', 'Never asked.'),
          final: true,
        }),
      ])
      await collaborate(page)
      await say(page, 'Name three birds')
      await eventually(() => endings(page)).toEqual(['final'])
      const lines = await shown(page)
      expect(lines.map(({ sender }) => sender)).toEqual(['you', 'gpt', 'router', 'claude'])
      for (const [index, words] of ['Name three birds', 'Wren, owl.', 'Add one more bird.', 'Heron.'].entries())
        expect(lines[index]!.text).toContain(words)
      expect(await textOf(page.getByRole('log'))).not.toContain('Never asked.')
    })

    it('[TN2] D: a malformed reply is shown verbatim with a warning, and the session ends', async () => {
      const raw = 'Sure! {"message": "hello", "mood": "fine", "handoff": {"to": "claude", "task": "go on"}}'
      const { page } = await enterRoom([{ when: { ask: 'turn' }, text: raw }])
      await collaborate(page)
      await say(page, 'Say hello')
      await eventually(() => endings(page)).toEqual(['malformed'])
      expect(await speakers(page)).toEqual(['you', 'gpt'])
      expect(await textOf(itemBy(page, 'gpt'))).toContain(raw)
      expect(await textOf(itemBy(page, 'gpt').getByTestId('warning'))).toMatch(/malformed/i)
      expect(await stopButton(page).count()).toBe(0)
    })

    for (const [how, stop] of [
      ['the button', (page) => stopButton(page).click()],
      ['Esc', (page) => composer(page).press('Escape')],
    ] satisfies [string, (page: Page) => Promise<void>][]) {
      it(`[TN8] E: ${how} stops the session with the notice, and the reply in flight never appears`, async () => {
        const { page, room } = await enterRoom([
          turn('gpt', 1, 'Count', { message: 'one', handoff: handTo('claude', 'two, please') }),
          { when: { ask: 'turn', agent: 'claude' }, reply: { message: 'a late two', final: true } },
          { when: { ask: 'turn' }, reply: { message: 'still here', final: true } },
        ])
        const agents = holdAgents(room.served, { deaf: true })
        const everything = await watchText(page, 'main')
        await collaborate(page)
        await say(page, 'Count')
        await agents.letSpeak('gpt')
        await eventually(() => textOf(chip(page))).toBe('Collab: 2/6')
        await stop(page)
        await itemBy(page, 'router').getByText('Collaboration canceled by user.').waitFor()
        await eventually(() => endings(page)).toEqual(['canceled'])
        await agents.letSpeak('claude')
        await say(page, 'Are you there?')
        await agents.letSpeak('gpt')
        await itemBy(page, 'gpt').getByText('still here').waitFor()
        expect((await everything()).join('\n')).not.toContain('a late two')
        const said = (await shown(page)).filter(({ type, sender }) => type === 'agent_response' && sender === 'router')
        expect(said).toHaveLength(1)
        expect(said[0]!.text.replace(/\s*\d\d:\d\d$/, '')).toBe('Collaboration canceled by user.')
      })
    }
  })

  describe('the prompts, word for word', () => {
    it('1: the chip counts from 0/6 while the sample plans a weekend by turns, up to the final turn', async () => {
      const { page, room } = await enterProject(sample())
      const agents = holdAgents(room.served)
      await collaborate(page)
      const counted = await watchText(page, '[data-testid=collab-chip]')
      await say(page, hikingTrip)
      for (const [index, agent] of ['gpt', 'claude', 'gpt'].entries()) {
        await eventually(() => textOf(chip(page))).toBe(`Collab: ${index + 1}/6`)
        await agents.letSpeak(agent)
      }
      await eventually(() => endings(page)).toEqual(['final'])
      expect(await counted()).toEqual(['Collab: 0/6', 'Collab: 1/6', 'Collab: 2/6', 'Collab: 3/6'])
      expect(await speakers(page)).toEqual(['you', 'gpt', 'router', 'claude', 'router', 'gpt'])
    })

    it('[TN3] 2, 3: the fairy tale, started from text; then one sentence, whose first reply is the last', async () => {
      const { page } = await enterProject(sample())
      await say(page, `@router collaborate claude gpt: ${fairyTale}`)
      await eventually(() => endings(page)).toEqual(['final'])
      const turns = (await shown(page)).filter(({ type }) => type === 'agent_response')
      expect(turns.map(({ sender, round }) => [sender, round])).toEqual([
        ['claude', 1],
        ['gpt', 2],
        ['claude', 3],
        ['gpt', 4],
      ])
      expect(await textOf(sessionEnd(page))).toContain('4 of 6 turns')
      await collaborate(page)
      await say(page, oneSentence)
      await eventually(() => endings(page)).toEqual(['final', 'final'])
      expect(await textOf(sessionEnd(page).last())).toContain('1 of 6 turns')
      const lines = await shown(page)
      const begun = lines.findIndex(({ text }) => text.includes(oneSentence))
      expect(lines.slice(begun).map(({ sender }) => sender)).toEqual(['you', 'gpt'])
    })

    it('the sample shows every mode, in one room and in any order', async () => {
      const { page } = await enterProject(sample())
      const round = page.getByTestId('round')
      const rounds: [string, RegExp | null, string[]][] = [
        ['Which queue should we use?', /^Both answer/, ['gpt', 'claude']],
        ['Review how orders are totalled.', /^gpt builds on claude/, ['claude', 'gpt']],
        ['What else is there?', null, ['gpt']],
        ['Which queue should we use?', /^Both answer/, ['gpt', 'claude']],
      ]
      for (const [text, decision, answering] of rounds) {
        await say(page, text)
        await eventually(async () => (await speakers(page)).slice(-1 - answering.length)).toEqual(['you', ...answering])
        if (decision) expect(await textOf(round.last())).toMatch(decision)
        const said = await textOf(itemBy(page, 'gpt').last())
        expect(said.includes('This is a rehearsal')).toBe(answering.length === 1)
      }
    })

    it('[TN9] 4: two requests back to back run concurrently and do not mix', async () => {
      const about = (goal: string, secret: string) => [
        turn('gpt', 1, goal, { message: `${secret} first`, handoff: handTo('claude', `${secret} task`) }),
        turn('claude', 2, `${secret} first`, { message: `${secret} second`, handoff: handTo('gpt', `${secret} end`) }),
        turn('gpt', 3, `${secret} second`, { message: `${secret} third`, final: true }),
      ]
      const { page, room } = await enterRoom([
        ...about('the first goal', 'amber'),
        ...about('the other goal', 'cobalt'),
        lost,
      ])
      const agents = holdAgents(room.served)
      await collaborate(page)
      await say(page, 'the first goal')
      await say(page, 'the other goal')
      await eventually(() => agents.asked()).toEqual(['gpt', 'gpt'])
      await eventually(() => textOf(stopButton(page))).toBe('Stop all 2')
      for (const agent of ['gpt', 'gpt', 'claude', 'claude', 'gpt', 'gpt']) await agents.letSpeak(agent)
      await eventually(() => sessionEnd(page).count()).toBe(2)
      const lines = await shown(page)
      const sessions = lines.filter(({ sender }) => sender === 'you').map(({ session }) => session!)
      for (const [index, own] of ['amber', 'cobalt'].entries()) {
        const mine = lines.filter(({ session, sender }) => session === sessions[index] && sender !== 'you')
        expect(mine.map(({ text }) => new RegExp(`${own} \\w+`).exec(text)?.[0])).toEqual(
          ['first', 'task', 'second', 'end', 'third'].map((word) => `${own} ${word}`),
        )
        expect(mine.map(({ round }) => round)).toEqual([1, 2, 2, 3, 3])
      }
    })

    it('[TN8] 4: one of two running sessions can be stopped alone', async () => {
      const { page, room } = await enterRoom([
        { when: { ask: 'turn', contains: 'the first goal' }, reply: { message: 'never said', final: true } },
        { when: { ask: 'turn' }, reply: { message: 'undisturbed', final: true } },
      ])
      const agents = holdAgents(room.served)
      await collaborate(page)
      await say(page, 'the first goal')
      await say(page, 'the other goal')
      await eventually(() => agents.asked()).toHaveLength(2)
      await page.getByRole('button', { name: 'Stop: the first goal' }).click()
      await eventually(() => endings(page)).toEqual(['canceled'])
      await eventually(() => textOf(stopButton(page))).toBe('Stop')
      const stopped = await agents.letSpeak('gpt').catch((error: Error) => error.name)
      expect(stopped).toBe('Stopped')
      await agents.letSpeak('gpt')
      await itemBy(page, 'gpt').getByText('undisturbed').waitFor()
      await eventually(() => endings(page)).toEqual(['canceled', 'final'])
      expect(await textOf(page.getByRole('log'))).not.toContain('never said')
    })

    it('[TN1] [TN2] 5: prose around the JSON is left out, prose alone is shown as it is, and the room stays usable', async () => {
      const around =
        'Of course. Here it is: {"message": "A heron.", "handoff": {"to": "claude", "task": "Add one."}} Enjoy!'
      const prose = 'Of course: a wren, I would say. Anything else?'
      const { page } = await enterRoom([
        { when: { ask: 'turn', agent: 'gpt', contains: 'with prose' }, text: around },
        { when: { ask: 'turn', agent: 'claude', contains: 'Add one.' }, text: prose },
        { when: { ask: 'turn' }, reply: { message: 'fine', final: true } },
      ])
      await collaborate(page)
      await say(page, 'Answer with prose around it')
      await eventually(() => endings(page)).toEqual(['malformed'])
      expect(await speakers(page)).toEqual(['you', 'gpt', 'router', 'claude'])
      expect(await textOf(itemBy(page, 'gpt'))).toContain('A heron.')
      expect(await textOf(page.getByRole('log'))).not.toContain('Here it is')
      expect(await itemBy(page, 'gpt').getByTestId('warning').count()).toBe(0)
      expect(await textOf(itemBy(page, 'claude'))).toContain(prose)
      await itemBy(page, 'claude').getByTestId('warning').waitFor()
      await say(page, 'And now properly')
      await eventually(() => endings(page)).toEqual(['malformed', 'final'])
    })
  })
})

/** Why the sessions on the page ended, in order. */
function endings(page: Page): Promise<(string | undefined)[]> {
  return sessionEnd(page).evaluateAll((ends) => (ends as HTMLElement[]).map(({ dataset }) => dataset.reason))
}

/** The project that `npm start` shows, without the agents' typing delays. */
function sample(): Record<string, string> {
  const read = (name: string) => readFileSync(join(root, 'examples/first-room', name), 'utf8')
  const script = read('rehearsal.yaml').replace(/^ *(stream|after)_ms: \d+\n/gm, '')
  return { 'convene.yaml': read('convene.yaml'), 'rehearsal.yaml': script }
}
