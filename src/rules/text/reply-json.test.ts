import { describe, expect, it } from 'vitest'
import { readReplyJson } from './reply-json.ts'

const read = (text: string) => readReplyJson(text)
const value = { message: 'use ```js\ncode``` here' }
const json = JSON.stringify(value)

describe('reading a reply', () => {
  it('[TN1] reads bare JSON, with white space around it', () => {
    expect(read(`\n  ${json}\t\n`)).toEqual({ ok: true, value })
    expect(read(`\uFEFF${json}`)).toEqual({ ok: true, value })
  })

  it('[TN1] reads JSON in one code fence, even if a string contains another', () => {
    for (const text of [
      `\`\`\`json\n${json}\n\`\`\``,
      `\n\`\`\`\n${json}\n\`\`\`\n`,
      `\`\`\`JSON\r\n${json}\r\n\`\`\``,
      `\`\`\`${json}\`\`\``,
    ]) {
      expect(read(text), text).toEqual({ ok: true, value })
    }
  })

  it('[TN1] refuses prose around it, a second fence, other labels and half a fence', () => {
    const fenced = `\`\`\`json\n${json}\n\`\`\``
    for (const text of [
      `Here it is: ${json}`,
      `${json} Hope that helps.`,
      `Sure!\n${fenced}`,
      `${fenced}\nDone.`,
      `${fenced}\n${fenced}`,
      `\`\`\`yaml\n${json}\n\`\`\``,
      `\`\`\`json\n${json}`,
      `${json}\n\`\`\``,
      `${json}${json}`,
      '```',
      '``````',
      '`````',
      '',
      '{"message": "cut o',
      "{'message': 'single quotes'}",
    ]) {
      expect(read(text).ok, text).toBe(false)
    }
  })

  it('[TN1] refuses a key that appears twice, however it is written and wherever it is', () => {
    expect(read('{"message":"a","message":"b"}')).toEqual({ ok: false, problem: 'the key "message" appears twice' })
    expect(read('{"message":"a","m\\u0065ssage":"b"}').ok).toBe(false)
    expect(read('{"handoff":{"to":"a","to" : "b"}}').ok).toBe(false)
    expect(read('{"__proto__":1,"__proto__":2}').ok).toBe(false)
    expect(read('[{"a":1},{"a":2}]').ok).toBe(true)
    expect(read('{"a":{"a":"a\\":"},"b":["a","a"]}').ok).toBe(true)
  })

  it('[TN1] handles long white space and deep nesting', () => {
    expect(read(`\`\`\`${' '.repeat(500_000)}`).ok).toBe(false)
    expect(read(`${'['.repeat(100_000)}${']'.repeat(100_000)}`).ok).toBe(true)
    expect(read('['.repeat(1_000_000)).ok).toBe(false)
    expect(read(`{"a":"${'\\"'.repeat(3_000_000)}"}`).ok).toBe(true)
  })
})
