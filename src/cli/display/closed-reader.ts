/** Keeps the process alive when the reader of its output has gone, as `head` does after its last line. */

export function tolerateClosedReader(): void {
  for (const stream of [process.stdout, process.stderr])
    if (stream.listenerCount('error') === 0) stream.on('error', onlyGone)
}

/** Ends with an error if the output cannot be written for another reason. */
function onlyGone(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE' || error.code === 'EIO') return
  process.exitCode = 1
  process.stderr.write(`convene: cannot write the output: ${error.message}\n`)
  process.exit()
}
