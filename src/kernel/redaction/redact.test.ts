import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactor, redactShapes } from './redact.ts'

const env = {
  MODEL_KEY: 'q7Zt-11-aa+bb/cc==dd',
  GITHUB_TOKEN: 'plainlookingvalue',
  DB_PASSWORD: 'hunter2-hunter2',
  PATH: '/usr/bin:/bin',
  HOME: '/home/someone',
}
const redactor = createRedactor({ env, secretNames: ['GITHUB_TOKEN'] })

describe('secrets from the environment', () => {
  it('redacts strings at any depth, and keys', () => {
    const value = {
      text: `the key is ${env.MODEL_KEY}.`,
      list: [1, null, { [env.DB_PASSWORD]: true, deep: [[`x${env.GITHUB_TOKEN}y`]] }],
    }
    expect(redactor.redact(value)).toEqual({
      text: 'the key is [redacted:MODEL_KEY].',
      list: [1, null, { '[redacted:DB_PASSWORD]': true, deep: [['x[redacted:GITHUB_TOKEN]y']] }],
    })
  })

  it('does not change its input', () => {
    const value = { a: [env.MODEL_KEY] }
    redactor.redact(value)
    expect(value).toEqual({ a: [env.MODEL_KEY] })
  })

  it('returns the same object if there is no secret, and reuses unaffected branches', () => {
    const clean = { a: [1, 'two', { three: null }], b: undefined, c: new Date(0) }
    expect(redactor.redact(clean)).toBe(clean)
    const mixed = { clean, dirty: env.MODEL_KEY }
    expect(redactor.redact(mixed).clean).toBe(clean)
  })

  it('knows the URL-encoded, JSON-quoted and Base64 forms', () => {
    const quoted = createRedactor({ env: { MY_SECRET: 'a"b\\c 12345' } })
    expect(redactor.redactText(`?key=${encodeURIComponent(env.MODEL_KEY)}&x=1`)).toBe('?key=[redacted:MODEL_KEY]&x=1')
    expect(quoted.redactText(JSON.stringify({ value: 'a"b\\c 12345' }))).toBe('{"value":"[redacted:MY_SECRET]"}')
    expect(redactor.redactText(Buffer.from(env.MODEL_KEY).toString('base64'))).toContain('[redacted:MODEL_KEY]')
  })

  it.each(['u', 'me', 'bob', 'anna', 'a.longer.name'])(
    'finds one inside the Base64 of basic auth for the user %s',
    (user) => {
      const header = Buffer.from(`${user}:${env.DB_PASSWORD}`).toString('base64')
      const redacted = redactor.redactText(`got ${header} back`)
      expect(redacted).toContain('[redacted:DB_PASSWORD]')
      expect(Buffer.from(redacted.slice(4), 'base64').toString('latin1')).not.toContain('hunter2')
    },
  )

  it('redacts the longer of two secrets with the same beginning', () => {
    const two = createRedactor({ env: { A_TOKEN: 'abcdef-123', B_TOKEN: 'abcdef-123-456' } })
    expect(two.redactText('abcdef-123-456 abcdef-123')).toBe('[redacted:B_TOKEN] [redacted:A_TOKEN]')
  })

  it('redacts the password in an address, and leaves an ordinary word alone', () => {
    const own = createRedactor({
      env: {
        DATABASE_URL: 'postgres://app:s3cr%40t-pw@db:5432/app',
        OTHER_URL: 'postgres://postgres:postgres@localhost/x',
      },
    })
    expect(own.redactText('login with s3cr@t-pw')).toBe('login with [redacted:DATABASE_URL]')
    expect(own.redactText('postgres://app:s3cr%40t-pw@db:5432/app')).toBe('[redacted:DATABASE_URL]')
    expect(own.redactText('use postgres')).toBe('use postgres')
  })

  it.each([
    ['APP_SECRET', 'production'],
    ['KEY', '/etc/ssl/private/server.pem'],
    ['SESSION_TOKEN', '3600000000'],
    ['AUTH_TOKEN', 'short'],
    ['LICENSE_KEY', 'not-set-yet'],
    ['KEYBOARD', 'x9x9x9x9x9x9'],
    ['MONKEY', 'x9x9x9x9x9x9'],
    ['TOKENIZERS_PARALLELISM', 'x9x9x9x9x9x9'],
    ['KEY_SERVER_KEY', 'https://keys.example.org'],
    ['PWD', '/home/someone/work'],
  ])('leaves %s=%s alone: redacting it would wreck texts', (name, value) => {
    expect(createRedactor({ env: { [name]: value } }).redactText(`about ${value} and more`)).toBe(
      `about ${value} and more`,
    )
  })

  it.each([
    'API_KEY',
    'OPENAI_API_KEY',
    'APIKEY',
    'NPM_TOKEN',
    'GITHUBTOKEN',
    'CLIENT_SECRET',
    'PGPASSWORD',
    'AWS_SECRET_ACCESS_KEY',
    'SSH_PASSPHRASE',
    'GCP_CREDENTIALS',
    'DB_PASS',
  ])('recognises %s as a secret by its name', (name) => {
    expect(createRedactor({ env: { [name]: 'x9-y8-z7-w6' } }).redactText('x9-y8-z7-w6')).toBe(`[redacted:${name}]`)
  })

  it('redacts any configured variable, but not a placeholder of a few letters', () => {
    const configured = createRedactor({
      env: { LLM: 'supersecretvalue', B: 'test' },
      secretNames: ['LLM', 'B', 'ABSENT'],
    })
    expect(configured.redactText('supersecretvalue in a test')).toBe('[redacted:LLM] in a test')
  })

  it('redacts secrets that are in no variable', () => {
    expect(createRedactor({ env: {}, values: { token: 'b3f1c0ffee' } }).redactText('?token=b3f1c0ffee')).toBe(
      '?token=[redacted:token]',
    )
  })

  it('keeps both values if two keys get the same name, and keeps an own __proto__ key', () => {
    const value = JSON.parse(
      `{"${env.MODEL_KEY}": 1, "x": {"__proto__": "${env.MODEL_KEY}"}, "[redacted:MODEL_KEY]": 2}`,
    )
    const redacted = redactor.redact(value)
    expect(JSON.stringify(redacted)).toBe(
      '{"[redacted:MODEL_KEY]":1,"x":{"__proto__":"[redacted:MODEL_KEY]"},"[redacted:MODEL_KEY]#2":2}',
    )
  })
})

