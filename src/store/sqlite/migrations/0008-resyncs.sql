-- The last resync of each directory that had one: how far it has told what the directory holds.
create table resyncs (
  directory_id text primary key references directories (id) on delete cascade,
  sync_id text not null,
  request_id text not null,              -- the request that asked for it
  started_sequence integer not null,     -- of sync.started
  step integer not null,                 -- counts the steps committed: who takes one names the count before it
  phase text not null,                   -- users, groups, members or completed
  position_sequence integer not null,    -- the last user or group looked at; 0 before the first
  position_group_id text not null,       -- the last member looked at; empty before the first
  position_member_id text not null,
  told_users integer not null,
  told_groups integer not null,
  told_members integer not null,
  started_at integer not null,
  completed_at integer
) strict, without rowid;
create index resyncs_running on resyncs (directory_id) where completed_at is null;
