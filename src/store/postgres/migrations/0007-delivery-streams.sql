-- How far each target has taken the events of a directory, and how it goes; no row before the first attempt.
alter table delivery_positions rename to delivery_streams;
alter table delivery_streams
  add column failures integer not null default 0,       -- attempts in a row that were in vain
  add column failing_since bigint,                      -- the first of them
  add column refusals integer not null default 0,       -- of the event behind delivered_sequence
  add column batch_end bigint,                          -- the last event of a batch that is tried again
  add column next_attempt_at bigint,
  add column paused_at bigint,
  add column pause_reason text,                         -- gone, failing or operator
  add column lease_holder text collate "C",             -- the process that may send
  add column lease_token bigint not null default 0,     -- grows with every lease: who has an older one records nothing
  add column lease_expires_at bigint;                   -- by the clock of the database
create index delivery_streams_leased on delivery_streams (lease_holder) where lease_holder is not null;

-- Events that their target refused for good: the stream went on without them.
create table dead_events (
  directory_id text collate "C" not null references directories (id) on delete cascade,
  target text collate "C" not null,
  sequence bigint not null,              -- of the event
  died_at bigint not null,
  reason text not null,                  -- a sentence, of the last attempt
  primary key (directory_id, target, sequence)
);

-- Events that are to be sent once more, beside the stream.
create table replays (
  directory_id text collate "C" not null references directories (id) on delete cascade,
  target text collate "C" not null,
  sequence bigint not null,              -- of the event
  requested_at bigint not null,
  primary key (directory_id, target, sequence)
);
