/** Work that changes the settings of linters and compilers: bent ones are refused, needed ones asked about once. TR7. */
import { describe, expect, it } from 'vitest'
import {
  buildProject,
  code,
  expectExit,
  honest,
  type Line,
  ofType,
  type Project,
  specOf,
  testCommand,
} from './project.ts'

const spec = specOf('inc')
const good = honest(spec)
const passed = { TestsPassed: {} }
const retry = {
  RequestRetry: { diagnosis: 'It fails.', strategyFrom: 'a loop', strategyTo: 'a sum', failingTests: [] },
}

/** Refuses `var`, unless settings nested in src or in the manifest turn that off. */
const linter = `import { existsSync, readFileSync, readdirSync } from 'node:fs'
const own = JSON.parse(readFileSync('package.json', 'utf8')).eslintConfig
if (own?.off || existsSync('src/.eslintrc.json')) process.exit(0)
const bad = readdirSync('src').filter((name) => /\\bvar /.test(readFileSync('src/' + name, 'utf8')))
if (bad.length > 0) { console.error('src/' + bad[0] + ': no var'); process.exit(1) }
`
/** Needs \`jsx\` for code with a tag, and refuses \`any\` unless \`strict\` is off. */
const compiler = `import { readFileSync, readdirSync } from 'node:fs'
const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8'))
for (const name of readdirSync('src')) {
  const text = readFileSync('src/' + name, 'utf8')
  const wrong = [...(/<b>/.test(text) && !compilerOptions.jsx ? ['no jsx'] : []), ...(/any/.test(text) && compilerOptions.strict ? ['no any'] : [])]
  if (wrong.length > 0) { console.error('src/' + name + ': ' + wrong); process.exit(2) }
}
`
const strict = '{"compilerOptions":{"strict":true}}\n'
const manifest = (more: Record<string, unknown> = {}) =>
  `${JSON.stringify({
    type: 'module',
    scripts: { test: `node lint/eslint && node lint/tsc --noEmit && ${testCommand}` },
    ...more,
  })}\n`

function projectWith(lines: Line[], build: Record<string, unknown> = {}): Project {
  return buildProject({
    spec,
    lines,
    files: { 'lint/eslint': linter, 'lint/tsc': compiler, 'tsconfig.json': strict, 'package.json': manifest() },
    build: { test: 'npm test --silent', caps: { attempts: 9 }, ...build },
  })
}

const attempt = (number: number, files: Line['files'], reply: unknown = passed, contains?: string): Line => ({
  when: { ask: 'implement', node: 'inc', attempt: number, ...(contains ? { contains } : {}) },
  files,
  reply,
})
const lazy = { 'src/inc.js': 'export function inc(value) {\n  var next = value + 1\n  return next\n}\n' }
const tagged = { 'src/inc.js': `/* <b> */\n${code('inc')}` }
const asked = async (project: Project) =>
  ofType(await project.events(), 'question.asked').map(({ context }) => context as { rule: string; settings: string[] })

