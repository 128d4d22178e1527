import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { Directory } from '../directory/directory.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { Json, JsonObject } from '../scim/json.ts'
import { isObject } from '../scim/json.ts'
import { fromJsonText } from '../scim/json-text.ts'
import type { MappingStore } from './mapping-store.ts'
import { parseSource } from './parse-names.ts'

export interface SeenAttributesParts {
  readonly store: Pick<MappingStore, 'usersToEvaluate'>
  readonly directories: { get(id: string): Promise<Directory> }
  readonly slices: TimeSlices
}

/** An attribute that users of a directory have. */
export interface SeenAttribute {
  /** The path for `from` and for filters. */
  readonly path: string
  /** How many users have it. */
  readonly users: number
  readonly examples: readonly string[]
}

const usersPerRead = 100
/** More paths are left out: identity providers may make up names. */
const maxPaths = 500
const maxExamples = 3
const maxExampleLength = 100

export type SeenAttributes = ReturnType<typeof createSeenAttributes>

/** Finds which attributes the users of a directory have, for whoever writes its mapping. */
export function createSeenAttributes({ store, directories, slices }: SeenAttributesParts) {
  return {
    /**
     * The attributes of all users, those of most users first.
     *
     * @param signal aborts when nobody waits for them any more
     * @throws DirectoryError `directory-not-found`; the reason of the signal
     */
    async attributesOf(id: string, signal?: AbortSignal): Promise<readonly SeenAttribute[]> {
      const directory = await directories.get(id)
      const seen = new Map<string, Seen>()
      for (let after = 0; ; ) {
        signal?.throwIfAborted()
        const users = await store.usersToEvaluate(directory.id, after, usersPerRead)
        const last = users.at(-1)
        if (last === undefined) break
        await slices.next(directory.tenant)
        for (const { user } of users) addUser(seen, fromJsonText(user.raw))
        after = last.position
      }
      return [...seen]
        .filter(([path]) => isSource(path))
        .map(([path, { users, examples }]) => ({ path, users, examples: [...examples] }))
        .sort((a, b) => b.users - a.users || (a.path < b.path ? -1 : 1))
    },
  }
}

interface Seen {
  users: number
  readonly examples: Set<string>
}

function addUser(seen: Map<string, Seen>, resource: JsonObject): void {
  const values = new Map<string, string>()
  for (const [name, value] of Object.entries(resource)) {
    if (left.has(name)) continue
    if (name.startsWith('urn:') && isObject(value)) {
      for (const [attribute, inner] of Object.entries(value)) addValue(values, `${name}:${attribute}`, inner)
    } else addValue(values, name, value)
  }
  for (const [path, example] of values) {
    const known = seen.get(path)
    if (known === undefined && seen.size >= maxPaths) continue
    const { examples, users } = known ?? { examples: new Set<string>(), users: 0 }
    if (examples.size < maxExamples) examples.add(example)
    seen.set(path, { users: users + 1, examples })
  }
}

/** Attributes that a mapping does not read. */
const left: ReadonlySet<string> = new Set(['schemas', 'id', 'meta', 'password', 'groups'])

/** Adds the paths of a value; of several values, the first of each counts. */
function addValue(values: Map<string, string>, path: string, value: Json): void {
  for (const one of Array.isArray(value) ? value : [value]) {
    if (!isObject(one)) addSimple(values, path, one)
    else for (const [name, inner] of Object.entries(one)) addSimple(values, `${path}.${name}`, inner)
  }
}

function addSimple(values: Map<string, string>, path: string, value: Json): void {
  if (value === null || value === '' || typeof value === 'object' || values.has(path)) return
  values.set(
    path,
    String(value)
      .slice(0, maxExampleLength)
      .replace(/[\ud800-\udbff]$/, ''),
  )
}

/** Returns whether a mapping can read the path: names from outside may have characters that paths do not have. */
function isSource(path: string): boolean {
  try {
    parseSource(path)
    return true
  } catch (error) {
    if (error instanceof DirectoryError) return false
    throw error
  }
}
