import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { envelopeSchema, readEnvelope } from './envelope.ts'

const envelope = { message: 'Draft done.', handoff: { to: 'gpt', task: 'Edit it.' }, final: false }

describe('the envelope', () => {
  it('[TN1] is a message, optionally with a hand-off and final', () => {
    for (const value of [{ message: 'x' }, { message: 'x', final: true }, envelope, { message: ' ' }]) {
      expect(readEnvelope(JSON.stringify(value))).toEqual({ malformed: false, envelope: value, loose: false })
    }
    const json = JSON.stringify(envelope)
    for (const text of [`\`\`\`json\n${json}\n\`\`\``, `Here: ${json}`, `${json}\nOver to you.`])
      expect(readEnvelope(text)).toEqual({ malformed: false, envelope, loose: true })
  })

  it('[TN2] anything else is malformed: the raw text becomes the message, and the problem is named', () => {
    const raw = [
      'plain words',
      '',
      '  \n',
      `Here: ${JSON.stringify(envelope)} or here: {"message": "x"}`,
      '"text"',
      '[]',
      'null',
      '{}',
      '{"message": ""}',
      '{"message": 5}',
      '{"message": "x", "mood": "fine"}',
      '{"message": "x", "__proto__": {}}',
      '{"message": "x", "message": "y"}',
      '{"message": "x", "final": "true"}',
      '{"message": "x", "final": null}',
      '{"message": "x", "handoff": null}',
      '{"message": "x", "handoff": "gpt"}',
      '{"message": "x", "handoff": {"to": "gpt"}}',
      '{"message": "x", "handoff": {"to": "", "task": "y"}}',
      '{"message": "x", "handoff": {"to": "gpt", "task": ""}}',
      '{"message": "x", "handoff": {"to": "gpt", "task": "y", "by": "noon"}}',
      `{"message": "x", "handoff": ${'['.repeat(5000)}${']'.repeat(5000)}}`,
    ]
    for (const text of raw) {
      const reading = readEnvelope(text)
      expect(reading, text).toEqual({
        malformed: true,
        envelope: { message: text },
        problem: expect.stringMatching(/./),
      })
    }
  })

  it('[TN1] counts the 500 characters of a task as code points', () => {
    const withTask = (task: string) =>
      readEnvelope(JSON.stringify({ message: 'x', handoff: { to: 'gpt', task } })).malformed
    expect(withTask('x'.repeat(500))).toBe(false)
    expect(withTask('x'.repeat(501))).toBe(true)
    expect(withTask('👍'.repeat(500))).toBe(false)
    expect(withTask('👍'.repeat(501))).toBe(true)
    expect(withTask('x'.repeat(3_000_000))).toBe(true)
  })

  it('[TN1] as a schema for providers names the participants and the limits', () => {
    const schema = z.toJSONSchema(envelopeSchema(['gpt', 'claude'])) as Record<string, unknown>
    expect(schema).toMatchObject({
      required: ['message'],
      additionalProperties: false,
      properties: {
        message: { minLength: 1 },
        handoff: {
          required: ['to', 'task'],
          additionalProperties: false,
          properties: { to: { enum: ['gpt', 'claude'] }, task: { minLength: 1, maxLength: 500 } },
        },
        final: { type: 'boolean' },
      },
    })
  })
})
