/** Where words go: results to stdout, everything else to stderr; colour and motion only on a terminal. */
import { styleText } from 'node:util'

export type Style = Parameters<typeof styleText>[0]

export interface Output {
  readonly json: boolean
  readonly terminal: boolean
  /** A result for a person. With `--json` nothing is printed: the JSON twin says it. */
  print(text: string): void
  /** The JSON twin of what was printed. Without `--json` nothing is printed. */
  data(value: unknown): void
  /** Text as it streams, without a line end. */
  stream(text: string): void
  /** Progress and warnings, on stderr. */
  note(text: string): void
  style(style: Style, text: string): string
}

export function createOutput(json: boolean): Output {
  for (const stream of [process.stdout, process.stderr])
    if (stream.listenerCount('error') === 0) stream.on('error', onlyGone)
  const terminal = Boolean(process.stdout.isTTY) && !json
  return {
    json,
    terminal,
    print: (text) => {
      if (!json) process.stdout.write(`${text}\n`)
    },
    data: (value) => {
      if (json) process.stdout.write(`${JSON.stringify(value)}\n`)
    },
    stream: (text) => {
      if (!json) process.stdout.write(text)
    },
    note: (text) => process.stderr.write(`${text}\n`),
    style: (style, text) => (terminal ? styleText(style, text, { stream: process.stdout }) : text),
  }
}

/** Whoever read it has gone away, as `head` or a terminal does: the work goes on unseen. A full disk is said, where it can be. */
function onlyGone(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE' || error.code === 'EIO') return
  process.exitCode = 1
  process.stderr.write(`convene: what there is to say cannot be written: ${error.message}\n`)
  process.exit()
}

/** An agent's own colour, the same in every room of a project. Yellow and red are kept for what is wrong. */
export function agentColours(agents: readonly string[]): (agent: string) => Style {
  const colours = ['cyan', 'magenta', 'green', 'blue', 'cyanBright', 'magentaBright', 'greenBright'] as const
  return (agent) => colours[Math.max(0, agents.indexOf(agent)) % colours.length]!
}

export interface Spinner {
  /** Shows what is waited for, in place of what was shown before; null takes it away. */
  spin(text: string | null): void
}

/** A line that turns while something is waited for. Nothing is shown where stderr is not a terminal. */
export function createSpinner(): Spinner {
  if (!process.stderr.isTTY) return { spin() {} }
  const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
  let frame = 0
  let shown: string | null = null
  let timer: NodeJS.Timeout | undefined
  const draw = () => {
    // A line that wraps could not be taken away again.
    const line = `${frames[frame++ % frames.length]} ${shown}`.slice(0, (process.stderr.columns || 80) - 1)
    process.stderr.write(`\r\x1b[2K${line}`)
  }
  return {
    spin(text) {
      if (text === shown) return
      shown = text
      clearInterval(timer)
      if (text === null) {
        process.stderr.write('\r\x1b[2K')
        return
      }
      draw()
      timer = setInterval(draw, 80)
    },
  }
}
