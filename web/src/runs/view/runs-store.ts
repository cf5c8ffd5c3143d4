/** All runs of the project. */
import { listRuns } from '../../data/calls/runs.ts'
import { FollowedList } from '../../data/feed/followed-list.ts'
import { live } from '../../data/feed/live.ts'

const changes = /^(run\.|question\.|ask\.finished$|(ship|plan|build|node|issue|session)\.started$)/

export const runs = new FollowedList({ read: listRuns, isChangedBy: ({ type }) => changes.test(type) })

live.listen(runs)
