import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { httpReference } from './http-reference.ts'

describe('docs/http.md', () => {
  it('is up to date with the API table; if not, run `npm run docs:http`', async () => {
    const page = readFileSync(new URL('../../docs/http.md', import.meta.url), 'utf8')
    expect(page).toBe(await httpReference())
  })
})
