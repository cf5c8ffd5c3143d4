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
      const terminal = buildInTerminal(project.folder)
      await terminal.shows(/coder asks for permission: [\s\S]*spoken[\s\S]*1 {2}allow\n {2}2 {2}deny[\s\S]*1 to 2:/)
      terminal.type('deny\r')

      // Everything after that is answered over HTTP, while the terminal shows the question too.
      await answerUntil(terminal.finished, project.folder, (text) =>
        text.includes('spoken') ? null : text.includes('posted') ? 'deny' : 'allow',
      )
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

  it('[AG2] what the user’s own opencode.json forbids is refused without a question', patience, async () => {
    const cli = clis.find(({ agent }) => agent === 'opencode')!
    const ownRules = {
      // opencode writes it into settings that lack it.
      $schema: 'https://opencode.ai/config.json',
      permission: { bash: { 'touch *': 'deny' } },
      agent: { build: { permission: { edit: 'allow' } } },
    }
    const files = { 'opencode.json': JSON.stringify(ownRules) }
    const { project, minds } = await realProject({ coder: cli }, { files, settings: { permissions: 'ask' } })
    const steps = [trying(cli, 'touch forbidden.txt'), trying(cli, 'mkdir -p notes'), ...workOf(cli)]
    minds.coder!.tasks.push({ about: '# Build inc', steps })
    const terminal = buildInTerminal(project.folder)
    await answerUntil(terminal.finished, project.folder, () => 'allow')
    expect(await terminal.finished, terminal.screen()).toBe(0)

    const asked = ofType(await project.events(), 'permission.requested').map(
      ({ title, command }) => `${title} ${command}`,
    )
    expect(asked.join('\n')).not.toContain('forbidden')
    expect(asked).toEqual([expect.stringContaining('mkdir'), expect.anything(), expect.anything()])
    expect(project.git('ls-tree', '-r', '--name-only', 'main')).not.toContain('forbidden')
  })
})

const buildInTerminal = (folder: string) =>
  openTerminal(['build', 'spec.json', '--strategy', 'solo', '--merge'], { cwd: folder, env: trusting })

/** Answers each open question over HTTP, until the command has ended. Null: another answers it. */
async function answerUntil(
  ending: Promise<unknown>,
  folder: string,
  choose: (text: string) => 'allow' | 'deny' | null,
): Promise<void> {
  const isOver = ending.then(() => true)
  const answered = new Set<string>()
  while (!(await Promise.race([isOver, pause(100, false)])))
    for (const { id, text } of await openQuestions(folder)) {
      const choice = choose(text)
      if (answered.has(id) || choice === null) continue
      answered.add(id)
      await callOwner(folder, 'POST', `/api/questions/${encodeURIComponent(id)}/answer`, { choice })
    }
}

/** None once the owner is gone. */
async function openQuestions(folder: string): Promise<Question[]> {
  const found = await callOwner(folder, 'GET', '/api/questions').catch(() => ({ questions: [] }))
  return (found as { questions: Question[] }).questions
}

function trying(cli: RealCli, command: string): MindStep {
  const call = cli.command(command)
  return { tool: call.name, arguments: () => call.arguments }
}

const workOf = (cli: RealCli) => [
  writing(cli, 'src/inc.js', code('inc')),
  writing(cli, 'test/inc.test.js', testText),
  ...ending(passed),
]

/** Tries both commands, then does its work. An agent whose turn ends with a denial is asked again, and told of it. */
function tasksOf(cli: RealCli): MindTask[] {
  const [spoken, posted] = ['spoken', 'posted'].map((word) => trying(cli, `echo no > ${word}.txt`)) as [
    MindStep,
    MindStep,
  ]
  const work = workOf(cli)
  const whole = '# Build inc'
  if (!cli.refusalEndsTurn) return [{ about: whole, steps: [spoken, posted, ...work] }]
  return [
    { about: whole, steps: [spoken] },
    { about: 'spoken.txt', steps: [posted] },
    { about: 'posted.txt', steps: work },
  ]
}
