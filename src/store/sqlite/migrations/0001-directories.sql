-- Times are Unix milliseconds, booleans 0 or 1, secrets sealed (see src/store/sealing.ts).

-- One connection of a tenant for a product.
create table directories (
  number integer primary key,            -- the first part of the places of its rows, see 0002
  id text not null unique,
  name text not null,
  tenant text not null,
  product text not null,
  directory_type text not null,
  scim_secret text not null,
  previous_scim_secret text,             -- good until the time beside it
  previous_scim_secret_expires_at integer,
  endpoint_url text,
  endpoint_secret text,
  extdir text,                           -- sealed JSON: domain and OAuth tokens; null unless Google Workspace
  log_webhook_events integer not null,
  deactivated integer not null,
  deleted integer not null default 0,    -- gone for every reader; what it holds is being removed in small steps
  created_at integer not null
) strict;
create index directories_by_scope on directories (tenant, product, created_at, id) where deleted = 0;
create index directories_by_product on directories (product, created_at, id) where deleted = 0;
create index directories_by_age on directories (created_at, id) where deleted = 0;
create index directories_deleted on directories (id) where deleted = 1;

-- What every write of a directory reads and changes, apart from the wide row above.
create table directory_state (
  directory_id text primary key references directories (id) on delete cascade,
  number integer not null,               -- the directory's
  revision integer not null,             -- counts the changes of the directory's record
  last_sequence integer not null         -- of the last event
) strict, without rowid;

-- Rows per bucket of sequence numbers: see src/store/list-buckets.ts.
create table list_counts (
  directory_id text not null references directories (id) on delete cascade,
  list_name text not null,               -- users, groups, or the id of the group whose members are counted
  bucket integer not null,
  resources integer not null,
  primary key (directory_id, list_name, bucket)
) strict, without rowid;
