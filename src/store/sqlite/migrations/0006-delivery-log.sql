-- The delivery log: one row per attempt to send an event, or a batch of them, to an endpoint, while the directory's
-- log_webhook_events is on. Nothing but the API's listing reads it.
create table deliveries (
  place integer primary key,             -- in the order of writing
  directory_id text not null,            -- without a foreign key, as in 0003
  tenant text not null,                  -- of the directory, which never changes them: what a listing may be asked by
  product text not null,
  id text not null,                      -- a UUID of version 7: listings are in its order, which is that of time
  sequence integer not null,             -- of the event, or the first one of a batch; so are event_id and event_type
  event_count integer not null,
  event_id text not null,
  event_type text not null,
  endpoint_url text not null,            -- without credentials, query and fragment
  attempt integer not null,              -- 1, 2, 3 ... per event
  status integer,                        -- of the HTTP answer; null when there was none
  latency_ms integer not null,
  error text,                            -- why the event was not taken; null when it was
  delivered integer not null,
  payload text,                          -- JSON, as it was sent; null when it was larger than is kept
  payload_truncated integer not null,
  response_body text not null,           -- the beginning of it
  created_at integer not null            -- when the attempt had ended
) strict;
create unique index deliveries_by_directory on deliveries (directory_id, id);
create index deliveries_by_scope on deliveries (tenant, product, id, directory_id);
create index deliveries_by_age on deliveries (created_at);
