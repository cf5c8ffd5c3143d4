/** The composer that is on the page, for the parts of it that put something there. */

interface ComposerHandle {
  write(text: string): void
  focus(): void
}

let handle: ComposerHandle | null = null

export function registerComposer(next: ComposerHandle): () => void {
  handle = next
  return () => {
    if (handle === next) handle = null
  }
}

export function writeInComposer(text: string): void {
  handle?.write(text)
  handle?.focus()
}

export function focusComposer(): void {
  handle?.focus()
}
