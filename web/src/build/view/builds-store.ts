/** All builds of the project, newest first, one line each. */
import { buildRunOf } from '../../data/addresses/build.ts'
import { listBuilds } from '../../data/calls/builds.ts'
import { FollowedList } from '../../data/feed/followed-list.ts'
import { live } from '../../data/feed/live.ts'
import { newestFirst } from '../../data/newest-first.ts'

const changes = /^(build\.|question\.|node\.(started|finished)$|run\.(parked|recovered|finished)$)/

export const builds = new FollowedList({
  read: async () => newestFirst(await listBuilds()),
  isChangedBy: ({ type, run }) => run !== undefined && buildRunOf(run) !== null && changes.test(type),
})

live.listen(builds)
