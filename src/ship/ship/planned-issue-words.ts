/** A planned issue in one line, for the look before the build. Browser-safe. */
import type { PlannedIssueLine } from '../events.ts'

export function plannedIssueWords({ number, title, criteria, size, depends_on }: PlannedIssueLine): string {
  const after = depends_on.length > 0 ? [`after ${depends_on.map((one) => `#${one}`).join(', ')}`] : []
  return [`#${number} ${title}`, criteria === 1 ? '1 criterion' : `${criteria} criteria`, size, ...after].join(' · ')
}
