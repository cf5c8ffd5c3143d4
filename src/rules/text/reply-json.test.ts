import { describe, expect, it } from 'vitest'
import { readReply } from './reply-json.ts'

/** Takes any object with a message. */
const read = (text: string) =>
  readReply(text, (value) =>
    typeof value === 'object' && value !== null && 'message' in value
      ? { ok: true, value }
      : { ok: false, problem: 'there is no message' },
  )
const value = { message: 'use ```js\ncode``` and {braces} "here"' }
const json = JSON.stringify(value)

describe('reading a reply', () => {
  it('[TN1] takes JSON alone, with white space around it', () => {
    expect(read(`\n  ${json}\t\n`)).toEqual({ ok: true, value, loose: false })
    expect(read(`\uFEFF${json}`)).toEqual({ ok: true, value, loose: false })
  })

  it('[TN1] [AS1] takes the one object that fits from a fence or from words around it, flagged loose', () => {
    const fenced = `\`\`\`json\n${json}\n\`\`\``
    for (const text of [
      fenced,
      `\n\`\`\`\n${json}\n\`\`\`\n`,
      `\`\`\`JSON\r\n${json}\r\n\`\`\``,
      `\`\`\`${json}\`\`\``,
      `\`\`\`yaml\n${json}\n\`\`\``,
      `\`\`\`json\n${json}`,
      `${json}\n\`\`\``,
      `Here it is: ${json}`,
      `${json} Hope that helps.`,
      `Don't "worry":\n${fenced}\nDone {as you asked}.`,
      `I wrote this:\n\`\`\`ts\nfunction f() { return { a: 1 } }\n\`\`\`\n${json}`,
      `{"other": {"message": "inside"}} and then ${json}`,
      `an open { brace, an open " quote, and ${json}`,
    ]) {
      expect(read(text), text).toEqual({ ok: true, value, loose: true })
    }
  })

  it('[AS1] takes an object that is said twice, and refuses two that differ', () => {
    expect(read(`First ${json}, and again: ${json}`)).toEqual({ ok: true, value, loose: true })
    const two = read(`Either ${json} or {"message": "other"}`)
    expect(two).toEqual({ ok: false, problem: expect.stringContaining('2 different JSON objects') })
  })

  it('[TN1] names the problem of what does not fit', () => {
    const problemOf = (text: string) => {
      const reading = read(text)
      return reading.ok ? undefined : reading.problem
    }
    expect(problemOf('')).toBe('the reply is empty')
    expect(problemOf('  \n')).toBe('the reply is empty')
    expect(problemOf('I would rather talk.')).toBe('the reply is not JSON')
    expect(problemOf('{"message": "cut o')).toBe('the reply holds no complete JSON object')
    expect(problemOf("{'message': 'single quotes'}")).toBe('the reply holds no complete JSON object')
    expect(problemOf('Here: {"text": "x"}')).toBe('there is no message')
    expect(problemOf('[]')).toBe('there is no message')
    expect(problemOf('```')).toBe('the reply is not JSON')
  })

  it('[TN1] refuses a key that appears twice, however it is written and wherever it is', () => {
    expect(read('{"message":"a","message":"b"}')).toEqual({ ok: false, problem: 'the key "message" appears twice' })
    expect(read('Look: {"message":"a","m\\u0065ssage":"b"}').ok).toBe(false)
    expect(read('{"message":"x","handoff":{"to":"a","to" : "b"}}').ok).toBe(false)
    expect(read('{"message":"x","__proto__":1,"__proto__":2}').ok).toBe(false)
    expect(read('{"message":[{"a":1},{"a":2}]}').ok).toBe(true)
    expect(read('{"message":{"a":"a\\":"},"b":["a","a"]}').ok).toBe(true)
  })

  it('[TN1] handles long white space, deep nesting and braces that never close', () => {
    expect(read(`\`\`\`${' '.repeat(500_000)}`).ok).toBe(false)
    expect(read(`{"message":${'['.repeat(100_000)}${']'.repeat(100_000)}}`).ok).toBe(true)
    expect(read('{'.repeat(200_000)).ok).toBe(false)
    expect(read(`${'{'.repeat(20_000)}${'}'.repeat(20_000)}`).ok).toBe(false)
    expect(read(`{"message":"${'\\"'.repeat(3_000_000)}"}`).ok).toBe(true)
  })
})
