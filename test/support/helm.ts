import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { Ajv } from 'ajv'
import { parse, parseAllDocuments, stringify } from 'yaml'

/** Values of a chart, as YAML has them. */
export type Values = Readonly<Record<string, unknown>>

/** A rendered object of Kubernetes. */
export type Manifest = Readonly<Record<string, unknown>> & { readonly kind: string }

/** What `helm install` is told beside the values. */
const release = { Name: 'rollcall', Namespace: 'sync', Service: 'Helm' } as const

/**
 * Renders a chart like `helm template rollcall <chart> -f <values>…`: values are merged and checked by the schema of the chart,
 * and its templates give the objects. It knows the part of Helm's language that a chart here uses, and throws on all else.
 */
export async function renderChart(folder: string, ...more: readonly Values[]): Promise<Manifest[]> {
  const read = (name: string) => readFile(`${folder}/${name}`, 'utf8')
  const chart = record(parse(await read('Chart.yaml')))
  const values = more.reduce(mergeValues, record(parse(await read('values.yaml'))))
  checkValues(JSON.parse(await read('values.schema.json')), values)
  const names = (await readdir(`${folder}/templates`)).toSorted()
  const sources = await Promise.all(names.map(async (name) => ({ name, text: await read(`templates/${name}`) })))
  const context = {
    Values: values,
    Release: release,
    Chart: { ...chart, Name: chart['name'], Version: chart['version'], AppVersion: chart['appVersion'] },
  }
  return renderTemplates(sources, context).flatMap(({ name, text }) =>
    name.endsWith('.yaml') ? manifestsIn(name, text) : [],
  )
}

/** Values over those of a chart: maps are merged, null removes a value, all else replaces it. */
export function mergeValues(base: Values, values: Values): Values {
  const names = [...new Set([...Object.keys(base), ...Object.keys(values)])]
  const merged = names.flatMap((name) => {
    const [before, value] = [base[name], name in values ? values[name] : base[name]]
    if (name in values && value === null) return []
    return [[name, isRecord(before) && isRecord(value) ? mergeValues(before, value) : value] as const]
  })
  return Object.fromEntries(merged)
}

function checkValues(schema: object, values: Values): void {
  const ajv = new Ajv({ allErrors: true, strict: false })
  if (!ajv.validate(schema, values))
    throw new Error(`values.schema.json: ${ajv.errorsText(undefined, { dataVar: 'values' })}`)
}

function manifestsIn(name: string, text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [problem] = [...document.errors, ...document.warnings]
    if (problem !== undefined) throw new Error(`${name}: ${problem.message}\n${text}`)
    const value: unknown = document.toJS()
    if (value === null) return []
    const manifest = record(value)
    if (typeof manifest['kind'] !== 'string') throw new Error(`${name}: an object without a kind`)
    return [manifest as Manifest]
  })
}

/** Renders templates that may include each other's definitions. */
export function renderTemplates(
  sources: readonly { readonly name: string; readonly text: string }[],
  context: unknown,
): { readonly name: string; readonly text: string }[] {
  const definitions = new Map<string, readonly Node[]>()
  const parsed = sources.map(({ name, text }) => ({ name: basename(name), nodes: parseTemplate(text, definitions) }))
  return parsed.map(({ name, nodes }) => ({ name, text: renderRoot(nodes, context, definitions) }))
}

// The language: text/template of Go, https://pkg.go.dev/text/template

type Expression =
  | { readonly kind: 'value'; readonly value: unknown }
  /** `.`, `$` or `$name`, and fields of it. */
  | { readonly kind: 'path'; readonly from: string; readonly fields: readonly string[] }
  | { readonly kind: 'call'; readonly name: string; readonly parameters: readonly Expression[] }

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly of: Expression }
  | { readonly kind: 'set'; readonly name: string; readonly to: Expression }
  | {
      readonly kind: 'if' | 'with' | 'range'
      readonly names: readonly string[]
      readonly of: Expression
      readonly body: readonly Node[]
      readonly otherwise: readonly Node[]
    }

