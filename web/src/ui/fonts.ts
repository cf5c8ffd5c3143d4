/** The faces of the look, where their packages are installed; without them the system's own stand in. */
import.meta.glob('../../../node_modules/@fontsource-variable/{inter,jetbrains-mono}/index.css', { eager: true })

export {}
