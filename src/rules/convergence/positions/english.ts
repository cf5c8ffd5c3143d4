/** Word lists for reading decisions in English. Deliberately general: no word belongs to a subject. */

function list(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/))
}

/** Words that never name an option, including light verbs and plain praise. */
const functionWords = list(`
  a an the and or but nor so yet if then else than that this these those there here it its itself he she they them
  their theirs his her him i me my mine myself we us our ours ourselves you your yours one ones is are was were be been
  being am do does did doing done have has had having will would shall should can could may might must ought of in on
  at by for with about against between into through during before after above below to from up down out off over under
  again further once inside outside within upon per via toward towards across along around behind beside besides beyond
  near onto without among amid as because since while whereas although though unless until when where which who whom
  whose what why how whether not no never neither none nobody nothing only just even also too very more most less least
  much many few some any all both each every either other others another such same own several enough rather quite
  still already almost nearly ever always often sometimes let get got gets go goes going went gone come comes came take
  takes took taken make makes made making put puts give gives given gave see sees seen say says said think thinks
  thought know known want wants wanted need needs needed like likes look looks looked seem seems seemed appear appears
  find finds found now today soon later first last next second third thing things way ways lot bit case point points
  side kind sort part end day days week weeks month months year years time times quarter hour hours minute minutes
  seconds however therefore thus hence instead indeed perhaps probably maybe possibly certainly clearly simply really
  actually good better best bad worse worst great fine right wrong sure certain real well yes okay ok please thanks
  everything everyone everybody anything anyone someone somebody something nowhere anywhere everywhere use uses used
  using keep keeps keeping kept add adds adding set sets setting run runs running leave leaves leaving left stay stays
  staying start starts starting begin begins beginning begun write writing hold holds holding turn turns show shows try
  trying work works working mean means matter matters exactly precisely`)

/** Words that announce a decision without being part of it. */
const decisionWords = list(`
  recommend recommendation recommended choice choose chose chosen pick picked answer vote verdict conclusion preference
  prefer preferred favour favor proposal propose proposed position inclination inclined advice decision decide decided
  suggestion suggest lean leaning tend settle option options candidate candidates alternative alternatives opt stick
  conclude sensible tentative tentatively cautiously balance mild soft strong outcome summary plan result short version
  reluctantly agree agreed disagree argument reason question`)

const numberWords = list(`
  zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
  nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million percent half tenth tenths`)

/** Whether a lower-case word can name an option or a property of one. */
export function isContentWord(word: string): boolean {
  if (word.length < 2 || /^\d/.test(word)) return false
  return !functionWords.has(word) && !decisionWords.has(word) && !numberWords.has(word)
}

export function isFunctionWord(word: string): boolean {
  return functionWords.has(word)
}

/** Verbs that open an instruction: "keep …", "set …", "do not add …". */
export const actionVerbs = list(`
  accept add adopt allow archive ask automate avoid ban begin block bring build buy cache cap charge check choose close
  collect cut declare default delay delegate delete deny deploy design disable document double drop enable encrypt
  expire export extend extract fail fetch fix forbid freeze generate get give go grant halve hire hold host import increase
  index introduce invest keep leave let limit log lower make mark measure merge migrate move offer open outsource pay
  permit pick pilot pin plan poll postpone prefer protect prototype provide publish pull push put raise record reduce
  refuse reject release rely remove render rent replace report require restrict retire retry rewrite roll rotate run
  schedule send serve set share ship shorten sign skip split start stay stick stop store switch take test track train
  try turn use validate wait wrap write`)

/** Negations: they apply to the end of the clause. */
export const negations = list('not no never nobody neither nor hardly without unlike against sceptical skeptical')

/** Verbs whose object is rejected. */
export const rejectingVerbs = list(`
  abandon abandoned abandoning archived avoid avoiding ban banned banning cancel cancelled cancelling decline
  defer deferring delay delaying delete deleted deleting disable disabled disabling discard ditch drop dropped dropping
  drops eliminate eliminating exclude excluded excludes excluding forbid forget forbidden forbidding kill killing oppose
  opposing postpone postponed postponing refuse refusing reject rejected rejecting rejects remove removed removes
  removing retire retired retiring scrap scrapping skip skipping stop stopping withdraw withdrawing`)

/** Whether a word negates what follows. */
export function isNegative(word: string): boolean {
  return negations.has(word) || rejectingVerbs.has(word)
}

/** Nouns and adjectives that reject what was named before them. */
export const condemnations = list(`
  bad catastrophe disaster disservice foolish mistake nightmare overkill pointless poor premature unacceptable unwise
  useless worse worst wrong`)

/** Words that open a clause inside a sentence. */
export const clauseOpeners = list(
  'although because but if since so though unless when where whereas which while who yet',
)

/** Words that make the clause they open a side remark. */
export const subordinators = list(`
  after although as assuming because before despite even given if once provided since though unless until when where
  whereas which while who whose`)

/** A short sentence without any of these words just names a choice: "Blue-green, then." */
export const finiteWords = list(`
  are can could did do does gives had has have he i is it looks makes may means might must needs seems she should takes
  there they was we were will would`)

/** General opposites. A decision for one word of a line is a decision against the other words of that line. */
export const opposites: readonly { name: string; one: ReadonlySet<string>; other: ReadonlySet<string> }[] = [
  {
    name: 'later',
    one: list('wait waiting postpone postponed postponing delay delaying defer deferring later yet'),
    other: list('now immediately today straightaway begin begun start starting'),
  },
  {
    name: 'keep',
    one: list(
      'keep keeping stay stays staying remain remains retain stick sticking continue wait waiting postpone defer',
    ),
    other:
      list(`replace replacing switch switching migrate migrating rewrite drop dropping remove removing retire abandon
      move moving introduce introducing adopt adopting add adding build building split splitting merge merging launch
      launching upgrade upgrading publish publishing extract port shut phase ship
      redesign rebuild rework rename refactor restructure`),
  },
  { name: 'closed', one: list('closed private internal'), other: list('open opening public publish publishing') },
  {
    name: 'own',
    one: list('ourselves own inhouse self'),
    other: list('vendor managed hosted provider outside rent supplier agency buy buying purchase purchasing'),
  },
  {
    name: 'automatic',
    one: list('automatic automatically automate automated automation machine'),
    other: list('manual manually human hand somebody person professional professionals'),
  },
  {
    name: 'gradual',
    one: list('gradual gradually incremental incrementally stepwise staged phased pilot slowly'),
    other: list('together everything bang'),
  },
  { name: 'free', one: list('free'), other: list('charge charging fee paid') },
  {
    name: 'strict',
    one: list('mandatory required enforce enforced block fail failing refuse'),
    other: list('optional voluntary warn warning warnings advisory'),
  },
  {
    name: 'allow',
    one: list('allow allowed allowing permit permitted permitting enable enabled'),
    other: list('forbid forbidden forbidding ban banned banning prohibit prohibited deny denied'),
  },
  {
    name: 'central',
    one: list('central centrally shared share global'),
    other: list('separate separately local locally individual'),
  },
]
