import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stopWords } from './stop-words.ts'
import { jaccard, keywords, stem, words } from './words.ts'

describe('words', () => {
  it('[DP4] are lower case, in order, split on everything that is neither letter nor digit', () => {
    expect(words("Don't split: utf-8, IPv6 & user_id (v2.0)!")).toEqual([
      'don',
      't',
      'split',
      'utf',
      '8',
      'ipv6',
      'user',
      'id',
      'v2',
      '0',
    ])
  })

  it('[DP4] are the same for every way of writing a character', () => {
    expect(words('ﬁle ＡＰＩ cafe\u0301 ①')).toEqual(['file', 'api', 'café', '1'])
  })

  it('[DP4] keep the marks of scripts that have no composed form', () => {
    expect(words('हिन्दी में')).toEqual(['हिन्दी', 'में'])
    expect(words('\u0301lone mark')).toEqual(['lone', 'mark'])
  })

  it('[DP4] are none for texts without letters or digits, lone surrogates included', () => {
    for (const text of ['', ' \n', '?!…', '👍🏽', '\ud800']) expect(words(text)).toEqual([])
  })
})

describe('keywords', () => {
  it('[DP4] drop words of up to two letters, then stop words, then stem', () => {
    expect(keywords('The DB is using indexes for all of our queries')).toEqual(new Set(['index', 'queri']))
    expect(keywords('use uses used')).toEqual(new Set(['use']))
  })

  it('[DP4] count letters, not code units or marks', () => {
    expect(keywords('𠀀𠀁 𠀀𠀁𠀂')).toEqual(new Set(['𠀀𠀁𠀂']))
    expect(keywords('में')).toEqual(new Set())
  })

  it('[DP4] drop exactly the listed stop words', () => {
    expect([...stopWords].toSorted().join(' ')).toBe(
      'about above after again all and any are because been before being below between both but can could did does doing down during each few for from further had has have having her here him his how into its just more most nor not now off once only other our out over own same she should some such than that the their them then there these they this those through too under until use using very was were what when where which while who whom why will with would you your',
    )
    expect(keywords([...stopWords].join(' '))).toEqual(new Set())
    expect(keywords('may might must shall every without')).toEqual(
      new Set(['may', 'might', 'must', 'shall', 'everi', 'without']),
    )
  })

  it('[DP4] stem as Snowball English does', () => {
    const stems: Record<string, string> = {
      generously: 'generous',
      generate: 'generat',
      caching: 'cach',
      cached: 'cach',
      caches: 'cach',
      databases: 'databas',
      migrations: 'migrat',
      migrating: 'migrat',
      scalability: 'scalabl',
      scalable: 'scalabl',
      security: 'secur',
      secured: 'secur',
      tests: 'test',
      tested: 'test',
      skies: 'sky',
      dying: 'die',
      news: 'news',
      happily: 'happili',
      communication: 'communic',
      consistency: 'consist',
      proceed: 'proceed',
      hopping: 'hop',
      hoping: 'hope',
      playing: 'play',
      youth: 'youth',
      sensational: 'sensat',
      controlling: 'control',
      this: 'this',
      gas: 'gas',
    }
    expect(Object.fromEntries(Object.keys(stems).map((each) => [each, stem(each)]))).toEqual(stems)
  })

  it('[DP4] leave figures as they are', () => {
    for (const each of ['404', '2023', '333', 'ipv3', '3des', 'web3']) expect(stem(each)).toBe(each)
    expect(stem('base3s')).toBe('base3')
  })

  it('[DP4] are found in a very long string without hanging', () => {
    const wall = 'ay'.repeat(200_000)
    expect(keywords(`${wall}ing`)).toEqual(new Set([`${wall}ing`]))
  })

  it('[DP4] never fail, and do not depend on the order of the words', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), (texts) => {
        expect(keywords(texts.join(' '))).toEqual(keywords(texts.toReversed().join(' ')))
      }),
    )
  })
})

describe('jaccard', () => {
  it('[DP4] is 1 for two empty sets and 0 when one is empty', () => {
    expect(jaccard(new Set(), new Set())).toBe(1)
    expect(jaccard(new Set(['a']), new Set())).toBe(0)
    expect(jaccard(new Set(), new Set(['a']))).toBe(0)
  })

  it('[DP4] is the shared part of the union', () => {
    expect(jaccard(new Set(['a', 'b', 'c']), new Set(['b', 'c', 'd']))).toBe(0.5)
    expect(jaccard(new Set(['a', 'b']), new Set(['b', 'c', 'd']))).toBe(1 / 4)
  })

  it('[DP4] is the same both ways and lies between 0 and 1', () => {
    const set = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e')).map((items) => new Set(items))
    fc.assert(
      fc.property(set, set, (a, b) => {
        expect(jaccard(a, b)).toBe(jaccard(b, a))
        expect(jaccard(a, b)).toBeGreaterThanOrEqual(0)
        expect(jaccard(a, b)).toBeLessThanOrEqual(1)
        expect(jaccard(a, a)).toBe(1)
      }),
    )
  })
})
