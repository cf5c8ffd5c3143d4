/** Ctrl-C and SIGTERM, as something that work can hear. */

/** Does `work` until it ends or the user interrupts; 130 where they did. A second Ctrl-C ends the process at once. */
export async function untilInterrupted(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const interrupted = new AbortController()
  const onSignal = () => {
    if (interrupted.signal.aborted) process.exit(130)
    interrupted.abort()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  try {
    const code = await work(interrupted.signal)
    return interrupted.signal.aborted ? 130 : code
  } finally {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
  }
}
