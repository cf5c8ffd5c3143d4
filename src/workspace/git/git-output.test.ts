import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readChanges, readCommits, readMerge, readObject, readTree, readTreeEntries } from './git-output.ts'

const hash = 'a'.repeat(40)
const fields = (...texts: string[]) => texts.map((text) => `${text}\0`).join('')

describe("parsing git's output", () => {
  it('as changes: nothing, unknown kinds, and any file name', () => {
    expect(readChanges('')).toEqual([])
    const raw = (modes: string, letter: string, path: string) => `:${modes} ${hash} ${hash} ${letter}\0${path}\0`
    expect(readChanges(raw('000000 100755', 'A', 'a\nb "c"') + raw('100644 100644', 'X', 'odd'))).toEqual([
      { path: 'a\nb "c"', status: 'added', mode: '100755', oldMode: '000000' },
    ])
  })

  it('as a merge: clean, clean with messages, and in conflict', () => {
    expect(readMerge(`${hash}\0`)).toEqual({ tree: hash, conflicts: [], messages: '' })
    expect(readMerge(fields(hash, '', '1', 'a', 'Auto-merging', 'Auto-merging a\n'))).toEqual({
      tree: hash,
      conflicts: [],
      messages: 'Auto-merging a',
    })
    const messages = fields(
      '1',
      'a',
      'Auto-merging',
      'Auto-merging a\n',
      '2',
      'a',
      'b',
      'CONFLICT (rename)',
      'CONFLICT: a and b\n',
    )
    expect(readMerge(`${hash}\0a\0b\0a\0\0${messages}`)).toEqual({
      tree: hash,
      conflicts: ['a', 'b'],
      messages: 'Auto-merging a\nCONFLICT: a and b',
    })
  })

  it('as commits with and without parents and bodies', () => {
    expect(readCommits(`h1\0p1 p2\0Subject\0Body\n\n\0h2\0\0Root\0\0`)).toEqual([
      { hash: 'h1', parents: ['p1', 'p2'], subject: 'Subject', body: 'Body' },
      { hash: 'h2', parents: [], subject: 'Root', body: '' },
    ])
    expect(readCommits('')).toEqual([])
  })

  it('as entries of a tree', () => {
    expect(readTreeEntries(fields(`100644 blob ${hash}\ta\tb\nc`, `160000 commit ${hash}\tsub`))).toEqual([
      { mode: '100644', type: 'blob', hash, path: 'a\tb\nc' },
      { mode: '160000', type: 'commit', hash, path: 'sub' },
    ])
  })

  it('as consecutive objects, with any bytes, some of them missing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: fc.string({ minLength: 1 }), content: fc.option(fc.uint8Array()) })),
        (objects) => {
          const requests = objects.map(({ name }, index) => `c${index}:${name}`)
          const output = objects.flatMap(({ content }, index) =>
            content === null
              ? [Buffer.from(`${requests[index]} missing\n`)]
              : [Buffer.from(`${hash} blob ${content.length}\n`), Buffer.from(content), Buffer.from('\n')],
          )
          let rest = Buffer.concat(output)
          const read = requests.map((name) => {
            const whole = readObject(rest, name, true) as { object: { content: Buffer } | null; length: number }
            // `needed` never exceeds the number of missing bytes.
            for (let length = 0; length < whole.length; length++) {
              const { needed } = readObject(rest.subarray(0, length), name, true) as { needed: number }
              expect(needed).toBeGreaterThan(length)
              expect(needed).toBeLessThanOrEqual(whole.length)
            }
            rest = rest.subarray(whole.length)
            return whole.object && [...whole.object.content]
          })
          expect(read).toEqual(objects.map(({ content }) => content && [...content]))
          expect(rest).toHaveLength(0)
        },
      ),
    )
  })

  it('as a raw tree, with hashes of either length', () => {
    for (const bytes of [20, 32]) {
      const entry = (mode: string, name: string) => [Buffer.from(`${mode} ${name}\0`), Buffer.alloc(bytes, 0x20)]
      const tree = Buffer.concat([...entry('100644', 'ä b'), ...entry('40000', 'dir'), ...entry('120000', 'link')])
      const hash = '20'.repeat(bytes)
      expect([...readTree(tree, bytes)]).toEqual([
        ['ä b', { mode: '100644', hash }],
        ['dir', { mode: '040000', hash }],
        ['link', { mode: '120000', hash }],
      ])
    }
  })
})
