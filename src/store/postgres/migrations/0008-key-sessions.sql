-- The sessions of API keys, in the order of lists.
create index console_sessions_of_keys on console_sessions (created_at, digest) where holder_kind = 'api-key';
