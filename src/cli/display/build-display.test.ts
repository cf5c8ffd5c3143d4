import { expect, it } from 'vitest'
import { commandStarted } from '../../build/events.ts'
import { buildView } from '../../build/view.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import { runRecovered } from '../../kernel/run-events.ts'
import { lineDisplay } from '../follow/line-display.ts'
import { buildDisplay, describeBuildEvent } from './build-display.ts'
import type { Output } from './output.ts'

it('says that an interrupted build continues, and what is kept', () => {
  const event = { ...runRecovered.create({ stream: 'run', run: 'build-1' }, { steps: 7 }), seq: 1 } as unknown
  expect(describeBuildEvent(event as StoredEvent)).toMatch(
    /^continuing after an interruption: 7 finished steps are kept/,
  )
})

it('prints a command that runs several times in a row once', () => {
  const about = { node: 'inc', path: ['inc'], purpose: 'before', command: 'npm test' }
  const started = (command: string) => {
    const event = commandStarted.create({ stream: 'build' }, { ...about, command })
    return { ...event, seq: 1 } as unknown as StoredEvent
  }
  const commands = ['npm test', 'npm test', 'npm test', 'npm run lint', 'npm test']
  const view = buildView('build').initial()
  for (const isBuild of [true, false]) {
    const notes: string[] = []
    const output = { json: true, note: (line: string) => notes.push(line) } as unknown as Output
    const build = buildDisplay(output)
    const line = lineDisplay(output, describeBuildEvent, () => undefined)
    for (const command of commands)
      if (isBuild) build.show(view, started(command))
      else line.show(started(command))
    const where = '(on the commit that the work starts from)'
    expect(notes).toEqual(['npm test', 'npm run lint', 'npm test'].map((one) => `inc: running \`${one}\` ${where}`))
  }
})
