import { describe, expect, it } from 'vitest'
import { afterCrash, crashQuestion } from './crashes.ts'

describe('steps in flight at a crash', () => {
  it('[TR5] are tried again after the first crash, and asked about after the second in a row', () => {
    const first = afterCrash({}, [{ run: 'a', steps: 3 }])
    expect(first.quarantined).toEqual([])
    const second = afterCrash(first.record, [
      { run: 'a', steps: 3 },
      { run: 'b', steps: 1 },
    ])
    expect(second.quarantined).toEqual([{ run: 'a', steps: 3 }])
    expect(crashQuestion(second.quarantined[0]!)).toContain('crashed twice')
  })

  it('[TR5] count anew once a step was recorded between two crashes', () => {
    const { record } = afterCrash({}, [{ run: 'a', steps: 3 }])
    expect(afterCrash(record, [{ run: 'a', steps: 4 }]).quarantined).toEqual([])
    expect(afterCrash({ __proto__: { steps: 1, crashes: 9 } } as never, [{ run: 'a', steps: 1 }]).quarantined).toEqual(
      [],
    )
  })
})
