/** What `npm pack` ships: JavaScript that runs without the sources. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rehearsalProject, root, temporaryFolder } from '../support/convene.ts'

const identity = ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.org']

describe('the package', () => {
  it('holds no sources or tests, and its command decides, asks and builds', { timeout: 900_000 }, () => {
    const folder = temporaryFolder()
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: copyOfSources() })
    execFileSync('tar', ['-xzf', readdirSync(folder)[0]!], { cwd: folder })
    const installed = join(folder, 'package')
    symlinkSync(join(root, 'node_modules'), join(installed, 'node_modules'))
    expect(existsSync(join(installed, 'src'))).toBe(false)
    const links = readFileSync(join(installed, 'README.md'), 'utf8').matchAll(/(?<!!)\[[^\]]*\]\(([^):#]+)\)/g)
    const linked = [...links].map(([, path]) => path!).filter((path) => !path.startsWith('docs/pictures/'))
    expect(linked.length).toBeGreaterThan(10)
    expect(linked.filter((path) => !existsSync(join(installed, path)))).toEqual([])
    const shipped = readdirSync(join(installed, 'dist'), { encoding: 'utf8', recursive: true })
    expect(shipped.filter((name) => /\.(test|fixture)\.|\.ts$/.test(name))).toEqual([])
    // Started or loaded by their own file, so the bundle must keep their names.
    expect(shipped).toEqual(
      expect.arrayContaining(['main.js', 'git-helper.js', 'group-helper.js', 'search-worker.js', 'web/index.html']),
    )
    const command = join(installed, 'bin/convene')
    const env = { ...process.env, CONVENE_NODE: process.execPath }
    expect(execFileSync(command, ['--version'], { env, encoding: 'utf8' }).trim()).toBe('0.1.0')
    const decided = execFileSync(command, ['decide', 'risk'], {
      env,
      input: '{"prompt":"rename a variable"}',
      encoding: 'utf8',
    })
    expect(JSON.parse(decided)).toEqual({ flags: [], suggestion: null })
    const project = temporaryFolder(rehearsalProject('- when: { ask: answer }\n  text: packed'))
    expect(
      execFileSync(command, ['ask', 'hi', '--to', 'gpt'], {
        env,
        cwd: project,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ).toBe('packed\n')
    const sample = temporaryFolder()
    cpSync(join(root, 'examples/first-build'), sample, { recursive: true })
    for (const args of [
      ['init', '-q'],
      ['add', '-A'],
      [...identity, 'commit', '-q', '-m', 'first'],
    ])
      execFileSync('git', args, { cwd: sample })
    const built = execFileSync(command, ['build', 'spec.yaml', '--strategy', 'graph', '--json'], {
      env,
      cwd: sample,
      encoding: 'utf8',
    })
    expect(JSON.parse(built.trimEnd().split('\n').at(-1)!)).toMatchObject({ status: 'done' })
    const hint = execFileSync(process.execPath, [join(installed, 'hooks/plan-hint.mjs')], {
      env,
      input: JSON.stringify({ prompt: 'rename a variable' }),
      encoding: 'utf8',
    })
    expect(hint).toBe('')
  })
})

/** Packing builds `dist/` anew: in the checkout it would take the web app away from the tests that run beside this one. */
function copyOfSources(): string {
  const copy = temporaryFolder()
  const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of tracked.split('\0').filter(Boolean))
    if (existsSync(join(root, file))) cpSync(join(root, file), join(copy, file))
  for (const modules of ['node_modules', 'web/node_modules'])
    if (existsSync(join(root, modules))) symlinkSync(join(root, modules), join(copy, modules))
  return copy
}
