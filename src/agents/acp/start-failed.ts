/** The agent did not start: no process could be made, it ended, or it did not answer in time. */
export class StartFailed extends Error {
  readonly exitCode: number | null
  readonly isSlow: boolean

  constructor(
    message: string,
    { exitCode = null, isSlow = false }: { exitCode?: number | null; isSlow?: boolean } = {},
  ) {
    super(message)
    this.name = 'StartFailed'
    this.exitCode = exitCode
    this.isSlow = isSlow
  }
}
