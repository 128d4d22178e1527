import type { EventOf, RollcallEvent } from '../../../src/webhooks/index.ts'

const raw = { schemas: [], id: 'resource-1' }
const names = { first_name: 'Ada', last_name: 'Byron' }
const user = { id: 'user-1', account_id: null, ...names, email: 'ada@acme.example', active: true, raw }
const group = { id: 'group-1', name: 'Engineering', raw }
const directory = { id: 'directory-1', name: 'Acme', tenant: 'acme', product: 'crm', type: 'okta-scim-v2' } as const
const counts = { users: 1, groups: 0, members: 0 }

/** The data of every event type, and the changes of those that have them. */
const parts: { readonly [Type in RollcallEvent['event']]: Pick<EventOf<Type>, 'data'> } = {
  'user.created': { data: user },
  'user.updated': { data: user },
  'user.deleted': { data: user },
  'user.erased': { data: { id: user.id, erased: true } },
  'group.created': { data: group },
  'group.updated': { data: group },
  'group.deleted': { data: group },
  'group.user_added': { data: { ...user, group } },
  'group.user_removed': { data: { ...user, group } },
  'directory.created': { data: directory },
  'directory.deactivated': { data: directory },
  'directory.activated': { data: directory },
  'directory.deleted': { data: directory },
  'endpoint.test': { data: { message: 'A test.' } },
  'sync.started': { data: { sync_id: 'sync-1', ...counts } },
  'user.snapshot': { data: { ...user, sync_id: 'sync-1' } },
  'group.snapshot': { data: { ...group, sync_id: 'sync-1' } },
  'member.snapshot': { data: { ...user, group, sync_id: 'sync-1' } },
  'sync.completed': { data: { sync_id: 'sync-1', ...counts } },
}

/** An event of a type; its data may be changed, such as the id of its user. */
export function someWebhookEvent(fields: {
  readonly event: RollcallEvent['event']
  readonly sequence?: number
  readonly data?: object
  readonly directory_id?: string
  readonly id?: string
}): RollcallEvent {
  const { event, sequence = 1, directory_id = 'directory-1' } = fields
  const data = { ...parts[event].data, ...fields.data }
  const changes = event.endsWith('.updated') ? { changes: {} } : {}
  const { id = `event-${sequence}` } = fields
  const head = { id, sequence, event, tenant: 'acme', product: 'crm', directory_id }
  return { ...head, created_at: '2026-03-02T09:30:00.000Z', data, ...changes } as RollcallEvent
}
