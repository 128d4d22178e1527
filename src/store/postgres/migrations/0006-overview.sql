-- The health of directories as it was last decided, and how much happens in them: for overviews and lists of many directories.

-- The health of each directory, for counts and lists. The facts that it depends on are in other tables, whose triggers below
-- mark a directory when they change; checks decide marked directories again: see src/diagnostics/health/checks.ts.
create table directory_health (
  directory_id text collate "C" primary key references directories (id) on delete cascade,
  tenant text collate "C" not null,      -- of the directory; the columns up to deactivated are kept by a trigger
  tenant_folded text collate "C" not null, -- in lower case; so is the name
  product text collate "C" not null,
  directory_type text collate "C" not null,
  name_folded text collate "C" not null,
  created_at bigint not null,
  deactivated integer not null,
  severity integer not null,             -- the state and the worst reason, the worst lowest: see src/diagnostics/health/severity.ts
  held integer not null default 0,
  overdue integer not null default 0,    -- 1: it has overdue deprovisionings
  behind integer not null default 0,     -- 1: events have been waiting for long
  event_minute bigint not null default 0, -- of the last event in volume_totals, in minutes since 1970
  check_at bigint,                       -- when time alone may change the state; null: never
  checks bigint not null default 0       -- counts the checks, so that none overwrites a later one
) with (fillfactor = 70);
-- The last columns are filtered by, or counted, without reading the table.
create index directory_health_by_severity
  on directory_health (severity, directory_id, product, tenant, directory_type, held, overdue, deactivated);
create index directory_health_of_product
  on directory_health (product, severity, directory_id, tenant, directory_type, held, overdue, deactivated);
create index directory_health_of_tenant on directory_health (tenant, directory_id);
create index directory_health_by_tenant_name on directory_health (tenant_folded, directory_id);
create index directory_health_by_name on directory_health (name_folded, directory_id);
create index directory_health_of_product_by_name on directory_health (product, name_folded, directory_id);
create index directory_health_by_event on directory_health (event_minute, directory_id);
create index directory_health_of_product_by_event on directory_health (product, event_minute, directory_id);
create index directory_health_by_age on directory_health (created_at, directory_id);
create index directory_health_of_product_by_age on directory_health (product, created_at, directory_id);
create index directory_health_due on directory_health (check_at, directory_id) where check_at is not null;
create index directory_health_overdue on directory_health (directory_id, product, tenant) where overdue = 1;

-- The number of directories of a product with the same health: the sum of these rows, so that no count reads every directory.
create table health_counts (
  product text collate "C" not null,
  severity integer not null,
  held integer not null,
  deactivated integer not null,
  directories bigint not null,
  primary key (product, severity, held, deactivated)
) with (fillfactor = 70);

-- What is not in health_counts yet: a row for each directory that came or went. Rows are only added, so that no transaction
-- waits for another one; they are moved there every few seconds.
create table health_count_changes (
  id text collate "C" primary key default gen_random_uuid()::text,
  product text collate "C" not null,
  severity integer not null,
  held integer not null,
  deactivated integer not null,
  directories integer not null           -- 1 or -1
);

-- The directories whose health must be decided again. Marks are only added, so that no transaction waits for another one.
create table health_marks (
  directory_id text collate "C" not null,
  id text collate "C" not null default gen_random_uuid()::text,
  primary key (directory_id, id)
);

-- Events and failed deliveries that are not in volume_totals yet, per minute since 1970: each commit adds to the row of its
-- directory, which no other directory waits for. They are moved there every few seconds.
create table event_volumes (
  directory_id text collate "C" not null, -- no foreign key: adding rows locks the row of the directory
  minute bigint not null,
  events bigint not null,
  failed_deliveries bigint not null,
  primary key (directory_id, minute)
) with (fillfactor = 70);

-- Events and failed deliveries of a tenant and product; of the whole product (tenant is empty); and of everything (both are
-- empty): per minute, hour and day.
create table volume_totals (
  product text collate "C" not null,
  tenant text collate "C" not null,
  unit bigint not null,                  -- the length of the period, in milliseconds
  start bigint not null,
  events bigint not null,
  failed_deliveries bigint not null,
  primary key (product, tenant, unit, start)
) with (fillfactor = 70);
create index volume_totals_of_tenant on volume_totals (tenant, unit, start) where tenant <> '' and product <> '';
create index volume_totals_by_age on volume_totals (unit, start);