interface Piece {
  readonly text: string
  readonly isAction: boolean
}

/** Divides a template into text and actions, whose hyphens take away the blanks beside them. */
function piecesOf(source: string): Piece[] {
  const [first = '', ...others] = source.split('{{')
  const pieces: Piece[] = [{ text: first, isAction: false }]
  for (const other of others) {
    const end = other.indexOf('}}')
    if (end < 0) throw new Error(`no }} after {{${other}`)
    const [inner, text] = [other.slice(0, end), other.slice(end + 2)]
    const last = pieces.at(-1)
    if (/^-\s/.test(inner) && last !== undefined) pieces.splice(-1, 1, { ...last, text: last.text.trimEnd() })
    const action = inner.replace(/^-\s/, '').replace(/\s-$/, '').trim()
    if (!/^\/\*[\s\S]*\*\/$/.test(action)) pieces.push({ text: action, isAction: true })
    pieces.push({ text: /\s-$/.test(inner) ? text.trimStart() : text, isAction: false })
  }
  return pieces
}

/** Parses a template, and adds what it defines to the definitions. */
function parseTemplate(source: string, definitions: Map<string, readonly Node[]>): readonly Node[] {
  const pieces = piecesOf(source)
  let position = 0

  /** Parses until `end`, or `else`, which is returned. */
  function parseBody(): { readonly nodes: Node[]; readonly closing: string | undefined } {
    const nodes: Node[] = []
    for (let piece = pieces[position++]; piece !== undefined; piece = pieces[position++]) {
      if (!piece.isAction) nodes.push({ kind: 'text', text: piece.text })
      else if (/^(?:end|else)\b/.test(piece.text)) return { nodes, closing: piece.text }
      else nodes.push(...parseAction(piece.text))
    }
    return { nodes, closing: undefined }
  }

  function parseAction(action: string): Node[] {
    const [, keyword = '', rest = ''] = /^(if|with|range|define)\s+([\s\S]+)$/.exec(action) ?? []
    if (keyword === 'define') {
      const { nodes, closing } = parseBody()
      if (closing !== 'end') throw new Error(`no end of ${action}`)
      definitions.set(JSON.parse(rest), nodes)
      return []
    }
    if (keyword === 'if' || keyword === 'with' || keyword === 'range') return [parseBlock(keyword, rest)]
    const [, name, value] = /^(\$\w+)\s*:?=\s*([\s\S]+)$/.exec(action) ?? []
    if (name !== undefined && value !== undefined) return [{ kind: 'set', name, to: parseExpression(value) }]
    return [{ kind: 'print', of: parseExpression(action) }]
  }

  function parseBlock(kind: 'if' | 'with' | 'range', head: string): Node {
    const [, names, value] = /^((?:\$\w+\s*,\s*)?\$\w+)\s*:=\s*([\s\S]+)$/.exec(head) ?? []
    if (names !== undefined && kind !== 'range') throw new Error(`unknown: ${kind} ${head}`)
    const of = parseExpression(value ?? head)
    const { nodes: body, closing } = parseBody()
    const block = { kind, names: names?.split(/\s*,\s*/) ?? [], of, body }
    if (closing === 'end') return { ...block, otherwise: [] }
    const [, condition] = /^else if ([\s\S]+)$/.exec(closing ?? '') ?? []
    if (condition !== undefined) return { ...block, otherwise: [parseBlock('if', condition)] }
    if (closing !== 'else') throw new Error(`no end of ${kind} ${head}`)
    const last = parseBody()
    if (last.closing !== 'end') throw new Error(`no end of ${kind} ${head}`)
    return { ...block, otherwise: last.nodes }
  }

  const { nodes, closing } = parseBody()
  if (closing !== undefined) throw new Error(`${closing} without a beginning`)
  return nodes
}

