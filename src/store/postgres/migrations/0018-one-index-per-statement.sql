-- On a table that was analyzed while it was empty, all indexes whose columns a statement names look equally good, and a plan that is
-- made then is kept while the table fills. An index with columns of the primary key is therefore partial, with a condition that holds
-- for every row: it is used by the statements that imply the condition, and never to find a row by its key.
drop index events_by_type;
create index events_by_type on events ((event_type || ''), directory_id, (sequence + 0)) where (event_type || '') is not null;
drop index events_by_request;
create index events_by_request on events (request_id, sequence) where request_id >= '';
drop index deliveries_by_scope;
create index deliveries_by_scope on deliveries (tenant, product, id, directory_id) where tenant >= '';
drop index deliveries_by_product;
create index deliveries_by_product on deliveries ((product || ''), id, directory_id) where (product || '') is not null;
drop index users_by_update;
create index users_by_update on users ((directory_id || ''), updated_at, sequence) where (directory_id || '') is not null;
drop index groups_by_update;
create index groups_by_update on groups ((directory_id || ''), updated_at, sequence) where (directory_id || '') is not null;
drop index imports_by_source;
create index imports_by_source on imports (source, directory_id) where source >= '';
drop index holds_by_age;
create index holds_by_age on holds (since, directory_id) where since >= 0;

drop index directory_health_by_severity;
create index directory_health_by_severity
  on directory_health (severity, directory_id, product, tenant, directory_type, held, overdue, deactivated) where severity >= 0;
drop index directory_health_of_product;
create index directory_health_of_product
  on directory_health (product, severity, directory_id, tenant, directory_type, held, overdue, deactivated) where product >= '';
drop index directory_health_of_tenant;
create index directory_health_of_tenant on directory_health (tenant, directory_id) where tenant >= '';
drop index directory_health_by_tenant_name;
create index directory_health_by_tenant_name on directory_health (tenant_folded, directory_id) where tenant_folded >= '';
drop index directory_health_by_name;
create index directory_health_by_name on directory_health (name_folded, directory_id) where name_folded >= '';
drop index directory_health_of_product_by_name;
create index directory_health_of_product_by_name on directory_health (product, name_folded, directory_id) where product >= '';
drop index directory_health_by_event;
create index directory_health_by_event on directory_health (event_minute, directory_id) where event_minute >= 0;
drop index directory_health_of_product_by_event;
create index directory_health_of_product_by_event on directory_health (product, event_minute, directory_id) where product >= '';
drop index directory_health_by_age;
create index directory_health_by_age on directory_health (created_at, directory_id) where created_at >= 0;
drop index directory_health_of_product_by_age;
create index directory_health_of_product_by_age on directory_health (product, created_at, directory_id) where product >= '';

drop index dead_events_by_age;
create index dead_events_by_age on dead_events (died_at, directory_id, sequence) where target = 'endpoint' and died_at >= 0;
drop index dead_events_by_tenant;
create index dead_events_by_tenant on dead_events (tenant, died_at, directory_id, sequence)
  where target = 'endpoint' and tenant >= '';
drop index dead_events_by_product;
create index dead_events_by_product on dead_events (product, died_at, directory_id, sequence)
  where target = 'endpoint' and product >= '';
drop index delivery_streams_leased;
create index delivery_streams_leased on delivery_streams (lease_holder) where lease_holder is not null and lease_token >= 0;
drop index delivery_attempts_by_key;
create index delivery_attempts_by_key on delivery_attempts (substr(response_body, 1, 11)) where substr(response_body, 1, 11) is not null;
drop index deprovision_times_by_day;
create index deprovision_times_by_day on deprovision_times (day) where deprovisionings >= 0;
drop index sync_runs_by_id;
create index sync_runs_by_id on sync_runs (id) where id >= '';
drop index volume_totals_by_age;
create index volume_totals_by_age on volume_totals (unit, start) where events >= 0;
drop index audit_entries_by_caller_kind;
create index audit_entries_by_caller_kind on audit_entries (caller_kind, sequence) where caller_kind is not null;
drop index audit_entries_by_action;
create index audit_entries_by_action on audit_entries (action, sequence) where action is not null;
drop index audit_entries_by_age;
create index audit_entries_by_age on audit_entries (at, sequence) where at >= 0;
