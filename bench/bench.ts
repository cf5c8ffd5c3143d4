/** What every bench gives, and what it is given. */
export interface BenchResult {
  goals: Goal[]
  /** How it was measured, one sentence each. */
  settings: string[]
  table: { columns: string[]; rows: string[][] }
  /** What a reader has to know to read the table right. */
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
