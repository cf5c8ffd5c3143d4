/** Acquires 16 slots and keeps using them until it is killed: `<repository> <place> <commit>`. */
import { Repository } from '../../src/workspace/git/repository.ts'
import { Worktrees } from '../../src/workspace/worktrees/worktrees.ts'

const [folder, place, commit] = process.argv.slice(2) as [string, string, string]
const worktrees = new Worktrees(await Repository.open(folder), { share: [], folder: place })
console.log('started')
await Promise.all(
  Array.from({ length: 16 }, async () => {
    for (;;) {
      const slot = await worktrees.acquire('r', commit)
      await slot.snapshot()
      worktrees.release(slot)
    }
  }),
)
