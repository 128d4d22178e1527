-- The whole schema of an embedded database. Times are Unix milliseconds, booleans are 0 or 1. Secrets are encrypted: see
-- src/store/sealing.ts. Folded text is lower case as SCIM compares it: see src/scim/fold.ts.

-- A tenant's directory for a product.
create table directories (
  number integer primary key,            -- a short name, for the row_key of search terms: ids are long
  id text not null unique,
  name text not null,
  tenant text not null,
  product text not null,
  directory_type text not null,
  scim_secret text not null,
  previous_scim_secret text,             -- valid until the time in the next column
  previous_scim_secret_expires_at integer,
  scim_auth text,                        -- oauth: the SCIM secret is refused; null: it is accepted as well
  endpoint_url text,                     -- encrypted: its path and query often contain a token of the receiver
  endpoint_secret text,
  previous_endpoint_secret text,         -- also signs, until the time in the next column
  previous_endpoint_secret_expires_at integer,
  extdir text,                           -- encrypted JSON: domain and OAuth tokens; null unless Google Workspace
  log_webhook_events integer not null,
  log_scim_requests integer not null default 0,
  unique_group_names integer not null default 0, -- 1: a second group of a name, in any letter case, is rejected
  deactivated integer not null,
  deleted integer not null default 0,    -- 1: invisible to every reader while its rows are purged in small steps
  created_at integer not null,
  can_sync integer not null,             -- 1: connected to Google Workspace
  synced_at integer not null default 0,  -- when its last sync run began
  removal_limit text,                    -- JSON; null: that of the settings, 'null': none
  -- The mapping in effect: "directory" or "product" with its version, or "removed" while users lose what it gave them.
  mapping text
) strict;
create index directories_by_scope on directories (tenant, product, created_at, id) where deleted = 0;
create index directories_by_product on directories (product, created_at, id) where deleted = 0;
create index directories_by_age on directories (created_at, id) where deleted = 0;
create index directories_by_suffix on directories (substr(id, length(id) - 5)) where deleted = 0;
create index directories_deleted on directories (id) where deleted = 1;
create index directories_pulled on directories (id)
  where directory_type = 'extdir' and deactivated = 0 and deleted = 0;
create index directories_to_sync on directories (synced_at, id) where can_sync = 1 and deactivated = 0 and deleted = 0;
-- The first 11 characters of a secret hold the id of its encryption key: for key rotation. All secrets of a directory are
-- encrypted with the same key.
create index directories_by_key on directories (substr(scim_secret, 1, 11));

-- What every write to a directory reads and updates, kept apart from the wide row above.
create table directory_state (
  directory_id text primary key references directories (id) on delete cascade,
  number integer not null,               -- as in directories
  revision integer not null,             -- counts the changes of the directory's record; -1 once it is deleted
  last_sequence integer not null,        -- of the last event
  -- Positive while events may be undelivered to the target, so that polling does not read quiet directories. Other
  -- changes that give it work count it up; polling turns the sign when it finds nothing: see src/store/streams.ts.
  endpoint_work integer not null default -1,
  on_event_work integer not null default -1,
  -- No event that retention could remove is older than this; null while there are no events, 0 until retention has looked.
  oldest_event_at integer,
  last_change_at integer,
  -- When the identity provider was first and last observed to do something: see src/directory/behaviors.ts.
  first_user_created_at integer,
  last_user_created_at integer,
  first_user_updated_at integer,
  last_user_updated_at integer,
  first_user_deactivated_at integer,
  last_user_deactivated_at integer,
  first_user_reactivated_at integer,
  last_user_reactivated_at integer,
  first_user_deleted_at integer,
  last_user_deleted_at integer,
  first_group_pushed_at integer,
  last_group_pushed_at integer,
  first_member_added_at integer,
  last_member_added_at integer,
  first_member_removed_at integer,
  last_member_removed_at integer,
  -- How many events were discarded by ending holds. The sequence of a row is that of the event that created it and this
  -- number, as the events that follow get the numbers of the discarded ones.
  discarded_events integer not null default 0,
  active_users integer not null default 0,
  memberships integer not null default 0,
  held_from integer                      -- the sequence of the first held event; null unless the directory is held
) strict, without rowid;
create index directory_state_oldest_event on directory_state (oldest_event_at, directory_id)
  where oldest_event_at is not null;
create index directory_state_endpoint_work on directory_state (directory_id) where endpoint_work > 0;
create index directory_state_on_event_work on directory_state (directory_id) where on_event_work > 0;

-- OAuth clients: how identity providers sign in to a directory without its SCIM secret.
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

