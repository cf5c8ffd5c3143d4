/** Reads what is piped into a command. */
import { fstatSync } from 'node:fs'
import { ConveneError } from '../../kernel/errors.ts'

/** Requests larger than 1 MB are refused; leave room for the rest of one. */
const mostBytes = 900 * 1024
/** A pipe that nobody writes to must not block a command that does not need it. */
const patienceMs = 3000

/**
 * The whole of stdin, or null where nothing is piped in. With `required`, waits for it however long it takes, at a
 * terminal until Ctrl-D.
 */
export async function pipedInput({
  required,
  note,
}: {
  required: boolean
  note(text: string): void
}): Promise<string | null> {
  const source = sourceOf(0)
  if (!required && (source === 'none' || process.stdin.isTTY)) return null
  const bytes = await readAll(required || source === 'file' ? null : source === 'pipe' ? patienceMs : 200, () => {
    // Programs that start a command usually leave its stdin open; only a shell's pipe was put there on purpose.
    if (source === 'pipe')
      note('convene: nothing arrived on stdin for 3 s; sending without it. `convene ask - …` waits for stdin.')
  })
  if (bytes.includes(0)) throw new ConveneError('usage', 'stdin is not text', { path: 'stdin', expected: 'text' })
  const text = bytes.toString('utf8')
  return text.trim() === '' ? null : text
}

function sourceOf(descriptor: number): 'file' | 'pipe' | 'socket' | 'none' {
  try {
    const found = fstatSync(descriptor)
    return found.isFile() ? 'file' : found.isFIFO() ? 'pipe' : found.isSocket() ? 'socket' : 'none'
  } catch {
    return 'none'
  }
}

/** Gives up if not a single byte arrives in time; once one has, reads to the end. */
function readAll(waitMs: number | null, gaveUp: () => void): Promise<Buffer> {
  const { stdin } = process
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let ended = false
    const end = (settle: () => void) => {
      ended = true
      clearTimeout(timer)
      stdin.removeAllListeners('data').removeAllListeners('end').removeAllListeners('error')
      stdin.destroy()
      settle()
    }
    /** A process busy with loading its modules sees the timer first: let it look at stdin once before giving up. */
    const giveUp = () => {
      if (size > 0 || ended) return
      gaveUp()
      end(() => resolve(Buffer.alloc(0)))
    }
    const timer = waitMs === null ? undefined : setTimeout(() => setImmediate(() => setImmediate(giveUp)), waitMs)
    stdin.on('data', (chunk: Buffer) => {
      clearTimeout(timer)
      chunks.push(chunk)
      size += chunk.length
      if (size > mostBytes)
        end(() =>
          reject(
            new ConveneError('too_large', `stdin is larger than ${mostBytes / 1024} KB; pipe in only what matters`, {
              path: 'stdin',
            }),
          ),
        )
    })
    stdin.on('end', () => end(() => resolve(Buffer.concat(chunks))))
    stdin.on('error', (error) => end(() => reject(error)))
  })
}
