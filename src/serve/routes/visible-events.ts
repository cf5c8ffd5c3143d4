/** Pages of the log with only the events that a person sees. */
import type { StoredEvent } from '../../kernel/events.ts'
import type { EventQuery, Store } from '../../kernel/store.ts'

export type Sees = (event: StoredEvent) => Promise<boolean>

const pageSize = 1000

/** As many visible events as the query asks for, however many hidden ones lie between them. */
export async function readVisible(store: Store, query: EventQuery, sees: Sees | null): Promise<StoredEvent[]> {
  if (sees === null) return store.read(query)
  const { limit, last, ...rest } = query
  const wanted = last ?? limit ?? Infinity
  const found: StoredEvent[] = []
  let { after, before } = rest
  while (found.length < wanted) {
    const size = Math.min(pageSize, Math.max(100, wanted))
    const page = await store.read({
      ...rest,
      after,
      before,
      ...(last === undefined ? { limit: size } : { last: size }),
    })
    const visible: StoredEvent[] = []
    for (const event of page) if (await sees(event)) visible.push(event)
    if (last === undefined) found.push(...visible)
    else found.unshift(...visible)
    if (page.length < size) break
    if (last === undefined) after = page.at(-1)!.seq
    else before = page[0]!.seq
  }
  return last === undefined ? found.slice(0, wanted) : found.slice(-wanted)
}
