import { describe, expect, it } from 'vitest'
import { withChoicesNamed } from './named-choice.ts'

const choices = ['accept it', 're-parse its raw string', 'let the coordinator decide']

describe('[PH3] an answer that begins with the number of a choice', () => {
  it.each([
    ['2 for the class, but parse() stays', 're-parse its raw string for the class, but parse() stays'],
    ['2, but only in the class', 're-parse its raw string, but only in the class'],
    ['1: and say so', 'accept it: and say so'],
    ['2 – only the class', 're-parse its raw string – only the class'],
    ['2 (only the class)', 're-parse its raw string (only the class)'],
    ['1 and 2', 'accept it and re-parse its raw string'],
    ['2 aber nur in der Klasse', 're-parse its raw string aber nur in der Klasse'],
    ['1 if it is strict', 'accept it if it is strict'],
    ['2', 're-parse its raw string'],
  ])('[PH3] %s', (answer, named) => expect(withChoicesNamed(answer, choices)).toBe(named))

  it.each([
    '2 spaces',
    '1.5 MB',
    '2 - 3 files',
    '2nd',
    '4 for all',
    '1 and 7',
    '2-phase commit',
    '2 in-memory caches',
    'a',
  ])('[PH3] %s is the answer itself', (answer) => expect(withChoicesNamed(answer, choices)).toBe(answer))
})
