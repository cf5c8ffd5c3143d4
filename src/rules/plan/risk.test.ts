import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyRule } from '../schema/rule.ts'
import { assessRisk, rule } from './risk.ts'
import { riskCategories, riskWords, speedWords } from './risk-words.ts'

const flagsOf = (prompt: string) => assessRisk(prompt).flags

describe('categories', () => {
  it.each([
    [
      'production-access',
      'push it to prod',
      'a Production bug',
      'go live',
      'staging first',
      'deploy',
      'deployed twice',
    ],
    ['production-access', 'the deployment', 'redeploy', 'my kubeconfig', 'Terraform plan', 'a Helm chart', 'pre-prod'],
    ['sensitive-data', 'PII', 'phi records', 'HIPAA', 'the SSN field', 'passwords', 'a secret', 'secrets', 'tokens'],
    ['sensitive-data', 'api key', 'API-keys', 'apikey', 'api_key', 'apiKey', 'GDPR-compliant', 'user_password'],
    ['security-critical', 'auth', 'authn', 'AuthZ', 'authorize', 'authorise', 'authenticated', 'Authentication'],
    [
      'security-critical',
      'authorization',
      'authorisation',
      'unauthorized',
      'OAuth',
      'OAuth2.0',
      'JWTs',
      'SSO',
      'authToken',
    ],
    ['security-critical', 'encryption', 'encrypt it', 'unencrypted', 'decrypt', 'crypto', 'cryptographic'],
    ['billing-external-api', 'Stripe', 'PayPal', 'billing', 'charge the card', 'charged', 'invoices', 'invoicing'],
    ['billing-external-api', 'subscription', 'subscriptions', 'payments', 'payment_intent', 'chargeback'],
    ['destructive-ops', 'migrate', 'migration', 'data-migrations', 'migrating', 'truncate', 'DROP TABLE users'],
    ['destructive-ops', 'delete from users', 'drop-table', 'droptable', 'breaking change', 'breaking-changes'],
  ])('[RK1] %s: %s, %s, %s …', (category, ...prompts) => {
    for (const prompt of prompts)
      expect([prompt, flagsOf(prompt)]).toEqual([prompt, expect.arrayContaining([category])])
  })

  it.each([
    'author authors authority authorship authoring authored authoritative authentic authenticity',
    'product products productive productivity reproduction alive deliver olive lively lives living stage stages',
    'helmet overwhelm helmsman employ',
    'philosophy graphic phishing secretary secrete secretion tokenize tokenizer tokenisation',
    'cryptic encrusted coauthor',
    'stripes striped bill billion billboard charger recharge discharge subscribe subscriber subscript pay',
    'immigration immigrant migrant migratory droplet tablet undelete',
    'api keyboard, api monkey, drop tablets, delete the row, breaking the change in two',
    'call the API. Key points follow. Then drop: table below',
  ])('[RK1] no risk in: %s', (prompt) => {
    expect(flagsOf(prompt)).toEqual([])
  })

  it('[RK1] categories come in the order of the rulebook, each once', () => {
    expect(flagsOf('truncate the invoice, auth auth, a token in prod')).toEqual(riskCategories)
    expect(flagsOf('deploy to staging in production')).toEqual(['production-access'])
  })

  it('[RK1] every listed word raises only its own category', () => {
    for (const category of riskCategories) {
      const { words, pairs } = riskWords[category]
      for (const word of words) expect([word, flagsOf(word)]).toEqual([word, [category]])
      for (const [first, second] of pairs) {
        for (const a of first) for (const b of second) expect(flagsOf(`${a} ${b}`)).toEqual([category])
      }
    }
  })

  it('[RK1] a listed word inside a longer one does not count', () => {
    const listed = riskCategories.flatMap((category) => [...riskWords[category].words])
    fc.assert(
      fc.property(fc.constantFrom(...listed), fc.constantFrom('q', 'ß', 'я', '7'), (word, letter) => {
        expect(flagsOf(`${letter}${word}${letter}`)).toEqual([])
      }),
    )
  })
})

describe('suggestion', () => {
  it('[RK2] two categories suggest complete, one at least advanced', () => {
    const two = assessRisk('Stripe payments behind SSO')
    expect(two.flags).toEqual(['security-critical', 'billing-external-api'])
    expect(two.suggestion).toMatchObject({ mode: 'complete', message: expect.stringContaining('billing-external-api') })
    expect(assessRisk('add SSO').suggestion).toMatchObject({ mode: 'advanced' })
  })

  it('[RK2] a speed word suggests rapid only without risk', () => {
    for (const word of ['quick', 'prototype', 'Spike', 'fast', 'simple', 'PoC']) {
      expect(assessRisk(`a ${word} thing`).suggestion?.mode).toBe('rapid')
    }
    expect(assessRisk('a quick fix in prod').suggestion?.mode).toBe('advanced')
  })

  it('[RK2] words that only resemble speed words suggest nothing', () => {
    for (const word of ['breakfast', 'fastener', 'faster', 'simplify', 'simplest', 'epoch', 'quicksand', 'quickSort']) {
      expect([word, assessRisk(`a ${word} thing`)]).toEqual([word, { flags: [], suggestion: null }])
    }
    expect(speedWords.size).toBeGreaterThan(5)
  })

  it('[RK2] else nothing is suggested, and nothing is ever blocked', () => {
    expect(assessRisk('Add dark mode to the settings page')).toEqual({ flags: [], suggestion: null })
    expect(assessRisk('')).toEqual({ flags: [], suggestion: null })
  })

  it('[RK2] only modes are suggested', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (prompt) => {
        const mode = assessRisk(prompt).suggestion?.mode
        expect([undefined, 'rapid', 'advanced', 'complete']).toContain(mode)
      }),
    )
  })
})

describe('by hand', () => {
  it('[RK1] explains which words raised a category', () => {
    const ruling = applyRule(rule, { prompt: 'Deploy the OAuth proxy' })
    expect(ruling.ok && ruling.explanation()).toBe(
      'production-access: deploy [RK1]\nsecurity-critical: oauth [RK1]\n' +
        'Suggested: 2 risk categories (production-access, security-critical): complete mode is worth its cost. [RK2]',
    )
  })

  it('[RK1] wrong input is an error with its path', () => {
    expect(applyRule(rule, { prompt: 7 })).toMatchObject({ ok: false, error: { path: 'prompt', expected: 'string' } })
    expect(applyRule(rule, {})).toMatchObject({ ok: false, error: { path: 'prompt' } })
    expect(applyRule(rule, { prompt: 'x', limits: { categories: 1 } })).toMatchObject({
      ok: false,
      error: { path: 'limits' },
    })
  })

  it('[RK2] limits move the suggestion', () => {
    const ruling = applyRule(rule, { prompt: 'SSO in prod', limits: { complete: 3 } })
    expect(ruling).toMatchObject({ ok: true, output: { suggestion: { mode: 'advanced' } } })
    expect(applyRule(rule, { prompt: 'dark mode', limits: { complete: 0, advanced: 0 } })).toMatchObject({
      output: { suggestion: null },
    })
  })
})
