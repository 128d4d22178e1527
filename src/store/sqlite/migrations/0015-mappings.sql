-- Mappings: what products see of the attributes and groups of their customers. Every version is kept. Times are Unix
-- milliseconds.
create table directory_mappings (
  directory_id text not null references directories (id) on delete cascade,
  version integer not null,                   -- 1, 2, 3 …
  document text,                         -- JSON; null: the mapping was removed
  created_at integer not null,
  created_by text,                       -- the name of the caller
  primary key (directory_id, version)
) strict, without rowid;
create table product_mappings (
  product text not null,
  version integer not null,
  document text,
  created_at integer not null,
  created_by text,
  request_id text not null,
  -- While directories of the product may have an earlier version: the last one, in creation order, that has this one.
  passed_at integer,
  passed_id text,
  primary key (product, version)
) strict, without rowid;
create index product_mappings_unfinished on product_mappings (product) where passed_id is not null;

-- The mapping in effect: "directory" or "product" with its version, or "removed" while users lose what it gave them.
alter table directories add column mapping text;

-- What the mapping of the directory makes of the user: JSON with roles and attributes; null without a mapping.
alter table users add column mapped text;

-- The users with each role, in the order of the list of users.
create table user_roles (
  directory_id text not null,
  role text not null,
  position integer not null,                  -- users.sequence
  user_id text not null,
  primary key (directory_id, role, position)
) strict, without rowid;
create table role_counts (
  directory_id text not null references directories (id) on delete cascade,
  role text not null,
  users integer not null,
  primary key (directory_id, role)
) strict, without rowid;

-- The last run over the users of a directory, which evaluates each of them with the mapping in effect.
create table mapping_runs (
  directory_id text primary key references directories (id) on delete cascade,
  request_id text not null,              -- of the request that caused it
  position integer not null,                  -- users.sequence of the last user that was evaluated
  evaluated integer not null,
  changed integer not null,
  total integer not null,                     -- users of the directory when it began
  started_at integer not null,
  completed_at integer
) strict, without rowid;
create index mapping_runs_unfinished on mapping_runs (directory_id) where completed_at is null;

-- The role of a hold for the reason "roles": which must be kept by how many users, and how many had it when the hold began.
alter table holds add column role text;
alter table holds add column role_minimum integer;
alter table holds add column role_users integer;
