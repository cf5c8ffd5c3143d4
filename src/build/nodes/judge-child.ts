/** The parent's reviewer judges what a part merged. GR7. */
import type { Exit } from '../../rules/build/exits.ts'
import { type Judgement, judgement } from '../../rules/build/parent-judge.ts'
import type { Problem } from '../../rules/schema/problem.ts'
import { childJudged } from '../events.ts'
import { eventHeader, type Node } from '../node.ts'
import type { NodeInput } from '../node-input.ts'
import { askUntilVerified } from '../work/ask-until-verified.ts'
import { recordReview } from '../work/record-review.ts'

/** The longest diff shown to the reviewer, in characters. */
const mostOfDiff = 60_000

export type Judged =
  | { exhausted: readonly Problem[] }
  | ({ exit: Exit<'Approved' | 'MoreTests' | 'Reject'> } & Judgement)

export async function judgeChild(
  node: Node,
  commit: string,
  parent: NonNullable<NodeInput['parent']>,
): Promise<Judged> {
  const { repository } = node.workspace
  const before = await repository.resolve(`${commit}^1`)
  const { text, cut } = await repository.diff(before ?? node.input.base, commit, { maxCharacters: mostOfDiff })
  const held = await askUntilVerified<void>(node, {
    place: 'tdd:review',
    kind: 'judge-child',
    role: 'tdd',
    prompt: 'judge-child',
    values: { spec: parent.spec, child: node.state.spec, diff: text, diffCut: cut },
    thread: parent.thread,
    asked: { node: parent.spec.id, path: parent.path, for: node.input.spec.id },
    check: async () => ({ problems: [] }),
  })
  if ('exhausted' in held) return held
  node.state.countExit('tdd:review', held.exit.name)
  const exit = held.exit as Exit<'Approved' | 'MoreTests' | 'Reject'>
  await recordReview(node, exit)
  const judged = judgement(exit.name, node.state.counts, node.caps)
  const about = { node: parent.spec.id, path: parent.path, child: node.input.spec.id, verdict: judged.verdict }
  await node.run.append(childJudged.create(eventHeader(node), about))
  return { exit, ...judged }
}
