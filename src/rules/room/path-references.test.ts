import { describe, expect, it } from 'vitest'
import { pathReferences, readLineRange, selectLines, wasMeantAsPath } from './path-references.ts'

const agents = ['gpt', 'claude']
const written = (text: string) => pathReferences(text, agents).map((each) => each.written)

describe('path references', () => {
  it('[RD15] finds paths, line ranges and paths in quotes, each once', () => {
    expect(pathReferences('Compare @src/a.ts:10-40 with @README.md, and @"docs/my plan.md":', agents)).toEqual([
      { path: 'src/a.ts', lines: { from: 10, to: 40 }, written: '@src/a.ts:10-40' },
      { path: 'README.md', written: '@README.md' },
      { path: 'docs/my plan.md', written: '@"docs/my plan.md"' },
    ])
    expect(pathReferences('@src/a.ts:7 (@src/a.ts:7)', agents)).toEqual([
      { path: 'src/a.ts', lines: { from: 7, to: 7 }, written: '@src/a.ts:7' },
    ])
    expect(pathReferences('@"my file.ts:3-4"', agents)[0]).toMatchObject({
      path: 'my file.ts',
      lines: { from: 3, to: 4 },
    })
  })

  it('[RD15] drops the punctuation that ends a sentence', () => {
    expect(written('Is it @src/a.ts? Or [@src/b.ts], @src/c.ts; see @src/d.ts:3.')).toEqual([
      '@src/a.ts',
      '@src/b.ts',
      '@src/c.ts',
      '@src/d.ts:3',
    ])
  })

  it('[RD15] leaves mentions, addresses, imports, code and quoted lines alone', () => {
    expect(written('@gpt @Claude: @all, @both and @router collaborate gpt: go')).toEqual([])
    expect(written('ann@host.ts, a/@b.ts, \\@src/a.ts, "@scope/a.ts" and \'@scope/b.ts\'')).toEqual([])
    expect(written('`@src/a.ts` and\n```\n@src/b.ts\n```\n> @src/c.ts')).toEqual([])
    expect(written('@@ -1,3 +1,4 @@ function()')).toEqual([])
    expect(written('@gpt/tools.ts')).toEqual(['@gpt/tools.ts'])
  })

  it('[RD15] reports a missing file only where a path was meant', () => {
    const meant = (text: string, firstFolderExists = false) =>
      wasMeantAsPath(pathReferences(text, agents)[0]!, firstFolderExists)
    for (const text of ['@missing.ts', '@src/missing.py', '@./notes', '@../other', '@src/a:3', '@notes:10-40'])
      expect([text, meant(text)]).toEqual([text, true])
    for (const text of [
      '@types/node',
      '@scope/chart.js',
      '@app.route',
      '@Component',
      '@host:8080',
      '@/components/Button.tsx',
    ])
      expect([text, meant(text)]).toEqual([text, false])
    expect(meant('@src/chart.js', true)).toBe(true)
    expect([meant('@src/rules/rooms', true), meant('@src/rules/rooms')]).toEqual([true, false])
  })

  it('[RD15] selects lines and says why it cannot', () => {
    const lines = ['a', 'b', 'c']
    expect(selectLines(lines, { from: 2, to: 3 })).toEqual({ ok: true, lines: ['b', 'c'] })
    expect(selectLines(lines, { from: 0, to: 3 })).toMatchObject({ ok: false, why: 'lines count from 1' })
    expect(selectLines(lines, { from: 3, to: 2 })).toMatchObject({ ok: false, why: 'line 2 comes before line 3' })
    expect(selectLines(lines, { from: 2, to: 4 })).toMatchObject({ ok: false, why: 'it has 3 lines' })
    expect([readLineRange('10-40'), readLineRange('7'), readLineRange('a'), readLineRange('-3')]).toEqual([
      { from: 10, to: 40 },
      { from: 7, to: 7 },
      undefined,
      undefined,
    ])
  })
})
