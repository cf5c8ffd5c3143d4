/**
 * Writes results to stdout and everything else to stderr; colours and spinners only on a terminal. Text of agents, files and
 * commits passes here too: whatever it holds, it does not steer the terminal.
 */
import { styleText } from 'node:util'
import { tolerateClosedReader } from './closed-reader.ts'
import { jsonLine } from './json-line.ts'
import { printableStyled } from './printable.ts'

export type Style = Parameters<typeof styleText>[0]

export interface Output {
  readonly json: boolean
  readonly terminal: boolean
  /** Prints a result for a person; nothing with `--json`. */
  print(text: string): void
  /** Prints the same result as JSON; nothing without `--json`. */
  data(value: unknown): void
  /** Writes streamed text, without a line end. */
  stream(text: string): void
  /** Prints progress and warnings to stderr. */
  note(text: string): void
  style(style: Style, text: string): string
}

export function createOutput(json: boolean): Output {
  tolerateClosedReader()
  const terminal = Boolean(process.stdout.isTTY) && !json
  return {
    json,
    terminal,
    print: (text) => {
      if (!json) process.stdout.write(`${printableStyled(text)}\n`)
    },
    data: (value) => {
      if (json) process.stdout.write(`${jsonLine(value)}\n`)
    },
    stream: (text) => {
      if (!json) process.stdout.write(printableStyled(text))
    },
    note: (text) => process.stderr.write(`${printableStyled(text)}\n`),
    style: (style, text) => (terminal ? styleText(style, text, { stream: process.stdout }) : text),
  }
}

/** The colour of an agent, the same in every room of a project. Yellow and red are reserved for problems. */
export function agentColours(agents: readonly string[]): (agent: string) => Style {
  const colours = ['cyan', 'magenta', 'green', 'blue', 'cyanBright', 'magentaBright', 'greenBright'] as const
  return (agent) => colours[Math.max(0, agents.indexOf(agent)) % colours.length]!
}

export interface Spinner {
  /** Shows this text, or what the function says by now, in place of the previous one; null removes it. */
  spin(text: string | (() => string) | null): void
}

/** A spinner on stderr; does nothing if stderr is not a terminal. */
export function createSpinner(): Spinner {
  if (!process.stderr.isTTY) return { spin() {} }
  const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
  let frame = 0
  let shown: string | (() => string) | null = null
  let timer: NodeJS.Timeout | undefined
  const draw = () => {
    // A line that wraps cannot be erased.
    const text = typeof shown === 'function' ? shown() : shown
    const line = printableStyled(`${frames[frame++ % frames.length]} ${text}`).slice(
      0,
      (process.stderr.columns || 80) - 1,
    )
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
