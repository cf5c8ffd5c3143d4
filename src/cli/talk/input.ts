/**
 * The input line of a room: a prompt while nothing is running, hidden while agents reply. Text typed meanwhile is kept
 * for the next prompt. Pasted text is one message, even with several lines.
 */
import { createInterface, cursorTo, moveCursor } from 'node:readline'
import { Writable } from 'node:stream'

export interface TalkInput {
  /** Reads the next line; null when the person leaves. */
  next(prompt: string): Promise<string | null>
  /** Prints above the line that is being typed. */
  above(text: string): void
  /** Earlier messages, newest first, for the arrow keys. */
  remember(history: string[]): void
  close(): void
}

export interface TalkInputOptions {
  complete(line: string): Promise<[string[], string]>
  /** Esc, `/stop` or Ctrl-D while something is running. */
  onStop(): void
  /** Ctrl-C on an empty line. */
  onInterrupt(): void
}

interface LineEditor {
  /** How many rows below the prompt the cursor was when the line was last drawn. */
  prevRows: number
  history: string[]
  line: string
}

const pasteOn = '\x1b[?2004h'
const pasteOff = '\x1b[?2004l'

export function createTalkInput(options: TalkInputOptions): TalkInput {
  const { stdin, stdout } = process
  let waiting: ((line: string | null) => void) | null = null
  let closed = false
  let pasting = false
  let prompt = ''
  let pasted: string[] = []
  const typedAhead: string[] = []

  const screen = screenFor(stdout, () => waiting !== null)
  const editor = createInterface({
    input: stdin,
    output: screen,
    terminal: true,
    escapeCodeTimeout: 50,
    historySize: 200,
    removeHistoryDuplicates: true,
    completer: (line: string, done: (error: null, completions: [string[], string]) => void) => {
      options.complete(line).then(
        (completions) => done(null, completions),
        () => done(null, [[], line]),
      )
    },
  })
  const inside = editor as unknown as LineEditor
  const draw = () => {
    inside.prevRows = 0
    editor.setPrompt(pasted.length > 0 ? '… ' : prompt)
    editor.prompt(true)
  }
  const answer = (line: string | null) => {
    const give = waiting
    waiting = null
    give?.(line)
  }
  const empty = () => {
    pasted = []
    editor.write(null, { ctrl: true, name: 'e' })
    editor.write(null, { ctrl: true, name: 'u' })
  }

  const pasteAsUsual = () => stdout.write(pasteOff)
  process.on('exit', pasteAsUsual)
  stdout.write(pasteOn)
  stdin.on('keypress', onKey)
  editor.on('line', (line) => {
    pasted.push(line)
    if (pasting) return draw()
    const whole = pasted.join('\n')
    pasted = []
    if (waiting) answer(whole)
    else if (whole.trim() === '/stop') options.onStop()
    else typedAhead.push(whole)
  })
  editor.on('SIGINT', () => {
    if (waiting && (inside.line !== '' || pasted.length > 0)) {
      empty()
      draw()
    } else options.onInterrupt()
  })
  editor.on('close', () => {
    if (!closed && waiting) stdout.write('\n')
    if (!closed && !waiting) options.onStop()
    closed = true
    answer(null)
  })

  function onKey(_: string | undefined, key: { name?: string } | undefined): void {
    if (key?.name === 'paste-start') pasting = true
    else if (key?.name === 'paste-end') pasting = false
    else if (key?.name === 'escape' && !waiting) options.onStop()
  }

  return {
    next(shown) {
      if (closed) return Promise.resolve(null)
      const ahead = typedAhead.shift()
      if (ahead !== undefined) {
        stdout.write(`${shown}${ahead}\n`)
        return Promise.resolve(ahead)
      }
      prompt = shown
      return new Promise((resolve) => {
        waiting = resolve
        draw()
      })
    },
    above(text) {
      if (!waiting) {
        stdout.write(text)
        return
      }
      moveCursor(stdout, 0, -editor.getCursorPos().rows)
      cursorTo(stdout, 0)
      stdout.write(`\x1b[J${text}`)
      draw()
    },
    remember(history) {
      inside.history = [...history]
    },
    close() {
      if (waiting) stdout.write('\n')
      closed = true
      stdin.off('keypress', onKey)
      editor.close()
      process.off('exit', pasteAsUsual)
      pasteAsUsual()
    },
  }
}

/** The line editor's output: discarded while the prompt is hidden. */
function screenFor(terminal: NodeJS.WriteStream, shown: () => boolean): Writable {
  const screen = new Writable({
    write(chunk, _encoding, done) {
      if (shown()) terminal.write(chunk)
      done()
    },
  })
  Object.defineProperties(screen, {
    isTTY: { value: true },
    columns: { get: () => terminal.columns },
    rows: { get: () => terminal.rows },
  })
  terminal.on('resize', () => screen.emit('resize'))
  return screen
}