-- When counting began: earlier periods are unknown, not empty.
create table volume_start (
  id integer primary key check (id = 1),
  at bigint not null
);
insert into volume_start (id, at) values (1, (extract(epoch from clock_timestamp()) * 1000)::bigint);

insert into directory_health
  (directory_id, tenant, tenant_folded, product, directory_type, name_folded, created_at, deactivated, severity)
select id, tenant, lower(tenant collate "C"), product, directory_type, lower(name collate "C"), created_at, deactivated, 112
from directories where deleted = 0;
insert into health_marks (directory_id) select directory_id from directory_health;
-- directory_health has these columns, and indexes of them.
drop index directories_by_name;
drop index directories_by_tenant_name;
insert into health_counts (product, severity, held, deactivated, directories)
select product, severity, held, deactivated, count(*) from directory_health group by product, severity, held, deactivated;

create function count_health() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into health_count_changes (product, severity, held, deactivated, directories)
    values (old.product, old.severity, old.held, old.deactivated, -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into health_count_changes (product, severity, held, deactivated, directories)
    values (new.product, new.severity, new.held, new.deactivated, 1);
  end if;
  return null;
end
$$;
create trigger health_counted after insert or delete on directory_health
  for each row execute function count_health();
create trigger changed_health_counted after update on directory_health
  for each row when ((old.severity, old.held, old.deactivated) <> (new.severity, new.held, new.deactivated))
  execute function count_health();

create function mark_health() returns trigger language plpgsql as $$
begin
  insert into health_marks (directory_id)
  select h.directory_id from directory_health h where h.directory_id = coalesce(new.directory_id, old.directory_id);
  return null;
end
$$;

create function keep_directory_health() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into directory_health
      (directory_id, tenant, tenant_folded, product, directory_type, name_folded, created_at, deactivated, severity)
    values (new.id, new.tenant, lower(new.tenant collate "C"), new.product, new.directory_type,
      lower(new.name collate "C"), new.created_at, new.deactivated, 112);
  elsif new.deleted = 1 then
    delete from directory_health where directory_id = new.id;
    delete from health_marks where directory_id = new.id;
    return null;
  else
    update directory_health set directory_type = new.directory_type, name_folded = lower(new.name collate "C"),
      deactivated = new.deactivated
    where directory_id = new.id;
  end if;
  insert into health_marks (directory_id) values (new.id);
  return null;
end
$$;

create trigger directory_created after insert on directories
  for each row when (new.deleted = 0) execute function keep_directory_health();
create trigger directory_changed after update on directories
  for each row when (
    (old.name, old.directory_type, old.deactivated, old.deleted, old.endpoint_url, old.extdir, old.can_sync)
    is distinct from (new.name, new.directory_type, new.deactivated, new.deleted, new.endpoint_url, new.extdir, new.can_sync)
  ) execute function keep_directory_health();
create trigger first_change_marks_health after update of last_change_at on directory_state
  for each row when (old.last_change_at is null and new.last_change_at is not null) execute function mark_health();
create trigger activity_marks_health after insert on directory_activity
  for each row execute function mark_health();
create trigger changed_activity_marks_health after update on directory_activity
  for each row when (
    (old.last_request_at is null, old.failed_since_success, old.failed_beside, old.feed_read_at is null)
    is distinct from (new.last_request_at is null, new.failed_since_success, new.failed_beside, new.feed_read_at is null)
  ) execute function mark_health();
create trigger stream_marks_health after insert on delivery_streams
  for each row when (new.failures > 0 or new.paused_at is not null) execute function mark_health();
create trigger changed_stream_marks_health after update on delivery_streams
  for each row when (
    (old.failures, old.paused_at, old.pause_reason) is distinct from (new.failures, new.paused_at, new.pause_reason)
  ) execute function mark_health();
create trigger dead_event_marks_health after insert or delete on dead_events
  for each row execute function mark_health();
create trigger hold_marks_health after insert or delete on holds
  for each row execute function mark_health();
create trigger sync_run_marks_health after insert on sync_runs
  for each row execute function mark_health();
create trigger changed_sync_run_marks_health after update on sync_runs
  for each row when (old.state <> new.state) execute function mark_health();
create trigger overdue_marks_health after update of reported on deprovisionings
  for each row execute function mark_health();
create trigger ended_overdue_marks_health after delete on deprovisionings
  for each row when (old.reported = 1) execute function mark_health();
