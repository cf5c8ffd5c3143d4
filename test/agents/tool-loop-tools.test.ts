/** The tools of a working model one by one, on a real folder. */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { edit } from '../../src/agents/tools/edit.ts'
import { list } from '../../src/agents/tools/list.ts'
import { read } from '../../src/agents/tools/read.ts'
import { run } from '../../src/agents/tools/run.ts'
import { search, searchWithin } from '../../src/agents/tools/search.ts'
import { shortenEnd, shortenMiddle } from '../../src/agents/tools/shorten.ts'
import type { WorkspaceTool } from '../../src/agents/tools/tool.ts'
import { useTool } from '../../src/agents/tools/use-tool.ts'
import { locate, writeFiles } from '../../src/agents/tools/workspace-files.ts'
import { write } from '../../src/agents/tools/write.ts'
import type { AgentWorkspace } from '../../src/kernel/agent.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tools-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('list', () => {
  it('shows files with their sizes, and names folders it does not enter', async () => {
    await put({
      'src/a.ts': '12345',
      'src/deep/b.ts': '1',
      'node_modules/x/index.js': '',
      'dist/out.js': '',
      'src/dist/kept.js': '',
      'web/generated/c.js': '',
      '.git/HEAD': 'ref',
      '.gitignore': '/dist/\nweb/generated/\n*.log\n# a comment\n!kept\n',
    })
    await symlink('src', join(folder, 'source'))
    expect((await use(list, {})).split('\n')).toEqual([
      '.gitignore 46',
      'dist/ (not shown)',
      'node_modules/ (not shown)',
      'source (link)',
      'src/',
      'src/a.ts 5',
      'src/deep/',
      'src/deep/b.ts 1',
      'src/dist/',
      'src/dist/kept.js 0',
      'web/',
      'web/generated/ (not shown)',
    ])
    expect(await use(list, { path: 'node_modules/x' })).toBe('node_modules/x/index.js 0')
    expect(await use(list, { path: 'src', depth: 1 })).toBe('src/a.ts 5\nsrc/deep/ …\nsrc/dist/ …')
    expect(await use(list, { path: './' })).toContain('src/a.ts')
  })

  it('limits its output, and says so', async () => {
    await put(Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`f${index}`, ''])))
    const lines = (await use(list, {})).split('\n')
    expect(lines).toHaveLength(501)
    expect(lines.at(-1)).toContain('only the first 500')
  })

  it('reports an empty folder as empty, and a missing one as missing', async () => {
    expect(await use(list, {})).toBe('(empty)')
    expect(await use(list, { path: 'nowhere' })).toBe('error: there is no folder "nowhere"')
  })
})

describe('read', () => {
  it('shows a range of lines with their numbers, and the total', async () => {
    await put({ 'a.txt': 'one\r\ntwo\nthree\nfour\n' })
    expect(await use(read, { path: 'a.txt' })).toBe('1\tone\n2\ttwo\n3\tthree\n4\tfour')
    expect(await use(read, { path: 'a.txt', from: 2, lines: 2 })).toBe('2\ttwo\n3\tthree\n[lines 2 to 3 of 4]')
    expect(await use(read, { path: 'a.txt', from: 9 })).toBe('error: the file has 4 lines')
  })

  it('truncates long files and long lines', async () => {
    await put({
      'long.txt': 'x\n'.repeat(5000),
      'wide.txt': 'y'.repeat(1_000_000),
      'heavy.txt': `${'z'.repeat(1500)}\n`.repeat(100),
    })
    expect(await use(read, { path: 'long.txt' })).toMatch(/\n\[lines 1 to 1000 of 5000\]$/)
    expect((await use(read, { path: 'wide.txt' })).length).toBeLessThan(2100)
    const heavy = await use(read, { path: 'heavy.txt' })
    expect(heavy.length).toBeLessThan(41_000)
    expect(heavy).toMatch(/\[lines 1 to 26 of 100\]$/)
  })

  it('rejects what is not text: binary files, folders, pipes, huge files', async () => {
    await put({ 'a.bin': Buffer.from([1, 0, 2]), 'sub/x': '', 'giant.txt': 'x'.repeat(4_000_001), 'empty.txt': '' })
    execFileSync('mkfifo', [join(folder, 'pipe')])
    expect(await use(read, { path: 'a.bin' })).toContain('is a binary file')
    expect(await use(read, { path: 'sub' })).toContain('is a folder')
    expect(await use(read, { path: 'pipe' })).toContain('is not a regular file')
    expect(await use(read, { path: 'giant.txt' })).toContain('too large')
    expect(await use(read, { path: 'empty.txt' })).toBe('(the file is empty)')
  })
})

