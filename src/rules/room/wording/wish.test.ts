import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readWish } from './wish.ts'

const agents = ['claude', 'gemini', 'gpt']

/** After an answer of gpt. */
function kindOf(message: string): string | undefined {
  return readWish(message, agents, { spoke: ['you', 'gpt'] })?.kind
}

describe('[DP9] several are asked', () => {
  it.each([
    'What would each of you do first?',
    "I'd like every one of you to name one risk.",
    'Do you all agree?',
    'would you both sign that off?',
    'What does everyone think about dropping IE?',
    'Everyone give me a number between 1 and 10',
    "I want everyone's gut feeling before the meeting",
    'One sentence from each of you: monorepo or not?',
    'Give me one number each.',
    "let's take a vote: tabs or spaces",
    'Show of hands: who would merge this?',
    'Answer independently please: how many weeks?',
    "Estimate the effort, and don't look at each other's answers",
    'I need three independent estimates for this',
    'I want to see how far your estimates differ',
    "I'd like to hear several opinions on this one",
    'Give me two or three different perspectives on hiring a DBA',
    'I need someone who knows Postgres and someone who knows the customers',
    'gpt and claude: which of the two would you deploy?',
    'Can claude and gemini both weigh in?',
    'Jeder von euch bitte eine Zahl: wie viele Tage?',
    'Was würdet ihr alle zuerst prüfen?',
    'Schätzt bitte unabhängig voneinander.',
    'Ich hätte gern mehrere Meinungen dazu',
    "J'aimerais l'avis de chacun de vous",
    'Plusieurs avis seraient utiles ici',
    'Que cada uno de ustedes dé un número',
    'Quiero varias opiniones sobre esto',
    '¿Qué opináis de este plan?',
  ])('%s', (message) => {
    expect(kindOf(message)).toBe('several')
  })

  it('leaves out the one whose words are in question', () => {
    expect(readWish('Would you all agree with claude?', agents)).toMatchObject({ kind: 'several', except: ['claude'] })
    expect(readWish('What do the others think?', agents, { spoke: ['gpt'] })).toMatchObject({
      kind: 'several',
      except: ['gpt'],
    })
  })

  it('takes the agents listed by name', () => {
    expect(readWish('gpt and claude: tabs or spaces?', agents)).toMatchObject({ named: ['gpt', 'claude'] })
    expect(readWish('@gpt @gemini tabs or spaces?', agents)).toMatchObject({ named: ['gpt', 'gemini'] })
  })
})

describe('[DP9] one is asked, and then another', () => {
  it.each([
    'Write the migration, then have someone check it.',
    'Draft the release notes and let another one of you review them',
    'Answer first; afterwards somebody else should go over it... then another agent tears it apart',
    'I want a plan, reviewed by someone else before I see it',
    'One of you writes the test, another one reviews it.',
    'claude drafts the mail, gpt cuts it in half',
    'First gemini, then gpt: what is wrong with this design?',
    'gpt please write the query and claude checks it for injection',
    'Debate this among yourselves: queue or cron?',
    'I want a proper debate about microservices here',
    'Challenge each other on this, please.',
    'One of you argue for Kafka, the other against',
    'Talk it out between yourselves and give me one number',
    'Schreib den Entwurf, dann soll ihn jemand gegenlesen.',
    'claude schreibt die Mail, danach kürzt gpt sie',
    'Wie seht ihr das?',
    'Diskutiert das bitte untereinander',
    'Rédige la note, puis demande à quelqu’un de la relire',
    'claude rédige, ensuite gpt vérifie',
    'Escribe el informe y luego que otro lo revise',
    '¿Cómo lo veis?',
  ])('%s', (message) => {
    expect(kindOf(message)).toBe('second')
  })

  it('keeps the order in which agents are named', () => {
    const wish = readWish('gemini outlines it, then claude fills it in', agents)
    expect(wish).toMatchObject({ kind: 'second', named: ['gemini', 'claude'] })
    expect(readWish('@gpt writes it, then @claude reviews it', agents)).toMatchObject({ named: ['gpt', 'claude'] })
  })
})

