-- Reading events in the console counted as reading the feed. The next read by a consumer sets the time again.
update directory_activity set feed_read_at = null where feed_read_at is not null;

-- 1: an operator skipped the event, and the reason is the operator's.
alter table dead_events add column skipped integer not null default 0;

-- Lists the events of one type. The expressions keep the planner from using it in place of the primary key.
create index events_by_type on events ((event_type || ''), directory_id, (sequence + 0));
