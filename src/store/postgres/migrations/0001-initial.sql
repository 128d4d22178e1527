-- The whole schema of a PostgreSQL database. Times are Unix milliseconds, booleans are 0 or 1. Secrets are encrypted: see
-- src/store/sealing.ts. Folded text is lower case as SCIM compares it: see src/scim/fold.ts. Ids and folded texts have the
-- collation "C": they compare by bytes, whatever the locale of the database.

-- A tenant's directory for a product.
create table directories (
  id text collate "C" primary key,
  name text not null,
  tenant text collate "C" not null,
  product text collate "C" not null,
  directory_type text not null,
  scim_secret text not null,
  previous_scim_secret text,             -- valid until the time in the next column
  previous_scim_secret_expires_at bigint,
  endpoint_url text,                     -- encrypted: its path and query often contain a token of the receiver
  endpoint_secret text,
  previous_endpoint_secret text,         -- also signs, until the time in the next column
  previous_endpoint_secret_expires_at bigint,
  extdir text,                           -- encrypted JSON: domain and OAuth tokens; null unless Google Workspace
  log_webhook_events integer not null,
  log_scim_requests integer not null default 0,
  unique_group_names integer not null default 0, -- 1: a second group of a name, in any letter case, is rejected
  deactivated integer not null,
  deleted integer not null default 0,    -- 1: invisible to every reader while its rows are purged in small steps
  created_at bigint not null,
  can_sync integer not null,             -- 1: connected to Google Workspace
  synced_at bigint not null default 0,     -- when its last sync run began
  removal_limit text                     -- JSON; null: that of the settings, 'null': none
);
create index directories_by_scope on directories (tenant, product, created_at, id) where deleted = 0;
create index directories_by_product on directories (product, created_at, id) where deleted = 0;
create index directories_by_age on directories (created_at, id) where deleted = 0;
create index directories_by_name on directories (lower(name collate "C"), id) where deleted = 0;
create index directories_by_tenant_name on directories (lower(tenant collate "C"), id) where deleted = 0;
create index directories_by_suffix on directories (right(id, 6)) where deleted = 0;
create index directories_deleted on directories (id) where deleted = 1;
create index directories_pulled on directories (id)
  where directory_type = 'extdir' and deactivated = 0 and deleted = 0;
create index directories_to_sync on directories (synced_at, id) where can_sync = 1 and deactivated = 0 and deleted = 0;
-- The first 11 characters of a secret hold the id of its encryption key: for key rotation. All secrets of a directory are
-- encrypted with the same key.
create index directories_by_key on directories (substr(scim_secret, 1, 11));

-- What every write to a directory locks first, reads and updates. As nothing is written without this lock, the tables below
-- have no foreign key to directories, which would cost a lookup per row.
create table directory_state (
  directory_id text collate "C" primary key references directories (id) on delete cascade,
  revision bigint not null,              -- counts the changes of the directory's record; -1 once it is deleted
  last_sequence bigint not null,         -- of the last event
  -- Positive while events may be undelivered to the target, so that polling does not read quiet directories. Other
  -- changes that give it work count it up; polling turns the sign when it finds nothing: see src/store/streams.ts.
  endpoint_work bigint not null default -1,
  on_event_work bigint not null default -1,
  -- No event that retention could remove is older than this; null while there are no events, 0 until retention has looked.
  oldest_event_at bigint,
  last_change_at bigint,
  -- When the identity provider was first and last observed to do something: see src/directory/behaviors.ts.
  first_user_created_at bigint,
  last_user_created_at bigint,
  first_user_updated_at bigint,
  last_user_updated_at bigint,
  first_user_deactivated_at bigint,
  last_user_deactivated_at bigint,
  first_user_reactivated_at bigint,
  last_user_reactivated_at bigint,
  first_user_deleted_at bigint,
  last_user_deleted_at bigint,
  first_group_pushed_at bigint,
  last_group_pushed_at bigint,
  first_member_added_at bigint,
  last_member_added_at bigint,
  first_member_removed_at bigint,
  last_member_removed_at bigint,
  -- How many events were discarded by ending holds. The sequence of a row is that of the event that created it and this
  -- number, as the events that follow get the numbers of the discarded ones.
  discarded_events bigint not null default 0,
  active_users bigint not null default 0,
  memberships bigint not null default 0,
  held_from bigint                       -- the sequence of the first held event; null unless the directory is held
) with (fillfactor = 70);
create index directory_state_oldest_event on directory_state (oldest_event_at, directory_id)
  where oldest_event_at is not null;
