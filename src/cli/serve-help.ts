import { settingTable } from '../app/settings.ts'
import { fileVariable } from '../app/unknown-settings.ts'
import { wrapText } from './terminal/wrap.ts'

/** The width of the descriptions in the help. */
const helpColumns = 100

/**
 * The help of `rollcall serve` with every setting. The code that wraps its lines is not loaded by a running service.
 */
export function serveHelp(): string {
  const settings = Object.entries(settingTable).map(([name, { meaning, defaultValue, isSecret }]) => {
    const hasDefault = defaultValue !== undefined && !Array.isArray(defaultValue)
    const description = wrapText(meaning, helpColumns).map((line) => `      ${line}`)
    const file = isSecret === true ? `, or ${fileVariable(name)}` : ''
    return [`  ${name}${file}${hasDefault ? ` (default ${defaultValue})` : ''}`, ...description].join('\n')
  })
  return `Usage: rollcall serve

Runs the service. It reads these settings from the environment or from a file .env, and needs none of them. A variable
that ends in _FILE names a file that contains the setting:

${settings.join('\n')}

Example: PORT=8080 EXTERNAL_URL=https://sync.example.com rollcall serve
`
}
