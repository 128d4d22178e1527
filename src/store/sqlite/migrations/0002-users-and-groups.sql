-- The sequence of a row is that of the event that made it: rows are listed in that order. Its place is made of the number
-- of the directory and the sequence (see src/store/sqlite/place.ts): a directory's rows lie side by side, new ones are put
-- behind the last, and no index is needed for their order.
create table users (
  place integer primary key,
  directory_id text not null references directories (id) on delete cascade,
  id text not null,
  sequence integer not null,
  version integer not null,
  created_at integer not null,
  updated_at integer not null,
  user_name text not null,
  user_name_folded text not null,
  name_is_email integer not null,        -- whether the userName is one of the e-mail addresses
  external_id text,
  display_name text not null,
  email text not null,
  first_name text not null,
  last_name text not null,
  active integer not null,
  raw text not null                      -- the SCIM resource as JSON, with its id, without password, meta and groups
) strict;
create unique index users_by_id on users (directory_id, id);
create unique index users_by_name on users (directory_id, user_name_folded);
create index users_by_external_id on users (directory_id, external_id) where external_id is not null;
create index users_inactive on users (directory_id, sequence) where active = 0;

-- The e-mail addresses of a user, folded, but for the one that is the userName: that is found by the userName.
create table user_emails (
  directory_id text not null references directories (id) on delete cascade,
  email text not null,
  user_id text not null,
  primary key (directory_id, email, user_id)
) strict, without rowid;

create table groups (
  place integer primary key,
  directory_id text not null references directories (id) on delete cascade,
  id text not null,
  sequence integer not null,
  version integer not null,
  created_at integer not null,
  updated_at integer not null,
  name text not null,
  name_folded text not null,
  external_id text,
  raw text not null                      -- the SCIM resource as JSON, with its id, without meta and members
) strict;
create unique index groups_by_id on groups (directory_id, id);
create index groups_by_name on groups (directory_id, name_folded);
create index groups_by_external_id on groups (directory_id, external_id) where external_id is not null;

-- A member is a user, or a group of the same directory.
create table members (
  directory_id text not null references directories (id) on delete cascade,
  group_id text not null,
  member_id text not null,
  member_type text not null,             -- User or Group
  sequence integer not null,
  primary key (directory_id, group_id, member_id),
  foreign key (directory_id, group_id) references groups (directory_id, id) on delete cascade
) strict, without rowid;
create index members_by_member on members (directory_id, member_id, group_id);
create index members_in_order on members (directory_id, group_id, sequence, member_id);
