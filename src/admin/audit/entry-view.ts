import type { AuditAction, AuditEntry, AuditTarget, CallerKind } from '../../directory/audit.ts'
import { auditActions } from '../../directory/audit.ts'
import { throwProblems } from '../../directory/errors.ts'
import { DefaultPagingInput, defaultPageLimit, ScopeInput } from '../../directory/inputs.ts'
import { Type } from '../../inputs/json-schema.ts'
import { isBetween, pageTokens } from '../../reads/page.ts'
import { parseQuery } from '../../reads/paging.ts'
import { isoTime, parseInstant } from '../time.ts'
import type { AuditFilter } from './audit-store.ts'
import type { DirectoryName } from './directory-names.ts'
import { erasedDigests } from './erased-fields.ts'

/** An entry of the audit trail as the API returns it. */
export interface AuditEntryView {
  readonly sequence: number
  readonly id: string
  /** ISO 8601 in UTC. */
  readonly at: string
  readonly action: AuditAction
  readonly actor: { readonly kind: CallerKind; readonly id: string | null; readonly name: string | null }
  readonly request_id: string | null
  readonly address: string | null
  readonly target: {
    readonly kind: AuditTarget['kind']
    readonly id: string | null
    readonly tenant: string | null
    readonly product: string | null
  }
  /** `{field: {from, to}}`; null when the action has none. */
  readonly changes: unknown
  /** The fields whose values were erased with the data of a person: `actor.name`, `address`, `changes.<name>`. */
  readonly erased: readonly string[]
  readonly previous_hash: string
  readonly hash: string
}

/** An entry with the name of the directory that it is about. */
export interface NamedEntryView extends Omit<AuditEntryView, 'target'> {
  readonly target: AuditEntryView['target'] & DirectoryName
}

export function auditEntryView(entry: AuditEntry): AuditEntryView {
  const { callerKind, callerId, callerName, targetKind, targetId, tenant, product } = entry
  return {
    sequence: entry.sequence,
    id: entry.id,
    at: isoTime(entry.at),
    action: entry.action,
    actor: { kind: callerKind, id: callerId ?? null, name: callerName ?? null },
    request_id: entry.requestId ?? null,
    address: entry.address ?? null,
    target: { kind: targetKind, id: targetId ?? null, tenant: tenant ?? null, product: product ?? null },
    changes: entry.changes === undefined ? null : changesOf(entry.changes),
    erased: Object.keys(erasedDigests(entry.erased)?.fields ?? {}).sort(),
    previous_hash: entry.previousHash,
    hash: entry.hash,
  }
}

/** A tampered entry may not be JSON; its text is returned unchanged. */
function changesOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const actorKinds = ['admin', 'api-key', 'setup', 'system'] as const satisfies readonly CallerKind[]

const id = (field: string) =>
  Type.String({ description: `${field}: an id of 1 to 100 characters.`, minLength: 1, maxLength: 100 })
const time = (field: string) =>
  Type.Union([Type.String({ maxLength: 40, examples: ['2026-01-31T12:00:00Z'] }), Type.Integer()], {
    description: timeMessage(field),
  })
const timeMessage = (field: string) =>
  `${field}: a time, like 2026-01-31T12:00:00Z or 1767225600000 (Unix milliseconds).`

const AuditFilterInput = Type.Object({
  action: Type.Optional(
    Type.Unsafe<AuditAction>({
      type: 'string',
      enum: auditActions,
      description: `action: one of ${auditActions.join(', ')}.`,
    }),
  ),
  actor_kind: Type.Optional(
    Type.Unsafe<CallerKind>({
      type: 'string',
      enum: actorKinds,
      description: `actor_kind: one of ${actorKinds.join(', ')}.`,
    }),
  ),
  actor_id: Type.Optional(id('actor_id')),
  actor_name: Type.Optional(
    Type.String({ description: 'actor_name: a name of 1 to 320 characters.', minLength: 1, maxLength: 320 }),
  ),
  target_id: Type.Optional(id('target_id')),
  tenant: ScopeInput.properties.tenant,
  product: ScopeInput.properties.product,
  from: Type.Optional(time('from')),
  to: Type.Optional(time('to')),
})

/** `GET event` */
export const AuditQuery = Type.Object({ ...AuditFilterInput.properties, ...DefaultPagingInput.properties })

/** A page of the audit trail, newest first, before a sequence number. */
export interface AuditPage {
  readonly filter: AuditFilter
  readonly before: number
  readonly limit: number
}

/** @throws DirectoryError `invalid-input` */
export function parseAuditQuery(query: unknown): AuditPage {
  const {
    action,
    actor_kind: callerKind,
    actor_id: callerId,
    actor_name: callerName,
    pageLimit,
    pageToken,
    ...fields
  } = parseQuery(AuditQuery, query)
  const { target_id: targetId, tenant, product } = fields
  const [from, to] = [parseTime('from', fields.from), parseTime('to', fields.to)]
  const filter = { action, callerKind, callerId, callerName, targetId, tenant, product, from, to }
  const { sequence: before = Number.MAX_SAFE_INTEGER } = auditTokens.read(pageToken) ?? {}
  return { filter, before, limit: pageLimit ?? defaultPageLimit }
}

/** The page tokens of the audit trail. */
export const auditTokens = pageTokens<{ readonly sequence: number }>({
  sequence: isBetween(1, Number.MAX_SAFE_INTEGER),
})

function parseTime(field: 'from' | 'to', input: string | number | undefined): number | undefined {
  if (input === undefined) return undefined
  const at = parseInstant(input)
  if (at === undefined) throwProblems([{ field, message: timeMessage(field) }])
  return at
}
