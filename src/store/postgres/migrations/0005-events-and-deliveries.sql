-- Reading events in the console counted as reading the feed. The next read by a consumer sets the time again.
update directory_activity set feed_read_at = null where feed_read_at is not null;

-- 1: an operator skipped the event, and the reason is the operator's.
alter table dead_events add column skipped integer not null default 0;

-- Lists the events of one type. The expressions keep the planner from using it in place of the primary key.
create index events_by_type on events ((event_type || ''), directory_id, (sequence + 0));

-- Of the directory, where they never change: lists over several directories filter by them.
alter table dead_events add column tenant text collate "C" not null default '';
alter table dead_events add column product text collate "C" not null default '';
update dead_events set
  tenant = (select d.tenant from directories d where d.id = dead_events.directory_id),
  product = (select d.product from directories d where d.id = dead_events.directory_id);
create index dead_events_by_age on dead_events (died_at, directory_id, sequence) where target = 'endpoint';
create index dead_events_by_directory on dead_events (directory_id, died_at, sequence) where target = 'endpoint';
create index dead_events_by_tenant on dead_events (tenant, died_at, directory_id, sequence) where target = 'endpoint';
create index dead_events_by_product on dead_events (product, died_at, directory_id, sequence) where target = 'endpoint';
create index dead_events_by_scope on dead_events (tenant, product, died_at, directory_id, sequence)
  where target = 'endpoint';

-- The beginning of the response body, encrypted, of refused attempts, and of all while log_webhook_events is on; null without
-- any. The id binds it to its row.
alter table delivery_attempts add column response_id text collate "C";
alter table delivery_attempts add column response_body text;
create index delivery_attempts_by_key on delivery_attempts (substr(response_body, 1, 11))
  where response_body is not null;
