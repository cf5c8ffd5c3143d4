/** Verifies GitHub webhooks and reads them as changes that a person made. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { ConveneError } from '../kernel/errors.ts'
import { inputError } from '../rules/schema/rule.ts'
import { commentedChange, type ForgeChange } from './changes.ts'
import { isDropped } from './github-shapes.ts'

/** `header`: `X-Hub-Signature-256`. `body`: the raw bytes; the signature does not cover re-serialised JSON. */
export function verifySignature(secret: string, body: string | Uint8Array, header: string | null | undefined): boolean {
  // With an empty secret anyone could sign.
  if (secret === '' || !header || !/^sha256=[0-9a-f]{64}$/i.test(header)) return false
  const expected = createHmac('sha256', secret).update(body).digest()
  return timingSafeEqual(expected, Buffer.from(header.slice('sha256='.length), 'hex'))
}

const payloadShape = z.object({
  action: z.string(),
  issue: z.object({ number: z.int(), pull_request: z.unknown().optional(), state_reason: z.string().nullish() }),
  comment: z.object({ id: z.int(), body: z.string().nullish(), html_url: z.string().optional() }).nullish(),
  label: z.object({ name: z.string() }).nullish(),
  repository: z.object({ full_name: z.string() }),
  sender: z.object({ login: z.string() }).nullish(),
})

/** Parses the body as JSON. GitHub can also be configured to send a form, which is refused. */
export function payloadFrom(body: Uint8Array): object {
  const payload = parsed(body)
  if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return payload
  throw new ConveneError('invalid_json', 'the body is not a JSON object', {
    expected: 'the content type application/json in the settings of the webhook',
  })
}

/**
 * `event`: `X-GitHub-Event`. Returns null for irrelevant events and other repositories; throws if a relevant event cannot
 * be parsed.
 */
export function changeFromWebhook(event: string, payload: unknown, repo: string): ForgeChange | null {
  if (event !== 'issues' && event !== 'issue_comment') return null
  const about = z.object({ repository: payloadShape.shape.repository }).safeParse(payload)
  if (about.success && about.data.repository.full_name.toLowerCase() !== repo.toLowerCase()) return null
  const read = payloadShape.safeParse(payload)
  if (!read.success) {
    const { code, message, path, expected } = inputError(read.error)
    throw new ConveneError(code, message, { path, expected })
  }
  const { action, issue, label, comment, sender } = read.data
  if (issue.pull_request) return null
  const by = sender ? { by: sender.login } : {}
  if (event === 'issue_comment') {
    if (action !== 'created') return null
    if (!comment)
      throw new ConveneError('invalid_input', 'comment: is missing', { path: 'comment', expected: 'object' })
    const { id, body, html_url } = comment
    return commentedChange({ id, issue: issue.number, body: body ?? '', ...by, ...(html_url ? { url: html_url } : {}) })
  }
  if (action === 'closed')
    return { issue: issue.number, change: action, ...(isDropped(issue.state_reason) ? { dropped: true } : {}), ...by }
  if (action === 'reopened') return { issue: issue.number, change: action, ...by }
  if (!label) return null
  if (action === 'unlabeled') return { issue: issue.number, change: 'label_removed', label: label.name, ...by }
  if (action === 'labeled') return { issue: issue.number, change: 'label_added', label: label.name, ...by }
  return null
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return null
  }
}
