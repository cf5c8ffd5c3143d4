import { describe, expect, it } from 'vitest'
import { firstCharacters, knowledgeFiles, projectDescription, projectRules } from './project-rules.ts'

const file = (name: string, text: string) => ({ name, text })

describe('rules of a project', () => {
  it('[CX3] are what it tells contributors, in order and in proportion, each text once', () => {
    const rules = projectRules([
      file('README.md', 'Donate!'),
      file('CONTRIBUTING.md', 'c'.repeat(20_000)),
      file('AGENTS.md', 'Use tabs.\n'),
      file('CLAUDE.md', 'See AGENTS.md.\n'),
      file('GEMINI.md', 'Use tabs.'),
      file('.cursorrules', '  \n'),
    ])
    expect(rules.map(({ name, text }) => [name, text.length])).toEqual([
      ['AGENTS.md', 10],
      ['CONTRIBUTING.md', 6000 + '\n[cut here: the file is longer]'.length],
    ])
    expect(knowledgeFiles).toContain('.github/CONTRIBUTING.md')
  })

  it('[CX3] are those about the code: what only people do is left out of a guide for people', () => {
    const guide = `# Contributing

Thanks for helping!

## Code of Conduct

Be kind.

### Enforcement

We may ban you.

## Code style

Use tabs.

\`\`\`sh
# Reporting bugs is not a heading here
npm run lint
\`\`\`

## Opening a pull request

Fill in the template.

## Tests

Each fix has a test.
`
    const { text } = projectRules([file('CONTRIBUTING.md', guide)])[0]!
    expect(text).toContain('## Code style\n\nUse tabs.')
    expect(text).toContain('# Reporting bugs is not a heading here')
    expect(text).toContain('## Tests\n\nEach fix has a test.')
    expect(text).not.toMatch(/kind|ban you|template/)
    // Rules that were written for agents stay whole.
    expect(projectRules([file('AGENTS.md', guide)])[0]!.text).toBe(guide)
  })

  it('[CX3] are not its readme, which only describes it in a paragraph', () => {
    const readme = `<h1 align="center">
  <img src="logo.png"> ky
</h1>

[![Build](https://ci.example/badge.svg)](https://ci.example) ![npm](x)

> Sponsored by [Somebody](https://x.example)

# ky

## Highlights

- Simple

A tiny [HTTP client](https://x) based on
the Fetch API.

Please donate.
`
    expect(projectDescription([file('README.md', readme.replace(/> Spon.*\n/, ''))])).toBe(
      'A tiny HTTP client based on the Fetch API.',
    )
    expect(projectDescription([file('readme.md', `${'word '.repeat(200)}`)]).length).toBeLessThanOrEqual(400)
    expect(projectDescription([file('README.md', '# Only a title\n')])).toBe('')
    expect(projectDescription([])).toBe('')
  })

  it('[CX3] the description has no sentence that only announces a list', () => {
    const about = (text: string) => projectDescription([file('README.md', text)])
    const humanize = 'Utilities for numbers\n("3 minutes ago"). It is localized to:\n\n- Arabic\n- Basque\n'
    expect(about(humanize)).toBe('Utilities for numbers ("3 minutes ago").')
    expect(about('Small. Runs on Node.js v22.1 and on:\n- Deno')).toBe('Small.')
    expect(about('It reads formats, e.g. these:\n\n- CSV')).toBe('It reads formats, e.g. these:')
    expect(about('A small client that has:\n\n- retries')).toBe('A small client that has:')
    expect(about('One rule: be small. It has one.')).toBe('One rule: be small. It has one.')
  })

  it('[CX3] are never cut inside a character', () => {
    expect(firstCharacters('a😀', 2)).toBe('a')
    expect(firstCharacters('a😀', 3)).toBe('a😀')
  })
})
