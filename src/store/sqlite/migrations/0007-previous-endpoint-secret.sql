-- The secret of an endpoint before the last rotation, sealed. Both sign until the time beside it, in Unix milliseconds;
-- null when there is none.
alter table directories add column previous_endpoint_secret text;
alter table directories add column previous_endpoint_secret_expires_at integer;
