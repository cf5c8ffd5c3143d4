/** Shows work as one line per important event, with a spinner below that says what is under way. */
import type { StoredEvent } from '../../kernel/events.ts'
import { createSpinner, type Output } from '../display/output.ts'
import { printable } from '../display/printable.ts'
import { withoutRepeats } from '../display/without-repeats.ts'
import type { WorkDisplay } from './follow-work.ts'

export function lineDisplay(
  output: Output,
  describe: (event: StoredEvent) => string | null,
  /** What is under way after this event; undefined if nothing new. */
  underWay: (event: StoredEvent) => string | undefined,
  /** Where the work was at an event from before it was resumed; its line unless given. */
  place: (event: StoredEvent) => string | null = describe,
): WorkDisplay {
  const spinner = createSpinner()
  let spinning: string | null = null
  const print = withoutRepeats((line) => {
    spinner.spin(null)
    output.note(printable(line))
  })
  return {
    show(event) {
      const line = describe(event)
      spinning = underWay(event) ?? spinning
      if (!line) return
      print(line)
      if (!output.json) spinner.spin(spinning)
    },
    skip: place,
    over: () => spinner.spin(null),
  }
}
