import type { DirectoryRevision } from '../../directory/directory.ts'
import { fold } from '../../scim/fold.ts'
import { bucketSize } from '../lists.ts'
import { createUser } from './create-user.ts'
import type { Database } from './database.ts'
import { eventColumns, eventTypes, eventValues } from './events.ts'
import type { NewUser, NewUserOutcome } from './new-user.ts'
import { arrayParameters, columnsOf } from './sql.ts'
import { emailArrays, userTypes, userValueColumns, userValues } from './user-rows.ts'

/**
 * One statement, which locks the directory before it writes anything: everything is made of `fresh`, which needs the
 * lock. It sees the names as they were when it began; one that another process takes while it waits for the lock breaks
 * the unique index, and the statement is repeated.
 */
const text = `
  with lock as materialized (
    select last_sequence from directory_state where directory_id = $1 and revision = $2 for update
  ),
  fresh as materialized (
    select i.*, l.last_sequence + row_number() over (order by i.n) as sequence
    from lock l cross join unnest(${arrayParameters(3, userTypes)}, ${arrayParameters(16, eventTypes)}) with ordinality
      as i (${userValueColumns}, ${eventColumns}, n)
    where not exists (
      select from users u where u.directory_id = $1 and u.user_name_folded = i.user_name_folded)
  ),
  new_users as (
    insert into users (directory_id, sequence, ${userValueColumns})
    select $1, sequence, ${userValueColumns} from fresh
  ),
  new_emails as (
    insert into user_emails (directory_id, email, user_id)
    select $1, e.email, e.user_id from unnest((select $22::text[]), (select $23::text[])) as e (user_id, email)
    join fresh f on f.id = e.user_id
  ),
  counted as (
    insert into list_counts (directory_id, list_name, bucket, resources)
    select $1, 'users', sequence / ${bucketSize}, count(*) from fresh group by sequence / ${bucketSize}
    on conflict (directory_id, list_name, bucket) do update
    set resources = list_counts.resources + excluded.resources
  ),
  new_events as (
    insert into events (directory_id, sequence, id, event_type, created_at, request_id, data, changes)
    select $1, sequence, ${eventColumns} from fresh
  ),
  advanced as (
    update directory_state s set last_sequence = l.last_sequence + f.created
    from lock l cross join (select count(*) as created from fresh) f
    where s.directory_id = $1 and f.created > 0
  )
  select l.last_sequence, (select array_agg(n::int4 order by n) from fresh) as created from lock l`

/** Creates users with their events; of several with one name the first. */
export async function createUsers(
  database: Database,
  { id, revision }: DirectoryRevision,
  inputs: readonly NewUser[],
): Promise<NewUserOutcome[]> {
  const [first, second] = inputs
  if (first !== undefined && second === undefined) return [await createUser(database, { id, revision }, first)]
  const firsts = firstOfEachName(inputs)
  const users = firsts.map(({ user }) => user)
  const events = firsts.map(({ event }) => event)
  const values = [
    id,
    revision,
    ...columnsOf(userTypes.length, users.map(userValues)),
    ...columnsOf(eventTypes.length, events.map(eventValues)),
    ...emailArrays(users),
  ]
  const [row] = await database.query({ text, values })
  if (row === undefined) return inputs.map(() => 'directory-changed')
  const { last_sequence, created } = row as { last_sequence: number; created: number[] | null }
  const sequences = new Map(created?.map((n, index) => [firsts[n - 1], last_sequence + index + 1]))
  return inputs.map((input) => {
    const sequence = sequences.get(input)
    return sequence === undefined ? 'user-name-taken' : { events: [{ ...input.event, sequence }] }
  })
}

function firstOfEachName(inputs: readonly NewUser[]): NewUser[] {
  const names = new Map<string, NewUser>()
  for (const input of inputs) {
    const name = fold(input.user.userName)
    if (!names.has(name)) names.set(name, input)
  }
  return [...names.values()]
}
