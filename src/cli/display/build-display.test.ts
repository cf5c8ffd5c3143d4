import { expect, it } from 'vitest'
import type { StoredEvent } from '../../kernel/events.ts'
import { runRecovered } from '../../kernel/run-events.ts'
import { describeBuildEvent } from './build-display.ts'

it('says that an interrupted build continues, and what is kept', () => {
  const event = { ...runRecovered.create({ stream: 'run', run: 'build-1' }, { steps: 7 }), seq: 1 } as unknown
  expect(describeBuildEvent(event as StoredEvent)).toMatch(
    /^continuing after an interruption: 7 finished steps are kept/,
  )
})
