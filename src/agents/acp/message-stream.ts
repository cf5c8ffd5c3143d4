/** The messages on an agent's standard streams. Lines that are not JSON objects are skipped. */
import type { Readable, Writable } from 'node:stream'
import type { AnyMessage, SessionNotification, Stream } from '@agentclientprotocol/sdk/unstable'

/** A longer line is no message; an agent that sends one is broken. */
const maxLine = 32_000_000

/**
 * Updates of a session go to `onUpdate`, in order and unchecked: there are thousands of them, and agents extend them.
 * Everything else is for the protocol's own reader.
 */
export function messageStream(
  stdin: Writable,
  stdout: Readable,
  onUpdate: (update: SessionNotification) => void,
): Stream {
  // Skips an update of another shape: an error thrown here would end the whole process.
  const notify = (update: SessionNotification) => {
    try {
      onUpdate(update)
    } catch {
      // The next one may be right.
    }
  }
  // The reader may go first, when the connection is closed on our side.
  let isOpen = true
  const readable = new ReadableStream<AnyMessage>({
    cancel() {
      isOpen = false
    },
    start(controller) {
      const close = () => {
        if (isOpen) controller.close()
        isOpen = false
      }
      readLines(stdout, (line) => {
        const message = messageIn(line)
        if (!message || !isOpen) return
        if (isUpdate(message)) notify(message.params as SessionNotification)
        else controller.enqueue(message)
      })
      stdout.once('end', close)
      stdout.once('close', close)
      stdout.once('error', close)
    },
  })
  const writable = new WritableStream<AnyMessage>({
    write: (message) =>
      new Promise((resolve, reject) => {
        stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
      }),
  })
  return { readable, writable }
}

function readLines(stdout: Readable, onLine: (line: string) => void): void {
  let rest = ''
  stdout.setEncoding('utf8').on('data', (piece: string) => {
    const lines = `${rest}${piece}`.split('\n')
    rest = lines.pop()!
    if (rest.length > maxLine) stdout.destroy(new Error('a line of the agent is too long'))
    for (const line of lines) onLine(line)
  })
}

function messageIn(line: string): AnyMessage | null {
  if (!line.trimStart().startsWith('{')) return null
  try {
    return JSON.parse(line) as AnyMessage
  } catch {
    return null
  }
}

function isUpdate(message: AnyMessage): message is AnyMessage & { params: unknown } {
  return 'method' in message && message.method === 'session/update' && !('id' in message) && isRecord(message.params)
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
