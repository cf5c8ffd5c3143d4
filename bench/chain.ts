/** What `step` measures: a chain of trivial durable steps, each recorded before the next begins. */
export interface Chain {
  /** Runs this many steps in sequence. Each step first calls `tick`. */
  run(steps: number, tick: () => void): Promise<void>
  /** The settings of its connection, read after the steps. */
  pragmas(): Pragmas | Promise<Pragmas>
  close(): Promise<void>
}

export interface Pragmas {
  journalMode: string
  synchronous: string
}

export type OpenChain = (folder: string) => Chain | Promise<Chain>

/** The result of each step: the same for all. */
export const stepValue = (index: number) => ({
  index,
  text: 'one trivial step of a chain, with a line of text as its result',
})

export function toPragmas(journalMode: unknown, synchronous: unknown): Pragmas {
  return {
    journalMode: String(journalMode),
    synchronous: ['OFF', 'NORMAL', 'FULL', 'EXTRA'][Number(synchronous)] ?? '?',
  }
}
