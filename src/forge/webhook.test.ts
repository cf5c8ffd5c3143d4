import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { changeFromWebhook, payloadFrom, verifySignature } from './webhook.ts'

const sign = (secret: string, body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

describe('webhook', () => {
  it('believes only what was signed with the secret', () => {
    const body = '{"action":"closed"}'
    expect(verifySignature('secret', body, sign('secret', body))).toBe(true)
    expect(verifySignature('secret', Buffer.from(body), sign('secret', body).toUpperCase().replace('SHA', 'sha'))).toBe(
      true,
    )
    expect(verifySignature('secret', `${body} `, sign('secret', body))).toBe(false)
    expect(verifySignature('other', body, sign('secret', body))).toBe(false)
    expect(verifySignature('', body, sign('', body))).toBe(false)
    for (const header of [undefined, null, '', 'sha256=', 'sha256=zz', sign('secret', body).slice(0, -1), 'sha1=00'])
      expect(verifySignature('secret', body, header)).toBe(false)
  })

  it("agrees with GitHub's published example", () => {
    const header = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
    expect(verifySignature("It's a Secret to Everybody", 'Hello, World!', header)).toBe(true)
  })

  const payload = (action: string, more: object = {}) => ({
    action,
    issue: { number: 4, title: 'x' },
    repository: { full_name: 'Acme/Shop' },
    sender: { login: 'bob' },
    ...more,
  })
  const label = { label: { name: 'swarm:ready' } }

  it('reads what a person did', () => {
    const read = (body: unknown) => changeFromWebhook('issues', body, 'acme/shop')
    expect(read(payload('closed'))).toEqual({ issue: 4, change: 'closed', by: 'bob' })
    expect(read(payload('reopened'))).toEqual({ issue: 4, change: 'reopened', by: 'bob' })
    expect(read(payload('unlabeled', label))).toEqual({
      issue: 4,
      change: 'label_removed',
      label: 'swarm:ready',
      by: 'bob',
    })
    expect(read(payload('labeled', { ...label, sender: null }))).toEqual({
      issue: 4,
      change: 'label_added',
      label: 'swarm:ready',
    })
  })

  it('reads what a person wrote, and that an issue was dropped', () => {
    const comment = { id: 7, body: 'Wait with it', html_url: 'https://x/7', user: { login: 'bob' } }
    const read = (action: string) => changeFromWebhook('issue_comment', payload(action, { comment }), 'acme/shop')
    expect(read('created')).toEqual({
      issue: 4,
      change: 'commented',
      comment: { id: 7, text: 'Wait with it', url: 'https://x/7' },
      by: 'bob',
    })
    expect(read('deleted')).toBeNull()
    const dropped = payload('closed', { issue: { number: 4, state_reason: 'not_planned' } })
    expect(changeFromWebhook('issues', dropped, 'acme/shop')).toMatchObject({ change: 'closed', dropped: true })
  })

  it.each([
    ['another event', 'issue_comment', payload('closed'), 'acme/shop'],
    ['another repository', 'issues', payload('closed'), 'acme/other'],
    ['another action', 'issues', payload('edited'), 'acme/shop'],
    ['a label that was deleted', 'issues', payload('unlabeled'), 'acme/shop'],
    ['a pull request', 'issues', payload('closed', { issue: { number: 4, pull_request: {} } }), 'acme/shop'],
    ['what another repository sends, however it looks', 'issues', { repository: { full_name: 'x/y' } }, 'acme/shop'],
    ['another event, however it looks', 'workflow_run', { action: 5 }, 'acme/shop'],
  ])('leaves %s alone', (_, event, body, repo) => expect(changeFromWebhook(event, body, repo)).toBeNull())

  it.each([
    ['action', 'issues', payload('closed', { action: 5 })],
    ['issue', 'issues', payload('closed', { issue: null })],
    ['issue.number', 'issues', payload('closed', { issue: { number: '4' } })],
    ['repository', 'issues', payload('closed', { repository: undefined })],
    ['label.name', 'issues', payload('labeled', { label: {} })],
    ['comment.id', 'issue_comment', payload('created', { comment: { id: '7' } })],
    ['comment', 'issue_comment', payload('created')],
  ])('refuses a wrong %s', (path, event, body) => {
    expect(() => changeFromWebhook(event, body, 'acme/shop')).toThrow(
      expect.objectContaining({ code: 'invalid_input', status: 400, path }),
    )
  })

  it.each(['', '{not json', '[]', 'null', '"x"', 'payload=%7B%7D'])('refuses a body that is no object: %s', (body) => {
    expect(() => payloadFrom(Buffer.from(body))).toThrow(expect.objectContaining({ code: 'invalid_json', status: 400 }))
    expect(payloadFrom(Buffer.from('{"a":1}'))).toEqual({ a: 1 })
  })
})