describe('secrets by their shape', () => {
  // Assembled here, so that no scanner reports this file as a leak.
  const random = 'aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5'
  it.each([
    ['anthropic-key', `sk-ant-api03-${random}-${random}AA`],
    ['openai-key', `sk-proj-${random}_${random}`],
    ['openai-key', `sk-${random}`],
    ['github-token', `ghp_${random}`],
    ['github-token', `gho_${random}`],
    ['github-token', `github_pat_11ABC_${random}`],
    ['slack-token', `xoxb-123456789012-${random}`],
    ['aws-key', `AKIA${'IOSFODNN7EXAMPLE'}`],
    ['google-key', `AIza${random.slice(0, 35)}`],
    ['stripe-key', `sk_live_${random}`],
    ['gitlab-token', `glpat-${random.slice(0, 20)}`],
    ['json-web-token', `eyJhbGciOiJI.eyJzdWIiOiIx.${random}`],
  ])('%s', (name, secret) => {
    expect(redactShapes(`before ${secret}, after`)).toBe(`before [redacted:${name}], after`)
    expect(redactShapes(`KEY="${secret}"`)).toBe(`KEY="[redacted:${name}]"`)
  })

  it('redacts a whole private key, one whose end was cut off, and one inside JSON', () => {
    const body = `MIIEvQIBADANBg${random}\n${random}==`
    const key = `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n${body}\n-----END RSA PRIVATE KEY-----`
    expect(redactShapes(`a\n${key}\nb`)).toBe('a\n[redacted:private-key]\nb')
    expect(redactShapes(`a\n${key.slice(0, 90)}`)).toBe('a\n[redacted:private-key]')
    expect(redactShapes(JSON.stringify({ key, next: 1 }))).toBe('{"key":"[redacted:private-key]","next":1}')
    expect(redactShapes('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----')).toContain('MIIB')
  })

  it('keeps the header and redacts its credentials', () => {
    expect(redactShapes('Authorization: Bearer abc.def-123')).toBe('Authorization: Bearer [redacted:authorization]')
    expect(redactShapes('-H "authorization: basic dXNlcjpwYXNz"')).toBe(
      '-H "authorization: basic [redacted:authorization]"',
    )
    expect(redactShapes(`{"Authorization":"Bearer ${random}"}`)).toBe(
      '{"Authorization":"Bearer [redacted:authorization]"}',
    )
    expect(redactShapes(`Bearer ${random}`)).toBe('Bearer [redacted:bearer-token]')
  })

  it.each([
    'Authorization: Bearer <token>',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what source code looks like
    'Authorization: Bearer ${token}',
    'The bearer authentication scheme',
    '.sk-loading-indicator-container-large { color: red }',
    'task-1234-with-a-long-name-that-goes-on',
    'ghp_short',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    '3f786850e387550fdab836ed7e6dc881de23001b',
    'MAKIAVELLI',
  ])('leaves ordinary text alone: %s', (text) => {
    expect(redactShapes(text)).toBe(text)
  })
})

describe('any text at all', () => {
  it('never lets a secret through, and a second pass changes nothing', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.constantFrom(...Object.values(env).slice(0, 3)),
        (before, after, secret) => {
          const once = redactor.redactText(`${before}${secret}${after}`)
          expect(once).not.toContain(secret)
          expect(redactor.redactText(once)).toBe(once)
        },
      ),
    )
  })

  it('accepts any JSON value, including lone surrogates and odd keys, and leaves it unchanged', () => {
    const text = fc.array(fc.nat(0xffff), { maxLength: 30 }).map((units) => String.fromCharCode(...units))
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.dictionary(text, text), (value, odd) => {
        return redactor.redact(value) === value && redactor.redact(odd) === odd
      }),
      { numRuns: 50 },
    )
  })

  // Each of these would take hours with an unbounded lookahead.
  it.each([
    'sk-',
    'sk-a',
    'sk-ant-',
    'eyJ',
    'eyJaaaaaaaaaa.',
    'AIza',
    'Authorization: ',
    'Bearer ',
    'bearer    ',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN ',
    '-',
    'a',
    'github_pat_',
    'hunter2-',
    '😀',
  ])('scans a million characters of %j', (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
    expect(typeof redactor.redactText(text)).toBe('string')
  })

  it('finds a secret at the end of a megabyte', () => {
    expect(
      redactor.redactText(`${'lorem ipsum '.repeat(90_000)}${env.MODEL_KEY}`).endsWith('[redacted:MODEL_KEY]'),
    ).toBe(true)
  })
})
