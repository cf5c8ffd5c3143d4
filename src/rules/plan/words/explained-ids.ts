/** Explains ids of decisions and risks in words, for a person who has not seen them. SPEC.md § PH3. */
import { oneLine } from '../../text/one-line.ts'
import type { EarlierItems } from '../plan-ids.ts'

const id = /(?<![\w-])[DPQR]\d+b?(?:\.\d+)?-\d+(?![\w-])/g
const longest = 160

/** Adds what each id stands for at its first mention: `goes against D2-2 (“no helper”)`. Unknown ids stay as they are. */
export function explainIds(text: string, summaries: readonly EarlierItems[]): string {
  const seen = new Set<string>()
  const all = summaries.flatMap(({ key_decisions, open_questions, risks_identified }) => [
    ...key_decisions.map((one) => [one.id, one.decision] as const),
    ...open_questions.map((one) => [one.id, one.question] as const),
    ...risks_identified.map((one) => [one.id, one.risk] as const),
  ])
  const words = new Map(all)
  return text.replace(id, (found) => {
    const meaning = words.get(found)
    if (meaning === undefined || seen.has(found)) return found
    seen.add(found)
    return `${found} (“${oneLine(meaning, longest)}”)`
  })
}
