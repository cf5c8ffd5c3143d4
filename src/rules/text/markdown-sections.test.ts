import { describe, expect, it } from 'vitest'
import { sectionUnder, withoutSections, withSection } from './markdown-sections.ts'

describe('sections of a Markdown document', () => {
  it('[CX2] removes a section with its subsections, and nothing else', () => {
    const text = '# Design\n\n## Facts\n\nold\n\n### More\n\nold\n\n## Approach\n\nnew\n\n## Decisions\n\n- x'
    expect(withoutSections(text, ['Facts', 'Decisions'])).toBe('# Design\n\n## Approach\n\nnew')
  })

  it('[CX2] does not take a line inside a fence for a heading', () => {
    const text = '## Approach\n\n```md\n## Facts\n```\n\nnew'
    expect(withoutSections(text, ['Facts'])).toBe(text)
  })

  it('[PH6] reads what stands under a heading, with its subsections', () => {
    const text = '# Design\n\n## Interfaces\n\n### read\n\n```ts\n## no heading\n```\n\n## Order\n\nlast'
    expect(sectionUnder(text, 'interfaces')).toBe('### read\n\n```ts\n## no heading\n```')
    expect(sectionUnder(text, 'Order')).toBe('last')
    expect(sectionUnder(text, 'Tests')).toBe('')
  })
})

describe('replacing a section', () => {
  const text = '# Design\n\n## Approach\n\nold\n\n### Detail\n\nold\n\n## Components\n\nkept\n\n## Decisions\n\n- x'

  it('[RV4] replaces the section with its subsections and keeps the rest', () => {
    expect(withSection(text, { heading: 'approach', text: '## Approach\n\nnew' })).toBe(
      '# Design\n\n## Approach\n\nnew\n\n## Components\n\nkept\n\n## Decisions\n\n- x',
    )
    expect(withSection(text, { heading: '### Detail', text: 'new' })).toContain(
      '## Approach\n\nold\n\n### Detail\n\nnew\n\n## Comp',
    )
  })

  it('[RV4] adds a section that is not there before the given ones', () => {
    const added = withSection(text, { heading: 'Limits', text: 'ten' }, ['Decisions', 'Risks'])
    expect(added).toContain('kept\n\n## Limits\n\nten\n\n## Decisions')
    expect(withSection('# Design\n\nShort.', { heading: 'Limits', text: 'ten' })).toBe(
      '# Design\n\nShort.\n\n## Limits\n\nten',
    )
  })

  it('[RV4] a heading inside a fence is no section', () => {
    const fenced = '## Approach\n\n```md\n## Limits\n```'
    expect(withSection(fenced, { heading: 'Limits', text: 'ten' })).toBe(`${fenced}\n\n## Limits\n\nten`)
  })
})
