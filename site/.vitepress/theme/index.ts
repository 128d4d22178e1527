import theme from 'vitepress/theme'
import './tables.css'

// VitePress reads the default export.
// biome-ignore lint/style/noDefaultExport: see above
export default theme
