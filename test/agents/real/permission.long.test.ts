/** A person denies what each real coding agent asks for, in the terminal and over HTTP; its work goes on and is merged. */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Question } from '../../../src/kernel/runs/question-events.ts'
import { code, ofType, testFile } from '../../build/project.ts'
import { trusting } from '../../support/convene.ts'
import { callOwner } from '../../support/owner.ts'
import { processesWith } from '../../support/processes.ts'
import { openTerminal } from '../../support/terminal.ts'
import { clis, type RealCli } from './clis.ts'
import type { MindStep, MindTask } from './emulated-mind.ts'
import { ending, patience, realProject, reason, writing } from './project.ts'

const passed = { TestsPassed: { iterations: 1, passedTests: [] } }
const testText = testFile('inc', { 'inc: inc-1': 'assert.equal(inc(1), 2); assert.equal(inc(5), 6)' })

describe.skipIf(reason !== undefined)(reason ? `denials by a person (${reason})` : 'denials by a person', () => {
  it.each(clis)(
    '[AG2] $agent is denied a command in the terminal and one over HTTP, goes on, and is merged',
    patience,
    async (cli) => {
      const { project, minds, homes: places } = await realProject({ coder: cli }, { settings: { permissions: 'ask' } })
      minds.coder!.tasks.push(...tasksOf(cli))
      const terminal = openTerminal(['build', 'spec.json', '--strategy', 'solo', '--merge'], {
        cwd: project.folder,
        env: trusting,
      })
      await terminal.shows(/coder asks for permission: [\s\S]*spoken[\s\S]*1 {2}allow\n {2}2 {2}deny[\s\S]*1 to 2:/)
      terminal.type('deny\r')

      // Everything after that is answered over HTTP, while the terminal shows the question too.
      const isOver = terminal.finished.then(() => true)
      const answered = new Set<string>()
      while (!(await Promise.race([isOver, pause(100, false)])))
        for (const { id, text } of await openQuestions(project.folder)) {
          if (answered.has(id) || text.includes('spoken')) continue
          answered.add(id)
          const choice = text.includes('posted') ? 'deny' : 'allow'
          await callOwner(project.folder, 'POST', `/api/questions/${encodeURIComponent(id)}/answer`, { choice })
        }
      expect(await terminal.finished, terminal.screen()).toBe(0)

      expect(project.read('main', 'src/inc.js')).toContain('value + 1')
      expect(project.git('ls-tree', '-r', '--name-only', 'main')).not.toMatch(/spoken|posted/)
      const events = await project.events()
      const asked = new Map(
        ofType(events, 'permission.requested').map(({ id, title, command }) => [id, `${title} ${command}`]),
      )
      const byPerson = ofType(events, 'permission.resolved').filter(({ by }) => by === 'you')
      const denials = byPerson.filter(({ decision }) => decision === 'deny').map(({ id }) => asked.get(id))
      expect(denials).toEqual([expect.stringContaining('spoken'), expect.stringContaining('posted')])
      // Codex asks for nothing that stays in its own sandbox.
      expect(byPerson.length > 2).toBe(cli.agent !== 'codex')
      const failed = ofType(events, 'ask.finished').filter(({ failure }) => failure !== undefined)
      expect(failed.length).toBe(cli.refusalEndsTurn ? 2 : 0)
      await expect.poll(() => processesWith('HOME', places.coder!)).toEqual([])
    },
  )
})

/** None once the owner is gone. */
async function openQuestions(folder: string): Promise<Question[]> {
  const found = await callOwner(folder, 'GET', '/api/questions').catch(() => ({ questions: [] }))
  return (found as { questions: Question[] }).questions
}

/** Tries both commands, then does its work. An agent whose turn ends with a denial is asked again, and told of it. */
function tasksOf(cli: RealCli): MindTask[] {
  const trying = (word: string): MindStep => {
    const call = cli.command(`echo no > ${word}.txt`)
    return { tool: call.name, arguments: () => call.arguments }
  }
  const work = [writing(cli, 'src/inc.js', code('inc')), writing(cli, 'test/inc.test.js', testText), ...ending(passed)]
  const whole = '# Build inc'
  if (!cli.refusalEndsTurn) return [{ about: whole, steps: [trying('spoken'), trying('posted'), ...work] }]
  return [
    { about: whole, steps: [trying('spoken')] },
    { about: 'spoken.txt', steps: [trying('posted')] },
    { about: 'posted.txt', steps: work },
  ]
}
