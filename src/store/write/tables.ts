/** The type of a column in a statement. */
export type ColumnType = 'text' | 'int8' | 'int4'

/** The columns of a table that writes name, with their types. */
export type Columns = Readonly<Record<string, ColumnType>>

/** A table that commits of a directory write. Its primary key begins with the directory, unless that is part of `row_key`. */
export interface AnyTable {
  readonly name: string
  /** The columns that identify a row within the directory. */
  readonly key: readonly string[]
  readonly columns: Columns
  readonly isKeyedByDirectory: boolean
}

/** A table with these columns. */
export interface Table<C extends Columns> extends AnyTable {
  readonly columns: C
}

/** Names a table. @param key the columns that identify a row within the directory */
export function table<const C extends Columns>(
  name: string,
  key: readonly (string & keyof C)[],
  columns: C,
  isKeyedByDirectory = true,
): Table<C> {
  return { name, key, columns, isKeyedByDirectory }
}

export const groups = table('groups', ['id'], {
  id: 'text',
  sequence: 'int8',
  version: 'int8',
  created_at: 'int8',
  updated_at: 'int8',
  name: 'text',
  name_folded: 'text',
  external_id: 'text',
  raw: 'text',
})

export const members = table('members', ['group_id', 'member_id'], {
  group_id: 'text',
  member_id: 'text',
  member_type: 'text',
  sequence: 'int8',
})

export const events = table('events', ['sequence'], {
  sequence: 'int8',
  id: 'text',
  event_type: 'text',
  created_at: 'int8',
  request_id: 'text',
  trace_context: 'text',
  group_id: 'text',
  data: 'text',
  changes: 'text',
})

/** How many rows a list has in a bucket of sequence numbers: see `lists.ts`. */
export const listCounts = table('list_counts', ['list_name', 'bucket'], {
  list_name: 'text',
  bucket: 'int8',
  resources: 'int8',
})

export const eventVolumes = table('event_volumes', ['minute'], {
  minute: 'int8',
  events: 'int8',
  failed_deliveries: 'int8',
})

/** The row key begins with the number of the directory. */
export const searchTerms = table(
  'search_terms',
  ['list', 'term', 'row_key'],
  { list: 'int8', term: 'text', row_key: 'int8', shared: 'int4' },
  false,
)

export const deprovisionings = table('deprovisionings', ['sequence'], {
  sequence: 'int8',
  user_id: 'text',
  subject: 'text',
  received_at: 'int8',
})

export const deletedUsers = table('deleted_users', ['user_id'], {
  user_id: 'text',
  user_name_digest: 'text',
  external_id_digest: 'text',
  deleted_at: 'int8',
  account_id: 'text',
})

export const removedUsers = table('removed_users', ['user_id'], {
  user_id: 'text',
  row_position: 'int8',
  removed_at: 'int8',
  user_name_folded: 'text',
  email: 'text',
  returned_at: 'int8',
})

export const removedMemberships = table('removed_memberships', ['group_id', 'member_id'], {
  group_id: 'text',
  member_id: 'text',
  row_position: 'int8',
})

export const userRoles = table('user_roles', ['role', 'position'], {
  role: 'text',
  position: 'int8',
  user_id: 'text',
})

export const roleCounts = table('role_counts', ['role'], { role: 'text', users: 'int8' })
