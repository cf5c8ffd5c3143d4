declare module 'wink-porter2-stemmer' {
  /** Stems one lower-case English word (Snowball English, also called Porter2). */
  const stem: (word: string) => string
  export = stem
}
