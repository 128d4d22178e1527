import type { JsonObject } from '../../scim/json.ts'
import { isObject } from '../../scim/json.ts'
import { objectOf } from './components.ts'

/** The tags that concern a product: the calls of its backend, and the events that its endpoint receives. */
const productTags: ReadonlySet<unknown> = new Set(['Directory sync', 'Events'])

/**
 * The part of a description that a product needs: the directory-sync API and the events, with the components that they
 * refer to. SCIM, the pages and the management of the service are left out.
 */
export function productDescription(whole: JsonObject): JsonObject {
  const { tags, paths, webhooks, components } = whole
  const parts = { paths: forProducts(paths), webhooks: forProducts(webhooks) }
  const shown = Array.isArray(tags) ? tags.filter((tag) => isObject(tag) && productTags.has(tag['name'])) : []
  return { ...whole, tags: shown, ...parts, components: usedComponents(objectOf(components), JSON.stringify(parts)) }
}

function forProducts(items: JsonObject[string] | undefined): JsonObject {
  return Object.fromEntries(Object.entries(objectOf(items)).filter(([, item]) => isForProducts(objectOf(item))))
}

function isForProducts(item: JsonObject): boolean {
  return Object.values(item).every((operation) => {
    const { tags } = objectOf(operation)
    return Array.isArray(tags) && tags.every((tag) => productTags.has(tag))
  })
}

/** The components that a text refers to, directly or through others. Security schemes are named without a reference. */
function usedComponents(components: JsonObject, text: string): JsonObject {
  const used = new Set<string>()
  const visit = (part: string): void => {
    // Linear: a name contains no quote.
    for (const [, kind = '', name = ''] of part.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
      if (used.has(`${kind}/${name}`)) continue
      used.add(`${kind}/${name}`)
      visit(JSON.stringify(objectOf(components[kind])[name] ?? null))
    }
  }
  visit(text)
  const isUsed = (kind: string, name: string) =>
    kind === 'securitySchemes' ? text.includes(`"${name}":[]`) : used.has(`${kind}/${name}`)
  return Object.fromEntries(
    Object.entries(components).map(([kind, all]) => [
      kind,
      Object.fromEntries(Object.entries(objectOf(all)).filter(([name]) => isUsed(kind, name))),
    ]),
  )
}
