-- Reads over all directories of a product.

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

-- The events that were stored before get their runs as if they had just been counted.
insert into event_volumes (directory_id, minute, events, failed_deliveries)
select directory_id, 0, 0, 0 from directory_state where last_sequence > 0 and revision >= 0
on conflict (directory_id, minute) do nothing;

create index holds_by_age on holds (since, directory_id);
create index users_by_update on users (directory_id, updated_at, sequence);
create index groups_by_update on groups (directory_id, updated_at, sequence);
-- The expression keeps the planner from using it for one tenant.
create index deliveries_by_product on deliveries ((product || ''), id, directory_id);
