import { describe, expect, it } from 'vitest'
import { nextSpokenText, plainText } from './spoken-text.ts'

describe('what is read out', () => {
  it('is whole sentences, each once', () => {
    const first = nextSpokenText('In the worker. A charge is a si', 0)
    expect(first).toEqual({ words: 'In the worker.', until: 15 })
    const second = nextSpokenText('In the worker. A charge is a side effect.\nOnly', first.until)
    expect(second.words).toBe('A charge is a side effect.')
    expect(nextSpokenText('In the worker. A charge is a side effect.\nOnly', second.until).words).toBe('')
  })

  it('is words and not marks', () => {
    expect(plainText('## Use **one** `table`, see [docs](https://x.y)\n```sql\nselect 1\n```')).toBe(
      'Use one table, see docs (code)',
    )
  })
})
