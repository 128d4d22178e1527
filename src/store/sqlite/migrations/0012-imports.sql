-- The directories that were imported from another service, as the last write of the import left them: the import changes a
-- directory as long as nothing else has. Times are Unix milliseconds.
create table imports (
  directory_id text primary key references directories (id) on delete cascade,
  source text not null,                  -- where it came from, without credentials
  revision integer not null,             -- as in directory_state; so is the next column
  last_sequence integer not null,
  started_at integer not null,
  completed_at integer,                  -- of the last complete run; null before the first
  event_created_at integer not null default 0, -- the position of the last event that was imported
  event_id text not null default ''
) strict, without rowid;
create index imports_by_source on imports (source, directory_id);
