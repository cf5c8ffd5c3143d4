/** Turns Ctrl-C, SIGTERM and a closed terminal into an abort signal. */

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs `work` until it ends or the user interrupts it, which gives 130. A second Ctrl-C ends the process at once. */
export async function untilInterrupted(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const interrupted = new AbortController()
  const onSignal = () => {
    if (interrupted.signal.aborted) process.exit(130)
    interrupted.abort()
  }
  for (const signal of signals) process.on(signal, onSignal)
  try {
    const code = await work(interrupted.signal)
    return interrupted.signal.aborted ? 130 : code
  } finally {
    for (const signal of signals) process.off(signal, onSignal)
  }
}
