/** Who a request acts for, so that the facts it writes carry their name. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Person, tokenHolder } from '../../rules/team/roles.ts'

const acting = new AsyncLocalStorage<Person>()

export function actAs<Value>(person: Person, work: () => Value): Value {
  return acting.run(person, work)
}

/** `you` outside of requests, and for the holder of the server's own token. */
export function actingPerson(): Person {
  return acting.getStore() ?? tokenHolder
}

/** Nothing for the holder of the server's token: facts that had no actor before there were users have none still. */
export function namedActor(): { actor?: string } {
  const { name } = actingPerson()
  return name === tokenHolder.name ? {} : { actor: name }
}
