-- Erasures of persons, without personal data once they are finished. Times are Unix milliseconds.
create table erasures (
  id text primary key,
  tenant text not null,
  product text not null,
  started_at integer not null,
  finished_at integer,                   -- null: the next start, or the next erasure, finishes it
  caller_kind text not null,             -- as in audit_entries
  caller_id text,
  caller_name text,
  reason text,
  places text not null,                  -- JSON: how many rows of each kind were erased
  plan text,                             -- encrypted JSON: whom and what to look for; null once it is finished
  receipt text                           -- a JWS without personal data
) strict, without rowid;
create index erasures_in_order on erasures (tenant, product, started_at, id) where finished_at is not null;
create index erasures_open on erasures (id) where finished_at is null;
create index erasures_by_key on erasures (substr(plan, 1, 11)) where substr(plan, 1, 11) is not null;