-- The sequence of a row is that of the event that created it, and lists are in this order. Users and groups are found by their
-- id and externalId in all directories, too: the order of the columns serves both.
create table users (
  directory_id text not null references directories (id) on delete cascade,
  id text not null,
  sequence integer not null,
  version integer not null,
  created_at integer not null,
  updated_at integer not null,
  user_name text not null,
  user_name_folded text not null,
  name_is_email integer not null,        -- 1: the userName is one of the email addresses
  external_id text,
  display_name text not null,
  email text not null,
  first_name text not null,
  last_name text not null,
  active integer not null,
  raw text not null,                     -- the SCIM resource as JSON, with its id, without password, meta and groups
  -- The deleted user as which the user was recognized when it was created, in JSON: {"id", "deleted_at"}; null: none.
  returned_from text,
  -- What the mapping of the directory makes of the user: JSON with roles and attributes; null without a mapping.
  mapped text,
  primary key (id, directory_id)
) strict;
create unique index users_by_name on users (directory_id, user_name_folded);
create unique index users_in_order on users (directory_id, sequence);
create index users_by_external_id on users (external_id, directory_id, sequence) where external_id is not null;
create index users_inactive on users (directory_id, sequence) where active = 0;
create index users_by_update on users (directory_id, updated_at, sequence);

-- The email addresses of a user, folded. An address that is the userName has no row: it is found by users_by_name.
create table user_emails (
  directory_id text not null references directories (id) on delete cascade,
  email text not null,
  user_id text not null,
  primary key (directory_id, email, user_id)
) strict, without rowid;

create table groups (
  directory_id text not null references directories (id) on delete cascade,
  id text not null,
  sequence integer not null,
  version integer not null,
  created_at integer not null,
  updated_at integer not null,
  name text not null,
  name_folded text not null,
  external_id text,
  raw text not null,                     -- the SCIM resource as JSON, with its id, without meta and members
  primary key (id, directory_id)
) strict;
create index groups_by_name on groups (directory_id, name_folded);
create unique index groups_in_order on groups (directory_id, sequence);
create index groups_by_external_id on groups (external_id, directory_id, sequence) where external_id is not null;
create index groups_by_update on groups (directory_id, updated_at, sequence);

-- A member is a user, or a group of the same directory.
create table members (
  directory_id text not null references directories (id) on delete cascade,
  group_id text not null,
  member_id text not null,
  member_type text not null,             -- User or Group
  sequence integer not null,
  staged text,                           -- joining or leaving while a large change is being made; else null
  primary key (directory_id, group_id, member_id)
) strict, without rowid;
create index members_by_member on members (directory_id, member_id, group_id);
create index members_in_order on members (directory_id, group_id, sequence, member_id);

-- Changes of many members that are being made in steps: see src/store/sqlite/large-changes.ts.
create table large_changes (
  directory_id text primary key references directories (id) on delete cascade,
  group_id text not null,                -- the group whose members change; empty for none
  member_id text not null,               -- the user or group that leaves all of its groups as it is deleted; empty for none
  left_at integer not null,              -- when it leaves them
  shown text not null                    -- which staged members are visible: leaving, joining once published, or none
) strict, without rowid;

-- Rows per bucket of sequence numbers: see src/store/reads/lists.ts.
create table list_counts (
  directory_id text not null references directories (id) on delete cascade,
  list_name text not null,               -- users, groups, or the id of the group whose members are counted
  bucket integer not null,
  resources integer not null,
  primary key (directory_id, list_name, bucket)
) strict, without rowid;

-- The terms by which searches over directories find users, groups and directories: see src/directory/search-terms.ts. A search
-- reads ranges of a list, which has the terms of one kind in all directories of a product. Every user has several rows: their
-- keys are numbers, because ids are long.
create table search_terms (
  list integer not null,                 -- see listNumber in src/store/search-terms.ts
  term text not null,                    -- folded
  row_key integer not null,              -- the directory's number, then the sequence of the user or group; 0: the directory itself
  shared integer not null,               -- how many characters it shares with the preceding term of the resource
  primary key (list, term, row_key)
) strict, without rowid;
create index search_terms_of_directories on search_terms (row_key) where row_key % 8589934592 = 0;

-- Users who were deleted, by whose names a user who is created again is recognized: see src/directory/returned-users.ts. Digests
-- are HMACs: the names are not kept.
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

-- The removals of the last window: see src/directory/removal-limit.ts.
create table removal_windows (
  directory_id text not null references directories (id) on delete cascade,
  kind text not null,                    -- users or memberships
  buckets text not null,                 -- JSON: [[from, position, removals, highest], ...], oldest first
  held integer not null default 0,       -- 1: the directory is held because of these removals, so that they do not expire
  primary key (directory_id, kind)
) strict, without rowid;

