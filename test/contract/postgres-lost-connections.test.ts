import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPostgresStore } from '../../src/store/postgres/open.ts'
import { eventually } from '../support/eventually.ts'
import { execute, startPostgres } from '../support/postgres.ts'
import { failOnPurgeError, someSealing } from './store/database.ts'
import { addLargeGroup, memberIds, requireConsistent } from './store/large-changes.ts'
import { eventsOf, replacedBy, writesTo } from './store/samples.ts'

/** Makes the server end the connection that writes for the n-th time, or that commits when n is -1. */
const loseConnections = `
  create sequence writes;
  create table lost_at (write int8 not null);
  insert into lost_at values (0);
  create function lose_connection() returns trigger language plpgsql as $$ begin
    if (tg_name = 'at_commit' and (select write from lost_at) = -1) or nextval('writes') = (select write from lost_at)
      then perform pg_terminate_backend(pg_backend_pid()); end if;
    return null;
  end $$;
  create trigger at_members after insert or delete on members for each statement execute function lose_connection();
  create trigger at_events after insert on events for each statement execute function lose_connection();
  create trigger at_groups after update on groups for each statement execute function lose_connection();
  create trigger at_counts after insert or update or delete on list_counts for each statement
    execute function lose_connection();
  create constraint trigger at_commit after update on groups deferrable initially deferred for each row
    execute function lose_connection()`

/** Every third write is tried. */
const stride = 3

test('postgres: a large change is made as a whole or not at all, whichever of its writes loses the connection', async () => {
  await using database = await startPostgres()
  const { url } = database
  const store = await openPostgresStore({ url, poolSize: 4 }, someSealing(), failOnPurgeError)
  const { directory, group, others } = await addLargeGroup(store)
  const [members, events] = [await memberIds(store, directory, group), await eventsOf(store, directory)]
  await execute(url, loseConnections)

  async function changeLosing(write: number): Promise<'made' | 'rejected'> {
    await execute(url, `update lost_at set write = ${write}; alter sequence writes restart`)
    const outcome = await writesTo(store, directory)
      .changeMembers(group, replacedBy(others))
      .then(
        () => 'made' as const,
        () => 'rejected' as const,
      )
    await eventually('the connections to be replaced', () =>
      store.ping().then(
        () => true,
        () => false,
      ),
    )
    return outcome
  }

  let rejections = 0
  for (let write = -1; (await changeLosing(write)) === 'rejected'; write = write < 0 ? 1 : write + stride) {
    rejections += 1
    assert.deepEqual(await memberIds(store, directory, group), members)
    assert.equal((await eventsOf(store, directory)).length, events.length)
    await requireConsistent(store, directory, group)
  }
  assert.ok(rejections > 5, `${rejections}`)
  assert.equal((await memberIds(store, directory, group)).length, others.length)
  await requireConsistent(store, directory, group)
  await store.close()
})
