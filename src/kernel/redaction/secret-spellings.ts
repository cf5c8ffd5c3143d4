/** Decides which variables hold secrets, and lists the forms in which their values appear in texts. */

/** Whether a variable that the configuration does not name holds a secret, judging by its name and value. */
export function looksSecret(name: string, value: string | undefined): boolean {
  if (value === undefined) return false
  if (passwordInUrl(value) !== undefined) return true
  return secretName.test(name) && value.trim().length >= 8 && !isOrdinaryText(value.trim())
}

/** The value itself and its URL, JSON and Base64 forms. Empty for a value too short to tell from plain text. */
export function spellings(value: string): string[] {
  if (!isTellable(value)) return []
  const password = passwordInUrl(value)
  // `postgres:postgres@` is common and so is the word: redact such a password only within its address.
  if (password === undefined || !isTellable(password) || isOrdinaryText(password)) return formsOf(value)
  return [...formsOf(value), ...formsOf(password)]
}

function formsOf(value: string): string[] {
  const encoded = [percentEncoded(value), percentEncoded(value).replaceAll('%20', '+')]
  const quoted = JSON.stringify(value).slice(1, -1)
  return [...new Set([value, ...encoded, quoted, ...base64Forms(value)])]
}

/** A placeholder such as `test` or `key-1` would match in half of all texts, and hide nothing. */
function isTellable(value: string): boolean {
  return value.length >= 8 || (value.length >= 6 && /[^A-Za-z]/.test(value) && !/^[0-9.]+$/.test(value))
}

/**
 * Base64 of `user:secret` contains the secret at one of three alignments, whatever the user's name: the characters
 * between its edges depend on the secret alone.
 */
function base64Forms(value: string): string[] {
  const bytes = new TextEncoder().encode(value)
  const forms: string[] = []
  for (const offset of [0, 1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes])
    const own = shifted.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((shifted.length * 8) / 6))
    if (own.length < 8) continue
    forms.push(own, own.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return forms
}

/** Lone surrogates cannot be percent-encoded; such a value has no URL form. */
function percentEncoded(value: string): string {
  return value.isWellFormed() ? encodeURIComponent(value) : value
}

const secretName =
  /(?:^|_)(?:API|ACCESS|AUTH|PRIVATE|SECRET|SIGNING|MASTER)?KEY(?:S|_?\d+)?$|TOKEN(?:S|_?\d+)?$|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|(?:^|_)PASS$|(?:api|access|private)Key$/i

/** Words, paths, numbers and addresses: redacting them in every text would wreck it. */
function isOrdinaryText(value: string): boolean {
  return ordinaryTexts.some((ordinary) => ordinary(value))
}

const ordinaryTexts: ((value: string) => boolean)[] = [
  function isNumber(value) {
    return /^[\d.,:+-]+$/.test(value)
  },
  function isPath(value) {
    return /^(?:[A-Za-z]:[\\/]|~\/|\.{0,2}\/)[\w.@ \\/-]*$/.test(value)
  },
  function isUrl(value) {
    return /^[a-z][a-z0-9+.-]*:\/\//i.test(value)
  },
  function isWord(value) {
    return /^(?:[A-Z]?[a-z]{1,15}|[A-Z]{1,15})$/.test(value)
  },
  function isWords(value) {
    return value.length < 24 && /^[A-Za-z]{1,15}(?:[-_. ,:/][A-Za-z]{1,15})+$/.test(value)
  },
]

/** The password inside `scheme://user:password@host`, decoded. */
function passwordInUrl(value: string): string | undefined {
  const password = /^[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:@/]{0,200}:([^\s@/]{1,400})@/i.exec(value.trim())?.[1]
  if (password === undefined) return undefined
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}
