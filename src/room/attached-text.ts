/** A message's text together with the content of its attachments, as agents read it. RD15. */
import type { Store } from '../kernel/store.ts'
import { withAttachments, withExcerpts } from '../rules/room/attachments.ts'
import type { Attachment } from './events.ts'

interface Attached {
  text: string
  attachments?: readonly Attachment[]
}

export async function attachedText(store: Store, message: Attached): Promise<string> {
  return withAttachments(message.text, await contents(store, message))
}

/** For proposals, which need to know what is attached, not all of it. */
export async function excerptedText(store: Store, message: Attached): Promise<string> {
  return withExcerpts(message.text, await contents(store, message))
}

function contents(store: Store, { attachments = [] }: Attached) {
  return Promise.all(
    attachments.map(async (each) => ({ ...each, text: Buffer.from(await store.readPayload(each.ref)).toString() })),
  )
}
