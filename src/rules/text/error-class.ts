/** Recognises kinds of error in a command's output, in any language. A hint, not proof. SPEC.md § FA. */

export const errorClasses = [
  'assertion',
  'missing_module',
  'not_implemented',
  'syntax',
  'timeout',
  'environment',
] as const
export type ErrorClass = (typeof errorClasses)[number]

/** [FA2] In list order; empty if nothing is recognised. */
export function errorClassesIn(output: string): ErrorClass[] {
  return errorClasses.filter((errorClass) => signs[errorClass].some((sign) => sign.test(output)))
}

const signs: Readonly<Record<ErrorClass, readonly RegExp[]>> = {
  assertion: [
    /\bAssertion(Failed)?Error\b/i,
    /\bassertion `?.{0,80}failed\b/,
    /\bexpect(ed)?\b.{0,200}\b(received|got|to (be|equal|contain|match))\b/i,
  ],
  missing_module: [
    /cannot find (module|package)\b/i,
    /\bModuleNotFoundError\b/,
    /\bImportError\b/,
    /\bunresolved import\b/,
    /does not provide an export named/,
  ],
  not_implemented: [/\bnot (yet )?implemented\b/i, /\bNotImplementedError\b/],
  syntax: [/\bSyntaxError\b/, /\bIndentationError\b/, /\berror TS1\d{3}\b/],
  timeout: [/\btimed out\b/i, /\btimeout of \d+/i, /\bTimeoutError\b/],
  environment: [
    /command not found/i,
    /\b(EACCES|ENOSPC|EADDRINUSE|ECONNREFUSED|ENOTFOUND|EMFILE)\b/,
    /no space left on device/i,
    /permission denied/i,
  ],
}
