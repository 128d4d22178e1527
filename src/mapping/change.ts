import type { Changes } from '../directory/event.ts'
import type { MappedFields } from '../directory/user.ts'
import type { JsonText } from '../scim/json-text.ts'
import { fromJsonText, toJsonText } from '../scim/json-text.ts'
import type { Evaluation, Evaluator, Explanation } from './evaluate.ts'
import type { MappedUser } from './mapping.ts'
import type { ReasonView } from './reasons.ts'
import { reasonViews } from './reasons.ts'

/** The writes of a commit about a user whom it evaluates. */
export interface MappedChange {
  /** The text to store with the user; undefined when the mapping was removed. */
  readonly mapped: JsonText<MappedFields> | undefined
  /** The roles that the user gains and loses. */
  readonly gained: readonly string[]
  readonly lost: readonly string[]
  /** For the event: `roles`, and `attributes.<name>` of each changed attribute. Empty when neither changed. */
  readonly changes: MappedChanges
}

/** The changes of an event; those of `roles` say why. */
export type MappedChanges = Readonly<Record<string, Changes[string] & { readonly because?: ReasonView[] }>>

const nothing: Evaluation = { roles: [], attributes: {} }

/**
 * Decides what changes for a user.
 *
 * @param evaluator undefined when the mapping was removed
 * @param stored what is stored with the user; undefined when nothing is
 */
export function decideMapped(
  evaluator: Evaluator | undefined,
  user: MappedUser,
  stored: JsonText<MappedFields> | undefined,
): MappedChange {
  const before = stored === undefined ? nothing : fromJsonText(stored)
  const examined = evaluator?.examine(user)
  const after = examined?.evaluation
  const mapped = after && toJsonText<MappedFields>(after)
  const { roles } = after ?? nothing
  const { gained, lost, attributes } = differences(before, after ?? nothing)
  const areRolesChanged = gained.length + lost.length > 0
  const explained = areRolesChanged ? examined?.explain() : undefined
  return {
    mapped,
    gained,
    lost,
    changes: {
      ...(areRolesChanged && {
        roles: { from: [...before.roles], to: [...roles], because: because(explained, gained, lost) },
      }),
      ...Object.fromEntries(attributes.map(({ name, ...change }) => [`attributes.${name}`, change])),
    },
  }
}

/** Why a user gains roles, and by which rules others are denied. A lost role that no rule gives any more has no reason. */
function because(explained: Explanation | undefined, gained: readonly string[], lost: readonly string[]): ReasonView[] {
  if (explained === undefined) return []
  const of = (reasons: Explanation['roles'], roles: readonly string[]) =>
    reasons.filter(({ role }) => roles.includes(role)).flatMap(reasonViews)
  return [...of(explained.roles, gained), ...of(explained.denied, lost)]
}

/** What differs between two evaluations of a user. */
export function differences(before: Evaluation, after: Evaluation) {
  const [had, has] = [new Set(before.roles), new Set(after.roles)]
  const names = new Set([...Object.keys(before.attributes), ...Object.keys(after.attributes)])
  return {
    gained: after.roles.filter((role) => !had.has(role)),
    lost: before.roles.filter((role) => !has.has(role)),
    attributes: [...names].flatMap((name) => {
      const [from, to] = [assignedValue(before.attributes, name), assignedValue(after.attributes, name)]
      return from === to ? [] : [{ name, from, to }]
    }),
  }
}

function assignedValue(values: MappedFields['attributes'], name: string): string | number | boolean | null {
  return (Object.hasOwn(values, name) ? values[name] : undefined) ?? null
}

/**
 * The changes of an event that also reports what a mapping changed. A mapping takes the name `roles`: a change of the SCIM attribute of
 * this name is called `raw.roles`.
 */
export function withMappedChanges(changes: JsonText<Changes>, mapped: MappedChanges): JsonText<Changes> {
  if (Object.keys(mapped).length === 0 && !changes.includes('"roles":')) return changes
  const { roles, ...others } = fromJsonText(changes)
  return toJsonText({ ...others, ...(roles === undefined ? {} : { 'raw.roles': roles }), ...mapped })
}
