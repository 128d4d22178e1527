create table events (
  directory_id text collate "C" not null,
  sequence bigint not null,              -- 1, 2, 3 ... per directory, without gaps
  id text collate "C" not null,
  event_type text not null,
  created_at bigint not null,
  request_id text not null,              -- the request, or sync run, that caused it
  data text not null,                    -- JSON
  changes text,                          -- JSON: {path: {from, to}} of an update
  primary key (directory_id, sequence)
);

-- How far each target has taken the events of a directory; no row before the first.
create table delivery_positions (
  directory_id text collate "C" not null references directories (id) on delete cascade,
  target text collate "C" not null,      -- endpoint or on-event
  delivered_sequence bigint not null,
  primary key (directory_id, target)
) with (fillfactor = 70);