describe('search', () => {
  it('finds lines in text files, and takes an invalid expression literally', async () => {
    await put({
      'src/a.ts': 'const Foo = 1\ncall(foo\n',
      'src/b.md': 'foo\n',
      'c.bin': Buffer.from('foo\0'),
      'node_modules/d.ts': 'foo\n',
    })
    expect(await use(search, { pattern: 'fo+' })).toBe('src/a.ts:2: call(foo\nsrc/b.md:1: foo')
    expect(await use(search, { pattern: '^CONST', ignore_case: true })).toBe('src/a.ts:1: const Foo = 1')
    expect(await use(search, { pattern: 'foo', ending: '.md' })).toBe('src/b.md:1: foo')
    expect(await use(search, { pattern: 'call(' })).toBe('src/a.ts:2: call(foo')
    expect(await use(search, { pattern: 'foo', path: 'node_modules' })).toBe('node_modules/d.ts:1: foo')
    expect(await use(search, { pattern: 'bar' })).toBe('no match in 2 files')
    expect(await use(search, { pattern: 'foo', path: 'src/a.ts', ending: '.md' })).toBe('src/a.ts:2: call(foo')
    expect(await use(search, { pattern: 'foo', path: 'src/none.ts' })).toMatch(/^error: /)
  })

  it('limits the number of matches', async () => {
    await put({ 'a.txt': 'foo\n'.repeat(300), 'wide.txt': 'x'.repeat(900_000) })
    const lines = (await use(search, { pattern: 'foo' })).split('\n')
    expect(lines).toHaveLength(201)
    expect((await use(search, { pattern: 'x' })).length).toBeLessThan(400)
  })

  it('aborts a pattern that would never end', async () => {
    await put({ 'a.txt': `${'a'.repeat(60)}!\n` })
    const answer = await use(searchWithin(500), { pattern: '^(a+)+$' })
    expect(answer).toMatch(/^error: the search was ended after 0.5 s/)
  })

  it('ends when it is stopped', async () => {
    await put({ 'a.txt': `${'a'.repeat(60)}!\n` })
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('stopped')), 50)
    const call = useTool(search, { pattern: '^(a+)+$' }, { workspace: { folder }, signal: controller.signal })
    await expect(call).rejects.toThrow('stopped')
  })
})

describe('edit', () => {
  it('replaces one place, or all of them, and otherwise changes nothing', async () => {
    await put({ 'a.txt': 'one two one' })
    expect(await use(edit, { path: 'a.txt', old: 'one', new: '1' })).toMatch(/^error: .* 2 times/)
    expect(await use(edit, { path: 'a.txt', old: '', new: '1' })).toMatch(/^error: the old text is empty/)
    expect(await use(edit, { path: 'a.txt', old: 'two', new: 'two' })).toMatch(/^error: .* the same/)
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('one two one')
    expect(await use(edit, { path: 'a.txt', old: 'one', new: '1', all: true })).toBe('replaced 2 places in a.txt')
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('1 two 1')
  })

  it("keeps a file's line endings", async () => {
    await put({ 'a.txt': 'one\r\ntwo\r\nthree\r\n' })
    expect(await use(edit, { path: 'a.txt', old: 'one\ntwo', new: '1\n2' })).toBe('replaced 1 place in a.txt')
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('1\r\n2\r\nthree\r\n')
  })

  it("keeps a file's permissions", async () => {
    await put({ 'a.sh': 'echo one' })
    execFileSync('chmod', ['755', join(folder, 'a.sh')])
    await use(edit, { path: 'a.sh', old: 'one', new: 'two' })
    expect((await stat(join(folder, 'a.sh'))).mode & 0o777).toBe(0o755)
  })
})

