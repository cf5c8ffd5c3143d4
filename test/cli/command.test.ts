/** The command itself: how it starts, how it reports wrong usage, and that signals reach the work. */
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { command, lastJson, rehearsalProject, run, start, temporaryFolder } from '../support/convene.ts'

describe('convene', () => {
  it('prints its version', async () => {
    const { code, stdout } = await run(['--version'])
    expect([code, stdout.trim()]).toEqual([0, '0.1.0'])
  })

  it('runs from any folder, through a link, with spaces in the path', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'a b'))
    symlinkSync(command, join(folder, 'a b', 'convene'))
    const stdout = execFileSync(join(folder, 'a b', 'convene'), ['--version'], { cwd: folder, encoding: 'utf8' })
    expect(stdout.trim()).toBe('0.1.0')
  })

  it('uses another Node if the one on the PATH is too old', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'node'), '#!/bin/sh\necho v20.20.2\n')
    chmodSync(join(folder, 'node'), 0o755)
    const { code, stdout } = await run(['--version'], {
      env: { PATH: folder + delimiter + process.env.PATH, CONVENE_NODE: process.execPath },
    })
    expect([code, stdout.trim()]).toEqual([0, '0.1.0'])
  })

  it('is one process: SIGKILL ends the work, and the next owner starts at once', async () => {
    const folder = temporaryFolder(rehearsalProject('- when: { ask: answer }\n  repeat: true\n  text: hello'))
    const serving = start(['serve', '--port', '0', '--json'], { cwd: folder })
    const { url } = JSON.parse((await serving.says(/^\{.*\}$/m))[0])
    serving.child.kill('SIGKILL')
    expect((await serving.finished).signal).toBe('SIGKILL')
    await expect(fetch(`${url}/api/health`)).rejects.toThrow()
    expect((await run(['ask', 'hi', '--to', 'gpt'], { cwd: folder })).stdout).toBe('hello\n')
  })

  it('prints an address that opens the page, whatever is in the token', async () => {
    const serving = start(['serve', '--port', '0'], { cwd: temporaryFolder(), env: { CONVENE_TOKEN: 'a+b/c=&d' } })
    const [, address] = await serving.says(/at (http\S+)/)
    const answer = await fetch(address!, { redirect: 'manual' })
    serving.child.kill('SIGHUP')
    expect((await serving.finished).code).toBe(130)
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([302, expect.stringContaining('HttpOnly')])
  })

  it('dies with the Node that a person started it with', async () => {
    const child = spawn(process.execPath, [command, 'serve', '--port', '0', '--json'], { cwd: temporaryFolder() })
    const url = await new Promise<string>((found) => child.stdout.once('data', (chunk) => found(JSON.parse(chunk).url)))
    child.kill('SIGKILL')
    await new Promise((closed) => child.once('close', closed))
    await expect(fetch(`${url}/api/health`)).rejects.toThrow()
  })

  it('reports a wrong command, option or argument, and how to fix it', async () => {
    const unknown = await run(['aks'])
    expect([unknown.code, unknown.stdout]).toEqual([2, ''])
    expect(unknown.stderr).toContain("unknown command 'aks' (Did you mean ask?)")
    expect((await run(['ask', 'hi', '--too', 'gpt'])).stderr).toContain("unknown option '--too' (Did you mean --to?)")
    expect((await run(['ask'])).stderr).toContain("missing required argument 'text'")
    const cwd = temporaryFolder()
    const nowhere = await run(['runs', '-C', 'typo/deeper', '--json'], { cwd })
    expect([nowhere.code, lastJson(nowhere)]).toMatchObject([2, { error: { code: 'usage', path: 'folder' } }])
    expect(readdirSync(cwd)).toEqual([])
    const json = await run(['events', '--after', 'x', '--json'])
    expect([json.code, lastJson(json)]).toMatchObject([2, { error: { code: 'usage', path: '--after' } }])
  })

  it('prints help for the program and for each command on stdout, with exit code 0', async () => {
    const help = await run(['--help'])
    expect(help.code).toBe(0)
    for (const name of ['init', 'doctor', 'decide', 'ask', 'events', 'runs', 'stop', 'resume', 'fork', 'serve']) {
      expect(help.stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
    }
    const ask = await run(['ask', '--help'])
    expect([ask.code, ask.stdout.includes('--to <agent>')]).toEqual([0, true])
  })

  it('accepts -C and --json before and after the command', async () => {
    const folder = temporaryFolder(rehearsalProject('[]'))
    for (const words of [
      ['-C', folder, 'runs', '--json'],
      ['--json', '-C', folder, 'runs'],
      ['runs', '-C', folder, '--json'],
    ]) {
      const listed = await run(words)
      expect([words, listed.code, lastJson(listed)]).toEqual([words, 0, { runs: [] }])
    }
  })

  it('ends quietly when its reader is gone, as with head', async () => {
    const cwd = temporaryFolder(rehearsalProject('- { when: { ask: answer }, text: here }'))
    const shell = (line: string) =>
      execFileSync('/bin/bash', ['-c', `set -o pipefail; ${line}`, 'bash', command], {
        cwd,
        encoding: 'utf8',
        stdio: 'pipe',
      })
    expect(shell('"$1" --help | head -n 1; "$1" plan --help | head -n 1')).toContain('Usage')
    expect(shell('"$1" ask hello --to gpt --json | head -n 1')).toContain('{')
    expect(shell('{ for i in 1 2 3; do "$1" events --json; done; } | head -n 1')).toContain('seq')
  })

  it('shows where an event came from outside a repository too', async () => {
    const cwd = temporaryFolder(rehearsalProject('- { when: { ask: answer }, text: here }'))
    await run(['ask', 'hello', '--to', 'gpt'], { cwd })
    const found = await run(['why', '3', '--json'], { cwd })
    expect([found.code, lastJson(found)]).toEqual([0, expect.objectContaining({ run: expect.any(String) })])
    const none = await run(['why', 'HEAD', '--json'], { cwd })
    expect([none.code, lastJson(none)]).toEqual([2, { error: expect.objectContaining({ code: 'not_a_repository' }) }])
  })

  it('prints completions that the shells accept', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, stdout } = await run(['completion', shell])
      expect([code, stdout.includes('decide')]).toEqual([0, true])
    }
    const bash = (await run(['completion', 'bash'])).stdout
    const offered = execFileSync(
      'bash',
      ['-c', `${bash}\nCOMP_WORDS=(convene decide dis); COMP_CWORD=2; _convene; echo "\${COMPREPLY[*]}"`],
      { encoding: 'utf8' },
    )
    expect(offered.trim()).toBe('dispatch')
  })
})
