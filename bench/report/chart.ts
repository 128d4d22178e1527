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
const title = `CPU time of service and database for 1,000 requests at ${connections} connections, in milliseconds`

const engines: readonly { readonly name: EngineName; readonly label: string }[] = [
  { name: 'sqlite', label: 'SQLite' },
  { name: 'postgres', label: 'PostgreSQL' },
]

interface Call {
  readonly what: string
  readonly works: Partial<Record<EngineName, { readonly ms: number; readonly ofBare: string }>>
}

/** The calls of the section `work` that the bare engine has as well, as a bar chart. Undefined when there are none. */
export function workChart(rows: readonly Row[]): string | undefined {
  const calls = comparedCalls(rows)
  if (calls.length === 0) return undefined
  const most = Math.max(...calls.flatMap(({ works }) => Object.values(works).map(({ ms }) => ms)))
  const height = top + calls.length * groupHeight + 8
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${escaped(describe(calls))}</title>`,
    `<style>${style}</style>`,
    `<text x="16" y="24" class="head">${title}</text>`,
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
  for (const { engine, what, connections: at, workMs, verdict } of rows) {
    if (at !== connections || workMs === undefined || verdict?.text.endsWith('of bare') !== true) continue
    const works = { ...calls.get(what)?.works, [engine]: { ms: workMs, ofBare: verdict.text } }
    calls.set(what, { what, works })
  }
  return [...calls.values()]
}

function callShapes({ what, works }: Call, y: number, most: number): string[] {
  const bars = engines.flatMap(({ name }, index) => {
    const work = works[name]
    if (work === undefined) return []
    const [length, barTop] = [Math.max(1, (work.ms / most) * (width - left - right)), y + index * (barHeight + 3)]
    const figure = `${Math.round(work.ms).toLocaleString('en')} <tspan class="share">${work.ofBare}</tspan>`
    return [
      `<rect x="${left}" y="${barTop}" width="${length.toFixed(1)}" height="${barHeight}" rx="2" class="${name}"/>`,
      `<text x="${(left + length + 6).toFixed(1)}" y="${barTop + 11}">${figure}</text>`,
    ]
  })
  return [`<text x="${left - 12}" y="${y + 18}" text-anchor="end">${escaped(what)}</text>`, ...bars]
}

function describe(calls: readonly Call[]): string {
  const texts = calls.map(({ what, works }) => {
    const figures = engines.flatMap(({ name, label }) => {
      const work = works[name]
      return work === undefined ? [] : [`${Math.round(work.ms)} on ${label}`]
    })
    return `${what}: ${figures.join(', ')}`
  })
  return `${title}. ${texts.join('; ')}.`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
