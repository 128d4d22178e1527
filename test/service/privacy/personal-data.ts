/** How personal data in a column is found and erased. */
export type Erasure =
  /** The column is visited row by row: see `placeColumns`. */
  | 'visited'
  /** The row is removed with the user. */
  | 'with the user'
  /** The erasure's own plan, which is removed at its end. */
  | 'at the end'
  /** By the audit trail itself. */
  | 'audit trail'

/** Why a column holds no data about the persons of a directory. */
export type Reason =
  | 'an id of the service'
  | 'a number'
  | 'a time'
  | 'a state'
  | 'a key or digest'
  | 'a secret'
  | 'of a directory'
  | 'of the operator'
  | 'of the protocol'

/** The declaration of the columns of a table. */
export interface TableDeclaration {
  /** The columns that may hold data about a person, and how it is erased. */
  readonly personal?: Readonly<Record<string, Erasure>>
  /** How long they are kept otherwise, for the documentation. */
  readonly kept?: string
  /** All other columns, with the reason. */
  readonly others: Partial<Readonly<Record<Reason, readonly string[]>>>
}

const asEvents = 'as the events: `EVENT_RETENTION_DAYS` after delivery'

/**
 * Every table and column of both databases: where personal data is, how an erasure finds it, and why the rest is none. A table or
 * column without a declaration fails a test.
 */