create index directory_state_endpoint_work on directory_state (directory_id) where endpoint_work > 0;
create index directory_state_on_event_work on directory_state (directory_id) where on_event_work > 0;

-- The directories whose events are held, from directory_state.held_from on: too many users or memberships were removed.
create table holds (
  directory_id text collate "C" primary key references directories (id) on delete cascade,
  since bigint not null,
  reason text not null,                  -- users or memberships
  percent bigint not null,               -- the limit; so are the next two columns
  minimum bigint not null,
  window_seconds bigint not null,
  removals bigint not null,             -- which count, without those who came back
  removals_before bigint not null,      -- of these, made before the hold
  highest bigint not null,              -- number of active users, or memberships, within the window
  counted_from bigint not null,         -- removed_users.row_position of the first removal that counts
  reported integer not null default 0,   -- 1: logged, and the operator is notified
  discarding integer not null default 0  -- 1: some of the held events are gone, so that they can only be discarded
);
create index holds_unreported on holds (directory_id) where reported = 0;

-- The removals of the last window: see src/directory/removal-limit.ts.
create table removal_windows (
  directory_id text collate "C" not null references directories (id) on delete cascade,
  kind text not null,                    -- users or memberships
  buckets text not null,                 -- JSON: [[from, position, removals, highest], ...], oldest first
  primary key (directory_id, kind)
);

-- The users who were removed within the window or during a hold, each by their last removal. A user who comes back has no row,
-- or during a hold the time of it.
create table removed_users (
  directory_id text collate "C" not null references directories (id) on delete cascade,
  row_position bigint not null,           -- the sequence of the event and directory_state.discarded_events: never used again
  removed_at bigint not null,
  user_id text collate "C" not null,
  user_name_folded text collate "C" not null,
  email text not null,
  returned_at bigint,
  primary key (directory_id, row_position)
);
create unique index removed_users_by_id on removed_users (directory_id, user_id);
create index removed_users_by_name on removed_users (directory_id, user_name_folded);

-- The memberships that ended within the window or during a hold, and have not come back. Those of deleted groups cannot.
create table removed_memberships (
  directory_id text collate "C" not null references directories (id) on delete cascade,
  row_position bigint not null,           -- as in removed_users
  group_id text collate "C" not null,
  member_id text collate "C" not null,
  primary key (directory_id, row_position)
);
create unique index removed_memberships_by_member on removed_memberships (directory_id, group_id, member_id);

-- Rows per bucket of sequence numbers: see src/store/lists.ts.
create table list_counts (
  directory_id text collate "C" not null,
  list_name text collate "C" not null,   -- users, groups, or the id of the group whose members are counted
  bucket bigint not null,
  resources bigint not null,
  primary key (directory_id, list_name, bucket)
) with (fillfactor = 70);

-- The sequence of a row is that of the event that created it, and lists are in this order.
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
-- For reads in all directories of a tenant. The expression keeps other lookups of an id from using this index.
create index users_by_id on users ((id || ''));
create index users_by_external_id on users (directory_id, external_id) where external_id is not null;
create index users_inactive on users (directory_id, sequence) where active = 0;

-- Every email address of a user, folded.
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
) with (fillfactor = 70);                -- every change of members updates the version of the group
create index groups_by_name on groups (directory_id, name_folded);
create unique index groups_in_order on groups (directory_id, sequence);
create index groups_by_id on groups ((id || ''));
create index groups_by_external_id on groups (directory_id, external_id) where external_id is not null;

-- A member is a user, or a group of the same directory. There is no foreign key: deleting a resource takes the directory's
-- lock and deletes its memberships, and a check per row would take a third of the time of adding a member.
create table members (
  directory_id text collate "C" not null,
  group_id text collate "C" not null,
  member_id text collate "C" not null,
  member_type text not null,             -- User or Group
  sequence bigint not null,
  primary key (directory_id, group_id, member_id)
);
-- No index holds all columns of another: without statistics the planner would use the wrong one. The expression keeps
-- lookups of one member, which name its group and id, from using the index of the list, or that of a member's groups.
create index members_by_member on members (directory_id, member_id, (group_id || ''));
create index members_in_order on members (directory_id, (group_id || ''), sequence);

