-- Reading events in the console counted as reading the feed. The next read by a consumer sets the time again.
update directory_activity set feed_read_at = null where feed_read_at is not null;

-- 1: an operator skipped the event, and the reason is the operator's.
alter table dead_events add column skipped integer not null default 0;

-- Lists the events of one type; their row keys begin with the number of the directory.
create index events_by_type on events (event_type);
