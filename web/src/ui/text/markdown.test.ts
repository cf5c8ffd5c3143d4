import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { Markdown } from './markdown.tsx'

const shown = (text: string, writing = false) => renderToStaticMarkup(createElement(Markdown, { text, writing }))

describe.each([false, true])('markdown (being written: %s)', (writing) => {
  it('shows HTML as text and runs none of it', () => {
    const html = shown(
      'Hi <script>alert(1)</script> <img src=x onerror=alert(1)>\n\n<div onclick="x()">block</div>',
      writing,
    )
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).not.toMatch(/<script|<img|<div[^>]*onclick/)
  })

  it('loads no picture, and says where it would have come from only on a click', () => {
    const html = shown('![a plan](https://elsewhere.example/x.png)', writing)
    expect(html).not.toContain('<img')
    expect(html).toContain('a plan (image, not loaded)')
  })

  it('opens links without telling where they came from, and only those that lead somewhere', () => {
    const html = shown('[docs](https://a.example/) [bad](javascript:alert(1)) [file](file:///etc/passwd)', writing)
    expect(html).toContain('href="https://a.example/" target="_blank" rel="noopener noreferrer nofollow"')
    expect(html.match(/<a /g)).toHaveLength(1)
    expect(html).not.toContain('javascript:')
    expect(shown('see [design.md](design.md).', writing)).toMatch(/see <span[^>]*>design\.md<\/span>\./)
  })

  it('shows code, tables and lists as what they are', () => {
    const html = shown('```ts\nconst a = 1 < 2\n```\n\n| a |\n|---|\n| 1 |\n\n- x', writing)
    expect(html).toMatch(/<pre[^>]*><code[^>]*>const a = 1 &lt; 2/)
    expect(html).toContain('<table>')
    expect(html).toContain('<li>x</li>')
  })
})
