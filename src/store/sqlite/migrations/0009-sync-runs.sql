-- The pulls of a directory from Google Workspace, the newest 200 of each. Times are Unix milliseconds.
create table sync_runs (
  directory_id text not null references directories (id) on delete cascade,
  id text not null,
  state text not null,                   -- running, completed, held, failed or superseded
  trigger text not null,                 -- api, cron, interval or library
  started_at integer not null,
  finished_at integer,
  error text,                            -- a sentence: why it failed, or what it left out
  phase text not null,
  requests integer not null,             -- to Google, repeated ones too
  pages integer not null,
  created integer not null,              -- users and groups; so are updated and deleted
  updated integer not null,
  deleted integer not null,
  held integer not null,                 -- deletions that wait for an approval
  skipped integer not null,
  members_added integer not null,
  members_removed integer not null,
  lease_holder text not null,            -- the process that runs it, or ran it last
  lease_expires_at integer not null,     -- another may take over then
  primary key (directory_id, id)
) strict, without rowid;
create unique index sync_runs_running on sync_runs (directory_id) where state = 'running';
create index sync_runs_leased on sync_runs (lease_holder) where state = 'running';
create index sync_runs_held on sync_runs (directory_id) where state = 'held';
create index sync_runs_in_order on sync_runs (directory_id, started_at, id);

-- What a run would delete. Those of a run that is held wait for an approval; others are removed in small steps.
create table held_deletions (
  directory_id text not null references directories (id) on delete cascade,
  run_id text not null,
  kind text not null,                    -- user or group
  id text not null,                      -- of the user or group
  primary key (directory_id, run_id, kind, id),
  foreign key (directory_id, run_id) references sync_runs (directory_id, id) on delete cascade
) strict, without rowid;

-- States of authorizations that were used, which are good once; they name no directory, so that none is looked up for them.
create table spent_authorizations (
  id text primary key,
  expires_at integer not null            -- it is refused for its age from then on
) strict, without rowid;
create index spent_authorizations_by_age on spent_authorizations (expires_at);

-- The authorization that was begun last for a directory, and has not come back yet.
create table pending_authorizations (
  directory_id text primary key references directories (id) on delete cascade,
  sealed text not null,
  expires_at integer not null
) strict, without rowid;

create index directories_pulled on directories (id)
  where directory_type = 'extdir' and deactivated = 0 and deleted = 0;