create table events (
  directory_id text collate "C" not null,
  sequence bigint not null,              -- 1, 2, 3 ... per directory, without gaps
  id text collate "C" not null,
  event_type text not null,
  created_at bigint not null,
  request_id text collate "C" not null,  -- of the request or sync run that caused the event
  trace_context text,                    -- W3C: traceparent of the span of the commit, and tracestate; null: not traced
  group_id text collate "C",             -- of the event of a membership, whose data begins with the user
  data text not null,                    -- JSON
  changes text,                          -- JSON: {path: {from, to}} of an update
  primary key (directory_id, sequence)
);
-- For traces and timelines. The data begins with the id of the user or group that the event is about. The expressions keep
-- the planner from walking the primary key for what these indexes find.
create index events_by_request on events (request_id, sequence);
create index events_by_resource on events (substr(data, 8, 36), (sequence + 0));
create index events_by_group on events (group_id, (sequence + 0)) where group_id is not null;

-- Attempts to deliver events, for traces: one row per event or batch and attempt, removed together with the event.
create table delivery_attempts (
  directory_id text collate "C" not null, -- no foreign key: adding rows locks the row of the directory
  last_sequence bigint not null,         -- of the last event of the batch
  first_sequence bigint not null,
  target text collate "C" not null,      -- endpoint or on-event
  attempt integer not null,              -- 1, 2, 3 ... per event
  at bigint not null,                    -- when it ended
  status integer,                        -- of the HTTP response; null when there was none
  error text,                            -- why it failed; null when it succeeded
  duration_ms bigint not null,
  primary key (directory_id, last_sequence, target, attempt, at)
);

-- The delivery state of a directory's events per target; there is no row before the first attempt.
create table delivery_streams (
  directory_id text collate "C" not null references directories (id) on delete cascade,
  target text collate "C" not null,      -- endpoint or on-event
  delivered_sequence bigint not null,    -- the last event that was delivered or set aside
  failures integer not null default 0,   -- consecutive failed attempts
  failing_since bigint,                  -- when the first of them failed
  refusals integer not null default 0,   -- how often the next event was refused
  batch_end bigint,                      -- the last event of a batch that is being retried
  next_attempt_at bigint,
  retried_at bigint,                     -- when a change of the directory last ended a backoff
  delivered_late_at bigint,              -- when an event was last delivered a day or more after its commit
  paused_at bigint,
  pause_reason text,                     -- gone, failing or operator
  last_error text,                       -- a sentence about the last attempt; null when it succeeded
  lease_holder text collate "C",         -- the process that may send
  lease_token bigint not null default 0, -- grows with every lease: an older token can no longer record anything
  lease_expires_at bigint,               -- by the clock of the database
  primary key (directory_id, target)
) with (fillfactor = 70);

create index delivery_streams_leased on delivery_streams (lease_holder) where lease_holder is not null;

-- Events that the target refused too often; delivery continued without them.
create table dead_events (
  directory_id text collate "C" not null references directories (id) on delete cascade,
  target text collate "C" not null,
  sequence bigint not null,              -- of the event
  died_at bigint not null,
  reason text not null,                  -- a sentence about the last attempt
  primary key (directory_id, target, sequence)
);

-- Events to send once more, outside the stream.
create table replays (
  directory_id text collate "C" not null references directories (id) on delete cascade,
  target text collate "C" not null,
  sequence bigint not null,              -- of the event
  requested_at bigint not null,
  primary key (directory_id, target, sequence)
);

-- Notices to the operator: the last one of each directory and type. A newer one replaces it, at most once an hour.
create table operator_notices (
  directory_id text collate "C" not null references directories (id) on delete cascade,
  type text collate "C" not null,                  -- such as directory.event_dead
  id text not null,                      -- the webhook-id
  created_at bigint not null,
  payload text not null,                 -- the JSON that is sent
  attempts integer not null default 0,
  next_attempt_at bigint,               -- null once it is sent or given up
  sent_at bigint,
  primary key (directory_id, type)
);
create index operator_notices_due on operator_notices (next_attempt_at) where next_attempt_at is not null;

