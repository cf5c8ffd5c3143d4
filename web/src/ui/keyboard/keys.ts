/** The keyboard shortcuts, for the dialog that lists them. */
export const keys: { keys: string[]; does: string }[] = [
  { keys: ['⌘ Enter', 'Ctrl Enter'], does: 'Send the message' },
  { keys: ['Esc'], does: 'Close the open panel, or stop what is running' },
  { keys: ['/'], does: 'Commands (in an empty message box, or from anywhere)' },
  { keys: ['@'], does: 'Mention an agent: only that agent answers' },
  { keys: ['Alt ↑', 'Alt ↓', 'k', 'j'], does: 'Previous or next room, plan, build or feature' },
  { keys: ['i'], does: 'Write a message' },
  { keys: ['n'], does: 'Create a room, plan, build or ship' },
  { keys: ['w'], does: 'Explain how the last message was answered' },
  { keys: ['s'], does: 'On a plan, build or feature: stop or resume it' },
  { keys: ['← ↑ → ↓'], does: 'In a graph or on a board: move the focus' },
  { keys: ['g'], does: 'On a feature: switch between board and graph' },
  { keys: ['+', '-', '0'], does: 'In a timeline: zoom in, zoom out, show all' },
  { keys: ['?'], does: 'Show these shortcuts' },
]

/** The name of a key press; empty for presses with Ctrl or Command. */
export function keyName(event: Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey'>): string {
  if (event.ctrlKey || event.metaKey) return ''
  const key = event.key === 'Escape' ? 'esc' : event.key
  return event.altKey ? `Alt+${key}` : key
}

/** Letter keys do nothing while typing; Esc and Alt with arrows work everywhere. */
export function isTypedInto(element: EventTarget | null): boolean {
  if (!(element instanceof HTMLElement)) return false
  // A clicked radio button or checkbox keeps the focus but takes no letters.
  if (element instanceof HTMLInputElement && /^(radio|checkbox|button|submit|range)$/.test(element.type)) return false
  return element.isContentEditable || /^(input|textarea|select)$/i.test(element.tagName)
}
