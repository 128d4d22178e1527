-- The sequence of a row is that of the event that made it: rows are listed in that order.
create table users (
  directory_id text collate "C" not null,
  id text collate "C" not null,
  sequence bigint not null,
  version bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  user_name text not null,
  user_name_folded text collate "C" not null,
  external_id text collate "C",
  display_name text not null,
  email text not null,
  first_name text not null,
  last_name text not null,
  active integer not null,
  raw text not null,                     -- the SCIM resource as JSON, with its id, without password, meta and groups
  primary key (directory_id, id)
) with (fillfactor = 90);
create unique index users_by_name on users (directory_id, user_name_folded);
create unique index users_in_order on users (directory_id, sequence);
create index users_by_external_id on users (directory_id, external_id) where external_id is not null;
create index users_inactive on users (directory_id, sequence) where active = 0;

-- Every e-mail address of a user, folded.
create table user_emails (
  directory_id text collate "C" not null,
  email text collate "C" not null,
  user_id text collate "C" not null,
  primary key (directory_id, email, user_id)
);

create table groups (
  directory_id text collate "C" not null,
  id text collate "C" not null,
  sequence bigint not null,
  version bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  name text not null,
  name_folded text collate "C" not null,
  external_id text collate "C",
  raw text not null,                     -- the SCIM resource as JSON, with its id, without meta and members
  primary key (directory_id, id)
) with (fillfactor = 70);                -- every change of members writes the group's version
create index groups_by_name on groups (directory_id, name_folded);
create unique index groups_in_order on groups (directory_id, sequence);
create index groups_by_external_id on groups (directory_id, external_id) where external_id is not null;

-- A member is a user, or a group of the same directory. There is no foreign key: whoever deletes a resource holds the
-- directory's lock and deletes its memberships, and a check per row would take a third of the time that adding one does.
create table members (
  directory_id text collate "C" not null,
  group_id text collate "C" not null,
  member_id text collate "C" not null,
  member_type text not null,             -- User or Group
  sequence bigint not null,
  primary key (directory_id, group_id, member_id)
);
-- No index holds all columns of another: without statistics the planner would take the one for the other.
create index members_by_member on members (directory_id, member_id);
create index members_in_order on members (directory_id, group_id, sequence);