-- The delivery log: one row per attempt to send an event or a batch of events to an endpoint, written while
-- log_webhook_events is on. Only the API's listing reads it.
create table deliveries (
  directory_id text collate "C" not null, -- no foreign key: adding rows locks the row of the directory
  tenant text collate "C" not null,      -- of the directory, where it never changes; listings filter by it and by product
  product text collate "C" not null,
  id text collate "C" not null,          -- a UUIDv7: listings are in this order, which is the order of time
  sequence bigint not null,              -- of the event, or of the first event of a batch, as event_id and event_type
  event_count integer not null,
  event_id text not null,
  event_type text not null,
  request_id text not null,              -- of the event, as in events
  endpoint_url text not null,            -- without credentials, query and fragment
  attempt integer not null,              -- 1, 2, 3 ... per event
  status integer,                        -- of the HTTP response; null when there was none
  latency_ms bigint not null,
  error text,                            -- why the attempt failed; null when it succeeded
  delivered integer not null,
  payload text,                          -- the JSON that was sent; null when it was too large to keep
  payload_truncated integer not null,
  response_body text not null,           -- the beginning of the body
  created_at bigint not null,            -- when the attempt ended
  primary key (directory_id, id)
);
create index deliveries_by_scope on deliveries (tenant, product, id, directory_id);
create index deliveries_by_age on deliveries (created_at);

-- What was observed of the requests to a directory, collected in memory and written about once a second: see
-- src/diagnostics/health/activity.ts. There is no row before the first request.
create table directory_activity (
  directory_id text collate "C" primary key references directories (id) on delete cascade,
  last_request_at bigint,                  -- with the right secret
  last_success_at bigint,
  first_tested_at bigint,                  -- the first request that only read
  last_tested_at bigint,
  failed_count bigint not null,            -- requests with a wrong or missing secret
  failed_at bigint,
  failed_address text,
  failed_since_success bigint not null,    -- since the last request with the right secret
  failed_with_secret bigint not null,      -- of those, with a secret
  failed_since bigint,                     -- the first of those
  feed_read_at bigint,                     -- accurate to an hour
  failed_beside bigint not null,        -- requests with a wrong secret that one with the right secret followed, lately
  failed_beside_at bigint         -- when the last of those had the right secret; null without any
) with (fillfactor = 70);

-- Users who lost access, until the consumer has received the event that reports it. A row is written with the event and
-- deleted with the progress of the stream, or when a reader of the feed continues after the event.
create table deprovisionings (
  directory_id text collate "C" not null,
  sequence bigint not null,              -- of the event
  user_id text not null,
  subject text not null,                 -- the userName
  received_at bigint not null,           -- when the request of the identity provider arrived
  reported integer not null default 0,   -- 1: the log says that it is overdue
  primary key (directory_id, sequence)
);
create index deprovisionings_by_age on deprovisionings (received_at);
create index deprovisionings_unreported on deprovisionings (received_at) where reported = 0;

-- How long deprovisionings took: how many per day and range of durations (see src/store/deprovisionings.ts).
create table deprovision_times (
  directory_id text collate "C" not null references directories (id) on delete cascade,
  day bigint not null,                   -- since 1970
  bucket integer not null,
  deprovisionings bigint not null,
  primary key (directory_id, day, bucket)
) with (fillfactor = 70);
create index deprovision_times_by_day on deprovision_times (day);

-- The request log: SCIM requests as they were answered, in batches as they were written beside them. Positions count the
-- requests of a directory without gaps.
create table request_batches (
  directory_id text collate "C" not null, -- no foreign key: adding rows locks the row of the directory
  position bigint not null,              -- of the first request; so is the position in request_terms
  last_position bigint not null,         -- of the last request
  newest_at bigint not null,             -- when the newest of them arrived
  records bytea not null,                -- JSON, compressed unless it is short
  primary key (directory_id, position)
);
alter table request_batches alter column records set storage external;

-- By what batches are found: see src/store/requests.ts. The chunk keeps new terms together, so that a commit changes few
-- pages, and makes it cheap to remove those of removed requests.
create table request_terms (
  directory_id text collate "C" not null,
  chunk bigint not null,                 -- the position of the batch without its last 11 bits
  term text collate "C" not null,
  position bigint not null,
  primary key (directory_id, chunk, term, position)
);

create table request_bodies (
  directory_id text collate "C" not null,
  position bigint not null,              -- of the request
  id text collate "C" not null,
  body text not null,                    -- encrypted JSON, without passwords
  primary key (directory_id, position)
);
create index request_bodies_by_id on request_bodies (id);
create index request_bodies_by_key on request_bodies (substr(body, 1, 11));