describe('settings of checkers', () => {
  it('[TR7] are compared with the start of the node: asking for a retry first does not keep bent ones', async () => {
    const only = 'the tests pass only with changed settings'
    const project = projectWith([
      good.scaffold,
      good.tests,
      attempt(1, { ...lazy, 'src/.eslintrc.json': '{"root":true}\n' }, retry),
      attempt(2, {}, passed),
      attempt(3, { 'package.json': manifest({ eslintConfig: { off: true } }) }, retry, `${only} (src/.eslintrc.json)`),
      attempt(4, {}, passed),
      attempt(
        5,
        { 'src/inc.js': code('inc', 'value + 1 // any'), 'tsconfig.json': '{"compilerOptions":{}}\n' },
        passed,
        `${only} (package.json)`,
      ),
      attempt(6, { 'src/inc.js': code('inc') }, passed, `${only} (tsconfig.json)`),
      good.review,
    ])
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 0)
    const refused = ofType(await project.events(), 'reply.refused')
    expect(refused.map(({ problems }) => problems)).toMatchObject([
      [{ rule: 'TR7' }],
      [{ rule: 'TR7' }],
      [{ rule: 'TR7' }],
    ])
    expect(project.git('diff', '--name-only', 'main', built.report.branch)).not.toMatch(/eslintrc|package|tsconfig/)
    expect(await asked(project)).toEqual([])
  })

  it('[TR7] [VF3] that nothing else opens are a person’s to allow, once the agent is stuck', async () => {
    const loosened = { ...lazy, 'package.json': manifest({ eslintConfig: { off: true } }) }
    const stuck = { Stuck: { diagnosis: 'the limit is in the way', recommendation: 'raise it', attempts: 1 } }
    const project = projectWith([
      good.scaffold,
      good.tests,
      attempt(1, loosened),
      attempt(2, {}, stuck),
      {
        when: { ask: 'implement', node: 'inc', contains: 'A person allowed this work to edit' },
        files: loosened,
        reply: passed,
      },
      good.review,
    ])
    const parked = await project.build('--strategy', 'graph')
    expectExit(parked, 3)
    const [question] = parked.report.questions!
    expect(question!.choices).toEqual(['retry', 'give up', 'allow package.json'])
    await project.convene('answer', question!.id, 'allow package.json')
    const built = await project.convene('resume', parked.report.run)
    expectExit(built, 0)
    expect(project.git('diff', '--name-only', 'main', parked.report.branch)).toContain('package.json')
  })

  it('[TR7] that the work needs are asked about once, in the graph and alone', async () => {
    const needed = { ...tagged, 'tsconfig.json': '{"compilerOptions":{"strict":true,"jsx":"react-jsx"}}\n' }
    for (const strategy of ['graph', 'solo']) {
      const tests = strategy === 'solo' ? good.tests.files : {}
      const project = projectWith([good.scaffold, good.tests, attempt(1, { ...tests, ...needed }), good.review])
      const parked = await project.build('--strategy', strategy)
      expectExit(parked, 3)
      const [question] = parked.report.questions!
      expect(question).toMatchObject({
        choices: ['allow', 'refuse'],
        context: { rule: 'TR7', settings: ['tsconfig.json: jsx "react-jsx"'] },
      })
      await project.convene('answer', question!.id, 'allow')
      const built = await project.convene('resume', parked.report.run)
      expectExit(built, 0)
      expect(await asked(project)).toHaveLength(1)
      expect(project.read(built.report.branch, 'tsconfig.json')).toContain('react-jsx')
    }
  })

  it('[TR7] are put back if the person refuses, and asked about by nobody where build.sensitive decides', async () => {
    const needed = { ...tagged, 'tsconfig.json': '{"compilerOptions":{"strict":true,"jsx":"react-jsx"}}\n' }
    const lines = [
      good.scaffold,
      good.tests,
      attempt(1, needed),
      attempt(2, { 'src/inc.js': code('inc') }, passed, 'tsconfig.json'),
      good.review,
    ]
    const project = projectWith(lines)
    const parked = await project.build('--strategy', 'graph')
    await project.convene('answer', parked.report.questions![0]!.id, 'refuse')
    const built = await project.convene('resume', parked.report.run)
    expectExit(built, 0)
    expect(project.read(built.report.branch, 'tsconfig.json')).toBe(strict.trim())
    for (const sensitive of ['allow', 'refuse']) {
      const decided = projectWith(lines, { sensitive })
      const ended = await decided.build('--strategy', 'graph')
      expectExit(ended, 0)
      expect(await asked(decided)).toEqual([])
      expect(decided.read(ended.report.branch, 'tsconfig.json').includes('jsx')).toBe(sensitive === 'allow')
    }
  })

  it('[TR7] are not loosened by a scaffold or a test author either', async () => {
    const loose = { 'tsconfig.json': '{"compilerOptions":{"strict":false}}\n' }
    const project = projectWith([
      { ...good.scaffold, files: { ...good.scaffold.files, ...loose } },
      { ...good.scaffold, when: { ...good.scaffold.when, contains: 'how strictly the code is checked' } },
      { ...good.tests, files: { ...good.tests.files, ...loose } },
      { ...good.tests, when: { ...good.tests.when, contains: 'how strictly the code is checked' } },
      good.code,
      good.review,
    ])
    const built = await project.build('--strategy', 'graph')
    expectExit(built, 0)
    expect(project.read(built.report.branch, 'tsconfig.json')).toBe(strict.trim())
  })
})