export const personalData: Readonly<Record<string, TableDeclaration>> = {
  users: {
    personal: {
      ...{ user_name: 'with the user', user_name_folded: 'with the user', external_id: 'with the user' },
      ...{ display_name: 'with the user', email: 'with the user', first_name: 'with the user' },
      ...{ last_name: 'with the user', mapped: 'visited', raw: 'visited' },
      ...{ account_id: 'with the user', returned_from: 'with the user' },
    },
    kept: 'until the identity provider deletes the user',
    others: {
      'an id of the service': ['directory_id', 'id'],
      'a number': ['sequence', 'version'],
      'a time': ['created_at', 'updated_at'],
      'a state': ['name_is_email', 'active', 'domain_allowed'],
    },
  },
  user_emails: {
    personal: { email: 'with the user' },
    kept: 'until the identity provider deletes the user',
    others: { 'an id of the service': ['directory_id', 'user_id'] },
  },
  search_terms: {
    personal: { term: 'with the user' },
    kept: 'until the identity provider deletes the user',
    others: { 'an id of the service': ['list', 'row_key'], 'a number': ['shared'] },
  },
  groups: {
    personal: { raw: 'visited' },
    kept: 'until the identity provider deletes the group',
    others: {
      'an id of the service': ['directory_id', 'id'],
      'a number': ['sequence', 'version'],
      'a time': ['created_at', 'updated_at'],
      'of a directory': ['name', 'name_folded', 'external_id'],
    },
  },
  members: {
    others: {
      'an id of the service': ['directory_id', 'group_id', 'member_id'],
      'a state': ['member_type', 'staged'],
      'a number': ['sequence'],
    },
  },
  events: {
    personal: { data: 'visited', changes: 'visited' },
    kept: '`EVENT_RETENTION_DAYS` (30) after delivery; of a deleted directory, after its deletion',
    others: {
      'an id of the service': ['directory_id', 'id', 'request_id', 'group_id'],
      'a number': ['sequence'],
      'of the protocol': ['event_type', 'trace_context'],
      'a time': ['created_at'],
    },
  },
  dead_events: {
    personal: { reason: 'visited' },
    kept: 'until the event is replayed or removed',
    others: {
      'an id of the service': ['directory_id'],
      'of the protocol': ['target'],
      'a number': ['sequence'],
      'a time': ['died_at'],
      'a state': ['skipped'],
      'of a directory': ['tenant', 'product'],
    },
  },
  replays: {
    others: {
      'an id of the service': ['directory_id'],
      'of the protocol': ['target'],
      'a number': ['sequence'],
      'a time': ['requested_at'],
    },
  },
  delivery_streams: {
    personal: { last_error: 'visited' },
    kept: 'until the next attempt',
    others: {
      'an id of the service': ['directory_id', 'lease_holder', 'lease_token'],
      'of the protocol': ['target', 'pause_reason'],
      'a number': ['delivered_sequence', 'failures', 'refusals', 'batch_end'],
      'a time': [
        ...['failing_since', 'next_attempt_at', 'retried_at', 'delivered_late_at', 'paused_at', 'lease_expires_at'],
      ],
    },
  },
  delivery_attempts: {
    personal: { error: 'visited', response_body: 'visited' },
    kept: asEvents,
    others: {
      'an id of the service': ['directory_id', 'response_id'],
      'a number': ['last_sequence', 'first_sequence', 'attempt', 'status', 'duration_ms'],
      'of the protocol': ['target'],
      'a time': ['at'],
    },
  },
  deliveries: {
    personal: { payload: 'visited', response_body: 'visited', error: 'visited' },
    kept: '`DSYNC_WEBHOOK_LOGS_TTL` days (7), only while `log_webhook_events` is on',
    others: {
      'an id of the service': ['directory_id', 'id', 'event_id', 'request_id'],
      'of a directory': ['tenant', 'product', 'endpoint_url'],
      'a number': ['sequence', 'event_count', 'attempt', 'status', 'latency_ms'],
      'of the protocol': ['event_type'],
      'a state': ['delivered', 'payload_truncated'],
      'a time': ['created_at'],
    },
  },
  request_batches: {
    personal: { records: 'visited' },
    kept: '`SCIM_REQUEST_LOG_TTL` days (7)',
    others: {
      'an id of the service': ['directory_id'],
      'a number': ['position', 'last_position'],
      'a time': ['newest_at'],
      'of a directory': ['tenant', 'product'],
    },
  },
  refused_subjects: {
    personal: { subject: 'visited' },
    kept: '`SCIM_REQUEST_LOG_TTL` days (7)',
    others: { 'an id of the service': ['directory_id'], 'a number': ['position'] },
  },
  request_bodies: {
    personal: { body: 'visited' },
    kept: '`SCIM_REQUEST_LOG_TTL` days (7), of refused requests, and of all while `log_scim_requests` is on',
    others: { 'an id of the service': ['directory_id', 'id'], 'a number': ['position'] },
  },
  request_logs: {
    others: {
      'an id of the service': ['directory_id'],
      'a number': ['first_position', 'last_position'],
      'a time': ['oldest_at'],
    },
  },
  sync_runs: {
    personal: { error: 'visited' },
    kept: 'the newest 200 runs of each directory',
    others: {
      'an id of the service': ['directory_id', 'id', 'lease_holder'],
      'a state': ['state', 'trigger', 'phase'],
      'a time': ['started_at', 'finished_at', 'lease_expires_at'],
      'a number': [
        ...[
          'requests',
          'pages',
          'created',
          'updated',
          'deleted',
          'held',
          'skipped',
          'members_added',
          'members_removed',
        ],
      ],
    },
  },
  held_deletions: { others: { 'an id of the service': ['directory_id', 'run_id', 'id'], 'a state': ['kind'] } },
  operator_notices: {
    personal: { payload: 'visited' },
    kept: 'until the next notice of the type',
    others: {
      'an id of the service': ['directory_id', 'id'],
      'of the protocol': ['type'],
      'a number': ['attempts'],
      'a time': ['created_at', 'next_attempt_at', 'sent_at'],
    },
  },
  deprovisionings: {
    personal: { subject: 'visited' },
    kept: 'until the product has received the event',
    others: {
      'an id of the service': ['directory_id', 'user_id'],
      'a number': ['sequence'],
      'a time': ['received_at'],
      'a state': ['reported'],
    },
  },
  deprovision_times: {
    others: { 'an id of the service': ['directory_id'], 'a number': ['day', 'bucket', 'deprovisionings'] },
  },
  removed_users: {
    personal: { user_name_folded: 'visited', email: 'visited' },
    kept: 'the window of the removal limit, or until a hold ends',
    others: {
      'an id of the service': ['directory_id', 'user_id'],
      'a number': ['row_position'],
      'a time': ['removed_at', 'returned_at'],
    },
  },
  deleted_users: {
    personal: { user_name_digest: 'visited', external_id_digest: 'visited', account_id: 'visited' },
    kept: '`RETURN_WINDOW_DAYS` (30) after the deletion',
    others: { 'an id of the service': ['directory_id', 'user_id'], 'a time': ['deleted_at'] },
  },
  adoption_accounts: {
    personal: { account_id: 'visited', external_id: 'visited', user_name: 'visited', email: 'visited' },
    kept: 'until the plan was applied or the list is deleted; at most 30 days',
    others: { 'an id of the service': ['directory_id', 'user_id'], 'a number': ['list'] },
  },
  adoptions: {
    others: {
      'an id of the service': ['directory_id', 'marked_by', 'passed'],
      'a number': ['list', 'accounts', 'links'],
      'a state': ['state'],
      'a time': ['sent_at', 'work_at'],
      'a key or digest': ['version'],
    },
  },
  removed_memberships: {
    others: { 'an id of the service': ['directory_id', 'group_id', 'member_id'], 'a number': ['row_position'] },
  },
  removal_windows: {
    others: { 'an id of the service': ['directory_id'], 'a state': ['kind', 'held'], 'a number': ['buckets'] },
  },
  holds: {
    others: {
      'an id of the service': ['directory_id'],
      'a time': ['since'],
      'a state': ['reason', 'reported', 'discarding'],
      'a number': [
        ...['percent', 'minimum', 'window_seconds', 'removals', 'removals_before', 'highest', 'counted_from'],
        ...['first_sequence', 'version', 'role_minimum', 'role_users'],
      ],
      'of the operator': ['role'],
    },
  },
  list_counts: {
    others: { 'an id of the service': ['directory_id', 'list_name'], 'a number': ['bucket', 'resources'] },
  },
  large_changes: {
    others: {
      'an id of the service': ['directory_id', 'group_id', 'member_id'],
      'a time': ['left_at'],
      'a state': ['shown'],
    },
  },
  resyncs: {
    others: {
      'an id of the service': [...['directory_id', 'sync_id', 'request_id', 'position_group_id', 'position_member_id']],
      'of the protocol': ['trace_context'],
      'a state': ['phase'],
      'a number': ['started_sequence', 'step', 'position_sequence', 'sent_users', 'sent_groups', 'sent_members'],
      'a time': ['started_at', 'completed_at'],
    },
  },
  directories: {
    others: {
      'an id of the service': ['number', 'id'],
      'of a directory': [
        'name',
        'tenant',
        'product',
        'directory_type',
        'removal_limit',
        'scim_auth',
        'scim_profile',
        'mapping',
        'domains',
      ],
      'a secret': [
        ...['scim_secret', 'previous_scim_secret', 'endpoint_url', 'endpoint_secret', 'previous_endpoint_secret'],
        ...['endpoint_headers', 'extdir'],
      ],
      'a state': [
        ...['log_webhook_events', 'log_scim_requests', 'unique_group_names', 'deactivated', 'deleted', 'can_sync'],
        ...['leaving', 'deleted_at'],
      ],
      'a time': [
        ...['previous_scim_secret_expires_at', 'previous_endpoint_secret_expires_at', 'created_at', 'synced_at'],
      ],
    },
  },
  directory_state: {
    others: {
      'an id of the service': ['directory_id', 'number'],
      'a number': [
        ...['revision', 'last_sequence', 'endpoint_work', 'on_event_work', 'discarded_events', 'active_users'],
        ...['memberships', 'held_from', 'sends_until', 'has_accounts'],
      ],
      'a time': [
        ...['oldest_event_at', 'last_change_at', 'first_user_created_at', 'last_user_created_at'],
        ...['first_user_updated_at', 'last_user_updated_at', 'first_user_deactivated_at', 'last_user_deactivated_at'],
        ...['first_user_reactivated_at', 'last_user_reactivated_at', 'first_user_deleted_at', 'last_user_deleted_at'],
        ...['first_group_pushed_at', 'last_group_pushed_at', 'first_member_added_at', 'last_member_added_at'],
        ...['first_member_removed_at', 'last_member_removed_at'],
      ],
    },
  },
  directory_activity: {
    others: {
      'an id of the service': ['directory_id'],
      'a number': ['failed_count', 'failed_since_success', 'failed_with_secret', 'failed_beside'],
      'a time': [
        ...['last_request_at', 'last_success_at', 'first_tested_at', 'last_tested_at', 'failed_at', 'failed_since'],
        ...['feed_read_at', 'failed_beside_at'],
      ],
      // The address, and the credentials, of the identity provider.
      'of the protocol': ['failed_address', 'failed_problem'],
    },
  },
  directory_health: {
    others: {
      'an id of the service': ['directory_id'],
      'of a directory': ['tenant', 'tenant_folded', 'product', 'directory_type', 'name_folded'],
      'a time': ['created_at', 'event_minute', 'check_at'],
      'a state': ['deactivated', 'held', 'overdue', 'behind'],
      'a number': ['severity', 'checks'],
    },
  },
  directory_mappings: {
    personal: { created_by: 'visited' },
    kept: 'until the directory is deleted',
    others: {
      'an id of the service': ['directory_id'],
      'a number': ['version'],
      'a time': ['created_at'],
      'of the operator': ['document'],
    },
  },
  product_mappings: {
    others: {
      'an id of the service': ['request_id', 'passed_id'],
      'of a directory': ['product'],
      'a number': ['version'],
      'a time': ['created_at', 'passed_at'],
      'of the operator': ['document', 'created_by'],
    },
  },
  mapping_runs: {
    others: {
      'an id of the service': ['directory_id', 'request_id'],
      'a number': ['position', 'evaluated', 'changed', 'total'],
      'a time': ['started_at', 'completed_at'],
    },
  },
  user_roles: {
    others: {
      'an id of the service': ['directory_id', 'user_id'],
      'of the operator': ['role'],
      'a number': ['position'],
    },
  },
  role_counts: {
    others: { 'an id of the service': ['directory_id'], 'of the operator': ['role'], 'a number': ['users'] },
  },
  feed_runs: {
    others: {
      'an id of the service': ['directory_id'],
      'a number': ['last_sequence', 'first_sequence', 'position'],
      'of a directory': ['product'],
      'a key or digest': ['tag'],
    },
  },
  feed_heads: { others: { 'of a directory': ['product'], 'a number': ['position'] } },
  imports: {
    others: {
      'an id of the service': ['directory_id', 'event_id'],
      'of the operator': ['source'],
      'a number': ['revision', 'last_sequence'],
      'a time': ['started_at', 'completed_at', 'event_created_at'],
    },
  },
  event_volumes: {
    others: { 'an id of the service': ['directory_id'], 'a number': ['minute', 'events', 'failed_deliveries'] },
  },
  volume_totals: {
    others: {
      'of a directory': ['product', 'tenant'],
      'a number': ['unit', 'start', 'events', 'failed_deliveries'],
    },
  },
  volume_start: { others: { 'a number': ['id'], 'a time': ['at'] } },
  setup_links: {
    personal: { name: 'visited' },
    kept: 'until the link has expired',
    others: {
      'an id of the service': ['id', 'directory_id'],
      'of a directory': ['tenant', 'product', 'types', 'domains', 'scim_profile', 'adoption'],
      'of the operator': ['roles', 'extdir_scope', 'return_url'],
      'a state': ['directory_given'],
      'a secret': ['endpoint', 'token_digest'],
      'a time': ['created_at', 'expires_at', 'revoked_at', 'opened_at', 'used_at'],
    },
  },
  oauth_clients: {
    others: {
      'an id of the service': ['directory_id', 'id'],
      'of the protocol': ['type', 'issuer', 'subject', 'audience', 'jwks_url'],
      'of the operator': ['name'],
      'a key or digest': ['secret_digest'],
      'a time': ['created_at', 'expires_at', 'last_used_at'],
      'a state': ['expiry_reported'],
    },
  },
  audit_entries: {
    personal: { caller_name: 'audit trail', address: 'audit trail', changes: 'audit trail' },
    kept: '`AUDIT_RETENTION_DAYS`, forever by default',
    others: {
      'an id of the service': ['sequence', 'id', 'request_id', 'target_id'],
      'a time': ['at'],
      'of the protocol': ['action', 'target_kind'],
      'of the operator': ['caller_kind', 'caller_id'],
      'of a directory': ['tenant', 'product'],
      'a key or digest': ['previous_hash', 'hash', 'salts', 'erased'],
    },
  },
  audit_head: {
    others: {
      'a number': ['id', 'sequence', 'anchor_sequence'],
      'a key or digest': ['hash', 'seal', 'anchor_hash', 'anchor_seal'],
    },
  },
  erasures: {
    personal: { plan: 'at the end' },
    kept: 'encrypted, until the erasure is finished',
    others: {
      'an id of the service': ['id'],
      'of a directory': ['tenant', 'product'],
      'a time': ['started_at', 'finished_at'],
      'of the operator': ['caller_kind', 'caller_id', 'caller_name', 'reason'],
      'a number': ['places'],
      'a key or digest': ['receipt'],
    },
  },
  admin_users: {
    others: {
      'an id of the service': ['id'],
      'of the operator': ['email', 'email_folded', 'timezone'],
      'a time': ['created_at'],
    },
  },
  admin_tokens: {
    others: {
      'an id of the service': ['id', 'user_id'],
      'a key or digest': ['token_hash'],
      'a state': ['disabled'],
      'a time': ['created_at', 'last_used_at'],
    },
  },
  api_keys: {
    others: {
      'an id of the service': ['id'],
      'of the operator': ['name'],
      'a key or digest': ['prefix', 'digest'],
      'of a directory': ['tenant', 'product'],
      'a state': ['read_only'],
      'a time': ['created_at', 'expires_at', 'last_used_at'],
    },
  },
  console_sessions: {
    others: {
      'a key or digest': ['digest', 'holder_grant'],
      'of the operator': ['holder_kind', 'holder_id'],
      'a time': ['created_at', 'last_used_at'],
    },
  },
  settings: { others: { 'of the operator': ['name'], 'a secret': ['value'] } },
  spent_authorizations: { others: { 'an id of the service': ['id'], 'a time': ['expires_at'] } },
  pending_authorizations: {
    others: { 'an id of the service': ['directory_id'], 'a secret': ['sealed'], 'a time': ['expires_at'] },
  },
  schema_migrations: {
    others: {
      'a number': ['number'],
      'a time': ['applied_at'],
      'of the operator': ['name'],
      'a key or digest': ['digest'],
    },
  },
}
