-- The directories that were imported from another service, as the last write of the import left them: the import changes a
-- directory as long as nothing else has. Times are Unix milliseconds.
create table imports (
  directory_id text collate "C" primary key references directories (id) on delete cascade,
  source text not null,                  -- where it came from, without credentials
  revision bigint not null,              -- as in directory_state; so is the next column
  last_sequence bigint not null,
  started_at bigint not null,
  completed_at bigint,                   -- of the last complete run; null before the first
  event_created_at bigint not null default 0, -- the position of the last event that was imported
  event_id text collate "C" not null default ''
);
create index imports_by_source on imports (source, directory_id);
