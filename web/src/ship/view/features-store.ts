/** All features of the project, one line each, and the ships that are still planning theirs. */
import { listFeatures, listShips } from '../../data/calls/features.ts'
import { FollowedList } from '../../data/feed/followed-list.ts'
import { live } from '../../data/feed/live.ts'
import { joined } from './listed-features.ts'

const changes =
  /^(feature\.|ship\.|issue\.moved$|issue\.split$|issue\.reviewed$|question\.|run\.(started|parked|recovered|finished)$)/

export const features = new FollowedList({
  read: async () => joined(...(await Promise.all([listFeatures(), listShips()]))),
  isChangedBy: ({ type, run, feature }) =>
    changes.test(type) && (feature !== undefined || /^(run|ship)-/.test(run ?? '')),
})

live.listen(features)
