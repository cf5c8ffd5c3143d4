import { expect, it } from 'vitest'
import { shellWord } from './shell-word.ts'

it('quotes what a shell would take apart', () => {
  expect(shellWord('.convene/plans/a.yaml')).toBe('.convene/plans/a.yaml')
  expect(shellWord('my plans/a.json')).toBe("'my plans/a.json'")
  expect(shellWord("it's here")).toBe(`'it'\\''s here'`)
  expect(shellWord('')).toBe("''")
})
