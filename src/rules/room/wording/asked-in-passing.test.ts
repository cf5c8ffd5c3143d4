/**
 * Names, groups and negations inside ordinary sentences, quoted lines and code. Most were written before their author read the phrases.
 * SPEC.md § DP9.
 */
import { describe, expect, it } from 'vitest'
import { planRound } from '../round.ts'
import { needsNoSource } from './courtesy.ts'
import { expectWanted, type Want, whoSpeaks } from './who-speaks.fixture.ts'

const atFirst: [string, Want][] = [
  ['No need for all of you, one short answer is enough: does `git stash` keep untracked files?', 'single'],
  ["don't review, just answer: is `Promise.allSettled` available in Node 12?", 'one'],
  ["I don't need everyone's take, just fix the regex so that it also takes 7 digits", 'single'],
  [
    'The ticket says:\n> each of you should test your own branch before Friday\nWhich command tests only my branch?',
    'one',
  ],
  [
    '```\n# each of the reviewers must approve\nrequired: 2\n```\nwhat if there is only one other person in the org?',
    'one',
  ],
  ['Kein Konsens nötig, mir reicht eine Antwort: wie heißt der Parameter für den Timeout bei fetch?', 'one'],
  ['I asked claude yesterday and he said Redis streams. What would you use for 200 jobs a minute?', 'one'],
  ['gpt: how do I undo the last commit but keep the files?', 'gpt'],
  ['@gemini and @gpt, independent estimates please: days to add OIDC login to a Rails 7 app', 'gemini+gpt'],
  ['each of the tests takes 40 s. how do I find out which fixture is slow in pytest?', 'one'],
  ['everyone here uses vim, is there a plugin for jump to definition without LSP?', 'one'],
  ['All three migrations failed with the same error: relation already exists. What happened?', 'one'],
  ['Could one of you write the migration and another look for data loss in it before I run it?', 'second'],
  ['¿Qué opináis cada uno: monorepo o un repo por servicio?', 'all'],
  ['no debate please. soft deletes or an archive table, one sentence.', 'one'],
  ['claude writes the RFC intro, gemini then shortens it to half a page.', 'claude>gemini'],
  ['Vote please: tabs or spaces in our new monorepo, one line each.', 'all'],
  ['Ich hätte gern von jedem von euch eine Schätzung in Tagen: Export nach XLSX.', 'all'],
  ['Ask gpt whether the index is used, and tell me what you think of his answer, claude', 'gpt>claude'],
  ['gpt, what do you think? claude, comment on his answer', 'gpt>claude'],
  ['Let gpt draft a changelog entry and have claude polish it', 'gpt>claude'],
  ['Frag gpt, ob der Index greift, und sag mir, was du von seiner Antwort hältst, claude', 'gpt>claude'],
]

const afterClaude: [string, Want][] = [
  ['Status update: the deploy went out at noon', 'quiet'],
  ['What did claude overlook?', '!claude'],
  ['I want a second opinion on what claude just said about the index.', '!claude'],
  ['gemini, was claude right?', 'gemini'],
  ['Take what claude wrote and make it a shell script.', 'one'],
  ['not you claude, the others: is there a cheaper way?', 'gemini+gpt'],
  ['Lass das bitte noch jemand anderen prüfen, bevor ich es in Produktion ausführe.', '!claude'],
]

describe('[DP9] whom a sender wants to hear, asked in passing', () => {
  it.each(atFirst)('[DP9] %s → %s', (text, want) => expectWanted(want, whoSpeaks(text)))
  it.each(afterClaude)('[DP9] after claude: %s → %s', (text, want) => expectWanted(want, whoSpeaks(text, 'claude')))
})

describe('[DP9] a message with an attachment', () => {
  const planned = (attached: boolean) =>
    planRound({ message: { id: 'm', text: 'Review this' }, agents: ['claude', 'gpt'], spoke: ['you', 'gpt'], attached })

  it('[DP9] speaks of the attachment, not of the last answer', () => {
    expect(planned(false)).toMatchObject({ kind: 'asked', decision: { rule: 'continued' } })
    expect(planned(true).kind).toBe('propose')
  })
})

describe('[RD14] what needs no look at the project', () => {
  it.each(['thanks!', 'thanks gpt, that helps', 'danke, klappt jetzt', 'good night everyone'])('[RD14] %s', (text) =>
    expect(needsNoSource(text, ['gpt', 'claude'])).toBe(true),
  )
  it.each([
    'thanks, now add a test',
    'why?',
    'ok, do it',
    'thanks! does it work on Windows?',
    'works on my machine, why not in CI',
    "Don't answer yet: read src/parser.ts first, then tell me whether it can loop",
    'Heads-up: the tests of src/retry.ts are flaky. Find out why.',
    'No need to comment the code, just show me the loop in src/a.ts',
    'No need to reply to me, just tell claude to use tabs',
    'Explain this log.\n```\nupdate done\n```',
  ])('[RD14] but this does: %s', (text) => expect(needsNoSource(text, ['gpt', 'claude'])).toBe(false))
})

it.each(['Update the README with the steps for pnpm', 'Update src/retry.ts so that it gives up after three'])(
  '[DP9] a request is no note: %s',
  (text) =>
    expect(
      planRound({ message: { id: 'm', text }, agents: ['claude', 'gpt'], spoke: ['you', 'gpt'] }),
    ).not.toMatchObject({ decision: { rule: 'noted' } }),
)
