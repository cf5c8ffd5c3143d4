/** The fonts, if their packages are installed; otherwise the system's own. */
import.meta.glob('../../../node_modules/@fontsource-variable/{inter,jetbrains-mono}/index.css', { eager: true })

export {}
