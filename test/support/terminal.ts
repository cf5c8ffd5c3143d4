/** Runs the command in a pseudo-terminal, types into it, and reads the screen. */
import { spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { command, temporaryFolder } from './convene.ts'

export interface Terminal {
  /** Keys as a terminal sends them: `\r` is Enter, `\x1b` Esc, `\x03` Ctrl-C, `\x04` Ctrl-D. */
  type(keys: string): void
  /** Waits until the screen shows it; returns the screen. */
  shows(what: string | RegExp): Promise<string>
  screen(): string
  /** The raw bytes sent to the terminal. */
  sent(): string
  /** The exit code. */
  finished: Promise<number | null>
}

/** `script` gives the command a terminal and passes its exit code on. */
export function openTerminal(
  args: string[],
  options: { cwd?: string; env?: Record<string, string>; columns?: number } = {},
): Terminal {
  const words = [command, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const child = spawn('script', ['-qec', `stty cols ${options.columns ?? 200} rows 50; exec ${words}`, '/dev/null'], {
    cwd: options.cwd ?? temporaryFolder(),
    env: { ...withoutSettings(process.env), TERM: 'xterm-256color', SHELL: '/bin/sh', ...options.env },
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let sent = ''
  const watchers = new Set<() => void>()
  child.stdout.on('data', (chunk) => {
    sent += chunk
    for (const watch of watchers) watch()
  })
  child.stdin.on('error', () => {})
  const finished = new Promise<number | null>((done) => {
    child.on('close', (code) => done(code))
  })
  return {
    finished,
    type: (keys) => child.stdin.write(keys),
    screen: () => screenOf(sent),
    sent: () => sent,
    shows: (what) =>
      new Promise((found, reject) => {
        const missing = (why: string) => reject(new Error(`${why} without showing ${what}:\n${sent}`))
        // Shorter than a test's own limit, which would not tell what the screen showed.
        const limit = setTimeout(() => missing('waited 200 s'), 200_000)
        const watch = () => {
          const screen = screenOf(sent)
          if (typeof what === 'string' ? !screen.includes(what) : !what.test(screen)) return
          clearTimeout(limit)
          watchers.delete(watch)
          found(screen)
        }
        watchers.add(watch)
        watch()
        void finished.then((code) => {
          clearTimeout(limit)
          missing(`ended with ${code}`)
        })
      }),
  }
}

/** The settings of the person who runs the tests must not affect them. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/_API_KEY$|^CONVENE_/.test(name)))
}

/** Renders a screen on which no line wraps: text, line ends and the few cursor moves that a line editor makes. */
function screenOf(sent: string): string {
  const rows: string[][] = [[]]
  let row = 0
  let column = 0
  const line = () => {
    while (rows.length <= row) rows.push([])
    return rows[row]!
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal is moved by.
  for (const [piece, count, move] of sent.matchAll(/\x1b\[\??([\d;]*)([A-Za-z])|\x1b[^[]|[\s\S]/g)) {
    const by = Number(count) || 1
    if (piece === '\n') row++
    else if (piece === '\r') column = 0
    else if (move === 'A') row = Math.max(0, row - by)
    else if (move === 'B') row += by
    else if (move === 'C') column += by
    else if (move === 'D') column = Math.max(0, column - by)
    else if (move === 'G') column = by - 1
    else if (move === 'K') line().length = count === '2' ? 0 : Math.min(line().length, column)
    else if (move === 'J') {
      line().length = Math.min(line().length, column)
      rows.length = row + 1
    } else if (move === undefined && piece >= ' ') line()[column++] = piece
    line()
  }
  return rows
    .map((cells) =>
      Array.from(cells, (cell) => cell ?? ' ')
        .join('')
        .trimEnd(),
    )
    .join('\n')
}
