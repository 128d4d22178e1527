import type { EngineName } from '../engines/engine.ts'
import type { Row } from './row.ts'

const width = 720
const left = 210
const right = 150
const barHeight = 13
const groupHeight = 44
const top = 64
/** The connections at which calls are compared. */
const connections = 8

const engines: readonly { readonly name: EngineName; readonly label: string }[] = [
  { name: 'sqlite', label: 'SQLite' },
  { name: 'postgres', label: 'PostgreSQL' },
]

interface Call {
  readonly what: string
  readonly rates: Partial<Record<EngineName, { readonly perSecond: number; readonly ofBare: string }>>
}

/**
 * The calls of the section `rates` as a bar chart: requests per second on both databases, and the percentage of the
 * bare engine's rate. Undefined when the rows contain none of them.
 */
export function rateChart(rows: readonly Row[]): string | undefined {
  const calls = comparedCalls(rows)
  if (calls.length === 0) return undefined
  const most = Math.max(...calls.flatMap(({ rates }) => Object.values(rates).map(({ perSecond }) => perSecond)))
  const height = top + calls.length * groupHeight + 8
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${escaped(describe(calls))}</title>`,
    `<style>${style}</style>`,
    `<text x="16" y="24" class="head">Requests per second with ${connections} connections, one process on two cores</text>`,
    ...engines.map(
      ({ name, label }, index) =>
        `<rect x="${16 + index * 110}" y="36" width="12" height="12" rx="2" class="${name}"/><text x="${34 + index * 110}" y="46.500">${label}</text>`,
    ),
    ...calls.flatMap((call, index) => callShapes(call, top + index * groupHeight, most)),
    '</svg>',
    '',
  ].join('\n')
}

const style = [
  'text{font:12px system-ui,sans-serif;fill:#1c2430}.head{font-weight:650;font-size:14px}.share{fill:#5b6572}',
  '.sqlite{fill:#3b5bdb}.postgres{fill:#0b8a6a}',
  '@media(prefers-color-scheme:dark){text{fill:#e6e9ee}.share{fill:#a3a9b3}.sqlite{fill:#91a7ff}.postgres{fill:#63e6be}}',
].join('')

function comparedCalls(rows: readonly Row[]): Call[] {
  const calls = new Map<string, Call>()
  for (const { engine, what, connections: at, sample, verdict } of rows) {
    if (at !== connections || sample === undefined || verdict?.text.endsWith('of bare') !== true) continue
    const rates = { ...calls.get(what)?.rates, [engine]: { perSecond: sample.rate, ofBare: verdict.text } }
    calls.set(what, { what, rates })
  }
  return [...calls.values()]
}

function callShapes({ what, rates }: Call, y: number, most: number): string[] {
  const bars = engines.flatMap(({ name }, index) => {
    const rate = rates[name]
    if (rate === undefined) return []
    const [length, barTop] = [
      Math.max(1, (rate.perSecond / most) * (width - left - right)),
      y + index * (barHeight + 3),
    ]
    const figure = `${Math.round(rate.perSecond).toLocaleString('en')} <tspan class="share">${rate.ofBare}</tspan>`
    return [
      `<rect x="${left}" y="${barTop}" width="${length.toFixed(1)}" height="${barHeight}" rx="2" class="${name}"/>`,
      `<text x="${(left + length + 6).toFixed(1)}" y="${barTop + 11}">${figure}</text>`,
    ]
  })
  return [`<text x="${left - 12}" y="${y + 18}" text-anchor="end">${escaped(what)}</text>`, ...bars]
}

function describe(calls: readonly Call[]): string {
  const texts = calls.map(({ what, rates }) => {
    const figures = engines.flatMap(({ name, label }) => {
      const rate = rates[name]
      return rate === undefined ? [] : [`${Math.round(rate.perSecond)} on ${label}`]
    })
    return `${what}: ${figures.join(', ')}`
  })
  return `Requests per second with ${connections} connections. ${texts.join('; ')}.`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
