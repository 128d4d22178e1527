-- The health of directories as it was last decided, and how much happens in them: for overviews and lists of many directories.

-- The health of each directory, for counts and lists. The facts that it depends on are in other tables, whose triggers below
-- mark a directory when they change; checks decide marked directories again: see src/diagnostics/health/checks.ts.
create table directory_health (
  directory_id text primary key references directories (id) on delete cascade,
  tenant text not null,                  -- of the directory; the columns up to deactivated are kept by a trigger
  tenant_folded text not null,           -- in lower case; so is the name
  product text not null,
  directory_type text not null,
  name_folded text not null,
  created_at integer not null,
  deactivated integer not null,
  severity integer not null,             -- the state and the worst reason, the worst lowest: see src/diagnostics/health/severity.ts
  held integer not null default 0,
  overdue integer not null default 0,    -- 1: it has overdue deprovisionings
  behind integer not null default 0,     -- 1: events have been waiting for long
  event_minute integer not null default 0, -- of the last event in volume_totals, in minutes since 1970
  check_at integer,                      -- when time alone may change the state; null: never
  checks integer not null default 0      -- counts the checks, so that none overwrites a later one
) strict, without rowid;
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
  product text not null,
  severity integer not null,
  held integer not null,
  deactivated integer not null,
  directories integer not null,
  primary key (product, severity, held, deactivated)
) strict, without rowid;

-- What is not in health_counts yet: a row for each directory that came or went. They are moved there every few seconds.
create table health_count_changes (
  id integer primary key,
  product text not null,
  severity integer not null,
  held integer not null,
  deactivated integer not null,
  directories integer not null           -- 1 or -1
) strict;

-- The directories whose health must be decided again.
create table health_marks (
  id integer primary key autoincrement,
  directory_id text not null
) strict;
create index health_marks_by_directory on health_marks (directory_id, id);

-- Events and failed deliveries that are not in volume_totals yet, per minute since 1970. They are moved there every few seconds.
create table event_volumes (
  directory_id text not null,
  minute integer not null,
  events integer not null,
  failed_deliveries integer not null,
  primary key (directory_id, minute)
) strict, without rowid;

-- Events and failed deliveries of a tenant and product; of the whole product (tenant is empty); and of everything (both are
-- empty): per minute, hour and day.
create table volume_totals (
  product text not null,
  tenant text not null,
  unit integer not null,                 -- the length of the period, in milliseconds
  start integer not null,
  events integer not null,
  failed_deliveries integer not null,
  primary key (product, tenant, unit, start)
) strict, without rowid;
create index volume_totals_of_tenant on volume_totals (tenant, unit, start) where tenant <> '' and product <> '';
create index volume_totals_by_age on volume_totals (unit, start);

-- When counting began: earlier periods are unknown, not empty.
create table volume_start (
  id integer primary key check (id = 1),
  at integer not null
) strict;
insert into volume_start (id, at) values (1, cast(unixepoch('subsec') * 1000 as integer));

insert into directory_health
  (directory_id, tenant, tenant_folded, product, directory_type, name_folded, created_at, deactivated, severity)
select id, tenant, lower(tenant), product, directory_type, lower(name), created_at, deactivated, 112
from directories where deleted = 0;
insert into health_marks (directory_id) select directory_id from directory_health;
-- directory_health has these columns, and indexes of them.
drop index directories_by_name;
drop index directories_by_tenant_name;
insert into health_counts (product, severity, held, deactivated, directories)
select product, severity, held, deactivated, count(*) from directory_health group by product, severity, held, deactivated;

create trigger health_counted after insert on directory_health
begin
  insert into health_count_changes (product, severity, held, deactivated, directories)
  values (new.product, new.severity, new.held, new.deactivated, 1);
end;
create trigger removed_health_counted after delete on directory_health
begin
  insert into health_count_changes (product, severity, held, deactivated, directories)
  values (old.product, old.severity, old.held, old.deactivated, -1);
