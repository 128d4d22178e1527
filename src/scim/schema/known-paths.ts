import type { Attribute, AttributeTable } from './attribute.ts'
import { commonAttributes } from './common.ts'
import type { Schema } from './schema.ts'

/** Names an attribute of a resource, or a part of it (RFC 7644 §3.10). */
export interface AttributePath {
  /** The URN of the extension whose object holds the attribute, as it is written there; undefined for the core. */
  readonly extension: string | undefined
  readonly attribute: Attribute
  readonly subAttribute: Attribute | undefined
}

/**
 * Every path that the schemas of a resource type know, by its name in lower case and as the schemas spell it: bare, and
 * qualified by the URN. A bare name that the core schema lacks is that of an extension, as Entra ID sends `manager`.
 */
export function knownPaths(core: Schema, extensions: readonly Schema[]): ReadonlyMap<string, AttributePath> {
  const paths = new Map<string, AttributePath>()
  for (const attributes of [core.attributes, commonAttributes]) {
    addPaths(paths, '', undefined, attributes)
    addPaths(paths, `${core.id}:`, undefined, attributes)
  }
  for (const { id, attributes } of extensions) {
    addPaths(paths, '', id, attributes)
    addPaths(paths, `${id}:`, id, attributes)
  }
  return paths
}

function addPaths(
  paths: Map<string, AttributePath>,
  prefix: string,
  extension: string | undefined,
  attributes: AttributeTable,
): void {
  for (const attribute of attributes.values()) {
    const name = prefix + attribute.name
    addPath(paths, name, { extension, attribute, subAttribute: undefined })
    for (const subAttribute of attribute.subAttributes.values()) {
      addPath(paths, `${name}.${subAttribute.name}`, { extension, attribute, subAttribute })
    }
  }
}

/** The first one of a name stays. */
function addPath(paths: Map<string, AttributePath>, name: string, path: AttributePath): void {
  const folded = name.toLowerCase()
  if (paths.has(folded)) return
  paths.set(folded, path)
  paths.set(name, path)
}
