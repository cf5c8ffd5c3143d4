/** What an agent is told of the talk so far, as messages: its own words as its own, everyone else's by name. */
import type { AgentMessage } from '../kernel/agent.ts'
import type { Store } from '../kernel/store.ts'
import { messagePosted, roomStream } from './events.ts'
import { transcriptItem } from './view.ts'

const mostItems = 20

export async function roomHistory(store: Store, room: string, before: string): Promise<AgentMessage[]> {
  const history: AgentMessage[] = []
  for (const event of await store.read({ stream: roomStream(room) })) {
    if (messagePosted.is(event) && event.data.message_id === before) break
    const item = transcriptItem(event)
    if (!item || item.sender === 'router') continue
    const said = item.type === 'human_message' ? item.text : `${item.sender}: ${item.text}`
    history.push({ role: item.type === 'human_message' ? 'user' : 'assistant', content: said })
  }
  return history.slice(-mostItems)
}
