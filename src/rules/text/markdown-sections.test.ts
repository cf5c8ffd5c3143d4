import { describe, expect, it } from 'vitest'
import { withoutSections } from './markdown-sections.ts'

describe('sections of a Markdown document', () => {
  it('[CX2] removes a section with its subsections, and nothing else', () => {
    const text = '# Design\n\n## Facts\n\nold\n\n### More\n\nold\n\n## Approach\n\nnew\n\n## Decisions\n\n- x'
    expect(withoutSections(text, ['Facts', 'Decisions'])).toBe('# Design\n\n## Approach\n\nnew')
  })

  it('[CX2] does not take a line inside a fence for a heading', () => {
    const text = '## Approach\n\n```md\n## Facts\n```\n\nnew'
    expect(withoutSections(text, ['Facts'])).toBe(text)
  })
})
