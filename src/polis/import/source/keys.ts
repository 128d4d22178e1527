import { createHash } from 'node:crypto'

/** The namespaces of Polis’ store. Those of users, groups and members continue with `:<tenant>:<product>`. */
export const namespaces = {
  directories: 'dsync:config',
  users: 'dsync:users',
  groups: 'dsync:groups',
  members: 'dsync:members',
  events: 'dsync:events',
  setupLinks: 'setup:link',
} as const

/** The digest that stands for an id or a value in Polis’ keys. */
export function digestOf(text: string): string {
  return createHash('ripemd160').update(text).digest('hex')
}

/** The key of the record with an id. */
export function recordKey(namespace: string, id: string): string {
  return `${namespace}:${digestOf(id)}`
}

/** The key under which an index has the records with a value. */
export function indexKey(namespace: string, index: string, value: string): string {
  return `${namespace}:${index}:${digestOf(value)}`
}

/** The namespace of users, groups or members of a tenant's product. */
export function namespaceOf(kind: 'users' | 'groups' | 'members', tenant: string, product: string): string {
  return `${namespaces[kind]}:${tenant}:${product}`
}

/** The digest of a record's id, by its key. */
export function digestOfKey(key: string): string {
  return key.slice(key.lastIndexOf(':') + 1)
}

/** The namespace of a record, by its key: the column `namespace` is empty in old rows. */
export function namespaceOfKey(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf(':')))
}
