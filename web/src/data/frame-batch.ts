/** Batches updates into one per frame, so that a fast stream does not render once per token. */
/** Returns a function that schedules `tell` once before the next frame. */
export function frameBatch(publish: () => void): () => void {
  let waiting = false
  const now = () => {
    if (!waiting) return
    waiting = false
    publish()
  }
  return () => {
    if (waiting) return
    waiting = true
    // A hidden tab draws no frames; it still has to keep up.
    if (document.visibilityState === 'visible') requestAnimationFrame(now)
    setTimeout(now, 100)
  }
}
