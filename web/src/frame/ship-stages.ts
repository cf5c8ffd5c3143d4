/** The stages of a ship as the strip shows them: label, state and link. */
import type { ShipStage, ShipView } from '../../../src/ship/ship/ship-view.ts'

export interface Stage {
  name: Exclude<ShipStage, 'over'> | 'done'
  words: string
  state: 'before' | 'now' | 'after' | 'failed'
  address: string
}

export function stagesOf(view: ShipView): Stage[] {
  const { run, feature, room, stage, status, phase, issues, done, merge } = view
  const order: ShipStage[] = ['talk', 'plan', 'build', 'merge', 'over']
  const reached = stage === 'over' ? lastReached(view) : stage
  const state = (name: ShipStage): Stage['state'] => {
    if (name === reached && stage === 'over' && status === 'failed') return 'failed'
    if (name === stage) return 'now'
    return order.indexOf(name) < order.indexOf(stage) && order.indexOf(name) <= order.indexOf(reached)
      ? 'after'
      : 'before'
  }
  const issuesAt = `/features/${encodeURIComponent(feature)}`
  const runAt = `/runs/${encodeURIComponent(run)}`
  const isNow = (name: ShipStage) => stage === name
  const all: Stage[] = [
    ...(room === undefined
      ? []
      : [
          {
            name: 'talk' as const,
            words: isNow('talk') ? 'Talking' : 'Talk',
            state: state('talk'),
            address: `/rooms/${room}`,
          },
        ]),
    {
      name: 'plan',
      words: isNow('plan') ? `Planning${phase === undefined ? '' : `: ${phase}`}` : 'Plan',
      state: state('plan'),
      address: `/plans/${encodeURIComponent(`${run}/plan`)}`,
    },
    {
      name: 'build',
      words:
        issues.length === 0
          ? 'Build'
          : isNow('build')
            ? `Building ${done.length} of ${issues.length}`
            : `Built ${done.length} of ${issues.length}`,
      state: state('build'),
      address: issuesAt,
    },
    ...(merge
      ? [
          {
            name: 'merge' as const,
            words: isNow('merge') ? 'Merging' : view.merged ? 'Merged' : 'Merge',
            state: state('merge'),
            address: issuesAt,
          },
        ]
      : []),
    {
      name: 'done',
      words: status === 'failed' ? 'Not shipped' : 'Done',
      state: status === 'failed' ? 'failed' : status === 'done' ? 'after' : 'before',
      address: runAt,
    },
  ]
  return all
}

/** The last stage a finished ship reached. */
function lastReached({ status, issues, done, merge }: ShipView): ShipStage {
  if (status === 'done') return 'over'
  if (issues.length === 0) return 'plan'
  return merge && done.length === issues.length ? 'merge' : 'build'
}
