import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calledInVain, mentions } from './mentions.ts'

const room = ['claude', 'gpt', 'gpt-mini']

describe('mentions', () => {
  it('[RD2] are found in order, each once', () => {
    expect(mentions('@gpt and @claude, then @gpt again', room)).toEqual(['gpt', 'claude'])
    expect(mentions('what do you think?', room)).toEqual([])
  })

  it('[RD2] do not include an agent that is turned down', () => {
    for (const text of [
      'Not you, @gpt: is it safe?',
      'anyone but @gpt',
      'Everyone except @gpt: ready?',
      '@gpt, not you.',
    ])
      expect(mentions(text, room), text).toEqual([])
    expect(mentions('Not you, @gpt. @claude, is it safe?', room)).toEqual(['claude'])
    expect(mentions('Why not you, @gpt?', room)).toEqual(['gpt'])
    for (const text of ['@all except @gpt: ready?', '@all but not you, @gpt: ready?'])
      expect(mentions(text, room), text).toEqual(room.filter((name) => name !== 'gpt').sort())
  })

  it('[RD2] end where the name ends', () => {
    for (const text of [
      '@gpt',
      '@gpt.',
      '@gpt, go',
      'hey @gpt!',
      '(@gpt)',
      '@gpt: do it',
      "@gpt's view",
      '@gpt\nnext',
      '＠gpt',
      '@gpt…',
      '@gpt - hm',
      '@gpt-',
    ]) {
      expect(mentions(text, room), text).toEqual(['gpt'])
    }
    expect(mentions("@gpt, is @claude's idea safe?", room)).toEqual(['gpt'])
    expect(mentions("Is @claude's idea safe? @gpt", room)).toEqual(['gpt'])
    for (const text of [
      '@gpt4',
      '@gpt-4',
      '@gpt_x',
      '@gpté',
      '@gpt.com',
      '@gpt/tools',
      '@gpt@host.org',
      '@ gpt',
      '@',
      'gpt',
    ]) {
      expect(mentions(text, room), text).toEqual([])
    }
  })

  it('[RD2] prefer the longest name', () => {
    expect(mentions('@gpt-mini please', room)).toEqual(['gpt-mini'])
    expect(mentions('@code bot, @code', ['code', 'code bot'])).toEqual(['code bot', 'code'])
  })

  it('[RD2] are not addresses, links or escaped', () => {
    for (const text of [
      'a@gpt.com',
      'a@gpt',
      'first.last+x-@gpt',
      'https://host/@gpt',
      'see user_@gpt',
      '\\@gpt',
      '@@gpt',
    ]) {
      expect(mentions(text, room), text).toEqual([])
    }
  })

  it('[RD2] may follow each other directly', () => {
    expect(mentions('@gpt/@claude @gpt-mini+@claude', room)).toEqual(['gpt', 'claude', 'gpt-mini'])
    expect(mentions('@gpt,@claude', room)).toEqual(['gpt', 'claude'])
  })

  it('[RD2] do not depend on case', () => {
    expect(mentions('@Claude @GPT', room)).toEqual(['claude', 'gpt'])
    expect(mentions('@gemini', ['Gemini'])).toEqual(['Gemini'])
  })

  it('[RD2] in code do not route', () => {
    expect(mentions('run `@gpt` and ``a ` @gpt`` now', room)).toEqual([])
    expect(mentions('```py\n@gpt\ndef f(): ...\n```\n@claude explain', room)).toEqual(['claude'])
    expect(mentions('an open ` tick, @gpt', room)).toEqual(['gpt'])
    expect(mentions('`@claude` is how to ask, @gpt', room)).toEqual(['gpt'])
  })

  it('[RD2] in a quoted line do not route', () => {
    expect(mentions('> @gpt said so', room)).toEqual([])
    expect(mentions('   > > @gpt\n>@gpt-mini\n> ```\n> @gpt\n> ```', room)).toEqual([])
    expect(mentions('> @gpt: use SQLite\n@claude do you agree?', room)).toEqual(['claude'])
    expect(mentions('> an open ` tick\r\n@gpt and another `', room)).toEqual(['gpt'])
    expect(mentions('if a > @gpt', room)).toEqual(['gpt'])
    expect(mentions('    > @gpt', room)).toEqual(['gpt'])
  })

  it('[RD2] @all is everybody by name, @both the two of a room of two', () => {
    expect(mentions('@all hands', ['gpt', 'claude'])).toEqual(['claude', 'gpt'])
    expect(mentions('@gpt first, then @ALL', ['gpt', 'claude', 'ada'])).toEqual(['gpt', 'ada', 'claude'])
    expect(mentions('@both', ['gpt', 'claude'])).toEqual(['claude', 'gpt'])
    expect(mentions('@both', room)).toEqual([])
    expect(mentions('@all', ['all', 'gpt'])).toEqual(['all'])
  })

  it('[RD2] name only agents of the room, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('@', 'gpt', 'claude', ' ', '`', '.', '-', 'all', '\ud83d') }),
        (text) => {
          const named = mentions(text, room)
          expect(named.every((name) => room.includes(name))).toBe(true)
          expect(new Set(named).size).toBe(named.length)
        },
      ),
    )
  })

  it('[RD2] are found quickly among many backticks and signs', () => {
    expect(mentions(`${'`'.repeat(3)} ${'` '.repeat(100_001)}${'@ '.repeat(100_000)}@gpt`, room)).toEqual(['gpt'])
  })
})

describe('an absent agent', () => {
  it('[RD2] is reported if the message begins with its name and mentions nobody present', () => {
    const inVain = (text: string) => calledInVain(text, room, ['gpt'])
    expect(inVain('@claude what do you think?')).toBe('claude')
    expect(inVain('> use SQLite\n\n@claude do you agree?')).toBe('claude')
    for (const text of [
      '@gpt and @claude',
      '@claude or @gpt',
      'What did @claude mean?',
      '@someone wrote',
      '@all of you',
      '> @claude said so\nWhat do you think?',
    ])
      expect([text, inVain(text)]).toEqual([text, null])
  })
})
