-- The last resync of each directory that had one: how far it has told what the directory holds.
create table resyncs (
  directory_id text collate "C" primary key references directories (id) on delete cascade,
  sync_id text not null,
  request_id text not null,              -- the request that asked for it
  started_sequence bigint not null,      -- of sync.started
  step bigint not null,                  -- counts the steps committed: who takes one names the count before it
  phase text not null,                   -- users, groups, members or completed
  position_sequence bigint not null,     -- the last user or group looked at; 0 before the first
  position_group_id text collate "C" not null,   -- the last member looked at; empty before the first
  position_member_id text collate "C" not null,
  told_users bigint not null,
  told_groups bigint not null,
  told_members bigint not null,
  started_at bigint not null,
  completed_at bigint
) with (fillfactor = 70);
create index resyncs_running on resyncs (directory_id) where completed_at is null;