-- The users who were removed within the window or during a hold, each by their last removal. A user who comes back has no row,
-- or during a hold the time of it.
create table removed_users (
  directory_id text not null references directories (id) on delete cascade,
  row_position integer not null,         -- the sequence of the event and directory_state.discarded_events: never used again
  removed_at integer not null,
  user_id text not null,
  user_name_folded text not null,
  email text not null,
  returned_at integer,
  primary key (directory_id, row_position)
) strict, without rowid;
create unique index removed_users_by_id on removed_users (directory_id, user_id);
create index removed_users_by_name on removed_users (directory_id, user_name_folded);

-- The memberships that ended within the window or during a hold, and have not come back. Those of deleted groups cannot.
create table removed_memberships (
  directory_id text not null references directories (id) on delete cascade,
  row_position integer not null,         -- as in removed_users
  group_id text not null,
  member_id text not null,
  primary key (directory_id, row_position)
) strict, without rowid;
create unique index removed_memberships_by_member on removed_memberships (directory_id, group_id, member_id);

-- Why the events of a directory are held, from directory_state.held_from on, the first event of all reasons: too many
-- users or memberships were removed, too few users have a role, or the first users are not linked yet to the accounts of the
-- product. A directory can be held for several reasons at once.
create table holds (
  directory_id text not null references directories (id) on delete cascade,
  since integer not null,
  reason text not null,                  -- users, memberships, roles or adoption
  percent integer not null,              -- the limit; so are the next two columns
  minimum integer not null,
  window_seconds integer not null,
  removals integer not null,             -- which count, without those who came back
  removals_before integer not null,      -- of these, made before the hold
  highest integer not null,              -- number of active users, or memberships, within the window
  counted_from integer not null,         -- removed_users.row_position of the first removal that counts
  first_sequence integer not null,       -- of the first event that this hold holds
  version integer not null,              -- the position of that event when the hold began, as in removed_users
  role text not null default '',         -- which too few users have; empty unless that is the reason
  role_minimum integer,                  -- how many must keep it
  role_users integer,                    -- how many had it after the last change that left too few
  reported integer not null default 0,   -- 1: logged, and the operator is notified
  discarding integer not null default 0, -- 1: some of the held events are gone, so that they can only be discarded
  primary key (directory_id, reason, role)
) strict, without rowid;
create index holds_unreported on holds (directory_id) where reported = 0;
create index holds_by_age on holds (since, directory_id);

