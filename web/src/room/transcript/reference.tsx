/** Names the message a row belongs to, when several are being answered at once. */
import type { Message } from '../conversation/conversation-types.ts'
import { useRoomPage } from '../conversation/room-page-context.ts'

export function Reference({ message }: { message: Message }) {
  const { explain } = useRoomPage()
  return (
    <button
      type="button"
      onClick={() => explain(message.id)}
      className="mb-1 ml-[38px] block max-w-[calc(100%-38px)] truncate text-left text-tiny text-ink-3 hover:text-ink"
    >
      on “{message.text}”
    </button>
  )
}