const token = /\s*("(?:\\.|[^"\\])*"|\$?\w*(?:\.\w+)+|\$\w*|\.|-?\d+|\w+|[()|])/y

function parseExpression(source: string): Expression {
  const tokens: string[] = []
  token.lastIndex = 0
  while (token.lastIndex < source.trimEnd().length) {
    const at = token.lastIndex
    const found = token.exec(source)?.[1]
    if (found === undefined) throw new Error(`unknown: ${source.slice(at)}`)
    tokens.push(found)
  }
  let position = 0

  function parsePipeline(): Expression {
    let piped: Expression | undefined
    do {
      piped = parseCommand(piped)
    } while (tokens[position] === '|' && position++ >= 0)
    return piped
  }

  function parseCommand(piped: Expression | undefined): Expression {
    const first = tokens[position] ?? ''
    const isCall = /^[a-z]\w*$/i.test(first) && !['true', 'false', 'nil'].includes(first)
    if (!isCall) {
      if (piped !== undefined) throw new Error(`unknown: a value after | in ${source}`)
      return parseOperand()
    }
    position += 1
    const parameters: Expression[] = []
    while (position < tokens.length && tokens[position] !== '|' && tokens[position] !== ')')
      parameters.push(parseOperand())
    if (piped !== undefined) parameters.push(piped)
    return { kind: 'call', name: first, parameters }
  }

  function parseOperand(): Expression {
    const one = tokens[position++] ?? ''
    if (one === '(') {
      const inner = parsePipeline()
      if (tokens[position++] !== ')') throw new Error(`no ) in ${source}`)
      return inner
    }
    if (one.startsWith('"') || /^-?\d+$/.test(one)) return { kind: 'value', value: JSON.parse(one) }
    if (one === 'true' || one === 'false') return { kind: 'value', value: one === 'true' }
    if (one === '.') return { kind: 'path', from: '.', fields: [] }
    const [, from, fields] = /^(\$\w*|)((?:\.\w+)*)$/.exec(one) ?? []
    if (one === '' || from === undefined || fields === undefined) {
      // A function without parameters as an operand.
      if (/^[a-z]\w*$/i.test(one)) return { kind: 'call', name: one, parameters: [] }
      throw new Error(`unknown: ${one} in ${source}`)
    }
    return { kind: 'path', from: from === '' ? '.' : from, fields: fields.split('.').slice(1) }
  }

  const expression = parsePipeline()
  if (position < tokens.length) throw new Error(`unknown: ${tokens.slice(position).join(' ')} in ${source}`)
  return expression
}

/** What names refer to: `.`, `$` and variables; a block sees those around it. */
type Scope = Map<string, unknown>

