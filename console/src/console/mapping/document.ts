/** A mapping as the editor shows it. The service checks what it means: anything may be missing, and texts may be empty. */
export interface MappingDocument {
  /** `product`: it is put on top of the mapping of the product. */
  readonly extends?: string | undefined
  readonly attributes?: Readonly<Record<string, Attribute>> | undefined
  readonly roles?: Roles | undefined
}

export interface Attribute {
  readonly from?: readonly string[]
  readonly transform?: readonly unknown[] | undefined
}

export interface Roles {
  readonly mode?: string | undefined
  readonly default?: readonly string[] | undefined
  readonly keep_at_least?: Readonly<Record<string, number>> | undefined
  readonly rules?: readonly Rule[]
}

export interface Rule {
  readonly id?: string | undefined
  readonly role?: string | undefined
  readonly deny?: string | undefined
  readonly when?: Condition
}

export interface Condition {
  readonly group?: string | undefined
  readonly group_name?: string | undefined
  readonly filter?: string | undefined
}

/** The parts of a condition, in the order in which they are shown. */
export const conditionParts = ['group_name', 'group', 'filter'] as const
export type ConditionPart = (typeof conditionParts)[number]

export function rulesOf({ roles }: MappingDocument): readonly Rule[] {
  return roles?.rules ?? []
}

/** The ids of the rules; those without one get r1, r2 and so on, as the service gives them. */
export function ruleIds(document: MappingDocument): readonly string[] {
  const rules = rulesOf(document)
  const used = new Set(rules.map(({ id }) => id))
  let last = 0
  return rules.map(({ id }) => {
    if (id !== undefined) return id
    do last += 1
    while (used.has(`r${last}`))
    return `r${last}`
  })
}

/** A new rule, with an id that no other one has. */
export function newRule(document: MappingDocument): Rule {
  const used = new Set(ruleIds(document))
  let number = used.size + 1
  while (used.has(`r${number}`)) number += 1
  return { id: `r${number}`, role: '', when: { group_name: '' } }
}

/** The document with other rules for roles. */
export function withRoles(document: MappingDocument, changed: Partial<Roles>): MappingDocument {
  return { ...document, roles: { ...document.roles, ...changed } }
}

/** The document with these attributes, in this order; without the property when there are none. */
export function withAttributes(
  document: MappingDocument,
  attributes: readonly (readonly [name: string, attribute: Attribute])[],
): MappingDocument {
  return { ...document, attributes: attributes.length === 0 ? undefined : Object.fromEntries(attributes) }
}

/** All roles that the document can give, sorted. */
export function rolesIn(document: MappingDocument): readonly string[] {
  const given = rulesOf(document).flatMap(({ role }) => (role === undefined || role === '' ? [] : [role]))
  return [...new Set([...given, ...(document.roles?.default ?? [])])].sort()
}

/** The part of the mapping of a product that a mapping which extends it does not replace. */
export function restOf(product: MappingDocument, extension: MappingDocument): MappingDocument {
  const replaced = new Set(ruleIds(extension))
  const ids = ruleIds(product)
  const attributes = Object.entries(product.attributes ?? {}).filter(
    ([name]) => !(name in (extension.attributes ?? {})),
  )
  return withAttributes(
    // The ids stay what they are in the whole mapping.
    withRoles(product, {
      rules: rulesOf(product).flatMap((rule, index) => {
        const id = ids[index] ?? ''
        return replaced.has(id) ? [] : [{ ...rule, id }]
      }),
    }),
    attributes,
  )
}
