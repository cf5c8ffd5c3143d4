/** What `npm pack` ships: JavaScript that runs without the sources. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rehearsalProject, root, temporaryFolder } from '../support/convene.ts'

describe('the package', () => {
  it('holds no sources or tests, and its command decides, asks and serves', () => {
    const folder = temporaryFolder()
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root })
    execFileSync('tar', ['-xzf', readdirSync(folder)[0]!], { cwd: folder })
    const installed = join(folder, 'package')
    symlinkSync(join(root, 'node_modules'), join(installed, 'node_modules'))
    expect(existsSync(join(installed, 'src'))).toBe(false)
    expect(
      readdirSync(join(installed, 'dist/rules'), { encoding: 'utf8', recursive: true }).filter((name) =>
        /\.(test|fixture)\./.test(name),
      ),
    ).toEqual([])
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
  })
})
