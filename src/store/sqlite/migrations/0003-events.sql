create table events (
  place integer primary key,             -- as in 0002
  directory_id text not null,            -- without a foreign key, which would need an index: see src/store/sqlite/purge.ts
  sequence integer not null,             -- 1, 2, 3 ... per directory, without gaps
  id text not null,
  event_type text not null,
  created_at integer not null,
  request_id text not null,              -- the request, or sync run, that caused it
  data text not null,                    -- JSON
  changes text                           -- JSON: {path: {from, to}} of an update
) strict;

-- How far each target has taken the events of a directory; no row before the first.
create table delivery_positions (
  directory_id text not null references directories (id) on delete cascade,
  target text not null,                  -- endpoint or on-event
  delivered_sequence integer not null,
  primary key (directory_id, target)
) strict, without rowid;
