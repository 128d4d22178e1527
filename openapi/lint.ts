/**
 * Checks OpenAPI descriptions by the rules in redocly.yaml; without arguments, those of the service.
 *
 *     node openapi/lint.ts [file…]
 */
import { fileURLToPath } from 'node:url'
import { formatProblems, getTotals, lint, loadConfig } from '@redocly/openapi-core'

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const named = process.argv.slice(2)
const files = named.length > 0 ? named : [pathOf('openapi.json'), pathOf('openapi-product.json')]

const config = await loadConfig({ configPath: pathOf('redocly.yaml') })
const problems = (await Promise.all(files.map((ref) => lint({ ref, config })))).flat()
const totals = getTotals(problems)
formatProblems(problems, { format: 'codeframe', totals, version: '' })
if (totals.errors + totals.warnings > 0) process.exitCode = 1
console.log(`${files.length} descriptions: ${totals.errors + totals.warnings} problems, ${totals.ignored} ignored.`)
