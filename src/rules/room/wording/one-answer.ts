/** Finds a request for one answer, from any agent: "only one of you", "I don't need three answers". SPEC.md § DP9. */
import { findPhrase, type Phrases, phrase } from './phrase.ts'

/** The words that ask for no more than one. `text` is in lower case. */
export function asksOnlyOne(text: string): string | undefined {
  return findPhrase(text, onlyOne)
}

/** The words that ask one of the agents, without saying which: "can one of you …". */
export function asksOneOf(text: string): string | undefined {
  return findPhrase(text, oneOfYou)
}

/** Whether the words that ask several are turned down where they stand: "I don't need everyone's take, …". */
export function isDeclined(text: string, words: string): boolean {
  return declined.test(text.slice(0, text.indexOf(words)))
}

const declined =
  /(?<!\p{L})(?:(?:don't|do not|didn't) (?:need|want|have to (?:hear|get|read))|no need (?:for|to (?:ask|hear))|without(?: asking)?|rather than|instead of|brauche (?:jetzt |hier |dazu )?nicht|muss nicht von|pas besoin (?:de|d')|sans|no (?:necesito|hace falta|quiero)|sin) ?(?:to hear |to have |asking |from |von |de |que )?$/u

const several = '(?:three|two|all|several|multiple|many|everyone|everybody|a discussion|a debate|a committee)'
const answers = '(?:answers?|replies|reply|responses?|opinions?|voices?|takes?|agents?|models?)'

const onlyOne: Phrases = {
  en: [
    phrase`(?:only|just|exactly) (?:one|a single one) (?:of you|${answers})|(?:a )?single ${answers}(?= (?:please|only|is|will)|\s*[.,:!]|$)`,
    phrase`(?:one|any one) (?:of you|${answers}) (?:is|will be|would be) (?:enough|plenty|fine|sufficient)|one (?:of you |${answers} )?(?:will|would|should) (?:do|suffice)|one ${answers} suffices`,
    phrase`(?:i )?(?:don't|do not|no) (?:need|want|need for|need to hear) ${several}(?: (?:three|of you|your|different))*(?: ${answers}| to (?:answer|reply|respond))`,
    phrase`(?:don't|do not) (?:need|want) (?:a |another )(?:long |big |whole )?(?:debate|discussion|committee|round table|conference)|(?<!there's |there is )no (?:debate|discussion|committee)(?:,? please|(?: is)? (?:needed|necessary|required))`,
    phrase`(?:not|don't) (?:everyone|everybody|all of you|all (?:three|at once))(?: (?:please|at once|has to|needs to|answer|reply))`,
    phrase`no need for (?:all (?:three|of you)|everyone|everybody|the others|three answers|several answers)`,
  ],
  de: [
    phrase`nur (?:einer|eine|ein einziger)(?= (?:von euch|bitte|antwort\p{L}*|soll|muss)(?!\p{L})|\s*(?:[:,.!?)–—-]|$))|nur eine (?:einzige )?antwort`,
    phrase`(?:brauche|will|möchte) (?:hier |dazu |da )?keine (?:lange |große )?(?:debatte|diskussion)|keine (?:debatte|diskussion)(?: bitte| nötig)`,
    phrase`(?:es )?(?:reicht|genügt)(?: mir)?(?: völlig)?,? wenn (?:einer|eine|nur einer)|(?:einer|eine)(?: von euch| antwort)? (?:reicht|genügt)|nicht alle (?:antworten|auf einmal|zusammen|gleichzeitig)`,
  ],
  fr: [
    phrase`(?:qu')?une? seule? (?:d'entre vous|de vous|réponse|réponde|répond|suffit|doit|peut)|(?:une|une seule) réponse suffit|pas tous (?:à la fois|en même temps)|une? seule?(?= ?[:,])`,
  ],
  es: [
    phrase`(?:solo|sólo|solamente) (?:uno|una)(?= (?:de (?:vosotr[oa]s|ustedes)|respuesta|por favor)(?!\p{L})|\s*(?:[:,.!?)–—-]|$))|(?:basta|vale) con (?:uno|una respuesta|que (?:responda|conteste) uno)|con un[oa](?: respuesta)? (?:basta|vale)|una sola respuesta|no (?:respondáis|respondan|contestéis|contesten) todos`,
  ],
}

const oneOfYou: Phrases = {
  en: [
    phrase`(?:can|could|would|will|may|might) (?:any )?one of you|(?:can|could|would|will) either of you|${'(?<=^|[.!?:;,\\n]\\s*)'}one of you,? (?:please|pls)`,
  ],
  de: [phrase`(?:kann|könnte|würde|mag|möchte)(?: mir| bitte| mal| das)* (?:einer|eine|wer) von euch`],
  fr: [
    phrase`(?:est-ce que )?l'une? (?:de|d'entre) vous(?: (?:deux|trois))? (?:peut|pourrait|veut)|(?:peut|pourrait)-il l'un`,
  ],
  es: [phrase`(?:puede|podría|quiere)(?: \p{L}+)? (?:alguno|uno|una) de (?:vosotr[oa]s|ustedes)`],
}
