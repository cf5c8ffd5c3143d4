/** The composer that is on the page, for the parts of it that put something there. */

interface Desk {
  write(text: string): void
  focus(): void
}

let desk: Desk | null = null

export function openDesk(next: Desk): () => void {
  desk = next
  return () => {
    if (desk === next) desk = null
  }
}

export function writeInComposer(text: string): void {
  desk?.write(text)
  desk?.focus()
}

export function focusComposer(): void {
  desk?.focus()
}
