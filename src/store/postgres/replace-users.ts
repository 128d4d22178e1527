import type { DirectoryRevision } from '../../directory/directory.ts'
import { fold } from '../../scim/fold.ts'
import type { UnnumberedEvent } from '../events.ts'
import type { Database } from './database.ts'
import { eventColumns, eventTypes, eventValues } from './events.ts'
import type { UserReplacement, UserReplacementOutcome } from './replace-user.ts'
import { replaceUser, without } from './replace-user.ts'
import { arrayParameters, columnsOf } from './sql.ts'
import { emailArrays, userTypes, userValueColumns, userValues } from './user-rows.ts'

/** One statement that locks the directory first, like that of `create-users.ts`. */
const text = `
  with lock as materialized (
    select last_sequence from directory_state where directory_id = $1 and revision = $2 for update
  ),
  wanted as materialized (
    select i.*, exists (
      select from users u
      where u.directory_id = $1 and u.user_name_folded = i.user_name_folded and u.id <> i.id) as is_taken
    from lock l cross join unnest(${arrayParameters(3, userTypes)}, ${arrayParameters(16, eventTypes)}, (select $22::int8[])) with ordinality
      as i (${userValueColumns}, ${eventColumns}, version_before, n)
  ),
  changed as (
    update users u set version = w.version, updated_at = w.updated_at, user_name = w.user_name,
      user_name_folded = w.user_name_folded, external_id = w.external_id, display_name = w.display_name,
      email = w.email, first_name = w.first_name, last_name = w.last_name, active = w.active, raw = w.raw
    from wanted w
    where u.directory_id = $1 and u.id = w.id and u.id = any((select $3::text[])::text[]) and u.version = w.version_before and not w.is_taken
    returning w.n, w.id
  ),
  numbered as materialized (
    select c.n, c.id, l.last_sequence + row_number() over (order by c.n) as sequence
    from changed c cross join lock l
  ),
  gone_emails as (
    delete from user_emails e
    using unnest((select $23::text[]), (select $24::text[])) as g (user_id, email) join numbered c on c.id = g.user_id
    where e.directory_id = $1 and e.email = g.email and e.user_id = g.user_id
  ),
  new_emails as (
    insert into user_emails (directory_id, email, user_id)
    select $1, e.email, e.user_id from unnest((select $25::text[]), (select $26::text[])) as e (user_id, email)
    join numbered c on c.id = e.user_id
    on conflict do nothing
  ),
  new_events as (
    insert into events (directory_id, sequence, id, event_type, created_at, request_id, data, changes)
    select $1, c.sequence, ${eventColumns} from numbered c join wanted w on w.n = c.n
  ),
  advanced as (
    update directory_state s set last_sequence = l.last_sequence + c.changed
    from lock l cross join (select count(*) as changed from numbered) c
    where s.directory_id = $1 and c.changed > 0
  )
  select l.last_sequence, (select array_agg(n::int4 order by n) from numbered) as changed,
    (select array_agg(n::int4) from wanted where is_taken) as taken
  from lock l`

/**
 * Replaces users with their events. Of several changes of one user the first counts, the others come too late; of
 * several users that want one name the second and later are looked at afterwards.
 */
export async function replaceUsers(
  database: Database,
  directory: DirectoryRevision,
  inputs: readonly UserReplacement[],
): Promise<UserReplacementOutcome[]> {
  const [only, second] = inputs
  if (only !== undefined && second === undefined) return [await replaceUser(database, directory, only)]
  const firsts = firstOfEach(inputs, ({ before }) => before.id)
  const now = firstOfEach(firsts, ({ after }) => fold(after.userName))
  const outcomes = await replaceAtOnce(database, directory, now)
  const later = firsts.filter((input) => !outcomes.has(input))
  const rest = later.length === 0 ? [] : await replaceUsers(database, directory, later)
  for (const [index, input] of later.entries()) outcomes.set(input, rest[index] ?? 'version-mismatch')
  return inputs.map((input) => outcomes.get(input) ?? 'version-mismatch')
}

async function replaceAtOnce(
  database: Database,
  { id, revision }: DirectoryRevision,
  inputs: readonly UserReplacement[],
): Promise<Map<UserReplacement, UserReplacementOutcome>> {
  const [row] = await database.query({ text, values: [id, revision, ...valuesOf(inputs)] })
  if (row === undefined) return new Map(inputs.map((input) => [input, 'directory-changed']))
  const answer = row as unknown as Answer
  return new Map(inputs.map((input, index) => [input, outcomeOf(answer, input.event, index + 1)]))
}

interface Answer {
  readonly last_sequence: number
  readonly changed: number[] | null
  readonly taken: number[] | null
}

function outcomeOf(
  { last_sequence, changed, taken }: Answer,
  event: UnnumberedEvent,
  n: number,
): UserReplacementOutcome {
  const place = changed?.indexOf(n) ?? -1
  if (place >= 0) return { events: [{ ...event, sequence: last_sequence + place + 1 }] }
  return taken?.includes(n) ? 'user-name-taken' : 'version-mismatch'
}

function valuesOf(inputs: readonly UserReplacement[]): unknown[][] {
  const gone = inputs.map(({ before, after }) => ({ id: after.id, emails: without(before.emails, after.emails) }))
  const come = inputs.map(({ before, after }) => ({ id: after.id, emails: without(after.emails, before.emails) }))
  return [
    ...columnsOf(
      userTypes.length,
      inputs.map(({ after }) => userValues(after)),
    ),
    ...columnsOf(
      eventTypes.length,
      inputs.map(({ event }) => eventValues(event)),
    ),
    inputs.map(({ before }) => before.version),
    ...emailArrays(gone),
    ...emailArrays(come),
  ]
}

function firstOfEach<T>(inputs: readonly T[], keyOf: (input: T) => string): T[] {
  const firsts = new Map<string, T>()
  for (const input of inputs) {
    const key = keyOf(input)
    if (!firsts.has(key)) firsts.set(key, input)
  }
  return [...firsts.values()]
}
