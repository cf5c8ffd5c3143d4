/** A refused reply keeps its files and its conversation; the next message shows the cause. VF8. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { buildProject, code, expectExit, honest, leaf, ofType, type Project, specOf } from './project.ts'

interface Message {
  role: string
  content: string
}

/** The conversations that agents were given, by kind of ask and attempt. */
async function conversations(project: Project): Promise<{ kind: string; attempt: number; messages: Message[] }[]> {
  return ofType(await project.events(), 'task.put').map(({ kind, attempt, prompt_ref }) => {
    const hash = (prompt_ref as string).replace('sha256:', '')
    const file = join(project.folder, '.convene/payloads', hash.slice(0, 2), hash.slice(2))
    return {
      kind: kind as string,
      attempt: attempt as number,
      messages: JSON.parse(readFileSync(file, 'utf8')) as Message[],
    }
  })
}

it('[VF8] keeps files and conversation of a refused reply, and puts back only what it may not touch', async () => {
  const spec = specOf('inc')
  const { scaffold, tests, code: implemented, review } = honest(spec)
  const wrong = {
    ...implemented,
    files: {
      'src/step.js': 'export const step = 1\n',
      'src/inc.js': `import { step } from './step.js'\n${code('inc', 'value - step')}`,
    },
  }
  const cheating = {
    ...implemented,
    when: { ...implemented.when, attempt: 2, contains: 'exit code 1' },
    files: { 'test/inc.test.js': '' },
  }
  const right = {
    ...implemented,
    when: { ...implemented.when, attempt: 3, contains: 'Put back, because you may not change them: test/inc.test.js' },
    files: { 'src/inc.js': `import { step } from './step.js'\n${code('inc', 'value + step')}` },
  }
  const project = buildProject({ spec, lines: [scaffold, tests, wrong, cheating, right, review] })
  const built = await project.build('--strategy', 'graph')
  expectExit(built, 0)
  expect(built.stderr).toMatch(/^inc: running `.*--test.*` \(checking the work\)$/m)
  expect(built.stderr).toMatch(/^spent: /m)
  expect(project.read(built.report.commit!, 'src/step.js')).toContain('step = 1')
  expect(project.read(built.report.commit!, 'test/inc.test.js')).toContain('inc: inc-1')

  const all = await conversations(project)
  const [first, second, third] = all.filter(({ kind }) => kind === 'implement')
  expect(second!.messages.slice(0, first!.messages.length)).toEqual(first!.messages)
  expect(third!.messages.slice(0, second!.messages.length)).toEqual(second!.messages)
  const said = second!.messages.at(-1)!.content
  expect(said).toContain('--test-isolation=none')
  expect(said).toContain('exit code 1')
  expect(said).toMatch(/Failing tests:\n(?: {2}- .*\n)*? {2}- inc: inc-1: /)
  expect(said).toContain('Output around the first error:')
  expect(said).toContain('Your files are as you left them.')
  expect(said).not.toContain('inc-1 holds')
  // The reviewer is the test author: it remembers the tests it wrote.
  const [written] = all.filter(({ kind }) => kind === 'write-tests')
  const [reviewed] = all.filter(({ kind }) => kind === 'review-impl')
  expect(reviewed!.messages.slice(0, written!.messages.length)).toEqual(written!.messages)
  expect(reviewed!.messages[written!.messages.length]!.content).toContain('TestsReady')
  expect(JSON.stringify(reviewed!.messages).match(/inc-1 holds/g)).toHaveLength(1)
  const listed = reviewed!.messages.at(-1)!.content.match(/^- `.*`$/gm)
  expect(listed).toEqual(['- `inc: inc-1`', '- `inc contract`'])
})

it('[VF8] keeps the files of a reply that cannot be read', async () => {
  const spec = specOf('inc')
  const [scaffold, tests, implemented, review] = leaf(spec)
  const project = buildProject({
    spec,
    lines: [
      scaffold!,
      tests!,
      { when: implemented!.when, files: implemented!.files!, text: 'Done, all tests pass.' },
      { ...implemented!, files: {} },
      { ...implemented!, files: {} },
      review!,
    ],
  })
  const built = await project.build('--strategy', 'graph')
  expectExit(built, 0)
  expect(project.read(built.report.commit!, 'src/inc.js')).toContain('value + 1')
})
