import { bucketSize } from '../../../src/store/reads/lists.ts'
import { listNumber, sequenceBits } from '../../../src/store/search-terms.ts'
import { execute } from '../../support/postgres.ts'

/** Ids of the rows that `fillDirectory` adds, as long as real ones, because the depth of an index depends on it. */
export const userId = (n: number): string => `${userIds}${String(n).padStart(12, '0')}`
export const groupId = 'group-everyone'

const [userIds, groupIds] = ['01900000-0000-7000-8000-', '01900000-0000-7000-9000-']
const idText = (ids: string): string => `'${ids}' || lpad(n::text, 12, '0')`
const [userIdText, groupIdText] = [idText(userIds), idText(groupIds)]

const raw = `json_build_object('schemas', json_build_array('urn:user'), 'id', ${userIdText}, 'userName', 'name-' || n)`

/**
 * Adds to a directory the users numbered `from` to `to`, each with an email address, a membership of the directory's
 * large group, and a group of its own, and as many deleted ones; with their events, and the first time the large group. Calls of the store would
 * write the same, but much more slowly.
 */
export async function fillDirectory(url: string, directoryId: string, from: number, to: number): Promise<void> {
  const sequence = `s.last_sequence + 4 * (n - ${from})`
  const rows = `from directory_state s cross join generate_series(${from}, ${to}) n where s.directory_id = '${directoryId}'`
  const insertGroups = `insert into groups
    (directory_id, id, sequence, version, created_at, updated_at, name, name_folded, external_id, raw)`
  const event = (offset: number, type: string) =>
    `select s.directory_id, ${sequence} + ${offset}, ${offset} || '-' || n, '${type}', 1, 'request', '{}' ${rows}`
  const count = (list: string, offset: number) => `
    insert into list_counts (directory_id, list_name, bucket, resources)
    select s.directory_id, ${list}, (${sequence} + ${offset}) / ${bucketSize}, count(*) ${rows} group by 1, 2, 3
    on conflict (directory_id, list_name, bucket) do update set resources = list_counts.resources + excluded.resources`
  const [found] = await execute(url, `select product from directories where id = '${directoryId}'`)
  const product = String(found?.['product'])
  const lists = { user: listNumber(product, 'user'), group: listNumber(product, 'group') }
  await execute(
    url,
    `begin;
    ${insertGroups} values ('${directoryId}', '${groupId}', 0, 1, 1, 1, 'Everyone', 'everyone', null, '{}')
      on conflict do nothing;
    insert into users (directory_id, id, sequence, version, created_at, updated_at, user_name, user_name_folded,
        external_id, display_name, email, first_name, last_name, active, name_is_email, raw)
      select s.directory_id, ${userIdText}, ${sequence} + 1, 1, 1, 1, 'name-' || n, 'name-' || n,
        'external-' || n, '', '', '', '', 1, 0, ${raw} ${rows};
    insert into user_emails (directory_id, email, user_id)
      select s.directory_id, 'name-' || n || '@acme.example', ${userIdText} ${rows};
    insert into deleted_users (directory_id, user_id, user_name_digest, external_id_digest, deleted_at)
      select s.directory_id, 'deleted-' || n, 'name-deleted-' || n, 'external-deleted-' || n, n ${rows};
    insert into search_terms (list, row_key, term, shared)
      select t.list, (d.number << ${sequenceBits}) + t.sequence, t.term, t.shared
      from directories d join directory_state s on s.directory_id = d.id cross join generate_series(${from}, ${to}) n
      cross join lateral (values
        (${lists.user}, ${sequence} + 1, 'name-' || n, 0),
        (${lists.user}, ${sequence} + 1, 'name-' || n || '@acme.example', length('name-' || n)),
        (${lists.group}, ${sequence} + 3, 'group ' || n, 0), (${lists.group}, ${sequence} + 3, n || ' ', 0)
      ) as t (list, sequence, term, shared)
      where s.directory_id = '${directoryId}';
    insert into members (directory_id, group_id, member_id, member_type, sequence)
      select s.directory_id, '${groupId}', ${userIdText}, 'User', ${sequence} + 2 ${rows};
    ${insertGroups} select s.directory_id, ${groupIdText}, ${sequence} + 3, 1, 1, 1, 'Group ' || n, 'group ' || n,
        'external-' || n, '{}' ${rows};
    insert into members (directory_id, group_id, member_id, member_type, sequence)
      select s.directory_id, ${groupIdText}, ${userIdText}, 'User', ${sequence} + 4 ${rows};
    ${count(`'users'`, 1)}; ${count(`'${groupId}'`, 2)}; ${count(`'groups'`, 3)}; ${count(groupIdText, 4)};
    insert into events (directory_id, sequence, id, event_type, created_at, request_id, data)
      ${event(1, 'user.created')} union all ${event(2, 'group.user_added')}
      union all ${event(3, 'group.created')} union all ${event(4, 'group.user_added')};
    update directory_state set last_sequence = last_sequence + 4 * (${to} - ${from} + 1), last_user_deleted_at = ${to}
      where directory_id = '${directoryId}';
    commit`,
  )
}

/** Keeps PostgreSQL from gathering statistics during a test. */
export async function stopAutovacuum(url: string): Promise<void> {
  const tables = await execute(url, `select tablename from pg_tables where schemaname = 'public'`)
  const changes = tables.map(({ tablename }) => `alter table ${tablename} set (autovacuum_enabled = false)`)
  await execute(url, changes.join(';'))
}
