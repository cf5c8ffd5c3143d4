/** TR10: a disk that fills up in the middle of a plan, a ship, an issue loop and a talk. Builds: test/build/surroundings.long.test.ts. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { held, type Line, type Project } from '../build/project.ts'
import { shellProject } from '../ship/shell-issues.ts'
import { onSmallDisk } from '../support/small-disk.ts'

const one = [{ number: 1 }]
const goal = 'Give people a function that adds one'

type ScriptLine = Line & { when: { phase?: string } }

interface Floor {
  what: string
  words: string[]
  /** Work before it, while there is room. */
  before?: string[]
  /** When the disk fills up. */
  moment: string
  /** The lines that wait for the disk to be full. */
  holds(line: ScriptLine): boolean
  result: string
  expected: RegExp
}

/** Prints what was posted in rooms. */
const replies = `"${process.execPath}" -e '
const { DatabaseSync } = require("node:sqlite")
const log = new DatabaseSync(".convene/convene.db", { readOnly: true, timeout: 60_000 })
const rows = log.prepare("select data from events where type = ?").all("reply.posted")
console.log(rows.map(({ data }) => JSON.parse(data).text).join("; "))'`

const floors: Floor[] = [
  {
    what: 'a plan',
    words: ['plan', goal, '--mode', 'rapid', '--yes'],
    moment: 'phase.started %"phase":"9"%',
    holds: ({ when }) => when.phase === '9',
    result: 'cat .convene/plans/*/issues.json',
    expected: /the function f1 is there/,
  },
  {
    what: 'a ship',
    words: ['ship', goal, '--mode', 'rapid', '--yes'],
    moment: 'ask.started %"kind":"implement"%',
    holds: ({ when }) => when.ask === 'implement',
    result:
      'git branch -a; git show $(git branch -a --format="%(refname)" | grep -v heads/main$ | head -n 1):src/f1.js',
    expected: /value \+ 1/,
  },
  {
    what: 'an issue loop',
    before: ['greenlight', 'demo', '--issues', 'issues.json'],
    words: ['run', 'demo', '--merge'],
    moment: 'ask.started %"kind":"implement"%',
    holds: ({ when }) => when.ask === 'implement',
    result: 'git show main:src/f1.js',
    expected: /value \+ 1/,
  },
  {
    what: 'an answer in a room',
    words: ['ask', 'What is this?', '--to', 'coder'],
    moment: 'ask.started %"kind":"answer"%',
    holds: ({ when }) => when.ask === 'answer',
    result: replies,
    expected: /^It adds one\.$/,
  },
]

/** A project in which these lines are held. */
function heldProject({ holds }: Floor): Project {
  const project = shellProject(one)
  const script = join(project.folder, '../script.yaml')
  const lines = JSON.parse(readFileSync(script, 'utf8')) as ScriptLine[]
  const answer: Line = { when: { ask: 'answer' }, text: 'It adds one.' }
  const all = [answer, ...lines].map((line) => (holds(line) ? { ...line, ...held } : line))
  writeFileSync(script, JSON.stringify(all))
  return project
}

it.each(floors)('[TR10] a full disk stops $what, which goes on once there is room', async (floor) => {
  const project = heldProject(floor)
  if (floor.before) expect((await project.convene(...floor.before)).code).toBe(0)
  const ended = onSmallDisk({ parent: join(project.folder, '..'), ...floor })
  // Where no disk can be mounted, test/kernel/limits.test.ts shows the same with a limit of the database.
  if (!ended) return expect(process.getuid?.()).not.toBe(0)
  expect(ended.full.code, ended.all).not.toBe(0)
  expect(ended.full.said).toMatch(/disk is full/)
  expect(ended.resumed.code, ended.all).toBe(0)
  expect(ended.result, ended.all).toMatch(floor.expected)
})
