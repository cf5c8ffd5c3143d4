/** The issues of a plan, in the order they can be built. */
export interface Issue {
  number: number
  title: string
  body: string
  acceptance_criteria: { id: string; text: string }[]
  depends_on: number[]
  size: string
  business_value: number
  risk: number
  target_path: string
  test_path: string
}

/** The content of `issues.json`; null if it is not valid, because people may have edited it. */
export function readIssues(text: string): { feature: string; issues: Issue[] } | null {
  try {
    const value = JSON.parse(text) as { feature?: unknown; issues?: unknown }
    if (typeof value.feature !== 'string' || !Array.isArray(value.issues)) return null
    const issues = value.issues.filter(isIssue)
    return issues.length === value.issues.length ? { feature: value.feature, issues } : null
  } catch {
    return null
  }
}

/** Those of one wave can be built at the same time; each needs something of the waves before. */
export function wavesOf(issues: readonly Issue[]): Issue[][] {
  const waves: Issue[][] = []
  const built = new Set<number>()
  let left = [...issues]
  while (left.length > 0) {
    const ready = left.filter(({ depends_on }) => depends_on.every((one) => built.has(one)))
    // A cycle or an unknown dependency: show the rest in one wave.
    const wave = ready.length > 0 ? ready : left
    waves.push(wave)
    for (const { number } of wave) built.add(number)
    left = left.filter((one) => !wave.includes(one))
  }
  return waves
}

function isIssue(value: unknown): value is Issue {
  const one = value as Partial<Issue> | null
  return (
    typeof one?.number === 'number' &&
    typeof one.title === 'string' &&
    Array.isArray(one.acceptance_criteria) &&
    Array.isArray(one.depends_on)
  )
}
