/** `convene ask` with files and piped text: what agents receive, and what is refused. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { command, lastJson, rehearsalProject, run, temporaryFolder, withoutKeys } from '../support/convene.ts'
import { runResident } from '../support/resident-command.ts'

const script = `
- when: { ask: answer, contains: "--- attached: files in src/, 1 file ---\\nsrc/retry.ts" }
  text: I read the folder.
- when: { ask: answer, contains: "--- attached: src/retry.ts, lines 2 to 3 of 4, with uncommitted changes ---\\n2\\tsecond\\n3\\tthird\\n--- end" }
  text: I read two lines.
  repeat: true
- when: { ask: answer, contains: "--- attached: stdin, 2 lines ---\\n+ one\\n+ two\\n--- end" }
  text: I read the diff.
  repeat: true
- when: { ask: answer, contains: "attached: README.md" }
  text: I read the readme.
- when: { ask: answer, contains: "from stdin" }
  text: I read the message.
- when: { ask: answer }
  text: Nothing attached.
  repeat: true
`

function project(): string {
  const folder = temporaryFolder({ ...rehearsalProject(script), 'README.md': 'Hello.\n' })
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/retry.ts'), 'first\nsecond\nthird\nfourth\n')
  return folder
}

const ask = (cwd: string, text: string, ...more: string[]) =>
  runResident(['ask', text, '--to', 'gpt', ...more], { cwd })

describe('convene ask with attachments', () => {
  it('[RD15] attaches the lines of a file, a folder, and paths relative to the current folder', async () => {
    const folder = project()
    execFileSync('git', ['init', '-q', folder])
    expect((await ask(folder, 'Why @src/retry.ts:2-3?')).stdout).toBe('I read two lines.\n')
    expect((await ask(folder, 'What is in @src/?')).stdout).toBe('I read the folder.\n')
    const below = join(folder, 'src')
    expect((await ask(below, 'Why @retry.ts:2-3?', '--room', 'second')).stdout).toBe('I read two lines.\n')
    expect((await ask(below, 'And @README.md?', '--room', 'third')).stdout).toBe('I read the readme.\n')
  })

  it('[RD15] attaches what is piped in, and shows it by name in the transcript', async () => {
    const asked = await run(['ask', 'Review this', '--to', 'gpt', '--json'], {
      cwd: project(),
      input: '+ one\n+ two\n',
    })
    expect(lastJson(asked)).toMatchObject({
      items: [{ text: 'Review this\n\n[attached: stdin, 2 lines]' }, { text: 'I read the diff.' }],
    })
  })

  it("[RD15] reads a shell's pipe and a redirected file to the end", async () => {
    const folder = project()
    writeFileSync(join(folder, 'change.diff'), '+ one\n+ two\n')
    const shell = (line: string) => {
      const env = { ...withoutKeys(process.env), CONVENE: command }
      return execFileSync('sh', ['-c', line], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }).toString()
    }
    expect(shell('cat change.diff | "$CONVENE" ask "Review this" --to gpt')).toBe('I read the diff.\n')
    expect(shell('"$CONVENE" ask "Review this" --to gpt < change.diff')).toBe('I read the diff.\n')
    expect(shell('echo "A question from stdin" | "$CONVENE" ask - --to gpt --room second')).toBe(
      'I read the message.\n',
    )
  })

  it('does not wait for a stdin that its parent leaves open', async () => {
    const asking = spawn(command, ['ask', 'Hello there', '--to', 'gpt'], {
      cwd: project(),
      env: withoutKeys(process.env),
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let said = ''
    asking.stdout.on('data', (chunk) => {
      said += chunk
    })
    const code = await new Promise((ended) => asking.on('close', ended))
    expect([code, said]).toEqual([0, 'Nothing attached.\n'])
  })

  it("[RD15] refuses a missing file, missing lines, binary content, Convene's state and a file outside the project", async () => {
    const folder = project()
    writeFileSync(join(folder, 'logo.png'), Buffer.from([137, 80, 0, 1]))
    const outside = temporaryFolder({ 'secret.txt': 'secret' })
    symlinkSync(join(outside, 'secret.txt'), join(folder, 'linked.txt'))
    const refused = async (text: string) => {
      const { code, stderr } = await ask(folder, text)
      return [code, stderr]
    }
    expect(await refused('See @src/nope.ts')).toEqual([
      2,
      expect.stringContaining('@src/nope.ts: the project has no such file'),
    ])
    expect(await refused('See @src/retry.ts:3-9')).toEqual([
      2,
      expect.stringContaining('@src/retry.ts:3-9: it has 4 lines'),
    ])
    expect(await refused('See @logo.png')).toEqual([2, expect.stringContaining('binary')])
    expect(await refused('See @linked.txt')).toEqual([2, expect.stringContaining('outside the project')])
    expect(await refused('See @../secret.txt')).toEqual([2, expect.stringContaining('outside the project')])
    symlinkSync('.convene/token', join(folder, 'notes.txt'))
    for (const path of ['.convene/token', 'src/../.convene/owner.json', 'notes.txt'])
      expect(await refused(`See @${path}`)).toEqual([2, expect.stringContaining("Convene's own state")])
    expect((await ask(folder, 'I use @types/node, @app.route and ann@example.ts')).stdout).toBe('Nothing attached.\n')
  })

  it('[RD15] refuses attachments beyond the limit, naming their sizes', async () => {
    const folder = temporaryFolder(rehearsalProject(script, 'room: { attachments_kb: 4 }\n'))
    writeFileSync(join(folder, 'big.txt'), 'x'.repeat(5000))
    const { code, stdout } = await ask(folder, 'See @big.txt', '--json')
    expect([code, JSON.parse(stdout)]).toMatchObject([
      2,
      { error: { code: 'too_large', message: expect.stringMatching(/big\.txt 5 KB.*room\.attachments_kb \(4\)/) } },
    ])
  })
})
