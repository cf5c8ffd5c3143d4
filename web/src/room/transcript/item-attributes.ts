/** Data attributes of a transcript item, for tests and tools. */
import type { TranscriptItem } from '../../../../src/room/view.ts'

export function itemAttributes(item: TranscriptItem) {
  return {
    'data-testid': 'item',
    'data-type': item.type,
    'data-sender': item.sender,
    'data-target': item.target,
    'data-call-id': item.call_id,
    'data-round': item.round,
    'data-session': item.session_id,
  }
}
