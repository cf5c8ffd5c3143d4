/** A spool of a live model becomes a rehearsal: tools joined, secrets and paths gone. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readSpool } from '../../scripts/spool.ts'
import { linesOf, talkOf } from '../../scripts/spool-to-script.ts'

const system = (name: string) => `Your name is ${name}. You are in a room.\nAnswer the person's last message directly.`

it('joins the calls of an ask, and knows its kind, agent and question', () => {
  const asked = [
    { role: 'system', content: system('gpt') },
    { role: 'user', content: 'Where is the bug?' },
  ]
  const called = { id: 'c', type: 'function', function: { name: 'read', arguments: '{"path":"a.js"}' } }
  const spool = spooled([
    [asked, { tool_calls: [{ name: 'read', arguments: { path: 'a.js' } }] }],
    [
      [...asked, { role: 'assistant', content: null, tool_calls: [called] }, { role: 'tool', content: '1 | x' }],
      { content: 'In /home/ann/shop/a.js, with key sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAA, on 127.0.0.1:5901.' },
    ],
    [[{ role: 'system', content: system('claude') }, asked[1]!], { content: 'In line 1.' }],
    [
      [
        { role: 'system', content: system('claude') },
        { role: 'user', content: 'Never answered' },
      ],
      null,
    ],
  ])
  const exchanges = readSpool(spool)
  expect(linesOf(exchanges).lines).toEqual([
    {
      when: { ask: 'answer', agent: 'gpt', contains: 'Where is the bug?' },
      text: expect.stringMatching(/^In \/project, with key (?!sk-ant-api03-A)\S+, on http:\/\/localhost\.$/),
    },
    { when: { ask: 'answer', agent: 'claude', contains: 'Where is the bug?' }, text: 'In line 1.' },
  ])
  expect(talkOf(exchanges)).toEqual([{ text: 'Where is the bug?', proposed: [], answered: ['gpt', 'claude'] }])
})

it('takes what a planner gives to `finish` for its reply, and tells its asks apart by their roles', () => {
  const task = (words: string) => [
    { role: 'user', content: `## Current task\n${words}\n\nReply in this form: a synthesis.` },
  ]
  const spool = spooled([
    [task('You are qa-strategist: plan.'), { tool_calls: [{ name: 'finish', arguments: { artefact: 'T1' } }] }],
    [task('Coordinate.'), { content: '{"artefact": "all"}' }],
  ])
  expect(linesOf(readSpool(spool)).lines).toEqual([
    { when: { agent: 'coder', contains: 'You are qa-strategist:' }, text: '{"artefact":"T1"}' },
    { when: { agent: 'coder', contains: 'Reply in this form: a synthesis.' }, text: '{"artefact": "all"}' },
  ])
})

it('keeps the files that a builder wrote, and says which edits it cannot replay', () => {
  const spool = spooled([
    [
      [{ role: 'user', content: '# Implement slug\n\nMake the tests pass.' }],
      {
        tool_calls: [
          { name: 'write', arguments: { path: 'slug.js', content: 'let a = 1\n' } },
          { name: 'edit', arguments: { path: 'slug.js', old: 'let', new: 'const' } },
          { name: 'edit', arguments: { path: 'other.js', old: 'a', new: 'b' } },
        ],
      },
    ],
    [
      [
        { role: 'user', content: '# Implement slug\n\nMake the tests pass.' },
        { role: 'assistant', content: null },
      ],
      { content: '{"TestsPassed": {"iterations": 1, "passedTests": []}}' },
    ],
  ])
  const { lines, unknown } = linesOf(readSpool(spool))
  expect(lines).toEqual([
    {
      when: { ask: 'implement', agent: 'coder', contains: '# Implement slug' },
      text: '{"TestsPassed": {"iterations": 1, "passedTests": []}}',
      files: { 'slug.js': 'const a = 1\n' },
    },
  ])
  expect(unknown).toEqual(['coder edited other.js, which it had not written'])
})

function spooled(calls: [messages: object[], reply: object | null][]): string {
  const folder = mkdtempSync(join(tmpdir(), 'spool-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  calls.forEach(([messages, reply], index) => {
    const number = String(index + 1).padStart(4, '0')
    writeFileSync(join(folder, `${number}.json`), JSON.stringify({ at: 1, body: { model: 'live-coder', messages } }))
    if (reply) writeFileSync(join(folder, `${number}.reply.json`), JSON.stringify(reply))
  })
  return folder
}
