-- Personal fields of the audit trail are in its hashes as salted digests, so that values and salts can be erased.
-- Both are null in the entries so far: their hashes contain the values themselves.
alter table audit_entries add column salts text;  -- JSON: {field: salt}; a field that was erased has none
alter table audit_entries add column erased text; -- JSON: {fields: {field: digest}, seal}; null: nothing was erased

-- For the list of all erasures, which is copied for restores.
create index erasures_by_time on erasures (started_at, id) where finished_at is not null;