end;
create trigger changed_health_counted after update on directory_health
when (old.severity, old.held, old.deactivated) <> (new.severity, new.held, new.deactivated)
begin
  insert into health_count_changes (product, severity, held, deactivated, directories)
  values (old.product, old.severity, old.held, old.deactivated, -1),
    (new.product, new.severity, new.held, new.deactivated, 1);
end;

create trigger directory_created after insert on directories when new.deleted = 0
begin
  insert into directory_health
    (directory_id, tenant, tenant_folded, product, directory_type, name_folded, created_at, deactivated, severity)
  values (new.id, new.tenant, lower(new.tenant), new.product, new.directory_type, lower(new.name), new.created_at,
    new.deactivated, 112);
  insert into health_marks (directory_id) values (new.id);
end;
create trigger directory_changed after update on directories
when new.deleted = 0 and (old.name, old.directory_type, old.deactivated, old.can_sync)
  <> (new.name, new.directory_type, new.deactivated, new.can_sync)
  or new.deleted = 0 and (old.endpoint_url is not new.endpoint_url or old.extdir is not new.extdir)
begin
  update directory_health set directory_type = new.directory_type, name_folded = lower(new.name),
    deactivated = new.deactivated
  where directory_id = new.id;
  insert into health_marks (directory_id) values (new.id);
end;
create trigger directory_hidden after update of deleted on directories when new.deleted = 1
begin
  delete from directory_health where directory_id = new.id;
  delete from health_marks where directory_id = new.id;
end;
create trigger activity_marks_health after insert on directory_activity
begin
  insert into health_marks (directory_id) select directory_id from directory_health where directory_id = new.directory_id;
end;
create trigger changed_activity_marks_health after update on directory_activity
when (old.last_request_at is null, old.failed_since_success, old.failed_beside, old.feed_read_at is null)
  <> (new.last_request_at is null, new.failed_since_success, new.failed_beside, new.feed_read_at is null)
begin
  insert into health_marks (directory_id) select directory_id from directory_health where directory_id = new.directory_id;
end;
create trigger stream_marks_health after insert on delivery_streams when new.failures > 0 or new.paused_at is not null
begin
  insert into health_marks (directory_id) select directory_id from directory_health where directory_id = new.directory_id;
end;
create trigger changed_stream_marks_health after update on delivery_streams
when old.failures <> new.failures or old.paused_at is not new.paused_at or old.pause_reason is not new.pause_reason
begin
  insert into health_marks (directory_id) select directory_id from directory_health where directory_id = new.directory_id;
end;
create trigger dead_event_marks_health after insert on dead_events
begin
  insert into health_marks (directory_id) select directory_id from directory_health where directory_id = new.directory_id;
end;
create trigger removed_dead_event_marks_health after delete on dead_events
begin
  insert into health_marks (directory_id) select directory_id from directory_health where directory_id = old.directory_id;
end;
create trigger hold_marks_health after insert on holds
begin
  insert into health_marks (directory_id) select directory_id from directory_health where directory_id = new.directory_id;
end;
create trigger ended_hold_marks_health after delete on holds
begin
  insert into health_marks (directory_id) select directory_id from directory_health where directory_id = old.directory_id;
end;
create trigger sync_run_marks_health after insert on sync_runs
begin
  insert into health_marks (directory_id) select directory_id from directory_health where directory_id = new.directory_id;
end;
create trigger changed_sync_run_marks_health after update on sync_runs when old.state <> new.state
begin
  insert into health_marks (directory_id) select directory_id from directory_health where directory_id = new.directory_id;
end;
create trigger overdue_marks_health after update of reported on deprovisionings
begin
  insert into health_marks (directory_id) select directory_id from directory_health where directory_id = new.directory_id;
end;
create trigger ended_overdue_marks_health after delete on deprovisionings when old.reported = 1
begin
  insert into health_marks (directory_id) select directory_id from directory_health where directory_id = old.directory_id;
end;
