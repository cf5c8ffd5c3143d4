import { expect, it } from 'vitest'
import { wrongUserName } from './user-name.ts'

const taken = { agents: ['gpt'], reserved: ['you', 'router'] }

it('[US4] accepts names and mail addresses', () => {
  for (const name of ['ann', 'Åsa', 'ann.b', 'ann@example.com', 'a'.repeat(64)])
    expect([name, wrongUserName(name, taken)]).toEqual([name, null])
})

it('[US4] refuses names that the log uses for somebody else, and text that is no name', () => {
  for (const name of ['you', 'You', 'router', 'gpt', '', ' ann', 'a b', 'a/b', 'a~b', '-ann', 'a'.repeat(65)])
    expect([name, wrongUserName(name, taken)]).toEqual([name, expect.any(String)])
})
