-- How far each target has taken the events of a directory, and how it goes; no row before the first attempt. Who may send is
-- decided in memory, as one process has the file.
alter table delivery_positions rename to delivery_streams;
alter table delivery_streams add column failures integer not null default 0;       -- attempts in a row that were in vain
alter table delivery_streams add column failing_since integer;                     -- the first of them
alter table delivery_streams add column refusals integer not null default 0;       -- of the event behind delivered_sequence
alter table delivery_streams add column batch_end integer;                         -- the last event of a batch that is tried again
alter table delivery_streams add column next_attempt_at integer;
alter table delivery_streams add column paused_at integer;
alter table delivery_streams add column pause_reason text;                         -- gone, failing or operator

-- Events that their target refused for good: the stream went on without them.
create table dead_events (
  directory_id text not null references directories (id) on delete cascade,
  target text not null,
  sequence integer not null,             -- of the event
  died_at integer not null,
  reason text not null,                  -- a sentence, of the last attempt
  primary key (directory_id, target, sequence)
) strict, without rowid;

-- Events that are to be sent once more, beside the stream.
create table replays (
  directory_id text not null references directories (id) on delete cascade,
  target text not null,
  sequence integer not null,             -- of the event
  requested_at integer not null,
  primary key (directory_id, target, sequence)
) strict, without rowid;