-- Mappings: what products see of the attributes and groups of their customers. Every version is kept.
create table directory_mappings (
  directory_id text not null references directories (id) on delete cascade,
  version integer not null,              -- 1, 2, 3 …
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

-- The last run over the users of a directory, which evaluates each of them with the mapping in effect.
create table mapping_runs (
  directory_id text primary key references directories (id) on delete cascade,
  request_id text not null,              -- of the request that caused it
  position integer not null,             -- users.sequence of the last user that was evaluated
  evaluated integer not null,
  changed integer not null,
  total integer not null,                -- users of the directory when it began
  started_at integer not null,
  completed_at integer
) strict, without rowid;
create index mapping_runs_unfinished on mapping_runs (directory_id) where completed_at is null;

-- The users with each role, in the order of the list of users.
create table user_roles (
  directory_id text not null,
  role text not null,
  position integer not null,             -- users.sequence
  user_id text not null,
  primary key (directory_id, role, position)
) strict, without rowid;

create table role_counts (
  directory_id text not null references directories (id) on delete cascade,
  role text not null,
  users integer not null,
  primary key (directory_id, role)
) strict, without rowid;

create table events (
  directory_id text not null,            -- no foreign key, so that a write to it looks up no directory
  sequence integer not null,             -- 1, 2, 3 ... per directory, without gaps
  id text not null,
  event_type text not null,
  created_at integer not null,
  request_id text not null,              -- of the request or sync run that caused the event
  trace_context text,                    -- W3C: traceparent of the span of the commit, and tracestate; null: not traced
  group_id text,                         -- of the event of a membership, whose data begins with the user
  data text not null,                    -- JSON
  changes text,                          -- JSON: {path: {from, to}} of an update
  primary key (directory_id, sequence)
) strict;
-- For traces and timelines. The data begins with the id of the user or group that the event is about. The expressions are those
-- of PostgreSQL, where they keep the planner from walking the primary key for what these indexes find.
create index events_by_request on events (request_id, sequence);
create index events_by_resource on events (substr(data, 8, 36), (sequence + 0));
create index events_by_group on events (group_id, (sequence + 0)) where group_id is not null;
-- Lists the events of one type.
create index events_by_type on events ((event_type || ''), directory_id, (sequence + 0));

-- The order of a product's events: runs of events of one directory, in the order in which readers get them. A run is written
-- after its events, by whoever reads the feed or moves the volumes: see src/store/feed-order.ts.
create table feed_runs (
  directory_id text not null,            -- no foreign key, as in events
  last_sequence integer not null,
  first_sequence integer not null,       -- one more than the last one of the previous run
  product text not null,                 -- of the directory, where it never changes
  position integer not null,             -- 1, 2, 3 ... per product
  tag text not null,                     -- random: shows whether a run was lost, and another one has its position
  primary key (directory_id, last_sequence)
) strict, without rowid;
create index feed_runs_in_order on feed_runs (product, position);

-- The last position of each product. Its row is locked by whoever adds runs, so that positions become visible in their order.
create table feed_heads (
  product text primary key,
  position integer not null
) strict, without rowid;

-- The last resync of each directory and how far it got.
create table resyncs (
  directory_id text primary key references directories (id) on delete cascade,
  sync_id text not null,
  request_id text not null,              -- of the request that started it
  trace_context text,                    -- as in events, of the commit that started it
  started_sequence integer not null,     -- of the event sync.started
  step integer not null,                 -- counts the committed steps: a step is committed only at the count it was read at
  phase text not null,                   -- users, groups, members or completed
  position_sequence integer not null,    -- of the last user or group that was read; 0 before the first
  position_group_id text not null,       -- of the last member that was read; empty before the first
  position_member_id text not null,
  sent_users integer not null,           -- snapshot events so far; so are the next two
  sent_groups integer not null,
  sent_members integer not null,
  started_at integer not null,
  completed_at integer
) strict, without rowid;
create index resyncs_running on resyncs (directory_id) where completed_at is null;

-- The delivery state of a directory's events per target; there is no row before the first attempt.
create table delivery_streams (
  directory_id text not null references directories (id) on delete cascade,
  target text not null,                  -- endpoint or on-event
  delivered_sequence integer not null,   -- the last event that was delivered or set aside
  failures integer not null default 0,   -- consecutive failed attempts
  failing_since integer,                 -- when the first of them failed
  refusals integer not null default 0,   -- how often the next event was refused
  batch_end integer,                     -- the last event of a batch that is being retried
  next_attempt_at integer,
  retried_at integer,                    -- when a change of the directory last ended a backoff
  delivered_late_at integer,             -- when an event was last delivered a day or more after its commit
  paused_at integer,
  pause_reason text,                     -- gone, failing or operator
  last_error text,                       -- a sentence about the last attempt; null when it succeeded
  lease_holder text,                     -- the scheduler that may send
  lease_token integer not null default 0, -- grows with every lease: an older token can no longer record anything
  lease_expires_at integer,
  primary key (directory_id, target)
) strict, without rowid;
create index delivery_streams_leased on delivery_streams (lease_holder) where lease_holder is not null and lease_token >= 0;

-- Attempts to deliver events, for traces: one row per event or batch and attempt, removed together with the event.
create table delivery_attempts (
  directory_id text not null,            -- no foreign key, as in events
  last_sequence integer not null,        -- of the last event of the batch
  first_sequence integer not null,
  target text not null,                  -- endpoint or on-event
  attempt integer not null,              -- 1, 2, 3 ... per event
  at integer not null,                   -- when it ended
  status integer,                        -- of the HTTP response; null when there was none
  error text,                            -- why it failed; null when it succeeded
  duration_ms integer not null,
  -- The beginning of the response body, encrypted, of refused attempts, and of all while log_webhook_events is on; null without
  -- any. The id binds it to its row.
  response_id text,
  response_body text,
  primary key (directory_id, last_sequence, target, attempt, at)
) strict, without rowid;
create index delivery_attempts_by_key on delivery_attempts (substr(response_body, 1, 11))
  where substr(response_body, 1, 11) is not null;

-- Events that the target refused too often; delivery continued without them.
create table dead_events (
  directory_id text not null references directories (id) on delete cascade,
  target text not null,
  sequence integer not null,             -- of the event
  died_at integer not null,
  reason text not null,                  -- a sentence about the last attempt, or the operator's
  skipped integer not null default 0,    -- 1: an operator skipped the event
  -- Of the directory, where they never change: lists over several directories filter by them.
  tenant text not null default '',
  product text not null default '',
  primary key (directory_id, target, sequence)
) strict, without rowid;
create index dead_events_by_age on dead_events (died_at, directory_id, sequence) where target = 'endpoint';
create index dead_events_by_directory on dead_events (directory_id, died_at, sequence) where target = 'endpoint';
create index dead_events_by_tenant on dead_events (tenant, died_at, directory_id, sequence)
  where target = 'endpoint';
create index dead_events_by_product on dead_events (product, died_at, directory_id, sequence)
  where target = 'endpoint';
create index dead_events_by_scope on dead_events (tenant, product, died_at, directory_id, sequence)
  where target = 'endpoint';

-- Events to send once more, outside the stream.
create table replays (
  directory_id text not null references directories (id) on delete cascade,
  target text not null,
  sequence integer not null,             -- of the event
  requested_at integer not null,
  primary key (directory_id, target, sequence)
) strict, without rowid;

-- The delivery log: one row per attempt to send an event or a batch of events to an endpoint, written while
-- log_webhook_events is on. Only the API's listing reads it.
create table deliveries (
  directory_id text not null,            -- no foreign key, as in events
  tenant text not null,                  -- of the directory, where it never changes; listings filter by it and by product
  product text not null,
  id text not null,                      -- a UUIDv7: listings are in this order, which is the order of time
  sequence integer not null,             -- of the event, or of the first event of a batch, as event_id and event_type
  event_count integer not null,
  event_id text not null,
  event_type text not null,
  request_id text not null,              -- of the event, as in events
  endpoint_url text not null,            -- without credentials, query and fragment
  attempt integer not null,              -- 1, 2, 3 ... per event
  status integer,                        -- of the HTTP response; null when there was none
  latency_ms integer not null,
  error text,                            -- why the attempt failed; null when it succeeded
  delivered integer not null,
  payload text,                          -- the JSON that was sent; null when it was too large to keep
  payload_truncated integer not null,
  response_body text not null,           -- the beginning of the body
  created_at integer not null            -- when the attempt ended
) strict;
create unique index deliveries_by_directory on deliveries (directory_id, id);
create index deliveries_by_scope on deliveries (tenant, product, id, directory_id);
-- The expression keeps the planner from using it for one tenant.
create index deliveries_by_product on deliveries ((product || ''), id, directory_id);
create index deliveries_by_age on deliveries (created_at);

-- Notices to the operator: the last one of each directory and type. A newer one replaces it, at most once an hour.
create table operator_notices (
  directory_id text not null references directories (id) on delete cascade,
  type text not null,                    -- such as directory.event_dead
  id text not null,                      -- the webhook-id
  created_at integer not null,
  payload text not null,                 -- the JSON that is sent
  attempts integer not null default 0,
  next_attempt_at integer,               -- null once it is sent or given up
  sent_at integer,
  primary key (directory_id, type)
) strict, without rowid;
create index operator_notices_due on operator_notices (next_attempt_at) where next_attempt_at is not null;

-- Users who lost access, until the consumer has received the event that reports it. A row is written with the event and
-- deleted with the progress of the stream, or when a reader of the feed continues after the event.
create table deprovisionings (
  directory_id text not null,            -- no foreign key, as in events
  sequence integer not null,             -- of the event
  user_id text not null,
  subject text not null,                 -- the userName
  received_at integer not null,          -- when the request of the identity provider arrived
  reported integer not null default 0,   -- 1: the log says that it is overdue
  primary key (directory_id, sequence)
) strict, without rowid;
create index deprovisionings_by_age on deprovisionings (received_at);
create index deprovisionings_unreported on deprovisionings (received_at) where reported = 0;

-- How long deprovisionings took: how many per day and range of durations (see src/store/deprovisionings.ts).
create table deprovision_times (
  directory_id text not null references directories (id) on delete cascade,
  day integer not null,                  -- since 1970
  bucket integer not null,
  deprovisionings integer not null,
  primary key (directory_id, day, bucket)
) strict, without rowid;
create index deprovision_times_by_day on deprovision_times (day);

-- The request log: SCIM requests as they were answered, in batches as they were written beside them. Positions count the
-- requests of a directory without gaps.
create table request_batches (
  directory_id text not null,
  position integer not null,             -- of the first request
  last_position integer not null,        -- of the last request
  newest_at integer not null,            -- when the newest of them arrived
  records blob not null,                 -- JSON, compressed unless it is short
  -- The tenant and product of the directory, where they never change, of batches that contain a refused request; null otherwise.
  -- Lists of refused requests read only these.
  tenant text,
  product text,
  primary key (directory_id, position)
) strict;
create index refused_requests_of_directory on request_batches (directory_id, (position + 0)) where product is not null;
create index refused_requests_by_age on request_batches (newest_at, directory_id, position)
  where product is not null and last_position > 0;
create index refused_requests_of_product on request_batches (product, newest_at, directory_id, position) where product is not null;
create index refused_requests_of_tenant on request_batches (tenant, newest_at, directory_id, position) where tenant is not null;

-- The users and groups that refused requests name, whom nothing else may know, by the folded name.
create table refused_subjects (
  subject text not null,
  directory_id text not null,
  position integer not null,             -- of the last refused request with this subject
  primary key (subject, directory_id)
) strict, without rowid;
create index refused_subjects_by_position on refused_subjects (directory_id, position);

create table request_bodies (
  directory_id text not null,
  position integer not null,             -- of the request
  id text not null,
  body text not null,                    -- encrypted JSON, without passwords
  primary key (directory_id, position)
) strict;
create index request_bodies_by_key on request_bodies (substr(body, 1, 11));

-- The positions that the request log of a directory has.
create table request_logs (
  directory_id text primary key references directories (id) on delete cascade,
  first_position integer not null,       -- of the oldest request; one more than the last when there is none
  last_position integer not null,
  oldest_at integer                      -- no later than when the oldest batch was complete; null without any
) strict, without rowid;
create index request_logs_by_age on request_logs (oldest_at, directory_id) where oldest_at is not null;

-- What was observed of the requests to a directory, collected in memory and written about once a second: see
-- src/diagnostics/health/activity.ts. There is no row before the first request.
create table directory_activity (
  directory_id text primary key references directories (id) on delete cascade,
  last_request_at integer,               -- with the right secret
  last_success_at integer,
  first_tested_at integer,               -- the first request that only read
  last_tested_at integer,
  failed_count integer not null,         -- requests with a wrong or missing secret
  failed_at integer,
  failed_address text,
  failed_since_success integer not null, -- since the last request with the right secret
  failed_with_secret integer not null,   -- of those, with a secret
  failed_since integer,                  -- the first of those
  feed_read_at integer,                  -- accurate to an hour
  failed_beside integer not null,        -- requests with a wrong secret that one with the right secret followed, lately
  failed_beside_at integer,              -- when the last of those had the right secret; null without any
  failed_problem text                    -- what was wrong with the last failed request, if more than a wrong or missing secret
) strict, without rowid;

-- Pulls of a directory from Google Workspace; the newest 200 of each directory are kept.
create table sync_runs (
  directory_id text not null references directories (id) on delete cascade,
  id text not null,
  state text not null,                   -- running, completed, held, failed or superseded
  trigger text not null,                 -- api, cron, interval or library
  started_at integer not null,
  finished_at integer,
  error text,                            -- a sentence: why it failed or what it left out
  phase text not null,
  requests integer not null,             -- to Google, retries included
  pages integer not null,
  created integer not null,              -- users and groups; so are updated and deleted
  updated integer not null,
  deleted integer not null,
  held integer not null,                 -- deletions waiting for approval
  skipped integer not null,
  members_added integer not null,
  members_removed integer not null,
  lease_holder text not null,            -- the process that runs it or ran it last
  lease_expires_at integer not null,     -- from then on another process may take over
  primary key (directory_id, id)
) strict, without rowid;
create unique index sync_runs_running on sync_runs (directory_id) where state = 'running';
create index sync_runs_leased on sync_runs (lease_holder) where state = 'running';
create index sync_runs_held on sync_runs (directory_id) where state = 'held';
create index sync_runs_by_id on sync_runs (id);
create index sync_runs_in_order on sync_runs (directory_id, started_at, id);

-- What a sync run would delete. The deletions of a held run wait for approval; those of other runs are removed in small
-- steps.
create table held_deletions (
  directory_id text not null references directories (id) on delete cascade,
  run_id text not null,
  kind text not null,                    -- user or group
  id text not null,                      -- of the user or group
  primary key (directory_id, run_id, kind, id),
  foreign key (directory_id, run_id) references sync_runs (directory_id, id) on delete cascade
) strict, without rowid;

-- OAuth states that were used, as each is valid once. They name no directory: checking one needs no directory lookup.
create table spent_authorizations (
  id text primary key,
  expires_at integer not null            -- from then on the state is rejected as expired
) strict, without rowid;
create index spent_authorizations_by_age on spent_authorizations (expires_at);

-- The last Google authorization that was started for a directory and has not completed.
create table pending_authorizations (
  directory_id text primary key references directories (id) on delete cascade,
  sealed text not null,
  expires_at integer not null
) strict, without rowid;
create index pending_authorizations_by_key on pending_authorizations (substr(sealed, 1, 11));

-- The directories that were imported from another service, as the last write of the import left them: the import changes a
-- directory as long as nothing else has.
create table imports (
  directory_id text primary key references directories (id) on delete cascade,
  source text not null,                  -- where it came from, without credentials
  revision integer not null,             -- as in directory_state; so is the next column
  last_sequence integer not null,
  started_at integer not null,
  completed_at integer,                  -- of the last complete run; null before the first
  event_created_at integer not null default 0, -- the position of the last event that was imported
  event_id text not null default ''
) strict, without rowid;
create index imports_by_source on imports (source, directory_id);

-- The health of each directory, for counts and lists. A commit that changes a fact of it makes a check due, which decides it again:
-- see src/store/health-checks.ts.
create table directory_health (
  directory_id text primary key references directories (id) on delete cascade,
  tenant text not null,                  -- of the directory, as are the columns up to deactivated
  tenant_folded text not null,           -- in lower case; so is the name
  product text not null,
  directory_type text not null,
  name_folded text not null,
  created_at integer not null,
  deactivated integer not null,
  severity integer not null,             -- the state and the worst reason, the worst lowest: see src/diagnostics/health/severity.ts
  held integer not null default 0,
  overdue integer not null default 0,    -- 1: it has overdue deprovisionings
  behind integer not null default 0,     -- 1: events have been waiting for long
  event_minute integer not null default 0, -- of the last event in volume_totals, in minutes since 1970
  check_at integer,                      -- when the next check is due; null: when a fact changes
  checks integer not null default 0      -- grows with each check and each change of a fact, so that no check stores what is outdated
) strict, without rowid;
-- The last columns are filtered by, or counted, without reading the table.
create index directory_health_by_severity
  on directory_health (severity, directory_id, product, tenant, directory_type, held, overdue, deactivated);
create index directory_health_of_product
  on directory_health (product, severity, directory_id, tenant, directory_type, held, overdue, deactivated);
create index directory_health_of_tenant on directory_health (tenant, directory_id);
create index directory_health_by_tenant_name on directory_health (tenant_folded, directory_id);
create index directory_health_by_name on directory_health (name_folded, directory_id);
create index directory_health_of_product_by_name on directory_health (product, name_folded, directory_id);
create index directory_health_by_event on directory_health (event_minute, directory_id);
create index directory_health_of_product_by_event on directory_health (product, event_minute, directory_id);
create index directory_health_by_age on directory_health (created_at, directory_id);
create index directory_health_of_product_by_age on directory_health (product, created_at, directory_id);
create index directory_health_due on directory_health (check_at, directory_id) where check_at is not null;
create index directory_health_overdue on directory_health (directory_id, product, tenant) where overdue = 1;

-- Events and failed deliveries that are not in volume_totals yet, per minute since 1970. They are moved there every few seconds.
create table event_volumes (
  directory_id text not null,
  minute integer not null,
  events integer not null,
  failed_deliveries integer not null,
  primary key (directory_id, minute)
) strict, without rowid;

-- Events and failed deliveries of a tenant and product; of the whole product (tenant is empty); and of everything (both are
-- empty): per minute, hour and day.
create table volume_totals (
  product text not null,
  tenant text not null,
  unit integer not null,                 -- the length of the period, in milliseconds
  start integer not null,
  events integer not null,
  failed_deliveries integer not null,
  primary key (product, tenant, unit, start)
) strict, without rowid;
create index volume_totals_of_tenant on volume_totals (tenant, unit, start) where tenant <> '' and product <> '';
create index volume_totals_by_age on volume_totals (unit, start);

-- When counting began: earlier periods are unknown, not empty.
create table volume_start (
  id integer primary key check (id = 1),
  at integer not null
) strict;
insert into volume_start (id, at) values (1, cast(unixepoch('subsec') * 1000 as integer));

-- Values that the service itself keeps from one start to the next, encrypted.
create table settings (
  name text primary key,
  value text not null
) strict, without rowid;

-- Links with which customers' administrators connect their directories: see src/setup/setup-link.ts.
create table setup_links (
  id text primary key,
  tenant text not null,
  product text not null,
  name text,
  directory_id text,                     -- null until the administrator chooses an identity provider
  directory_given integer not null,      -- 1: the link was created for a directory that existed
  endpoint text not null,                -- encrypted JSON: where the events of the directory go
  types text,                            -- JSON: the provider types to choose from; null: all
  token_digest text not null unique,     -- an HMAC; the token is not stored
  created_at integer not null,
  expires_at integer not null,
  revoked_at integer,
  opened_at integer,                     -- when its page was first opened
  used_at integer,                       -- when something was first changed with it
  roles text                             -- JSON: the roles that the customer may give to groups; null: none
) strict, without rowid;
create unique index setup_links_by_scope on setup_links (tenant, product) where revoked_at is null;
create index setup_links_by_product on setup_links (product, created_at, id) where revoked_at is null;
create index setup_links_by_directory on setup_links (directory_id) where revoked_at is null;
create index setup_links_by_age on setup_links (expires_at);
create index setup_links_by_key on setup_links (substr(endpoint, 1, 11));
-- The list of all links, newest first, with those that are revoked or have expired.
create index setup_links_in_order on setup_links (created_at, id);
create index setup_links_of_product on setup_links (product, created_at, id);
create index setup_links_of_tenant on setup_links (tenant, created_at, id);
create index setup_links_of_directory on setup_links (directory_id, created_at, id);

-- Administrators who have logged in with the root token.
create table admin_users (
  id text primary key,
  email text not null,                   -- as entered at the first login
  email_folded text not null unique,
  timezone text not null,                -- an IANA name
  created_at integer not null
) strict, without rowid;

-- Tokens issued by logins.
create table admin_tokens (
  id text primary key,
  user_id text not null references admin_users (id),
  token_hash text not null,              -- bcrypt
  disabled integer not null,
  created_at integer not null,
  last_used_at integer not null          -- the login counts as a use
) strict, without rowid;
create index admin_tokens_in_order on admin_tokens (created_at, id);
create index admin_tokens_by_use on admin_tokens (last_used_at);

-- Keys for the directory-sync API, created by administrators. A tenant or product that is null does not limit the key.
create table api_keys (
  id text primary key,
  name text not null,
  prefix text not null,                  -- the beginning of the key, to distinguish keys
  digest text not null unique,           -- a plain hash, as keys have 32 random bytes
  tenant text,
  product text,
  read_only integer not null,
  created_at integer not null,
  expires_at integer,                    -- null: never
  last_used_at integer                   -- null: not used yet
) strict, without rowid;
create index api_keys_in_order on api_keys (created_at, id);

-- Sign-ins to the console. A session ends with its API key or admin token, which is looked up for every request.
create table console_sessions (
  digest text primary key,               -- a keyed hash of the cookie's value
  holder_kind text not null,             -- api-key or admin-token
  holder_id text not null,               -- configured API keys are in no table
  created_at integer not null,
  last_used_at integer not null          -- the sign-in counts as a use
) strict, without rowid;
create index console_sessions_by_use on console_sessions (last_used_at);
-- The sessions of API keys, in the order of lists.
create index console_sessions_of_keys on console_sessions (created_at, digest) where holder_kind = 'api-key';

-- The audit trail: each entry carries the hash of the previous one. Entries outlive the directories that they are about.
-- Every column that a listing may filter by has an index in listing order; a listing walks only one of them.
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
  hash text not null,
  -- Personal fields are in the hash as salted digests, so that values and salts can be erased.
  salts text not null,                   -- JSON: {field: salt}; a field that was erased has none
  erased text                            -- JSON: {fields: {field: digest}, seal}; null: nothing was erased
) strict;
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
  sequence integer not null,             -- of the last entry; 0 before the first
  hash text not null,
  seal text not null,                    -- HMAC of the two: write access to the database is not enough to set them
  anchor_sequence integer not null,      -- of the last entry that retention removed: the oldest one kept follows it
  anchor_hash text not null,
  anchor_seal text not null              -- likewise
) strict;
insert into audit_head (id, sequence, hash, seal, anchor_sequence, anchor_hash, anchor_seal) values (1, 0, '', '', 0, '', '');

-- Erasures of persons, without personal data once they are finished.
create table erasures (
  id text primary key,
  tenant text not null,
  product text not null,
  started_at integer not null,
  finished_at integer,                   -- null: the next start, or the next erasure, finishes it
  caller_kind text not null,             -- as in audit_entries
  caller_id text,
  caller_name text,
  reason text,
  places text not null,                  -- JSON: how many rows of each kind were erased
  plan text,                             -- encrypted JSON: whom and what to look for; null once it is finished
  receipt text                           -- a JWS without personal data
) strict, without rowid;
create index erasures_in_order on erasures (tenant, product, started_at, id) where finished_at is not null;
create index erasures_open on erasures (id) where finished_at is null;
create index erasures_by_key on erasures (substr(plan, 1, 11)) where substr(plan, 1, 11) is not null;
-- The list of all erasures, which is copied for restores.
create index erasures_by_time on erasures (started_at, id) where finished_at is not null;
