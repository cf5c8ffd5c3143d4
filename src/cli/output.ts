/** Where words go: results to stdout, everything else to stderr; colour and motion only on a terminal. */
import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

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

/** A line that turns while something is waited for. Nothing is shown where stderr is not a terminal. */
export function startSpinner(text: string): { stop(): void } {
  if (!process.stderr.isTTY) return { stop() {} }
  const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
  let frame = 0
  const draw = () => process.stderr.write(`\r${frames[frame++ % frames.length]} ${text}`)
  draw()
  const timer = setInterval(draw, 80)
  let stopped = false
  return {
    stop() {
      if (stopped) return
      stopped = true
      clearInterval(timer)
      process.stderr.write('\r\x1b[2K')
    },
  }
}
