/** The parts of an OpenAPI 3.1 document that the reference shows. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
}

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content?: Content }
  readonly responses?: Readonly<
    Record<string, { readonly content?: Content; readonly description?: string; readonly $ref?: string }>
  >
}

interface Parameter {
  readonly name?: string
  readonly in?: string
  readonly required?: boolean
  readonly description?: string
}

type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

/** Every operation, event and schema of the API as a Markdown page. */
export function apiReference(document: ApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.operationId !== undefined)
      .map(([method, operation]) => ({ path, method, operation })),
  )
  const sections = document.tags.flatMap(({ name, description = '' }) => {
    const tagged = operations.filter(({ operation }) => operation.tags?.includes(name))
    return tagged.length === 0 ? [] : [`## ${name}`, safe(description), ...tagged.map(operationText)]
  })
  return [
    '# API reference',
    'Written from the OpenAPI document, which a running service has at `/openapi.json`; `/docs` shows it with a form to try each call. What a product needs of it is at `/openapi-product.json`.',
    ...sections,
    '## Events',
    'Sent to the endpoint of a directory; see [Events](events.md).',
    webhookTable(document, 'Events'),
    '## Notices',
    'Sent to `OPERATOR_WEBHOOK_URL`; see [Notices to the operator](notices.md).',
    webhookTable(document, 'Notices'),
    '## Schemas',
    ...Object.entries(document.components.schemas).map(schemaText),
    '',
  ].join('\n\n')
}

function operationText({ path, method, operation }: { path: string; method: string; operation: Operation }): string {
  const { operationId, summary = operationId, description, parameters = [], requestBody, responses = {} } = operation
  const named = parameters.filter(({ name }) => name !== undefined)
  return [
    `### ${summary} {#${operationId}}`,
    `\`${method.toUpperCase()} ${path}\``,
    ...(description === undefined ? [] : [safe(description)]),
    ...(named.length === 0 ? [] : [table(['parameter', 'in', 'meaning'], named.map(parameterRow))]),
    ...contentText('Body', requestBody?.content),
    ...Object.entries(responses).flatMap(([status, { content }]) => contentText(`Response ${status}`, content)),
  ].join('\n\n')
}

function parameterRow({ name = '', in: place = '', required = false, description = '' }: Parameter): readonly string[] {
  return [`\`${name}\``, required ? `${place}, required` : place, safe(description)]
}

function contentText(title: string, content: Content | undefined): string[] {
  const [first] = Object.entries(content ?? {})
  if (first === undefined) return []
  const [mediaType, { schema, example }] = first
  const heading = `**${title}** (\`${mediaType}\`)${schema === undefined ? '' : `: ${typeText(schema)}`}`
  if (example === undefined) return [heading]
  return [heading, `\`\`\`json\n${JSON.stringify(example, undefined, 2)}\n\`\`\``]
}

function webhookTable({ webhooks }: ApiDocument, tag: string): string {
  const rows = Object.entries(webhooks).flatMap(([name, item]) =>
    Object.values(item)
      .filter(({ tags }) => tags?.includes(tag))
      .map(({ summary = '' }) => [`\`${name}\``, safe(summary)]),
  )
  return table(['type', 'meaning'], rows)
}

function schemaText([name, schema]: readonly [string, Schema]): string {
  const { description, properties, required = [] } = schema
  const rows = Object.entries(properties ?? {}).map(([field, part]) => [
    `\`${field}\``,
    typeText(part),
    `${required.includes(field) ? '' : 'Optional. '}${safe(part.description ?? '')}`,
  ])
  return [
    `### ${name} {#schema-${name.toLowerCase()}}`,
    ...(description === undefined ? [] : [safe(description)]),
    rows.length === 0 ? typeText(schema) : table(['field', 'type', 'meaning'], rows),
  ].join('\n\n')
}

function typeText(schema: Schema): string {
  const { $ref: ref, enum: values, const: constant, items, type, anyOf, oneOf, allOf } = schema
  if (ref !== undefined) return refText(ref)
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``
  if (values !== undefined) return values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
  const several = anyOf ?? oneOf ?? allOf
  if (several !== undefined) return several.map(typeText).join(allOf === undefined ? ' or ' : ' and ')
  if (items !== undefined) return `list of ${typeText(items)}`
  const types = Array.isArray(type) ? type : [type ?? 'any value']
  return types.join(' or ')
}

function refText(ref: string): string {
  const name = ref.slice(ref.lastIndexOf('/') + 1)
  return `[${name}](#schema-${name.toLowerCase()})`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Escapes text for Markdown tables and the page's templates. */
function safe(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
