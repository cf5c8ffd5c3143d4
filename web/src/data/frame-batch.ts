/** Gathers changes and tells of them once a frame: a fast stream must not render once a token. */

/** Gives a function that calls `tell` before the next frame, however often it is called until then. */
export function frameBatch(tell: () => void): () => void {
  let waiting = false
  const now = () => {
    if (!waiting) return
    waiting = false
    tell()
  }
  return () => {
    if (waiting) return
    waiting = true
    // A hidden tab draws no frames; it still has to keep up.
    if (document.visibilityState === 'visible') requestAnimationFrame(now)
    setTimeout(now, 100)
  }
}
