/** What is measured in `step`: a chain of trivial durable steps, each recorded before the next begins. */
export interface Chain {
  /** Runs that many steps, one after another. `tick` is called inside each step, first thing. */
  run(steps: number, tick: () => void): Promise<void>
  /** What its connection says about itself, asked after the steps. */
  pragmas(): Pragmas | Promise<Pragmas>
  close(): Promise<void>
}

export interface Pragmas {
  journalMode: string
  synchronous: string
}

export type OpenChain = (folder: string) => Chain | Promise<Chain>

/** What each step gives: the same for all. */
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
