/** Questions of a build at the terminal: answered there, or elsewhere while the terminal waits. */
import { expect, it } from 'vitest'
import type { Question } from '../../src/kernel/runs/question-events.ts'
import { askingCoder, wanted, working } from '../build/asking-coder.ts'
import { ofType } from '../build/project.ts'
import { trusting } from '../support/convene.ts'
import { callOwner } from '../support/owner.ts'
import { openTerminal } from '../support/terminal.ts'

it('goes on when a question was answered elsewhere, and takes the answer to the next', {
  timeout: 240_000,
}, async () => {
  const next = { permission: wanted('npm run tidy'), ifAllowed: [{ die: 1 }], ifDenied: working }
  const project = askingCoder({ permission: wanted('npm run deploy'), ifAllowed: [{ die: 1 }], ifDenied: [next] })
  const options = { cwd: project.folder, env: trusting }
  const terminal = openTerminal(['build', 'spec.json', '--strategy', 'solo'], options)
  await terminal.shows(/coder asks for permission: npm run deploy[\s\S]*1 to 2:/)
  const { questions } = (await callOwner(project.folder, 'GET', '/api/questions')) as { questions: Question[] }
  const answer = `/api/questions/${encodeURIComponent(questions[0]!.id)}/answer`
  await callOwner(project.folder, 'POST', answer, { choice: 'deny' })
  await terminal.shows(/\(answered elsewhere\)[\s\S]*npm run tidy[\s\S]*1 to 2:/)
  // A wrong answer is refused, and the terminal asks again.
  terminal.type('perhaps\r')
  await terminal.shows(/perhaps[\s\S]*allow, deny[\s\S]*1 to 2:/)
  terminal.type('2\r')
  expect(await terminal.finished, terminal.screen()).toBe(0)
  const resolved = ofType(await project.events(), 'permission.resolved')
  expect(resolved.map(({ decision, by }) => [decision, by])).toEqual([
    ['deny', 'you'],
    ['deny', 'you'],
  ])
})
