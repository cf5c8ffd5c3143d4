import { describe, expect, it } from 'vitest'
import { keyName } from './keys.ts'

const press = (key: string, held: Partial<Record<'altKey' | 'ctrlKey' | 'metaKey', boolean>> = {}) =>
  keyName({ key, altKey: false, ctrlKey: false, metaKey: false, ...held })

describe('keys', () => {
  it('are called by what they type, and by Alt where it is held', () => {
    expect(press('j')).toBe('j')
    expect(press('?')).toBe('?')
    expect(press('ArrowDown', { altKey: true })).toBe('Alt+ArrowDown')
  })

  it('leave what the browser and the system do with Ctrl and ⌘ alone', () => {
    expect(press('j', { ctrlKey: true })).toBe('')
    expect(press('w', { metaKey: true })).toBe('')
  })
})
