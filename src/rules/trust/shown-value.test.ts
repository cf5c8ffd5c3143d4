import { expect, it } from 'vitest'
import { shownValue } from './shown-value.ts'

it.each([
  ['https://api.openai.com/v1', 'https://api.openai.com/v1'],
  ['["node","my agent.mjs"]', '["node","my agent.mjs"]'],
  ['Grüße aus Köln', 'Grüße aus Köln'],
  // A second line would look like another key, or like the command's own verdict.
  [
    'http://evil\n  agents.gpt.base_url: https://api.openai.com',
    'http://evil\\n  agents.gpt.base_url: https://api.openai.com',
  ],
  ['http://evil\r\tx', 'http://evil\\r\\tx'],
  ['\u001b[2Khttps://a', '\\u{1b}[2Khttps://a'],
  ['http://live/\u202emoc.ianepo\u202c', 'http://live/\\u{202e}moc.ianepo\\u{202c}'],
  ['OPENAI\u200b_KEY', 'OPENAI\\u{200b}_KEY'],
  ['a\u00a0b\u3164c', 'a\\u{a0}b\\u{3164}c'],
  ['https://api.\u043epenai.com/v1', 'https://api.\u043epenai.com/v1 (resolved as api.xn--penai-iye.com)'],
  ['postgres://me:pw@d\u0430tabase/x', 'postgres://me:pw@d\u0430tabase/x (resolved as xn--dtabase-2fg)'],
])('[TR4] shows %j so that it cannot be taken for something else', (value, shown) => {
  expect(shownValue(value)).toBe(shown)
})
