import { describe, expect, it } from 'vitest'
import { fileRole } from './file-role.ts'
import { type MappedFile, rankFiles, sourceMap } from './source-map.ts'

const countTokens = (text: string) => Math.ceil(text.length / 4)
const draw = (files: MappedFile[], budget = 6000) =>
  sourceMap({ commit: 'abc (HEAD)', description: 'Adds up\n# prices.', files }, countTokens, budget)

const small: MappedFile[] = [
  { path: 'src/a.ts', role: 'source', text: 'export const a = 1\n', purpose: 'Holds a.', symbols: ['a: number'] },
  { path: 'test/a.test.ts', role: 'test', text: 'it("works")\n' },
  { path: 'README.md', role: 'document', purpose: 'Prices' },
]

describe('the map of a project', () => {
  it('[RD14] includes the whole source if it fits, then tests', () => {
    const { text, inlined } = draw(small)
    expect(inlined).toEqual(['src/a.ts', 'test/a.test.ts'])
    expect(text).toBe(
      [
        '# The project, as of commit abc (HEAD)\n3 files. Adds up # prices.',
        '## Source, complete',
        '### src/a.ts\n```\nexport const a = 1\n```',
        '### test/a.test.ts\n```\nit("works")\n```',
        '## Other files\n- README.md: Prices',
      ].join('\n\n'),
    )
  })

  it('[RD14] includes all source files or none', () => {
    const { text, inlined } = draw([...small, { path: 'src/b.ts', role: 'source', text: 'x'.repeat(9000) }], 1000)
    expect(inlined).toEqual([])
    expect(text).toContain('- src/a.ts: Holds a. [a: number]')
    expect(text).toContain('## Files by folder\n- src/ b.ts\n- test/ a.test.ts (test)')
  })

  it('[RD14] names the members of a class, however long its type parameters are', () => {
    const parameters =
      'QueueType extends Queue<RunFunction, EnqueueOptions> = PriorityQueue, EnqueueOptions extends Options'
    const symbols = [
      `default class PQueue<${parameters}> extends EventEmitter<Name> { add, addAll, concurrency, onEmpty, size }`,
      'class Row extends Base { cells }',
    ]
    const { text } = draw([{ path: 'source/index.ts', role: 'source', symbols }])
    expect(text).toContain(
      '[class PQueue { add, addAll, concurrency, onEmpty, size }; class Row extends Base { cells }]',
    )
  })

  it('[RD14] fences a file that contains fences', () => {
    const { text } = draw([{ path: 'a.ts', role: 'source', text: '// ````\n' }])
    expect(text).toContain('`````\n// ````\n`````')
  })

  it('[RD14] ranks entry points, what is imported and what changes before the rest; generated files come last', () => {
    const files: MappedFile[] = [
      { path: 'dist/index.js', role: 'other' },
      { path: 'src/rare.ts', role: 'source' },
      { path: 'src/shared.ts', role: 'source', importedBy: 30 },
      { path: 'src/busy.ts', role: 'source', changes: 40 },
      { path: 'src/index.ts', role: 'source', isEntry: true },
      { path: 'test/all.test.ts', role: 'test' },
      { path: 'docs/guide.md', role: 'document' },
    ]
    expect(rankFiles(files).map(({ path }) => path)).toEqual([
      'src/index.ts',
      'src/shared.ts',
      'src/busy.ts',
      'src/rare.ts',
      'test/all.test.ts',
      'docs/guide.md',
      'dist/index.js',
    ])
  })

  it.each([500, 2000, 6000])('[RD14] keeps to a budget of %i tokens in a large project', (budget) => {
    const files = Array.from(
      { length: 20_000 },
      (_, index): MappedFile => ({
        path: `packages/p${index % 90}/src/part-${index}.ts`,
        role: 'source',
        importedBy: index % 17,
        purpose: `Part ${index}, which does one thing.`,
        symbols: Array.from({ length: 20 }, (_, symbol) => `part${index}Function${symbol}(string): void`),
      }),
    )
    const { text } = draw(files, budget)
    expect(countTokens(text)).toBeLessThanOrEqual(budget)
    expect(countTokens(text)).toBeGreaterThan(budget * 0.6)
    expect(text).toMatch(/- packages\/p\d+\/src\/ \d+ files/)
    expect(text).toContain('8 more]')
  })

  it('[RD14] tells source, tests, manifests, documents and the rest apart', () => {
    const role = (path: string, isCode = true) => fileRole(path, isCode, ['vitest'])
    expect(role('src/a.ts')).toBe('source')
    expect(role('src/a.test.ts')).toBe('test')
    // A folder's name alone makes no test.
    expect(role('src/test/helper.ts')).toBe('source')
    expect(role('packages/a/package.json', false)).toBe('manifest')
    expect(role('docs/a.md', false)).toBe('document')
    expect(role('package-lock.json', false)).toBe('other')
    expect(role('dist/a.js')).toBe('other')
    expect(role('logo.svg', false)).toBe('other')
  })
})
