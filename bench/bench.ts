/** The input and output of every bench. */
export interface BenchResult {
  goals: Goal[]
  /** How it was measured, one sentence each. */
  settings: string[]
  table: { columns: string[]; rows: string[][] }
  /** What a reader needs to interpret the table. */
  notes: string[]
}

export interface Goal {
  measure: string
  goal: string
  found: string
  met: boolean
}

/** `folder` is the bench's own, on the disk that is measured, and is removed afterwards. */
export type Bench = (folder: string) => Promise<BenchResult>
