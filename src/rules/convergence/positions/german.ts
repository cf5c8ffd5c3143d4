/** Puts the small words of German into English, so that one set of patterns reads decisions in both. SPEC.md § CV5. */

/** The English words for a German one; undefined for words that carry meaning, which stay as they are. */
export function gloss(word: string): readonly string[] | undefined {
  return glosses.get(word)
}

const glosses = new Map(
  `the: der die das den dem des dies diese dieser dieses diesen diesem
  a: ein eine einen einem einer eines
  no: kein keine keinen keinem keiner keines
  not: nicht
  nothing: nichts
  never: nie niemals keinesfalls
  nobody: niemand niemanden
  without: ohne
  and: und sowie
  or: oder
  but: aber doch sondern jedoch allerdings
  because: weil denn
  if: wenn falls sofern
  although: obwohl
  while: während
  since: seit
  before: bevor ehe
  which: welche welcher welches
  whether: ob
  that: dass
  than: als
  as: wie
  so: also deshalb daher darum folglich somit
  then: dann
  i: ich
  we: wir
  it: es ihn sie
  them: ihnen
  they: man
  us: uns
  my: mein meine meinen meiner
  our: unser unsere unseren unserer unserem
  their: ihr ihre ihren ihrer
  would: würde würden möchte möchten
  should: sollte sollten soll sollen
  can: kann können
  could: könnte könnten
  must: muss müssen
  may: darf dürfen
  will: wird werden will wollen
  is: ist
  stays: bleibt
  stay: bleiben bleibe
  am: bin
  see: sehe sehen
  again: wieder
  until: solange bis
  are: sind
  was: war
  were: waren
  be: sein
  has: hat
  have: haben habe
  had: hatte hatten
  recommend: empfehle empfehlen rate raten
  speaks: spricht spreche sprechen
  view: sicht
  choice: wahl
  better: besser bessere
  propose: schlage vorschlagen
  prefer: bevorzuge ziehe
  vote: stimme plädiere votiere
  decision: entscheidung fazit ergebnis empfehlung vorschlag schluss
  rather: lieber eher
  tentatively: tendenziell vermutlich vielleicht
  instead: stattdessen
  instead of: statt anstatt anstelle
  against: gegen dagegen
  for: für dafür
  with: mit
  in: im ins
  on: auf
  at: am bei beim an
  to: zu zum zur nach
  from: von vom aus
  by: durch
  over: über
  under: unter
  after: danach
  about: um
  only: nur
  also: auch
  still: noch weiterhin
  already: schon bereits
  more: mehr
  very: sehr
  all: alle allen alles
  every: jede jeder jedes jeden jedem
  now: jetzt sofort inzwischen
  later: später
  yes: ja
  no: nein
  keep: behalten beibehalten behalte lassen belassen
  introduce: einführen eingeführt
  replace: ersetzen ablösen
  remove: entfernen abschaffen streichen löschen
  drop: verzichten weglassen
  wait: warten abwarten
  use: nutzen verwenden nehmen benutzen
  mandatory: verpflichtend pflicht zwingend
  optional: freiwillig wahlweise
  here: hier dort
  why: warum wieso
  when: wann sobald
  who: wer wen wem
  what: was
  he: er
  itself: sich
  per: je
  some: etwas einige
  simply: einfach
  first: zuerst zunächst
  new: neue neuen neuer neues
  own: eigene eigenen eigener eigenes
  two: zwei beide beiden
  three: drei
  four: vier
  five: fünf
  six: sechs
  seven: sieben
  eight: acht
  nine: neun
  ten: zehn
  twelve: zwölf
  twenty: zwanzig
  thirty: dreißig
  forty: vierzig
  fifty: fünfzig
  sixty: sechzig
  ninety: neunzig
  hundred: hundert
  thousand: tausend
  half: halbe halben halbes
  minutes: minute minuten
  hours: stunde stunden
  days: tag tage tagen
  weeks: woche wochen
  months: monat monate monaten
  years: jahr jahre jahren
  percent: prozent
  reason: grund
  away: weg
  myself: mich mir
  right: recht richtig
  wrong: falsch
  enough: reicht genug genügt
  need: brauchen braucht brauche
  needed: nötig
  than: gegenüber
  there: da
  believe: glaube halte finde
  join: schließe
  allow: erlauben erlaubt zulassen
  forbid: verbieten verboten
  leave: lasse lass
  go: geht gehen
  make: machen macht
  take: nimm nehme
  too: zu`
    .split('\n')
    .flatMap((line) => {
      const [english, german] = line.trim().split(': ') as [string, string]
      return german.split(' ').map((word): [string, readonly string[]] => [word, english.split(' ')])
    }),
)
