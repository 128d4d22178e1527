import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)

/** How `npm start` runs the service: options of Node.js, then the file. */
export function startCommand(): { readonly options: readonly string[]; readonly file: string } {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { scripts: { start: string } }
  const words = scripts.start.split(' ').slice(1)
  const options = words.filter((word) => word.startsWith('--'))
  const file = words[options.length] ?? ''
  return { options, file: fileURLToPath(new URL(file, root)) }
}
