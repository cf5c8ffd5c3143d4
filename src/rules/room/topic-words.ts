/** Words that no noun phrase holds, beside stop words (DP4) and small talk (RD3). SPEC.md § RD4. */

/** A lone word in front of one of these is a verb. */
export const determiners: ReadonlySet<string> = new Set(
  `the a an my our your his her its their this that these those it them me us some any every all
  der die das den dem des ein eine einen einem einer mein meine meinen unser unsere unseren euer eure
  le la les un une des mon ma mes notre nos votre vos ce cette ces
  el los las una unos unas mi mis nuestro nuestra nuestros su sus este esta esto`.split(/\s+/),
)

/** Verbs, adverbs and adjectives that say nothing about the subject, in English; function words in German, French and Spanish. */
export const otherWords: ReadonlySet<string> = new Set(
  `able add added almost already also although always another anybody anyone anything apply around ask asked asks away
  back bad based became become becomes begin begins best better big bigger biggest bit break breaks bring came cannot
  change changed check come comes consider convert cover create cut decide describe difference different do doing draft
  drop either else enough ever every everybody everyone everything exactly explain fail failed fails far fast faster find first five fix
  follow four gave get gets getting give given gives go goes gone got half handle happen happened happens hard hate hear
  help hold hour however ignore ignores implement improve instead into kind know known last late later least leave less let like
  list little live long look looking looks lose lot love made main make makes making many matter mean means merge might
  miss missing month more most move must need needed needs never new next nobody none nothing often old one ones open or order
  ought pick point possible prefer probably properly provide put quick quite rather read ready recent recommend remove
  rename replace return review right roughly rough said same say says second see seem seems seen send set several shall
  show shows since small somebody someone something soon sort start started starts stay still stop suggest summarise summarize
  sure take takes taken talk tell ten than thing things think third though three till time times today together told
  tomorrow took translate tried try turn two understand until update use used uses using usually want wants way week
  well went whether which whole within without wonder wondering word work works worked write written wrong year years
  yesterday yet

  aber alle alles als also am an auch auf aus bei beim bin bis bitte da damit dann dass denn dich dir doch du durch er
  erst es etwas euch für gibt hab habe haben hat hatte ich ihm ihn ihr im immer in ins ist ja jede jeder jemand jetzt kann
  kein keine könnte kurz machen mal man mehr mich mir mit möchte muss nach nicht nichts noch nur ob oder ohne schon sehr
  sein seit sich sie sind so soll sollen sollte über um und uns unter viel vom von vor wann war warum was weil welche
  wenn wer werden wie will wir wird wo würde zu zum zur zwei drei vier fünf zehn zwischen dabei davon dazu ganz heute hier
  alten andere anderen beide beiden bekommen bräuchte brauche brauchen dauert einen erklären frei gestern kannst können
  könnt lange letzte letzten lieber morgen müssen neu reicht richtig schneller schnell schreib sofort später wieder sollten

  au aux avec avoir ai as avons avez ont aussi autre avant bien car cela celui ces chaque ci comme comment dans de depuis
  deux dois doit donc du elle elles en encore entre est et était être eux fait faire faut il ils je leur leurs lui mais
  même moi moins ne non nous on ou où par parce pas peu peut peux plus plutôt pour pourquoi quand que quel quelle quelles
  quels qui quoi sans sa se sera ses si sont sous sur ta te tes toi ton tous tout toute très trop tu va vers veux vous y hier demain aujourd'hui faut écris montre explique donne combien proposez ajoute

  al algo antes así aunque bien cada como cómo con cual cuál cuando cuándo de del desde donde dónde dos durante e ella
  ellos en entre era es esa ese eso está están estoy fue ha hace hacer hasta hay he la lo más me mucho muy nada ni no nos
  o os otra otro para pero poco por porque puede puedo que qué quiere quiero quien se sea ser si sí sin sobre solo son
  soy también tan te tengo tenemos tiene todo todos tres tu un uno usted va vez voy y ya yo ayer hoy mañana escribe muestra explica cuánto conviene debería añade`.split(
    /\s+/,
  ),
)

/** Prepositions and pronouns beside stop words, in the four languages: "strings against keys" are two topics, "itself" is none. */
export const prepositionsAndPronouns: ReadonlySet<string> = new Set(
  `across against along alongside amid among amongst behind beneath beside besides beyond despite except inside minus near
  onto outside past per plus regarding since throughout till toward towards underneath unlike upon versus via vs within
  hers herself himself itself mine myself ourselves themselves theirs whoever whom whose whatever whichever yours
  yourself yourselves

  anstatt ausser außer außerhalb dank entlang gegen gegenüber hinter innerhalb jenseits laut neben samt statt trotz während
  wegen dich euch ihnen selbst uns welcher welchen wessen

  chez contre depuis derrière dès devant durant excepté hors jusque lors malgré outre parmi pendant près selon ça ceci
  celle celles ceux laquelle lequel lesquelles lesquels soi vos votre

  ante bajo conforme contra excepto hacia mediante salvo según tras conmigo contigo cuya cuyo ellas nosotros vosotros ustedes
  usted`.split(/\s+/),
)

/** Forms of common verbs that are no nouns as well: "test broke" is about the test. */
export const verbForms: ReadonlySet<string> = new Set(
  `agree agreed agreeing agrees allow allowed allowing allows appear appeared appears avoid avoided avoiding avoids believe
  believed believes belong belonged belongs bought broke broken brought built called calling came catches catching caught
  choose chooses choosing chose chosen compared compares comparing crashed crashing decided decides deciding disagree
  disagrees drove dropped dropping enjoy expect expected expects explained explains fell felt fixed fixes fixing forget forgets
  forgot forgotten found grew guessed happening heard held hung ignored ignoring keeps keeping kept knew knows left logged
  lost loses losing makes meant mentioned merged merges merging moved moving omit omits omitted pasted pointed
  prefers prevent prevented prevents promised proposed proposes proposing pushed pushing ran receive received receives
  recommended recommends refactored refuse refused refuses rejected released releasing removed removing renamed
  renaming replaced replacing reverted reverting reviewed rewrite rewritten rewrote said saw seemed sent sending shipped
  shipping showed shown speak speaking speaks spent spoke spoken started starting stopped stopping stuck suggested
  suggests suppose supposed tells tested thought threw throw throwing thrown throws tries trying unable updated
  waited waiting waits wanted wondered worked working worried wrote

  bleiben bleibt findet finden gehen glaubt glauben haltet halten liegt meint meinen nehmen nimmt passt schlägt seht sagt
  sprechen spricht steht wirft

  croit croient disent dit dites ferait ferais marche pense pensent prend reste semble suffisent suffit tombe trouve veut
  veulent voit

  creen creo cree dice dicen falla fallan funciona funcionan opina opinan parece piensa piensan sirve vale`.split(
    /\s+/,
  ),
)
