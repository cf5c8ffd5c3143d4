import { describe, expect, it } from 'vitest'
import { noteBeside, strikeOut } from './strike-out.ts'

describe('a statement that holds no more', () => {
  const page = 'Root is kept; for relative paths that\nshare nothing it is undefined. Done.'
  const says = 'for relative paths that share nothing it is undefined'

  it('[RV5] is struck with what holds instead, however its lines are broken', () => {
    const struck = strikeOut(page, says, 'decided since: a dot')
    expect(struck).toBe(
      'Root is kept; ~~for relative paths that\nshare nothing it is undefined~~ (decided since: a dot). Done.',
    )
    expect(strikeOut(struck, says, 'decided since: a dot')).toBe(struck)
  })

  it('[RV5] keeps its words with a note where nobody can tell whether it holds', () => {
    const noted = noteBeside(page, says, 'decided since: a dot')
    expect(noted).toContain('it is undefined (decided since: a dot). Done.')
    expect(noteBeside(noted, says, 'decided since: a dot')).toBe(noted)
  })

  it('[RV5] is left alone in code, if it is too short to be found for sure, or if the words are not there', () => {
    const code = `\`\`\`\n${says}\n\`\`\``
    expect(strikeOut(code, says, 'x')).toBe(code)
    expect(strikeOut(`${code}\n\n${says}`, says, 'x')).toBe(`${code}\n\n~~${says}~~ (x)`)
    expect(strikeOut('Read the whole file.', 'whole', 'x')).toBe('Read the whole file.')
    expect(strikeOut(page, 'one two three four (', 'x')).toBe(page)
  })
})
