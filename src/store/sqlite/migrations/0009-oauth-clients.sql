-- OAuth clients: how identity providers sign in to a directory without its SCIM secret. Times are Unix milliseconds.
create table oauth_clients (
  directory_id text not null references directories (id) on delete cascade,
  id text not null,
  type text not null,                    -- secret or federated
  name text,
  secret_digest text,                    -- an HMAC; the secret is not stored; null: federated
  issuer text,                           -- of the assertions; from here to jwks_url null unless federated
  subject text,
  audience text,
  jwks_url text,                         -- null: the discovery document of the issuer names it
  created_at integer not null,
  expires_at integer,                    -- of the secret; null: never
  last_used_at integer,                  -- null: not used yet; accurate to a minute
  expiry_reported integer not null default 0, -- 1: the operator was notified that the secret expires
  primary key (directory_id, id)
) strict, without rowid;
create index oauth_clients_by_id on oauth_clients (id);
create index oauth_clients_by_assertion on oauth_clients (issuer, subject) where issuer is not null;
create index oauth_clients_to_report on oauth_clients (expires_at) where expiry_reported = 0 and expires_at is not null;

-- oauth: the SCIM secret is refused; null: it is accepted as well.
alter table directories add column scim_auth text;

-- What was wrong with the last failed request, if it was more than a wrong or missing secret.
alter table directory_activity add column failed_problem text;

create trigger oauth_client_marks_health after insert on oauth_clients
begin
  insert into health_marks (directory_id) select directory_id from directory_health where directory_id = new.directory_id;
end;
create trigger deleted_oauth_client_marks_health after delete on oauth_clients
begin
  insert into health_marks (directory_id) select directory_id from directory_health where directory_id = old.directory_id;
end;
