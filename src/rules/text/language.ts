/** Tells the language of a text by its small words. */

export type TextLanguage = 'en' | 'de' | 'fr' | 'es'

/** The language with the most small words; English where there are too few to tell. `words` are in lower case. */
export function languageOf(words: readonly string[]): TextLanguage {
  const count = (language: TextLanguage) => words.filter((word) => smallWords[language].has(word)).length
  const others = (['de', 'fr', 'es'] as const).map((language) => ({ language, found: count(language) }))
  const [most] = others.sort((a, b) => b.found - a.found)
  return most !== undefined && most.found > 0 && most.found > count('en') ? most.language : 'en'
}

function list(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/))
}

/** The most frequent ones. Those of two languages count for both. */
const smallWords: Record<TextLanguage, ReadonlySet<string>> = {
  en: list(`the and of to is are that it for with we i would not this should how what which can do does our my be has have
    from or when why`),
  de: list(`der die das den dem des ein eine einen einem einer und oder nicht kein keine ist sind wir ich du ihr für mit
    auf von vom zum zur im beim wie warum wenn weil dass aber auch noch nur wird werden würde soll sollen sollte kann
    unser unsere seit aus nach bei mir mich uns ob als bitte`),
  fr: list(`la de en un le les des du une et ou est sont nous je vous pour avec sur dans par que qui pas ne ce cette ces notre nos
    comment pourquoi faut sans mais plus être avant depuis au aux son ses`),
  es: list(`la de en un el los las una y o es son nosotros yo para con por que qué no del al este esta estos nuestro nuestra cómo
    antes sin pero más ser desde su sus cuando está están hay se lo`),
}