describe('write', () => {
  it('creates folders, truncates longer files, and rejects what is not a file', async () => {
    await put({ 'a.txt': 'a long text', 'sub/x': '' })
    execFileSync('mkfifo', [join(folder, 'pipe')])
    expect(await use(write, { path: 'a.txt', content: 'new' })).toBe('wrote a.txt')
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('new')
    expect(await use(write, { path: 'sub', content: '' })).toBe('error: "sub" is a folder')
    expect(await use(write, { path: 'a.txt/b', content: '' })).toMatch(/^error: "a.txt\/b" lies below/)
    expect(await use(write, { path: 'pipe', content: 'x' })).toMatch(/^error: "pipe" is not a regular file/)
  })
})

describe('run', () => {
  it("reports how a command ended, and truncates the workspace's output", async () => {
    const outcomes = {
      exited: 'exit code 3\n(no output)',
      'timed-out': 'ended: it took too long\n(no output)',
      'too-much-output': 'ended: it printed too much\n(no output)',
      aborted: 'ended: it was stopped\n(no output)',
    } as const
    for (const [ended, said] of Object.entries(outcomes)) {
      const answer = await use(run, { command: 'x' }, async () => ({
        exitCode: 3,
        output: '',
        ended: ended as keyof typeof outcomes,
      }))
      expect(answer).toBe(said)
    }
    const huge = await use(run, { command: 'x' }, async () => ({
      exitCode: 0,
      output: `begin${'é'.repeat(5_000_000)}end`,
      ended: 'exited',
    }))
    expect(huge.length).toBeLessThan(31_000)
    expect(huge).toMatch(/^exit code 0\nbegin.*\n\[… \d+ characters left out …\]\n.*end$/s)
  })

  it('passes the time limit on, and reports what failed', async () => {
    const limits: (number | undefined)[] = []
    const port: AgentWorkspace['run'] = async (_, { timeoutMs }) => {
      limits.push(timeoutMs)
      throw new Error('no shell')
    }
    expect(await use(run, { command: 'x', timeout_seconds: 7 }, port)).toBe('error: no shell')
    await use(run, { command: 'x' }, port)
    expect(limits).toEqual([7000, undefined])
  })
})

describe('a path of a workspace', () => {
  it('[VF6] never leads outside, however it is spelt', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'outside-'))
    const root = join(folder, 'root')
    await mkdir(join(root, 'real'), { recursive: true })
    await mkdir(join(root, '.git'))
    await symlink(outside, join(root, 'out'))
    await symlink('../..', join(root, 'real/up'))
    await symlink('real', join(root, 'in'))
    await symlink('.git', join(root, 'git'))
    const segment = fc.constantFrom(
      '..',
      '.',
      'real',
      'in',
      'out',
      'up',
      'git',
      '.git',
      '.GIT',
      '',
      'new',
      '/',
      '\\',
      '~',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { maxLength: 6 }), async (segments) => {
        const located = await locate(root, segments.join('/'))
        if (!located.ok) return
        expect(located.target.startsWith(root)).toBe(true)
        expect(located.target).not.toMatch(/\.git/i)
      }),
    )
    expect(await locate(root, 'in/new/file')).toMatchObject({ ok: true, target: join(root, 'real/new/file') })
    expect(await writeFiles(root, [['git/config', 'x']])).toContain('.git folder')
    await rm(outside, { recursive: true })
  })
})

describe('a truncated text', () => {
  it('is short, keeps both ends, and splits no character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 1, max: 100 }), (text, length) => {
        const whole = text.toWellFormed()
        for (const cut of [shortenMiddle(whole, length), shortenEnd(whole, length)]) {
          expect(cut.isWellFormed()).toBe(true)
          expect(cut.length).toBeLessThanOrEqual(length + 60)
          if (whole.length <= length) expect(cut).toBe(whole)
        }
      }),
    )
  })
})

async function use<Input>(tool: WorkspaceTool<Input>, input: Input, port?: AgentWorkspace['run']): Promise<string> {
  const workspace: AgentWorkspace = port ? { folder, run: port } : { folder }
  return (await useTool(tool, input, { workspace, signal: new AbortController().signal })).text
}

async function put(files: Record<string, string | Buffer>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}
