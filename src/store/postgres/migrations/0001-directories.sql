-- Times are Unix milliseconds, booleans 0 or 1, secrets sealed (see src/store/sealing.ts).
-- Ids and folded texts are compared bytewise, whatever the database's locale: collate "C".

-- One connection of a tenant for a product.
create table directories (
  id text collate "C" primary key,
  name text not null,
  tenant text collate "C" not null,
  product text collate "C" not null,
  directory_type text not null,
  scim_secret text not null,
  previous_scim_secret text,             -- good until the time beside it
  previous_scim_secret_expires_at bigint,
  endpoint_url text,
  endpoint_secret text,
  extdir text,                           -- sealed JSON: domain and OAuth tokens; null unless Google Workspace
  log_webhook_events integer not null,
  deactivated integer not null,
  deleted integer not null default 0,    -- gone for every reader; what it holds is being removed in small steps
  created_at bigint not null
);
create index directories_by_scope on directories (tenant, product, created_at, id) where deleted = 0;
create index directories_by_product on directories (product, created_at, id) where deleted = 0;
create index directories_by_age on directories (created_at, id) where deleted = 0;
create index directories_deleted on directories (id) where deleted = 1;

-- What every write of a directory locks first, reads and changes. As nothing is written without this lock, the other
-- tables do without a foreign key to the directory, which would cost a look-up per row.
create table directory_state (
  directory_id text collate "C" primary key references directories (id) on delete cascade,
  revision bigint not null,              -- counts the changes of the directory's record; -1 once it is deleted
  last_sequence bigint not null          -- of the last event
) with (fillfactor = 70);

-- Rows per bucket of sequence numbers: see src/store/list-buckets.ts.
create table list_counts (
  directory_id text collate "C" not null,
  list_name text collate "C" not null,   -- users, groups, or the id of the group whose members are counted
  bucket bigint not null,
  resources bigint not null,
  primary key (directory_id, list_name, bucket)
) with (fillfactor = 70);
