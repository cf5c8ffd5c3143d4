/**
 * Words of greetings, thanks and assent in English, German, French and Spanish, with the short grammar words between them. A message of
 * nothing else is about nothing. Kept apart from `small-talk.ts`: "morning" or "tag" may well be a topic in a longer message. SPEC.md § RD3.
 */
export const courtesies: ReadonlySet<string> = new Set(
  `ack afternoon again agreed allen anyway appreciate appreciated back beiden best better both boulot bravo brilliant charm clear congrats congratulations day doing
  enough evening everybody everyone fair fantastic folks friday friends glad got gracias guys happy helped helpful helps hiya
  howdy interesting job later like looking looks lot lots love lovely makes mate means mind monday morning neat never nevermind new night one
  ones see sense soon sounds team there thing think today tomorrow three tonight trick two weekend wish work worked working works worries
  ach aha alle allerseits alles also auch bald bescheid besten bis bitte da danke dank dankeschön dann das dass den der die
  dir doch du ein eine einen erstmal es euch fein feierabend fertig funktioniert für ganz geholfen geht genau gern gerne
  gewesen großartig gut gute guten guter hallo heute hat hatte herzlichen hilft ich ihnen ihr in ist ja jawohl jep jetzt jo
  kapiert klar klasse klingt leute lieben los läuft mach mal merke mir moin morgen nacht ne nein noch nur nö ok passt
  perfekt prima richtig schon schön schönen schönes sehr seid servus bist dreien sie sind so spitze später arbeit stimmt super tag toll tschau
  tschüss und verstanden verstehe viel vielen wann warum was weiter wie wieso wir wirklich wochenende wunderbar zu zusammen
  abend accord adieu allez alors au avec beaucoup bien bientôt bon bonjour bonne bonnes bonsoir ce cela ces coucou
  compris daccord demain déjà encore entendu est et exactement fin formidable génial grand ici je jour journée juste la le
  les mais marche merci équipe mille moi monde mon ne nickel nuit on oui ouais parfait pas plaît plus pour pourquoi que quoi
  revoir rien salut sais si soir soirée sont sûr tard te toi top trois deux tous tout toute toutes très tu un une va vais vas voilà
  vois vous vu y à ça était
  acuerdo adiós adios ahora amigos así bueno buena buenas buenos chao claro como con cómo de desde dias días ella entendido
  eres es eso esta estaba está están estupendo excelente exacto favor fenomenal funciona genial gran gusto hasta hola hoy
  igualmente las listo luego lo mañana me equipo trabajo mil muchas mucho muy más nada no noches nos os otra para perdona perfecto pero
  por porque pronto pues qué se sido sin sí también tan tardes todas todo todos tú usted ustedes vale venga ver vosotros ya
  yo`.split(/\s+/),
)
