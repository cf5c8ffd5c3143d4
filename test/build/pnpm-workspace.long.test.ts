/** A workspace of pnpm 11 whose plugin has pnpm install before each script, built in the sandbox. Needs a registry. TR8, VF4, VF9. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, linkSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, it } from 'vitest'
import { commandEnvironment } from '../../src/workspace/commands/command-environment.ts'
import { buildProject, code, expectExit, ofType, specOf, testFile } from './project.ts'

const version = '11.4.0'
const lack = missing()
if (lack) console.warn(`skipped: a workspace of pnpm 11: ${lack}`)

/** The project's commands find a Node that pnpm 11 runs on, where the machine's own is too old: a copy of ours. */
function missing(): string | undefined {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const folder = join(cache, 'convene-tests', `node-${process.version}`, 'bin')
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(folder, 'node'))) placeNode(join(folder, 'node'))
  process.env.PATH = `${folder}${delimiter}${process.env.PATH}`
  const env = { ...process.env, ...commandEnvironment(process.env, []) }
  const say = (command: string) => spawnSync('sh', ['-c', command], { env, encoding: 'utf8', cwd: '/' })
  const { status, stderr } = say(`corepack pnpm@${version} --version`)
  return status === 0 ? undefined : `corepack cannot start pnpm ${version}: ${stderr.trim().split('\n')[0]}`
}

function placeNode(path: string): void {
  try {
    linkSync(process.execPath, path)
  } catch {
    copyFileSync(process.execPath, path)
  }
}

it.skipIf(lack)(
  '[TR8] [VF4] [VF9] correct work on a pnpm 11 workspace is accepted at once, wherever its set-up was made',
  { timeout: 300_000 },
  async () => {
    const spec = specOf('inc', undefined, {
      targetPath: 'packages/a/src/inc.js',
      testPath: 'packages/a/test/inc.test.js',
    })
    const pack = (name: string, more: object = {}) =>
      JSON.stringify({ name, type: 'module', scripts: { test: 'node --test' }, ...more })
    const old = (name: string) => `import { test } from 'node:test'\nimport 'is-windows'\ntest('${name}', () => {})\n`
    const tests = { 'inc: inc-1': 'assert.equal(inc(1), 2)' }
    const project = buildProject({
      spec,
      lines: [
        {
          when: { ask: 'implement' },
          files: { [spec.targetPath]: code('inc'), [spec.testPath]: testFile('inc', tests) },
          reply: { TestsPassed: {} },
          repeat: true,
        },
      ],
      files: {
        'package.json': JSON.stringify({ private: true, packageManager: `pnpm@${version}` }),
        'pnpm-workspace.yaml':
          "packages: ['packages/*']\nconfigDependencies:\n  '@pnpm/plugin-better-defaults': 0.2.1\nminimumReleaseAge: 0\n",
        '.gitignore': 'node_modules\npnpm-lock.yaml\n',
        'packages/a/package.json': pack('a', { dependencies: { 'is-windows': '1.0.2' } }),
        'packages/a/test/old.test.js': old('a is old'),
        'packages/b/package.json': pack('b', { dependencies: { 'is-windows': '1.0.2', a: 'workspace:*' } }),
        'packages/b/test/old.test.js': old('b is old'),
      },
      build: { setup: 'corepack pnpm install --no-frozen-lockfile', test: 'corepack pnpm -r test' },
    })
    // The second build starts from a copy of the first one's set-up.
    for (let build = 1; build <= 2; build++) {
      const built = await project.build('--strategy', 'solo')
      const events = await project.events()
      expect(ofType(events, 'reply.refused').map(({ problems }) => problems)).toEqual([])
      expectExit(built, 0)
      expect(ofType(events, 'reader.checked')).toMatchObject([
        { state: 'ok', detail: '2 tests read from the report by node' },
      ])
    }
  },
)
