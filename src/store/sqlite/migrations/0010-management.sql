-- The management of the service itself: who may do it, with what, and what was done. Times are Unix milliseconds.

-- Who has logged in with the root token.
create table admin_users (
  id text primary key,
  email text not null,                   -- as it was given at the first login
  email_folded text not null unique,     -- see src/scim/fold.ts
  timezone text not null,                -- an IANA name
  created_at integer not null
) strict, without rowid;

-- What logins gave out.
create table admin_tokens (
  id text primary key,
  user_id text not null references admin_users (id),
  token_hash text not null,              -- bcrypt
  disabled integer not null,
  created_at integer not null,
  last_used_at integer not null          -- the login counts
) strict, without rowid;
create index admin_tokens_in_order on admin_tokens (created_at, id);
create index admin_tokens_by_use on admin_tokens (last_used_at);

-- Keys of the directory-sync API that admins made. What of the scope is null is not narrowed.
create table api_keys (
  id text primary key,
  name text not null,
  prefix text not null,                  -- the key's beginning, to tell keys apart
  digest text not null unique,           -- the hash of a key, which has 32 random bytes
  tenant text,
  product text,
  read_only integer not null,
  created_at integer not null,
  expires_at integer,                    -- null: never
  last_used_at integer                   -- null: not yet
) strict, without rowid;
create index api_keys_in_order on api_keys (created_at, id);

-- The audit trail: each entry carries the hash of the one before. Entries outlive the directories that they tell of. Every
-- column that a listing may narrow has an index in the order of listings; only one of them is walked for a listing.
create table audit_entries (
  sequence integer primary key,          -- 1, 2, 3 ... without gaps, over the whole service
  id text not null,
  at integer not null,                   -- by the clock of the process that acted: nearly in the order of sequence
  action text not null,
  caller_kind text not null,             -- admin, api-key, setup or system
  caller_id text,
  caller_name text,
  request_id text,
  address text,
  target_kind text not null,
  target_id text,
  tenant text,
  product text,
  changes text,                          -- JSON: {field: {from, to}}, without secrets
  previous_hash text not null,
  hash text not null
) strict;
create index audit_entries_by_age on audit_entries (at, sequence);
create index audit_entries_by_action on audit_entries (action, sequence);
create index audit_entries_by_caller_kind on audit_entries (caller_kind, sequence);
create index audit_entries_by_caller on audit_entries (caller_id, sequence) where caller_id is not null;
create index audit_entries_by_target on audit_entries (target_id, sequence) where target_id is not null;
create index audit_entries_by_tenant on audit_entries (tenant, sequence) where tenant is not null;
create index audit_entries_by_product on audit_entries (product, sequence) where product is not null;
create index audit_entries_by_scope on audit_entries (tenant, product, sequence) where tenant is not null;

-- The ends of the chain that is kept, in the only row.
create table audit_head (
  id integer primary key check (id = 1),
  sequence integer not null,             -- of the last entry; 0 before the first
  hash text not null,
  anchor_sequence integer not null,      -- of the last entry that was removed for its age: what the oldest one follows
  anchor_hash text not null
) strict;
insert into audit_head (id, sequence, hash, anchor_sequence, anchor_hash) values (1, 0, '', 0, '');

-- For the rotation of encryption keys: the beginning of a sealed text, with its form and the id of its key (see
-- src/store/sealing.ts). All secrets of a directory are sealed together.
create index directories_by_key on directories (substr(scim_secret, 1, 11));
create index pending_authorizations_by_key on pending_authorizations (substr(sealed, 1, 11));
