/**
 * The formats of well-known keys and tokens. Each pattern stops within a fixed number of characters unless it matches,
 * so that no text, however long or hostile, makes the search slow. No capturing groups inside a pattern.
 */
export interface SecretShape {
  readonly name: string
  readonly pattern: string
  /** One capturing group: the text before the secret, which stays. */
  readonly before?: string
}

/** Both cases of every letter. Spelt out, since the modifier `(?i:…)` was once seen not to match on a busy machine. */
const anyCase = (word: string) => word.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)

const notWithin = '(?<![A-Za-z0-9_-])'

export const secretShapes: readonly SecretShape[] = [
  { name: 'anthropic-key', pattern: 'sk-ant-[A-Za-z0-9_-]{16,}' },
  // Require a digit: class names such as `sk-loading-indicator-large` begin like a key.
  { name: 'openai-key', pattern: `${notWithin}sk-(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{20,}` },
  { name: 'github-token', pattern: 'gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}' },
  { name: 'gitlab-token', pattern: `${notWithin}glpat-[A-Za-z0-9_-]{20,}` },
  { name: 'slack-token', pattern: 'xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[0-9]-[A-Za-z0-9-]{10,}' },
  { name: 'aws-key', pattern: '(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])' },
  { name: 'google-key', pattern: 'AIza[A-Za-z0-9_-]{35}' },
  { name: 'stripe-key', pattern: `${notWithin}[rs]k_(?:live|test)_[A-Za-z0-9]{16,}` },
  { name: 'npm-token', pattern: `${notWithin}npm_[A-Za-z0-9]{36}` },
  { name: 'hugging-face-token', pattern: `${notWithin}hf_[A-Za-z0-9]{30,}` },
  { name: 'convene-token', pattern: `${notWithin}cvn_[A-Za-z0-9_-]{43}` },
  { name: 'groq-key', pattern: `${notWithin}gsk_[A-Za-z0-9]{40,}` },
  { name: 'json-web-token', pattern: `${notWithin}eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}` },
  // The end line is optional, so that a key cut off by an output limit is redacted as well.
  {
    name: 'private-key',
    pattern:
      '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^-]*(?:-(?!----)[^-]*)*' +
      '(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?',
  },
  {
    name: 'authorization',
    before: `(${anyCase('authorization')}["']?\\s{0,4}[:=]\\s{0,4}["']?(?:${anyCase('bearer|basic|token')})\\s{1,4})`,
    pattern: '[A-Za-z0-9._~+/=-]{8,}',
  },
  {
    name: 'bearer-token',
    before: `((?<![A-Za-z0-9])${anyCase('bearer')}\\s{1,4})`,
    pattern: '(?=[A-Za-z._~+/=-]{0,64}[0-9])[A-Za-z0-9._~+/=-]{16,}',
  },
]