describe('[DP9] somebody else is asked about what one said', () => {
  it.each([
    ['what did gpt miss?', 'gpt'],
    ['Is claude right?', 'claude'],
    ['do you agree with gemini?', 'gemini'],
    ["Poke holes in gpt's plan", 'gpt'],
    ['gpt says it is safe. Really?', 'gpt'],
    ["I don't trust gpt's numbers, check them please", 'gpt'],
    ['someone other than gpt please', 'gpt'],
    ['can someone check that before I run it', 'gpt'],
    ['could anyone else verify this?', 'gpt'],
    ['Second opinion please', 'gpt'],
    ['another pair of eyes on this?', 'gpt'],
    ['Does anybody see it differently?', 'gpt'],
    ['Hat claude recht?', 'claude'],
    ['Was hat gpt übersehen?', 'gpt'],
    ['Kann das bitte jemand prüfen?', 'gpt'],
    ['Sieht das jemand anders?', 'gpt'],
    ['Est-ce que gpt a raison ?', 'gpt'],
    ["quelqu'un peut vérifier ?", 'gpt'],
    ['un deuxième avis ?', 'gpt'],
    ['¿Tiene razón claude?', 'claude'],
    ['¿Puede alguien comprobarlo?', 'gpt'],
  ])('%s', (message, except) => {
    expect(readWish(message, agents, { spoke: ['you', 'gpt'] })).toMatchObject({ kind: 'other', except: [except] })
  })

  it('is nothing where nobody has spoken yet', () => {
    expect(readWish('I need a second opinion: my colleague wants UUIDs everywhere', agents)).toBeUndefined()
    expect(readWish('can someone check that before I run it', agents, { spoke: ['you'] })).toBeUndefined()
  })
})

describe('[DP9] one is addressed', () => {
  it.each([
    ['gemini: sum this up in three lines', 'gemini'],
    ['claude, can you write the test?', 'claude'],
    ['Hey gpt, which port was it?', 'gpt'],
    ['and claude?', 'claude'],
    ['what about gemini?', 'gemini'],
    ['claude please rename it', 'claude'],
    ['Could you look at the log, claude?', 'claude'],
    ['What does claude think?', 'claude'],
    ["what's gemini's take?", 'gemini'],
    ['Can claude check this?', 'claude'],
    ["I'd like gemini to answer this one", 'gemini'],
    ["claude, is gpt's number right?", 'claude'],
    ['ask gpt what it meant', 'gpt'],
    ['Was meint claude?', 'claude'],
    ['@claude how do I undo this', 'claude'],
  ])('%s', (message, agent) => {
    expect(readWish(message, agents, { spoke: ['you', 'gpt'] })).toMatchObject({ kind: 'addressed', agent })
  })
})

describe('[DP9] the last speaker is answered', () => {
  it('by a correction, a yes or a no', () => {
    for (const message of [
      'No, I meant the other one',
      'yes, with tests please',
      "That's not what I asked",
      'nein, nicht so',
      'I disagree. Why not drop the old version?',
      'Das sehe ich anders: die alte Version muss bleiben',
      "Je ne suis pas d'accord, gardons l'ancienne version",
      'No estoy de acuerdo. ¿Por qué no la quitamos?',
    ])
      expect(readWish(message, agents, { spoke: ['claude', 'gpt'] })).toMatchObject({ kind: 'continued', agent: 'gpt' })
    for (const message of [
      'I disagree with the new licence of the library',
      'No tests are found',
      'Yes. New topic: which linter?',
    ])
      expect(readWish(message, agents, { spoke: ['claude', 'gpt'] })).toBeUndefined()
    expect(readWish('No, I meant the other one', agents)).toBeUndefined()
  })

  it('[DP9] a call for objections leaves out all who have just answered, unless that is everybody', () => {
    const read = (...spoke: string[]) => readWish('any objections?', agents, { spoke: [...spoke] })
    expect(read('gemini', 'you', 'claude', 'gpt')).toMatchObject({ kind: 'several', except: ['claude', 'gpt'] })
    expect(read('claude', 'you', 'gpt')).toMatchObject({ kind: 'several', except: ['gpt'] })
    expect(read('you', ...agents)).toMatchObject({ kind: 'several', except: [] })
  })

  it('after a collaboration, also by more words that refer to it', () => {
    const after = { spoke: ['claude', 'gpt'], collaborated: true }
    for (const message of ['make it shorter', 'and the ending?', 'kürzt das bitte', 'et la fin ?', '¿y el final?'])
      expect([message, readWish(message, agents, after)]).toMatchObject([message, { kind: 'continued', agent: 'gpt' }])
    const long = 'the part about the costs should come before the part about the dates, and make it half as long'
    expect(readWish(long, agents, { spoke: ['gpt'] })).toBeUndefined()
    expect(readWish(long, agents, after)).toMatchObject({ kind: 'continued' })
    expect(readWish('Which licence fits a library?', agents, after)).toBeUndefined()
  })
})