function renderRoot(
  nodes: readonly Node[],
  context: unknown,
  definitions: ReadonlyMap<string, readonly Node[]>,
): string {
  const include = (name: unknown, of: unknown) => {
    const found = definitions.get(String(name))
    if (found === undefined) throw new Error(`nothing defines ${name}`)
    return renderRoot(found, of, definitions)
  }

  function render(body: readonly Node[], outer: Scope): string {
    const scope = new Map(outer)
    return body.map((node) => renderNode(node, scope)).join('')
  }

  function renderNode(node: Node, scope: Scope): string {
    if (node.kind === 'text') return node.text
    if (node.kind === 'print') return printed(evaluate(node.of, scope))
    if (node.kind === 'set') {
      scope.set(node.name, evaluate(node.to, scope))
      return ''
    }
    const value = evaluate(node.of, scope)
    if (isEmpty(value)) return render(node.otherwise, scope)
    if (node.kind === 'if') return render(node.body, scope)
    if (node.kind === 'with') return render(node.body, new Map([...scope, ['.', value]]))
    const entries = Array.isArray(value)
      ? [...value.entries()]
      : Object.entries(record(value)).toSorted(([a], [b]) => (a < b ? -1 : 1))
    return entries
      .map(([key, item]) => {
        const named = node.names.length === 2 ? [key, item] : [item]
        const variables = node.names.map((name, index) => [name, named[index]] as const)
        return render(node.body, new Map<string, unknown>([...scope, ['.', item], ...variables]))
      })
      .join('')
  }

  function evaluate(expression: Expression, scope: Scope): unknown {
    if (expression.kind === 'value') return expression.value
    if (expression.kind === 'path') {
      const { from, fields } = expression
      if (!scope.has(from)) throw new Error(`${from} is not defined`)
      return fields.reduce((value, field) => {
        if (!isRecord(value))
          throw new Error(`nothing has .${field} in ${from === '.' ? '' : from}.${fields.join('.')}`)
        return value[field]
      }, scope.get(from))
    }
    const { name, parameters } = expression
    if (name === 'and' || name === 'or') {
      // The others are not evaluated.
      let last: unknown
      for (const one of parameters) {
        last = evaluate(one, scope)
        if (isEmpty(last) === (name === 'and')) break
      }
      return last
    }
    const values = parameters.map((one) => evaluate(one, scope))
    if (name === 'include') return include(values[0], values[1])
    const call = functions[name]
    if (call === undefined) throw new Error(`unknown function: ${name}`)
    return call(...values)
  }

  return render(
    nodes,
    new Map([
      ['.', context],
      ['$', context],
    ]),
  )
}

/** Functions of Go, sprig and Helm. */
const functions: Readonly<Record<string, (...values: unknown[]) => unknown>> = {
  add: (...values) => values.reduce<number>((sum, value) => sum + whole(value), 0),
  contains: (part, text) => string(text).includes(string(part)),
  default: (fallback, value) => (isEmpty(value) ? fallback : value),
  indent: (count, text) => string(text).replace(/^/gm, ' '.repeat(whole(count))),
  list: (...values) => values,
  nindent: (count, text) => `\n${string(text).replace(/^/gm, ' '.repeat(whole(count)))}`,
  not: (value) => isEmpty(value),
  printf: (format, ...values) => {
    const rest = [...values]
    return string(format).replace(/%(.)/g, (_whole, verb) => {
      if (verb !== 's') throw new Error(`unknown: %${verb}`)
      return string(rest.shift())
    })
  },
  quote: (value) => JSON.stringify(value === undefined || value === null ? '' : printed(value)),
  regexReplaceAll: (pattern, text, replacement) =>
    string(text).replace(new RegExp(string(pattern), 'gu'), string(replacement).replace(/\$\{(\d)\}/g, '$$$1')),
  splitList: (separator, text) => string(text).split(string(separator)),
  toYaml: (value) => stringify(value, { lineWidth: 0 }).trimEnd(),
  trimSuffix: (suffix, text) => {
    const [end, whole] = [string(suffix), string(text)]
    return whole.endsWith(end) ? whole.slice(0, whole.length - end.length) : whole
  },
  trunc: (length, text) => string(text).slice(0, whole(length)),
}

/** What counts as false: as in Go, also 0, an empty text, list or map. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return !value
}

/** A value as Go prints it; what nobody wants in YAML throws, such as `<no value>`, `map[…]` and `1e+06`. */
function printed(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value)
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e6) return String(value)
  throw new Error(`prints ${JSON.stringify(value)}, which needs quote, toYaml or a default`)
}

function string(value: unknown): string {
  if (typeof value !== 'string') throw new Error(`${JSON.stringify(value)} is not a text`)
  return value
}

function whole(value: unknown): number {
  const number = Number(value)
  if (!Number.isInteger(number)) throw new Error(`${JSON.stringify(value)} is not a whole number`)
  return number
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function record(value: unknown): Values {
  if (!isRecord(value)) throw new Error(`${JSON.stringify(value)} is not a map`)
  return value
}
