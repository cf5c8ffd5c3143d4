/** The words by which a goal tells how large it is, in English, German, French and Spanish. SPEC.md § RK4. */

/** Verbs of making something that was not there, and of changing it as a whole. */
export const makingWords =
  list(`introduce introduces design redesign architecture migrate migration rewrite integrate integration
  einführen einführung entwerfen entwirf architektur migrieren migration umschreiben neuschreiben integrieren
  introduire introduis concevoir conçois réécrire réécris migrer intégrer introducir introduce diseñar diseña reescribir
  reescribe migrar integrar`)

/** Verbs that begin a goal which makes a thing: a large one is then new, whatever else is said. */
export const creatingWords = list(
  'build create develop baue bauen erstelle erstellen entwickle entwickeln crée créer crea crear construir desarrollar',
)

/** Things that are large if they are new. A repair inside one of them is not. */
export const largeThings = list(
  'system platform service framework protocol engine plugin plattform dienst système plateforme cadre moteur sistema plataforma servicio motor',
)

/** What is no thing of its own together with `system`: a file system. */
export const beforeSystem = list('file operating build type module design')

export const newWords = list('new neu neue neuen neuer neues nouveau nouvelle nouvel nuevo nueva')

/** Of one thing by another: large where neither a file nor a symbol is named. */
export const replacingWords = list(
  'replace replaces replacing ersetze ersetzen remplace remplacer reemplaza reemplazar',
)

/** What is small even if it is new. */
export const smallThings =
  list(`alias argument case check column command default entry error event export field flag function
  getter header helper hook key line locale message method option overload parameter property setting test type unit
  variable warning feld fehlermeldung funktion hinweis methode spalte schalter zeile champ colonne fonction ligne
  méthode paramètre touche campo clave columna función línea método opción parámetro`)

/** Something is wrong, or wants another wording. */
export const repairWords =
  list(`fix fixes fixed fixing bug typo rename renames correct adjust tweak bump wording crash crashes throws
  behebe beheben behebt korrigiere korrigieren repariere reparieren absturz abstürze stürzt tippfehler umbenennen
  benenne fehler corrige corriger répare réparer plantage plante renomme renommer coquille corregir arregla arreglar
  fallo renombra renombrar errata`)

/** One small thing is added or changed. */
export const minorWords =
  list(`message default option flag parameter argument comment log meldung schalter hinweis kommentar paramètre
  commentaire opción parámetro mensaje comentario`)

/** Of these, the ones that are also what users write. */
export const writtenWords = list('message comment meldung kommentar commentaire mensaje comentario')

/** Verbs that begin a goal and change one behaviour wherever it is. */
export const tweakingWords = list(
  'align capitalise capitalize escape hide highlight ignore indent log print round skip sort strip trim truncate warn sortiere sortieren verstecke ausblenden trie trier masque ordena ordenar oculta',
)

/** What a goal that changes something existing begins with; in other languages than English it may stand anywhere. */
export const changingWords =
  list(`accept add allow change drop emit expose export handle implement improve keep let limit make raise
  reject remove report retry return show stop support throw truncate write`)

export const changingWordsAnywhere =
  list(`ergänze ergänzen füge hinzufügen hinzu erlaube erlauben unterstütze unterstützen entferne entfernen
  zeige anzeigen soll sollen sollte lass liefere ajoute ajouter permets permettre supprime supprimer affiche afficher
  añade añadir agrega agregar permite permitir elimina eliminar muestra mostrar`)

/** Speaks of misuse: permissions, injection, untrusted input. */
export const abuseWords =
  list(`security secure insecure attack attacks attacker inject injection escape escaped escaping sanitise sanitize permission permissions
  malicious untrusted hostile vulnerable vulnerability exploit xss csrf sicherheit sicher unsicher angriff angreifer berechtigung
  berechtigungen bösartig sicherheitslücke sécurité attaque attaquant malveillant malveillante malveillantes permission droits
  seguridad ataque atacante malicioso permiso permisos`)

/** Speaks of load: time, memory, size, work at once. */
export const loadWords =
  list(`performance performant fast faster slow slower speed latency throughput load memory large huge big million millions thousands
  scale scalable concurrent concurrently concurrency parallel cache cached caching stream streams streaming benchmark langsam langsamer
  schnell schneller geschwindigkeit speicher groß große großen riesig millionen parallel nebenläufig lent lente rapide vitesse mémoire
  grand grands énorme millions parallèle lento lenta rápido velocidad memoria grande grandes enorme millones paralelo`)

/** Says that the whole code is meant. */
export const wholeWords = list('codebase throughout everywhere monorepo überall partout')

/** Words of RK1 that more often mean something harmless: a parser's token, live preview, truncated text. */
export const ambiguousRisks =
  list(`live token tokens truncate truncates truncated truncating truncation charge charges charged charging
  subscription subscriptions`)

/** Words of speed that more often describe the result than the work. */
export const describingSpeed = list('fast simple')

function list(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/))
}