-- The positions that the request log of a directory has.
create table request_logs (
  directory_id text collate "C" primary key references directories (id) on delete cascade,
  first_position bigint not null,        -- of the oldest request; one more than the last when there is none
  last_position bigint not null,
  oldest_at bigint                       -- no later than when the oldest batch was complete; null without any
) with (fillfactor = 70);
create index request_logs_by_age on request_logs (oldest_at, directory_id) where oldest_at is not null;

-- The last resync of each directory and how far it got.
create table resyncs (
  directory_id text collate "C" primary key references directories (id) on delete cascade,
  sync_id text not null,
  request_id text not null,              -- of the request that started it
  trace_context text,                    -- as in events, of the commit that started it
  started_sequence bigint not null,      -- of the event sync.started
  step bigint not null,                  -- counts the committed steps: a step is committed only at the count it was read at
  phase text not null,                   -- users, groups, members or completed
  position_sequence bigint not null,     -- of the last user or group that was read; 0 before the first
  position_group_id text collate "C" not null, -- of the last member that was read; empty before the first
  position_member_id text collate "C" not null,
  sent_users bigint not null,            -- snapshot events so far; so are the next two
  sent_groups bigint not null,
  sent_members bigint not null,
  started_at bigint not null,
  completed_at bigint
) with (fillfactor = 70);
create index resyncs_running on resyncs (directory_id) where completed_at is null;

-- Pulls of a directory from Google Workspace; the newest 200 of each directory are kept.
create table sync_runs (
  directory_id text collate "C" not null references directories (id) on delete cascade,
  id text collate "C" not null,
  state text not null,                   -- running, completed, held, failed or superseded
  trigger text not null,                 -- api, cron, interval or library
  started_at bigint not null,
  finished_at bigint,
  error text,                            -- a sentence: why it failed or what it left out
  phase text not null,
  requests bigint not null,              -- to Google, retries included
  pages bigint not null,
  created bigint not null,               -- users and groups; so are updated and deleted
  updated bigint not null,
  deleted bigint not null,
  held bigint not null,                  -- deletions waiting for approval
  skipped bigint not null,
  members_added bigint not null,
  members_removed bigint not null,
  lease_holder text collate "C" not null, -- the process that runs it or ran it last
  lease_expires_at bigint not null,      -- from then on another process may take over; by the clock of the database
  primary key (directory_id, id)
) with (fillfactor = 70);
create unique index sync_runs_running on sync_runs (directory_id) where state = 'running';
create index sync_runs_leased on sync_runs (lease_holder) where state = 'running';
create index sync_runs_held on sync_runs (directory_id) where state = 'held';
create index sync_runs_by_id on sync_runs (id);
create index sync_runs_in_order on sync_runs (directory_id, started_at, id);

-- What a sync run would delete. The deletions of a held run wait for approval; those of other runs are removed in small
-- steps.
create table held_deletions (
  directory_id text collate "C" not null,
  run_id text collate "C" not null,
  kind text collate "C" not null,        -- user or group
  id text collate "C" not null,          -- of the user or group
  primary key (directory_id, run_id, kind, id),
  foreign key (directory_id, run_id) references sync_runs (directory_id, id) on delete cascade
);

-- OAuth states that were used, as each is valid once. They name no directory: checking one needs no directory lookup.
create table spent_authorizations (
  id text collate "C" primary key,
  expires_at bigint not null             -- from then on the state is rejected as expired
);
create index spent_authorizations_by_age on spent_authorizations (expires_at);

-- The last Google authorization that was started for a directory and has not completed.
create table pending_authorizations (
  directory_id text collate "C" primary key references directories (id) on delete cascade,
  sealed text not null,
  expires_at bigint not null
);
create index pending_authorizations_by_key on pending_authorizations (substr(sealed, 1, 11));

-- Values that the service itself keeps from one start to the next, encrypted.
create table settings (
  name text collate "C" primary key,
  value text not null
);

-- Links with which customers' administrators connect their directories: see src/setup/setup-link.ts.
create table setup_links (
  id text collate "C" primary key,
  tenant text collate "C" not null,
  product text collate "C" not null,
  name text,
  directory_id text collate "C",             -- null until the administrator chooses an identity provider
  directory_given integer not null,      -- 1: the link was created for a directory that existed
  endpoint text not null,                -- encrypted JSON: where the events of the directory go
  types text,                            -- JSON: the provider types to choose from; null: all
  token_digest text collate "C" not null unique, -- an HMAC; the token is not stored
  created_at bigint not null,
  expires_at bigint not null,
  revoked_at bigint
);
create unique index setup_links_by_scope on setup_links (tenant, product) where revoked_at is null;
create index setup_links_by_product on setup_links (product, created_at, id) where revoked_at is null;
create index setup_links_by_directory on setup_links (directory_id) where revoked_at is null;
create index setup_links_by_age on setup_links (expires_at);
create index setup_links_by_key on setup_links (substr(endpoint, 1, 11));

