type Fields = Readonly<Record<string, unknown>>

/**
 * A user as Polis returns it, without its directory: the e-mail address is the first one, and `roles` are those that the
 * identity provider sent.
 */
export function polisUser<T extends Fields>(user: T): Omit<T, 'directory_id'> {
  const { directory_id, ...fields } = user
  const raw = objectOf(user['raw'])
  if (raw === undefined) return fields
  const email = firstEmail(raw) ?? user['email']
  const roles = rolesOf(raw)
  return { ...fields, email, ...(roles === undefined ? {} : { roles }) }
}

/** A group as Polis returns it, without its directory: `raw.members` is an empty list, and the members have a route of their own. */
export function polisGroup<T extends Fields>(group: T): Omit<T, 'members' | 'directory_id'> {
  const { members, directory_id, ...fields } = group
  const raw = objectOf(group['raw'])
  return raw === undefined ? fields : { ...fields, raw: { ...raw, members: [] } }
}

/** The data of an event: a user, a group, or a user with its group. */
export function polisData(eventType: string, data: Fields): Fields {
  const group = objectOf(data['group'])
  if (group !== undefined) return { ...polisUser(data), group: polisGroup(group) }
  return eventType.startsWith('group.') ? polisGroup(data) : polisUser(data)
}

function firstEmail(raw: Fields): string | undefined {
  const { emails, userName } = raw
  const first = Array.isArray(emails) ? textOf(emails[0]) : undefined
  return first ?? (typeof userName === 'string' ? userName : undefined)
}

/** Roles as texts, whatever form they were sent in; undefined without any. */
function rolesOf({ roles }: Fields): string[] | undefined {
  if (!Array.isArray(roles)) return undefined
  const values = roles.flatMap((role) => textOf(role)?.split(',') ?? [])
  return values.length === 0 ? undefined : values
}

function textOf(item: unknown): string | undefined {
  const value = typeof item === 'string' ? item : objectOf(item)?.['value']
  return typeof value === 'string' ? value : undefined
}

function objectOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}
