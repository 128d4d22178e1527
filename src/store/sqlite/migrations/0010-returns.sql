-- Users who were deleted, by whose names a user who is created again is recognized: see src/directory/returned-users.ts. Digests
-- are HMACs: the names are not kept. Times are Unix milliseconds.
create table deleted_users (
  directory_id text not null references directories (id) on delete cascade,
  user_id text not null,
  user_name_digest text not null,
  external_id_digest text,               -- null: the user had no externalId
  deleted_at integer not null,
  primary key (directory_id, user_id)
) strict, without rowid;
create index deleted_users_by_name on deleted_users (directory_id, user_name_digest, deleted_at);
create index deleted_users_by_external_id on deleted_users (directory_id, external_id_digest, deleted_at)
  where external_id_digest is not null;
create index deleted_users_by_age on deleted_users (deleted_at);

-- The deleted user as which a user was recognized when it was created, in JSON: {"id", "deleted_at"}; null: none.
alter table users add column returned_from text;
