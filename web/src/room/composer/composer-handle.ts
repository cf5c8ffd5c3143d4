/** Lets other parts of the page write into the composer or focus it. */
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
