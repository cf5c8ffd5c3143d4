/** Whether the code in place of a stub is what the stub told callers. SPEC.md § VF3. */
import { addsOnlyOptions, type Callable, callableOf } from '../text/wider-signature.ts'
import type { SymbolFacts } from './syntax-facts.ts'

/**
 * A stub states what its author knew then: what it left open is for the implementer to settle, and for the tests to check.
 * `mayTakeMore`: it may also come to take more that callers may leave out.
 */
export function fillsStub(
  stub: SymbolFacts,
  now: SymbolFacts,
  { language, mayTakeMore }: { language: string | null; mayTakeMore: boolean },
): boolean {
  if (saysNothing(now)) return true
  const [was, is] = [stub, now].map(({ signature }) => callableOf(callersView(signature, language)))
  if (!was || !is) return false
  if (language === 'javascript') return takesAsMany(was, is, mayTakeMore)
  const [returns, returnsNow] = [was, is].map(returnedBy)
  const isOpen = returns === '' || returns === 'never'
  if (!isOpen && returns !== returnsNow) return false
  const shown = { ...is, members: is.members.map((one, index) => (isUntyped(was.members[index]) ? untyped(one) : one)) }
  const [before, after] = [was, shown].map((one) => `${beforeParameters(one)}(${one.members.join(',')})`)
  return before === after || (mayTakeMore && addsOnlyOptions(before!, after!, language))
}

/** A value that another function made, or that another file exports: what callers see of it stands elsewhere. */
export function saysNothing({ kind, name, signature, bodyTokens }: SymbolFacts): boolean {
  const last = name.slice(name.lastIndexOf('.') + 1)
  if (kind !== 'constant' || ![name, last].includes(signature.replace(/^default /, ''))) return false
  const made = bodyTokens.join(' ').replace(/^(?:= )?(?:new )?/, '')
  return made === '' || /^[\p{L}_$][\p{L}\p{N}_$]*(?: ?\. ?[\p{L}\p{N}_$]+)*(?: ?<[^()]*>)? ?\(/u.test(made)
}

/** Arguments have no types in JavaScript, so only their number is stated; a stub without any states nothing. */
function takesAsMany(stub: Callable, now: Callable, mayTakeMore: boolean): boolean {
  const [before, after] = [stub, now].map(({ members }) => members.length)
  if (before === 0 || now.members.some((one) => one.startsWith('...'))) return true
  return mayTakeMore ? after! >= before! : after === before
}

/** A parameter of Python, whose name is part of what callers see. */
function isUntyped(parameter: string | undefined): boolean {
  return parameter !== undefined && /^\*{0,2}\w+(=\.\.\.)?$/.test(parameter)
}

function untyped(parameter: string): string {
  return parameter.replace(/^(\*{0,2}\w+):.*?(=\.\.\.)?$/, '$1$2')
}

function beforeParameters({ around }: Callable): string {
  return around.slice(0, around.indexOf('()')).replace(/^default /, '')
}

function returnedBy({ around }: Callable): string {
  return around.slice(around.indexOf('()') + 2).replace(/^(:|->)/, '')
}

function callersView(signature: string, language: string | null): string {
  return language === 'python' ? pythonView(signature) : signature
}

/** Decorators that decide how a member is called stay; others wrap what is called. Of types, one spelling. */
function pythonView(signature: string): string {
  const own = signature.replace(/@\s*([\w.]+)(\s*\((?:[^()]|\([^()]*\))*\))?\s*/g, (_, name: string) => {
    const last = name.slice(name.lastIndexOf('.') + 1).replace('cached_property', 'property')
    return decisive.has(last) ? `@${last} ` : ''
  })
  return own
    .replace(/'([^']*)'/g, '$1')
    .replace(/\b(?:typing|t)\s*\.\s*/g, '')
    .replace(/\b(List|Dict|Tuple|Set|FrozenSet|Type)\s*(?=\[)/g, (name) => name.toLowerCase())
    .replace(/\bOptional\s*\[([^[\]]*(?:\[[^[\]]*\][^[\]]*)*)\]/g, '$1 | None')
}

const decisive = new Set(['property', 'staticmethod', 'classmethod', 'setter', 'deleter', 'overload', 'abstractmethod'])
