import type { MappingDocument, RolesDocument, RuleDocument } from './document.ts'
import { idsBesides } from './parse.ts'

/** Returns whether a mapping, which was parsed before, extends that of the product. */
export function extendsProduct(document: MappingDocument): boolean {
  return document.extends === 'product'
}

/**
 * Puts the mapping of a directory on top of that of its product. The rules of the directory come first; a rule of the product with the id of
 * one of them is left out. The other rules of the product keep the ids that they have there.
 */
export function extendMapping(own: MappingDocument, product: MappingDocument): MappingDocument {
  const roles = own.roles && product.roles ? extendRoles(own.roles, product.roles) : (own.roles ?? product.roles)
  return { attributes: { ...product.attributes, ...own.attributes }, ...(roles && { roles }) }
}

function extendRoles(own: RolesDocument, product: RolesDocument): RolesDocument {
  const replaced = idsOf(own.rules)
  const inherited = withIds(product.rules, new Set()).filter(({ id }) => !replaced.has(id))
  return {
    ...product,
    ...own,
    keep_at_least: { ...product.keep_at_least, ...own.keep_at_least },
    rules: [...withIds(own.rules, idsOf(inherited)), ...inherited],
  }
}

type Rules = readonly RuleDocument[] | undefined

function idsOf(rules: Rules = []): ReadonlySet<string> {
  return new Set(rules.flatMap(({ id }) => id ?? []))
}

function withIds(rules: Rules = [], used: ReadonlySet<string>): (RuleDocument & { readonly id: string })[] {
  const newId = idsBesides(new Set([...used, ...idsOf(rules)]))
  return rules.map((rule) => ({ ...rule, id: rule.id ?? newId() }))
}