describe('[DP9] words about other things', () => {
  it.each([
    'Why does each request show up twice in the log?',
    'Write a query that joins both tables and returns all of them',
    'wait until both db and redis are healthy',
    'everyone on my team gets this error since the upgrade',
    'should I make everybody switch to ed25519?',
    'each of the services has its own database, how do I back them all up?',
    'Deploy the services independently of each other: how?',
    'The two pods talk to each other over mTLS, then one of them checks the lease',
    'we deploy, then someone on the team has to check the dashboard by hand. How do I automate that?',
    'the workers check each other every five seconds',
    'Summarise where you two differ',
    'Both of you said to raise work_mem. Which value?',
    'So which is it? One of you says it is safe and one says it is not.',
    'Give me three alternatives in different tones',
    '4 nodes, 512 MB each. Enough?',
    'Can you all the files in src to TypeScript?',
    'good morning all',
    'Kann mir jemand kurz erklären, was ein Bloom-Filter ist?',
    'Does anybody know whether the G4 can do 5 Mbit/s?',
    'How do I call the gpt API from Python?',
    'upgrade claude-code to the newest version',
    'What do you think about our plan to use Rust?',
    'Thoughts?',
    'Translate: "what did gpt miss? each of you answer"',
    '> what did gpt miss?\n\nhow do I format a quotation like the one above?',
    'Fix this:\n```\n// each of you must review\n```',
    'Should I use two different views in SQL or one?',
    'Users vote on each post; how do I count the votes?',
    'Wie kriege ich alle Commits, die auf develop sind?',
    'Chaque requête apparaît deux fois, pourquoi ?',
    'Cada petición aparece dos veces, ¿por qué?',
  ])('%s', (message) => {
    expect(readWish(message, agents, { spoke: ['you', 'gpt'] })).toBeUndefined()
  })

  it('never throws, reads only so much, and names only agents of the room', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 300 }),
        fc.array(fc.string({ minLength: 1, maxLength: 4 }), { maxLength: 4 }),
        (text, names) => {
          const wish = readWish(text, names, { spoke: names })
          const named = wish && 'named' in wish ? wish.named : []
          expect(named.every((name) => names.includes(name))).toBe(true)
        },
      ),
    )
    const long = 'then '.repeat(40_000)
    expect(readWish(`${long} each of you`, agents)).toMatchObject({ kind: 'several' })
  })
})

describe('after two agents contradicted each other', () => {
  const read = (text: string) =>
    readWish(text, ['claude', 'gpt', 'gemini'], { spoke: ['you', 'claude', 'you', 'gemini'] })

  it.each([
    'Who of you is right?',
    'Which one is right here?',
    'Wer von euch hat recht?',
    'Qui de vous a raison ?',
    '¿Quién tiene razón?',
  ])('[DP9] somebody else says who is right: %s', (text) => {
    expect(read(text)).toMatchObject({ kind: 'other', except: ['claude', 'gemini'] })
  })

  it('[DP9] "both" means the two that spoke last', () => {
    expect(read('Do you both agree?')).toMatchObject({ kind: 'several', named: ['claude', 'gemini'] })
    expect(read('Seid ihr beide einverstanden?')).toMatchObject({ kind: 'several', named: ['claude', 'gemini'] })
  })

  it('[DP9] reads "vous autres", "in turn" and a question whether somebody is there', () => {
    expect(read("Et vous autres, vous êtes d'accord ?")).toMatchObject({ kind: 'several', except: ['gemini'] })
    expect(read('Answer in turn: which runner?')).toMatchObject({ kind: 'several', named: [] })
    expect(read('Is claude still here?')).toMatchObject({ kind: 'addressed', agent: 'claude' })
  })

  it('[DP9] leaves questions about things to the proposals', () => {
    expect(read('Which is right, tabs or spaces?')?.kind).not.toBe('other')
    expect(read('Both functions return null, why?')).toBeUndefined()
  })
})

it('[DP9] a hesitation with a thing of its own may begin something new, one without it follows up', () => {
  const read = (text: string) => readWish(text, ['claude', 'gpt'], { spoke: ['you', 'gpt'] })
  expect(read('hmm, the import order feels off')).toBeUndefined()
  expect(read('warte, die Reihenfolge der Importe ist seltsam')).toBeUndefined()
  expect(read('hmm, that feels off')).toMatchObject({ kind: 'continued', agent: 'gpt' })
  expect(read('hm, das klingt komisch')).toMatchObject({ kind: 'continued', agent: 'gpt' })
})
