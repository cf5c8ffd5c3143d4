import { describe, expect, it } from 'vitest'
import {
  type AttachmentFacts,
  describeAttachment,
  transcriptText,
  withAttachments,
  withExcerpts,
} from './attachments.ts'

const file: AttachmentFacts & { text: string } = {
  name: 'src/a.ts',
  kind: 'file',
  lines: { from: 2, to: 3, of: 9 },
  line_count: 2,
  in_text: true,
  text: 'two\nthree',
}
const piped: AttachmentFacts & { text: string } = { name: 'stdin', kind: 'text', line_count: 1, text: 'a diff\n' }

describe('attachments', () => {
  it('[RD15] follow the message between marked lines', () => {
    expect(withAttachments('Why @src/a.ts:2-3?', [file, piped])).toBe(
      [
        'Why @src/a.ts:2-3?',
        '',
        '--- attached: src/a.ts, lines 2 to 3 of 9 ---\n2\ttwo\n3\tthree\n--- end of src/a.ts ---',
        '',
        '--- attached: stdin, 1 line ---\na diff\n--- end of stdin ---',
      ].join('\n'),
    )
    expect(withAttachments('Hi', [])).toBe('Hi')
  })

  it('[RD15] say that a file differs from the last commit', () => {
    expect(withAttachments('Why?', [{ ...file, uncommitted: true }])).toContain(
      '--- attached: src/a.ts, lines 2 to 3 of 9, with uncommitted changes ---',
    )
  })

  it('[RD15] are shortened for proposals', () => {
    const long = { ...piped, text: 'x'.repeat(5000) }
    const shown = withExcerpts('Review', [long, file], 1000)
    expect(shown).toContain(`${'x'.repeat(500)}\n[…]`)
    expect(shown).not.toContain('x'.repeat(501))
    expect(shown).toContain('2\ttwo\n3\tthree')
    expect(withExcerpts('Hi', [])).toBe('Hi')
  })

  it('[RD15] appear in a transcript by name, unless the text names them', () => {
    expect(transcriptText('Why @src/a.ts:2-3?', [file])).toBe('Why @src/a.ts:2-3?')
    expect(transcriptText('Review this', [piped])).toBe('Review this\n\n[attached: stdin, 1 line]')
    expect(transcriptText('Hi')).toBe('Hi')
    expect(describeAttachment({ name: 'src/', kind: 'folder', line_count: 2 })).toBe('src/, 2 files')
  })
})