-- Administrators who have logged in with the root token.
create table admin_users (
  id text collate "C" primary key,
  email text not null,                   -- as entered at the first login
  email_folded text collate "C" not null unique,
  timezone text not null,                -- an IANA name
  created_at bigint not null
);

-- Tokens issued by logins.
create table admin_tokens (
  id text collate "C" primary key,
  user_id text collate "C" not null references admin_users (id),
  token_hash text not null,              -- bcrypt
  disabled integer not null,
  created_at bigint not null,
  last_used_at bigint not null           -- the login counts as a use
) with (fillfactor = 70);
create index admin_tokens_in_order on admin_tokens (created_at, id);
create index admin_tokens_by_use on admin_tokens (last_used_at);

-- Keys for the directory-sync API, created by administrators. A tenant or product that is null does not limit the key.
create table api_keys (
  id text collate "C" primary key,
  name text not null,
  prefix text not null,                  -- the beginning of the key, to distinguish keys
  digest text collate "C" not null unique, -- a plain hash, as keys have 32 random bytes
  tenant text collate "C",
  product text collate "C",
  read_only integer not null,
  created_at bigint not null,
  expires_at bigint,                     -- null: never
  last_used_at bigint                    -- null: not used yet
);
create index api_keys_in_order on api_keys (created_at, id);

-- Sign-ins to the console. A session ends with its API key or admin token, which is looked up for every request.
create table console_sessions (
  digest text collate "C" primary key,   -- a keyed hash of the cookie's value
  holder_kind text not null,             -- api-key or admin-token
  holder_id text collate "C" not null,   -- configured API keys are in no table
  created_at bigint not null,
  last_used_at bigint not null           -- the sign-in counts as a use
) with (fillfactor = 70);
create index console_sessions_by_use on console_sessions (last_used_at);

-- The audit trail: each entry carries the hash of the previous one. Entries outlive the directories that they are about.
-- Every column that a listing may filter by has an index in listing order; a listing walks only one of them.
create table audit_entries (
  sequence bigint primary key,           -- 1, 2, 3 ... without gaps, over the whole service
  id text collate "C" not null,
  at bigint not null,                    -- by the clock of the process that acted: nearly in the order of sequence
  action text collate "C" not null,
  caller_kind text collate "C" not null, -- admin, api-key, setup or system
  caller_id text collate "C",
  caller_name text,
  request_id text,
  address text,
  target_kind text not null,
  target_id text collate "C",
  tenant text collate "C",
  product text collate "C",
  changes text,                          -- JSON: {field: {from, to}}, without secrets
  previous_hash text not null,
  hash text not null
);
create index audit_entries_by_age on audit_entries (at, sequence);
create index audit_entries_by_action on audit_entries (action, sequence);
create index audit_entries_by_caller_kind on audit_entries (caller_kind, sequence);
create index audit_entries_by_caller on audit_entries (caller_id, sequence) where caller_id is not null;
create index audit_entries_by_target on audit_entries (target_id, sequence) where target_id is not null;
create index audit_entries_by_tenant on audit_entries (tenant, sequence) where tenant is not null;
create index audit_entries_by_product on audit_entries (product, sequence) where product is not null;
create index audit_entries_by_scope on audit_entries (tenant, product, sequence) where tenant is not null;

-- Both ends of the audit chain, in one row.
create table audit_head (
  id integer primary key check (id = 1),
  sequence bigint not null,              -- of the last entry; 0 before the first
  hash text not null,
  seal text not null,                    -- HMAC of the two: write access to the database is not enough to set them
  anchor_sequence bigint not null,       -- of the last entry that retention removed: the oldest one kept follows it
  anchor_hash text not null,
  anchor_seal text not null              -- likewise
) with (fillfactor = 10);
insert into audit_head (id, sequence, hash, seal, anchor_sequence, anchor_hash, anchor_seal) values (1, 0, '', '', 0, '', '');
