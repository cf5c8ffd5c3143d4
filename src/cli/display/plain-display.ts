/** Shows a room without a terminal: prints each reply whole, results to stdout and the rest to stderr. */
import type { Output } from './output.ts'
import type { RoomDisplay } from './room-display.ts'

/** `names`: label each reply with the agent's name. */
export function plainDisplay(output: Output, { names }: { names: boolean }): RoomDisplay {
  const nothing = () => {}
  return {
    said: (text) => output.print(`you: ${text}`),
    aside: (text) => output.note(text),
    hint: nothing,
    notice: (text) => (names ? output.print(`router: ${text}`) : output.note(text)),
    warning: (text) => output.note(`warning: ${text}`),
    expect: nothing,
    words: nothing,
    reply: ({ agent }, text) => output.print(names ? `${agent}: ${text}` : text),
    silence: nothing,
    waitingFor: nothing,
    over: nothing,
  }
}
